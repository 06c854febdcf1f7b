import type * as E from 'fp-ts/Either';

import type { Config } from './config';
import type { EventType } from './contract/answers/event-types';
import type { Graph, GraphAddress } from './neo4j/driver';
import type { Log } from './log';
import type { Metrics } from './metrics';
import type { NodeKind } from './model/table';
import type { Failure } from './problem';

/** What every feature works with (docs/architecture.md: Features). */
export interface Context {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Where Neo4j is, for threads that connect themselves. */
  readonly address: GraphAddress;
  /** The connections of pushes and of everything else that writes. */
  readonly graph: Graph;
  /** The connections of questions, so that slow questions use none that pushes need. */
  readonly asked: Graph;
  /** Succeeds if the graph has its schema, or else fails with the reason. */
  readonly checkPrepared: () => E.Either<Failure, void>;
  /** The records of all features. */
  readonly records: readonly NodeKind[];
  /** The types of events of all features. */
  readonly eventTypes: readonly EventType[];
  /** Starts the next round of the work that requests leave to the background. */
  readonly wake: () => void;
  /** Adds something that the service must stop. The service stops the last one first. */
  readonly onStop: (stop: () => Promise<void>) => void;
}

/** A function that makes a value for each context once, when somebody first needs it. */
export interface OncePerContext<A> {
  (context: Context): A;
  /**
   * Uses another value for a context. Tests call it before anybody needs the value; `usual` makes
   * the value that the service would use.
   */
  readonly replace: (context: Context, change: (usual: () => A) => A) => void;
}

/** Makes a value once for each context. Features share in this way what they hold in memory. */
export const oncePerContext = <A>(make: (context: Context) => A): OncePerContext<A> => {
  const made = new WeakMap<Context, { readonly value: A }>();
  const of = (context: Context): A => {
    const before = made.get(context);
    if (before !== undefined) return before.value;
    const value = make(context);
    made.set(context, { value });
    return value;
  };
  return Object.assign(of, {
    replace: (context: Context, change: (usual: () => A) => A): void => {
      if (made.has(context)) throw new Error('The value is already in use.');
      made.set(context, { value: change(() => make(context)) });
    },
  });
};
