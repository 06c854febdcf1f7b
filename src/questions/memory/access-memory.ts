import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AccessGraph } from '../../access/access-graph';
import type { EffectiveAccess } from '../../access/effective-access';
import type { Humans } from '../../access/human';
import { type Moment, NOW } from '../../access/instants';
import { NoMemory } from '../../access/memory';
import type { AsOf } from '../../contract/answers/page';
import { type Instant, nanosOf } from '../../model/instant';
import type { Graph } from '../../neo4j/driver';
import { toFailure } from '../../neo4j/failure';
import { inTransaction } from '../../neo4j/transaction';
import type { Failure } from '../../problem';
import { inFuture, newestBy } from '../instant/instant-in-history';
import type { CopiedAccess, LendAccess } from './access-copy';
import { GraphTooLarge, HeldGraph, type HeldState, Restless } from './held-graph';

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
  /** Aborted when the process no longer holds the graph. It may have what was erased since. */
  readonly dropped: AbortSignal;
  /** The number of the newest commit that the graph has. */
  readonly turns: number;
}

/** The access graph of a process (docs/architecture.md: Access in memory). */
export interface AccessMemory {
  /**
   * Waits until memory has everything that was committed before the call. `at` is the instant of
   * the question, `null` means now. Refuses an instant that the history does not reach; `pointer`
   * names it in the request.
   */
  readonly then: (at: Instant | null, pointer: string) => TE.TaskEither<Failure, AccessThen>;
  /**
   * Lends a copy of everything that was committed before the call. There is one copy at a time;
   * others wait until it is released, and get `null` if that lasts too long.
   */
  readonly lend: LendAccess;
  /** Waits until there is a graph of which a copy can be made, or until it is certain that there is none. */
  readonly loaded: () => Promise<void>;
  /** Applies to the graph in memory what was committed, also while nobody asks a question. */
  readonly follow: () => Promise<void>;
  /**
   * Compares what it holds with Neo4j. Returns of which labels and types it differs, or `null` if
   * commits came all the time. After a difference it loads everything again.
   */
  readonly compare: () => Promise<readonly string[] | null>;
  /** What it holds. */
  readonly state: () => HeldState;
  /** Ends what it reads from Neo4j, such as a load that lasts long. */
  readonly stop: () => void;
}

/** How much the access graph of a process may use. */
export interface MemoryLimits {
  readonly memoryBytes: number;
  /** How long a question waits while the graph is loaded. */
  readonly loadSeconds: number;
  /** How long the service waits for an answer of Neo4j about what was committed. */
  readonly seconds: number;
  /** How long a copy waits for the one before, and for what was committed. */
  readonly lendSeconds?: number;
}

const RESTLESS: Failure = {
  _tag: 'Unavailable',
  message:
    'The service loaded the graph of access, but commits came whose records do not say what they changed. Ask again later.',
};

const TOO_LARGE: Failure = {
  _tag: 'Unavailable',
  message: 'The graph of access needs more memory than it may use: set ACCESS_MEMORY, or MEMORY.',
};

const loading = ({ nodes, relationships }: HeldState): Failure => ({
  _tag: 'Unavailable',
  message: `The service loads the graph of access: ${nodes} nodes and ${relationships} relationships by now. Ask again later.`,
});

const failureOf = (error: unknown): Failure => {
  if (error instanceof GraphTooLarge) return TOO_LARGE;
  if (error instanceof Restless) return RESTLESS;
  return toFailure(error, true);
};

/** Resolves with what a promise resolves with, or with `null` after so many seconds. */
const within = async <A>(seconds: number, promise: Promise<A>): Promise<A | null> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), seconds * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** A caller that wants a copy may hold locks for which others wait, so it waits no longer than this. */
const LEND_SECONDS = 10;

/** How often it copies again because commits came meanwhile. */
const COPIES = 3;

/** Lends one copy at a time. A caller that waits too long until the copy before is released gets `null`. */
const lendingOne = (copy: () => Promise<CopiedAccess | null>, seconds: number): LendAccess => {
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    const before = last;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    last = Promise.all([before, released]);
    try {
      const isFree = await within(
        seconds,
        before.then(() => true),
      );
      const copied = isFree === null ? null : await copy();
      if (copied !== null) return { ...copied, release };
    } catch (error) {
      release();
      throw error;
    }
    release();
    return null;
  };
};

/** Holds the access graph in memory, and follows the commits. */
export const accessMemory = (graph: Graph, limits: MemoryLimits): AccessMemory => {
  const held = new HeldGraph(graph, limits);
  const { lendSeconds = LEND_SECONDS } = limits;
  // All who want a comparison at once share one, since it reads the complete graph.
  let comparing: Promise<readonly string[] | null> | null = null;

  const now = (): TE.TaskEither<Failure, AccessThen> =>
    pipe(
      TE.tryCatch(() => within(limits.loadSeconds, held.upToDate()), failureOf),
      TE.flatMap((found) =>
        found === null ? TE.left(loading(held.state)) : TE.right({ ...found, moment: NOW }),
      ),
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

  /** The graph at an instant, and the newest push that it includes. Both are read at the same time. */
  const then = (at: Instant, pointer: string): TE.TaskEither<Failure, AccessThen> =>
    pipe(
      TE.Do,
      TE.apS('asOf', newest(at, pointer)),
      TE.apS(
        'found',
        pipe(
          now(),
          TE.map((found) => ({ found, changes: found.graph.changes })),
        ),
      ),
      TE.flatMap(({ asOf, found: { found, changes } }) =>
        pipe(
          // It may have a part of a commit, if it was fed while the push was read.
          found.graph.changes === changes ? TE.right(found) : now(),
          TE.map((whole) => ({
            ...whole,
            moment: whole.graph.instants.moment(nanosOf(at)),
            asOf,
          })),
        ),
      ),
    );

  /** The graph that a promise resolves with; `null` if the process cannot have one. */
  const unlessUnavailable = async <A>(found: Promise<A>): Promise<A | null> => {
    try {
      return await found;
    } catch (error) {
      // The answer of each question and `/readyz` report these errors, so nothing is lost here.
      if (error instanceof GraphTooLarge || error instanceof Restless) return null;
      throw error;
    }
  };

  return {
    lend: lendingOne(async () => {
      try {
        for (let attempt = 1; attempt <= COPIES; attempt += 1) {
          const found = await unlessUnavailable(within(lendSeconds, held.upToDate()));
          const copied = found === null ? null : await held.copy();
          if (found === null || copied !== null) return copied;
        }
        return null;
      } catch (error) {
        if (error instanceof NoMemory) return null;
        throw error;
      }
    }, lendSeconds),
    loaded: async () => {
      if (held.state.phase === 'ready') return;
      await unlessUnavailable(within(limits.loadSeconds, held.upToDate()));
    },
    then: (at, pointer) => (at === null ? now() : then(at, pointer)),
    follow: async () => {
      await unlessUnavailable(held.upToDate());
    },
    compare: () => {
      comparing ??= held.compare().finally(() => {
        comparing = null;
      });
      return comparing;
    },
    state: () => held.state,
    stop: () => held.stop(),
  };
};
