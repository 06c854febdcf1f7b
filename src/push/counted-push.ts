import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { NO_COUNTS } from '../graph/records/push-record';
import type { Counter, Metrics } from '../metrics';
import type { Failure } from '../problem';
import type { AcceptedPush } from './run/accepted-push';
import type { PushTarget } from './receive/push-intent';

const PUSHES: Counter<'template' | 'outcome'> = {
  name: 'grantgraph_pushes_total',
  help: 'Pushes by how they ended.',
  labels: ['template', 'outcome'],
};

const WRITTEN: Counter<'template' | 'what' | 'change'> = {
  name: 'grantgraph_push_written_total',
  help: 'Nodes and relationships that pushes wrote and removed.',
  labels: ['template', 'what', 'change'],
};

const STEPS: Counter<'template' | 'step'> = {
  name: 'grantgraph_push_step_seconds_total',
  help: 'Seconds that accepted pushes spent in each step.',
  labels: ['template', 'step'],
};

/** The counters of pushes. */
export const PUSH_COUNTERS: readonly Counter[] = [PUSHES, WRITTEN, STEPS];

/** What the metrics count of a finished push. */
interface CountedPush extends Pick<AcceptedPush, 'put' | 'removed' | 'seconds'> {
  readonly outcome: AcceptedPush['outcome'] | 'refused' | 'failed';
}

const count = (
  metrics: Pick<Metrics, 'count'>,
  template: string,
  { outcome, put, removed, seconds }: CountedPush,
): void => {
  metrics.count(PUSHES, { template, outcome });
  for (const [change, rows] of Object.entries({ put, removed })) {
    metrics.count(WRITTEN, { template, what: 'nodes', change }, rows.nodes);
    metrics.count(WRITTEN, { template, what: 'relationships', change }, rows.relationships);
  }
  for (const [step, spent] of Object.entries(seconds)) {
    metrics.count(STEPS, { template, step }, spent);
  }
};

const outcomeOf = ({ _tag }: Failure): CountedPush['outcome'] =>
  _tag === 'Unavailable' || _tag === 'Internal' ? 'failed' : 'refused';

/** Counts pushes of a template that another function has run. */
export const countsOfPushes = (metrics: Pick<Metrics, 'count'>, template: string) => ({
  done: (push: AcceptedPush): void => count(metrics, template, push),
  failed: (failure: Failure): void =>
    count(metrics, template, {
      outcome: outcomeOf(failure),
      seconds: {},
      put: NO_COUNTS,
      removed: NO_COUNTS,
    }),
});

/** Makes a function that runs a push and counts it in the metrics. */
export const countedPush =
  <R extends { readonly source: PushTarget }>(
    metrics: Pick<Metrics, 'count'>,
    push: (request: R) => TE.TaskEither<Failure, AcceptedPush>,
  ) =>
  (request: R): TE.TaskEither<Failure, AcceptedPush> => {
    const counts = countsOfPushes(metrics, request.source.provider.custom_template);
    return pipe(
      push(request),
      TE.tapIO((taken) => () => counts.done(taken)),
      TE.tapError((failure) => TE.fromIO(() => counts.failed(failure))),
    );
  };
