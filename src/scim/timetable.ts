import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Provider } from '../../contract/records/provider';
import { isOutageFailure } from '../../neo4j/failure';
import type { Log } from '../../log';
import type { Failure } from '../../problem';
import type { ScimImportCases } from './scim-imports';

/** What the timetable needs. */
export interface TimetableDependencies {
  readonly imports: Pick<ScimImportCases, 'due' | 'run'>;
  readonly findProvider: (id: string) => TE.TaskEither<Failure, Provider>;
  readonly log: Log;
}

/** How many imports a process runs at once by the timetable. */
const AT_ONCE = 4;

/** Runs the imports that are due. A long one does not hold up the others. */
export class ImportTimetable {
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly dependencies: TimetableDependencies) {}

  /** Begins imports that are due, as far as there is room. */
  readonly round = async (isStopping: () => boolean): Promise<void> => {
    const room = AT_ONCE - this.running.size;
    if (room <= 0 || this.stopping.signal.aborted) return;
    for (const provider of await this.dependencies.imports.due(AT_ONCE)) {
      if (isStopping() || this.running.size >= AT_ONCE) return;
      if (this.running.has(provider)) continue;
      this.running.set(
        provider,
        this.run(provider).finally(() => this.running.delete(provider)),
      );
    }
  };

  /** Stops what runs. What was read is thrown away; a push that has begun is finished. */
  readonly stop = async (): Promise<void> => {
    this.stopping.abort();
    await this.settled();
  };

  /** Resolves when nothing runs. */
  readonly settled = async (): Promise<void> => {
    await Promise.all(this.running.values());
  };

  private async run(id: string): Promise<void> {
    const { imports, findProvider, log } = this.dependencies;
    const result = await pipe(
      findProvider(id),
      TE.flatMap((provider) =>
        imports.run({
          ...{ provider, requestId: randomUUID(), isDryRun: false, isWhole: false },
          ...{ confirmedRemoval: null, seesOthers: true, stopping: this.stopping.signal },
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
    } else if (!isOutageFailure(result.left) && !this.stopping.signal.aborted) {
      log.warn('import failed', { ...fields, reason: result.left._tag });
    }
  }
}
