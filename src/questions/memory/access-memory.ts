import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AccessGraph } from '../../access/access-graph';
import { EffectiveAccess } from '../../access/effective-access';
import { Humans } from '../../access/human';
import type { Moment } from '../../access/instants';
import type { AsOf } from '../../contract/answers/page';
import { type Instant, nanosOf } from '../../model/instant';
import type { Graph } from '../../neo4j/driver';
import { toFailure } from '../../neo4j/failure';
import { inTransaction, runTransaction } from '../../neo4j/transaction';
import type { Failure } from '../../problem';
import { readVersions } from '../answering/versions';
import { inFuture, newestBy } from '../instant/instant-in-history';
import {
  loadAccessGraph,
  type LoadedAccess,
  RESTLESS_LOAD,
  TOO_LARGE_LOAD,
} from './load-access-graph';

/**
 * Who can do what at a moment, as of everything that was committed before the question. It is valid
 * until the next promise: what is committed later is added to the same graph.
 */
export interface AccessThen {
  readonly graph: AccessGraph;
  readonly access: EffectiveAccess;
  readonly humans: Humans;
  /** The moment of the question. */
  readonly moment: Moment;
  /** The newest push by then; `null` if there is none. */
  readonly asOf: AsOf | null;
}

/** The access graph of a process (docs/architecture.md: Access in memory). */
export interface AccessMemory {
  /**
   * Waits until memory has everything that was committed before the call. `at` is the instant of
   * the question, `null` means now. Refuses an instant that the history does not reach; `pointer`
   * names it in the request.
   */
  readonly then: (at: Instant | null, pointer: string) => TE.TaskEither<Failure, AccessThen>;
}

/** How much the access graph of a process may use. */
export interface MemoryLimits {
  readonly memoryBytes: number;
  readonly loadSeconds: number;
  /** How long the service waits for an answer of Neo4j about what was committed. */
  readonly seconds: number;
}

const RESTLESS: Failure = {
  _tag: 'Exhausted',
  message: 'Pushes come so fast that the service could not read the graph. Ask again later.',
};

const TOO_LARGE: Failure = {
  _tag: 'Exhausted',
  message: 'The graph needs more memory than it may use: set LIMIT_ACCESS_MEMORY.',
};

interface Held extends LoadedAccess {
  readonly access: EffectiveAccess;
  readonly humans: Humans;
}

/** Holds the access graph in memory, and loads it again when something was committed. */
export const accessMemory = (graph: Graph, limits: MemoryLimits): AccessMemory => {
  let held: Held | null = null;
  let loading: Promise<unknown> = Promise.resolve();

  const upToDate = async (): Promise<Held | Failure> => {
    const versions = await runTransaction(
      graph,
      { mode: 'read', timeoutSeconds: limits.seconds },
      readVersions,
    );
    if (held?.versions.text === versions.text) return held;
    const loaded = await loadAccessGraph(graph, {
      ...{ only: null, isWithHistory: true },
      ...{ memoryBytes: limits.memoryBytes, timeoutSeconds: limits.loadSeconds },
    });
    if (loaded === RESTLESS_LOAD) return RESTLESS;
    if (loaded === TOO_LARGE_LOAD) return TOO_LARGE;
    held = {
      ...loaded,
      ...{ access: new EffectiveAccess(loaded.graph), humans: new Humans(loaded.graph) },
    };
    return held;
  };

  const now = (): TE.TaskEither<Failure, Held> =>
    pipe(
      TE.tryCatch(() => {
        const next = loading.then(upToDate, upToDate);
        loading = next;
        return next;
      }, toFailure),
      TE.flatMap((found) => ('_tag' in found ? TE.left(found) : TE.right(found))),
    );

  const newest = (at: Instant, pointer: string): TE.TaskEither<Failure, AsOf | null> => {
    const later = inFuture(pointer, at);
    if (later !== null) return TE.left(later);
    return pipe(
      inTransaction(graph, { mode: 'read', timeoutSeconds: limits.seconds }, (tx) =>
        newestBy(tx, at, pointer),
      ),
      TE.flatMap((found) => (E.isLeft(found) ? TE.left(found.left) : TE.right(found.right))),
    );
  };

  return {
    then: (at, pointer) =>
      at === null
        ? now()
        : pipe(
            newest(at, pointer),
            TE.flatMap((asOf) =>
              pipe(
                now(),
                TE.map((found) => {
                  const moment = found.graph.instants.moment(nanosOf(at));
                  // What was committed while it was loaded does not count.
                  return { ...found, moment: Math.min(moment, found.moment), asOf };
                }),
              ),
            ),
          ),
  };
};
