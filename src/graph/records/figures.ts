import { PAST } from '../../model/past-facts';
import { COUNTED_UP_TO } from '../statements/counted-pushes';
import { OF_POLICY } from '../statements/policy-actions';
import { oncePerContext } from '../../context';
import { ask } from '../../neo4j/ask';
import type { Graph } from '../../neo4j/driver';

/** How large the graph is, and when each data source was last pushed to. */
export interface GraphFigures {
  /** Nodes, without facts that ended: so this falls when much goes. */
  readonly nodes: number;
  readonly relationships: number;
  /** Facts that ended. */
  readonly pastFacts: number;
  readonly sources: readonly SourceFreshness[];
  /** Providers with policies, their open actions, and when they last ran. */
  readonly policies: readonly {
    readonly provider: string;
    readonly open: number;
    readonly dead: number;
    readonly lastRunAt: string | null;
  }[];
  /** When the first push was whose changes of access wait to be counted; `null` if none waits. */
  readonly uncountedSince: string | null;
}

/** When a data source was last pushed to. */
export interface SourceFreshness {
  readonly provider: string;
  readonly dataSource: string;
  /** RFC 3339. */
  readonly lastPushAt: string;
}

// Neo4j answers these from its count store, so they are cheap at any size of the graph.
export const COUNT_NODES = 'MATCH (n) RETURN count(n) AS nodes';
export const COUNT_RELATIONSHIPS = 'MATCH ()-[r]->() RETURN count(r) AS relationships';
export const COUNT_ALL_PAST = `MATCH (n:${PAST}) RETURN count(n) AS facts`;

const LAST_PUSHES = `MATCH (source:DataSource)-[:FROM]->(provider:Provider)
WHERE source.last_push_at IS NOT NULL
RETURN provider.name AS provider, source.name AS source, source.last_push_at AS at`;

const POLICIES = `MATCH (state:LifecycleState)
MATCH (provider:Provider {key: state.key})
RETURN provider.name AS provider, toString(state.run_at) AS run_at,
  COUNT { MATCH (action:LifecycleAction)
    WHERE action.provider = state.key AND action.status IN ['PLANNED', 'FAILED'] AND ${OF_POLICY} } AS open,
  COUNT { MATCH (action:LifecycleAction)
    WHERE action.provider = state.key AND action.status = 'DEAD' AND ${OF_POLICY} } AS dead`;

const read = async (graph: Graph): Promise<GraphFigures> => {
  const [nodes] = await ask(graph, COUNT_NODES);
  const [relationships] = await ask(graph, COUNT_RELATIONSHIPS);
  const [past] = await ask(graph, COUNT_ALL_PAST);
  const sources = await ask(graph, LAST_PUSHES);
  const [counted] = await ask(graph, COUNTED_UP_TO);
  const policies = await ask(graph, POLICIES);
  return {
    nodes: Number(nodes?.nodes) - Number(past?.facts),
    relationships: Number(relationships?.relationships),
    pastFacts: Number(past?.facts),
    uncountedSince: typeof counted?.next === 'string' ? counted.next : null,
    policies: policies.map(({ provider, run_at, open, dead }) => ({
      provider: String(provider),
      open: Number(open),
      dead: Number(dead),
      lastRunAt: typeof run_at === 'string' ? run_at : null,
    })),
    sources: sources.map(({ provider, source, at }) => ({
      provider: String(provider),
      dataSource: String(source),
      lastPushAt: String(at),
    })),
  };
};

/**
 * Reads the figures of the graph. A second caller within `everySeconds` gets the figures of the
 * first. Resolves with `null` if Neo4j does not answer.
 */
export const graphFigures = (
  graph: Graph,
  everySeconds = 5,
): (() => Promise<GraphFigures | null>) => {
  let askedAt = -Infinity;
  let figures: Promise<GraphFigures | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - askedAt >= everySeconds * 1000) {
      askedAt = performance.now();
      figures = read(graph).catch(() => null);
    }
    return figures;
  };
};

/** The figures of the graph; `null` while Neo4j does not answer. */
export const figuresOf = oncePerContext(({ graph }) => graphFigures(graph));
