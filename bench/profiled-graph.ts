import type { Driver, ProfiledPlan, Result, Session, Transaction } from 'neo4j-driver';

import type { Graph } from '../src/graph/connection/driver';

/** How often Neo4j looked into its store for a statement, by the statement's text. */
export type Hits = ReadonlyMap<string, number>;

/** A graph whose statements are profiled: the service's own, as it sends them. */
export interface ProfiledGraph {
  readonly graph: Graph;
  /** What was counted since the last time, and begins anew. */
  take(): Hits;
}

/** All that a statement, or a part of its plan, looked into the store. */
export const hitsOf = ({ dbHits, children }: ProfiledPlan): number =>
  children.reduce((sum, child) => sum + hitsOf(child), Number(dbHits));

/** The same object, but for some of its methods. */
const instead = <A extends object>(object: A, methods: Partial<A>): A =>
  new Proxy(object, {
    get: (target, name): unknown => {
      if (Object.hasOwn(methods, name)) return methods[name as keyof A];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** Has Neo4j count what each statement of transactions costs it: hits, unlike seconds, do not depend on what else the machine does. */
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
        session.beginTransaction(...args).then(profiled)) as unknown as Session['beginTransaction'],
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

/** All of them together. */
export const sumOf = (hits: Hits): number =>
  [...hits.values()].reduce((sum, each) => sum + each, 0);
