import type { Driver, ProfiledPlan, Result, Session, Transaction } from 'neo4j-driver';

import type { Graph } from '../src/neo4j/driver';

/** The number of Neo4j's store accesses (db hits) by the text of the statement. */
export type Hits = ReadonlyMap<string, number>;

/** A graph that profiles all statements of the service. */
export interface ProfiledGraph {
  readonly graph: Graph;
  /** Gives the counts since the last call, and sets them to zero. */
  take(): Hits;
}

/** The store accesses of a plan and all its children. */
export const hitsOf = ({ dbHits, children }: ProfiledPlan): number =>
  children.reduce((sum, child) => sum + hitsOf(child), Number(dbHits));

/** The same object with some methods replaced. */
const instead = <A extends object>(object: A, methods: Partial<A>): A =>
  new Proxy(object, {
    get: (target, name): unknown => {
      if (Object.hasOwn(methods, name)) return methods[name as keyof A];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/**
 * Makes Neo4j count the store accesses of each statement. Other load on the machine does not change
 * this figure.
 */
export const profiledGraph = (graph: Graph): ProfiledGraph => {
  let hits = new Map<string, number>();
  const note = (text: string, profile: ProfiledPlan | false): void => {
    if (profile !== false) hits.set(text, (hits.get(text) ?? 0) + hitsOf(profile));
  };
  const profiled = (tx: Transaction): Transaction =>
    instead(tx, {
      run: ((text: string, parameters?: Record<string, unknown>): Result => {
        const result = tx.run(`PROFILE ${text}`, parameters);
        const noted = result.then((all) => {
          note(text, all.summary.profile);
          return all;
        });
        return instead(result, { then: noted.then.bind(noted) as Result['then'] });
      }) as Transaction['run'],
    });
  const opened = (session: Session): Session =>
    instead(session, {
      beginTransaction: ((...args: Parameters<Session['beginTransaction']>) =>
        profiled(session.beginTransaction(...args))) as unknown as Session['beginTransaction'],
    });
  const { driver } = graph;
  return {
    graph: {
      ...graph,
      driver: instead<Driver>(driver, { session: (options) => opened(driver.session(options)) }),
    },
    take: () => {
      const counted = hits;
      hits = new Map();
      return counted;
    },
  };
};

/** The sum of all counts. */
export const sumOf = (hits: Hits): number =>
  [...hits.values()].reduce((sum, each) => sum + each, 0);
