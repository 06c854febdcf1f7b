import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Provider } from '../../contract/records/provider';
import { isOutageFailure } from '../../neo4j/failure';
import type { Log } from '../../log';
import type { Failure } from '../../problem';
import type { Timed } from '../timetable';
import type { ScimImportCases } from './scim-imports';

/** What imports by the timetable need. */
export interface TimedImportDependencies {
  readonly imports: Pick<ScimImportCases, 'due' | 'run'>;
  readonly findProvider: (id: string) => TE.TaskEither<Failure, Provider>;
  readonly log: Log;
}

/**
 * Imports that are due, by the ids of their providers. If the service stops, what an import has read is
 * thrown away; a push that has begun is finished.
 */
export const timedImports = ({
  imports,
  findProvider,
  log,
}: TimedImportDependencies): Timed<string> => ({
  atOnce: 4,
  due: imports.due,
  keyOf: (provider) => provider,
  run: async (id, stopping) => {
    const result = await pipe(
      findProvider(id),
      TE.flatMap((provider) =>
        imports.run({
          provider,
          requestId: randomUUID(),
          isDryRun: false,
          isWhole: false,
          confirmedRemoval: null,
          seesOthers: true,
          stopping,
        }),
      ),
    )();
    const fields = { provider_id: id };
    if (E.isRight(result)) {
      const { answer, push } = result.right;
      const { problem, reading, seconds, requests } = answer;
      if (problem === null) {
        const outcome = push?.outcome ?? 'unchanged';
        log.info(`import ${outcome}`, { ...fields, reading, seconds, requests });
      } else log.warn('import failed', { ...fields, reason: problem.code });
    } else if (!isOutageFailure(result.left) && !stopping.aborted) {
      log.warn('import failed', { ...fields, reason: result.left._tag });
    }
  },
});
