import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { NO_COUNTS } from '../graph/records/push-record';
import type { MeasuredPush, Metrics } from '../metrics';
import type { Failure } from '../problem';
import type { AcceptedPush } from './push/accepted-push';
import type { PushTarget, UseCases } from './use-cases';

const outcomeOf = ({ _tag }: Failure): MeasuredPush['outcome'] =>
  _tag === 'Unavailable' || _tag === 'Internal' ? 'failed' : 'refused';

const failedPush = (template: MeasuredPush['template'], failure: Failure): MeasuredPush => ({
  ...{ template, outcome: outcomeOf(failure), seconds: {} },
  ...{ put: NO_COUNTS, removed: NO_COUNTS },
});

/** The use cases, which also count each push in the metrics. */
export const measuredPushes = (
  useCases: UseCases,
  metrics: Pick<Metrics, 'push' | 'import'>,
): UseCases => {
  const measured =
    <R extends { readonly source: PushTarget }>(
      push: (request: R) => TE.TaskEither<Failure, AcceptedPush>,
    ) =>
    (request: R): TE.TaskEither<Failure, AcceptedPush> => {
      const template = request.source.provider.custom_template;
      return pipe(
        push(request),
        TE.tapIO((taken) => () => metrics.push({ template, ...taken })),
        TE.tapError((failure) => TE.fromIO(() => metrics.push(failedPush(template, failure)))),
      );
    };
  const run: UseCases['scimImports']['run'] = (request) =>
    pipe(
      useCases.scimImports.run(request),
      TE.tapIO(({ answer, push }) => () => {
        const outcome = answer.problem === null ? (push?.outcome ?? 'unchanged') : 'failed';
        if (!answer.dry_run) metrics.import(answer.reading, outcome);
        if (push !== null) metrics.push({ template: request.provider.custom_template, ...push });
      }),
      TE.tapError(() => TE.fromIO(() => metrics.import('none', 'failed'))),
    );
  // What a thread pushes for a request through SCIM does not pass here.
  const write: UseCases['scimServer']['write'] = (sent, takePush, told) =>
    useCases.scimServer.write(sent, takePush, {
      done: (push) => {
        metrics.push({ template: 'identity_provider', ...push });
        told.done(push);
      },
      failed: (failure) => {
        metrics.push(failedPush('identity_provider', failure));
        told.failed(failure);
      },
    });
  return {
    ...useCases,
    scimServer: { ...useCases.scimServer, write },
    scimImports: { ...useCases.scimImports, run },
    takePush: measured(useCases.takePush),
    completeUpload: measured(useCases.completeUpload),
  };
};
