import type * as E from 'fp-ts/Either';

import type { Config } from './config';
import type { Graph, GraphAddress } from './graph/connection/driver';
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
  /** The connections of pushes and of all else that writes. */
  readonly graph: Graph;
  /** The connections of questions: slow ones hold none that others need. */
  readonly asked: Graph;
  /** Whether the graph has its schema; else the reason why not. */
  readonly checkPrepared: () => E.Either<Failure, void>;
  /** The records of all features. */
  readonly records: readonly NodeKind[];
  /** Starts the next round of the work that requests leave to the background. */
  readonly wake: () => void;
  /** Adds what stops with the service; it stops in the reverse order. */
  readonly onStop: (stop: () => Promise<void>) => void;
}

/** Something that is made once for each context, when it is first needed. */
export interface OncePerContext<A> {
  (context: Context): A;
  /**
   * Puts something else in its place, before it is first needed. Tests do this; `usual` makes what
   * would be there.
   */
  readonly replace: (context: Context, change: (usual: () => A) => A) => void;
}

/** Makes something once for each context. A feature shares in this way what it holds in memory. */
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
      if (made.has(context)) throw new Error('It is in use already.');
      made.set(context, { value: change(() => make(context)) });
    },
  });
};
