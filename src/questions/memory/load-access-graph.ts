import type { AccessGraph } from '../../access/access-graph';
import type { HeldType } from '../../access/relationship-types';
import { Instant } from '../../model/instant';
import type { NodeKind } from '../../model/table';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { accessKinds } from '../../graph/statements/access-kinds';
import {
  ALL_NODES,
  ALL_RELATIONSHIPS,
  NODES_ENDED,
  RELATIONSHIPS_ENDED,
} from '../statements/access-graph-statements';
import { eachRow, GraphRows, kindOfLabel, type Row, type RowTarget } from './graph-rows';

/** Nothing is older. */
const BEFORE_ALL = '1970-01-01T00:00:00Z';

/** Sends the statements, and passes their rows on. */
class Loader {
  private readonly rows: GraphRows;

  constructor(
    private readonly tx: Runner,
    target: RowTarget,
  ) {
    this.rows = new GraphRows(target);
  }

  /** Everything that exists now. Neo4j gets all statements at once. */
  async everything(): Promise<void> {
    await Promise.all([
      eachRow(this.tx, ALL_NODES, {}, (record) => {
        const kind = accessKinds[Number(record.get('of'))] as NodeKind;
        this.rows.node(kind, record.get('row') as Row, null);
      }),
      eachRow(this.tx, ALL_RELATIONSHIPS, {}, (record) => {
        const from = record.get('from') as string;
        const facts = record.get('facts') as readonly (readonly [HeldType, string, string])[];
        for (const [type, to, since] of facts) {
          this.rows.relationship(type, [from, to, since], null);
        }
      }),
    ]);
  }

  /** What ended after an instant. */
  async endedAfter(instant: Instant): Promise<void> {
    const at = { at: toDateTime(instant) };
    await Promise.all([
      eachRow(this.tx, NODES_ENDED, at, (record) => {
        const kind = kindOfLabel(record.get('label') as string);
        if (kind !== null) this.rows.node(kind, record.get('row') as Row, record.get('until'));
      }),
      eachRow(this.tx, RELATIONSHIPS_ENDED, at, (record) => {
        const type = record.get('type') as HeldType;
        this.rows.relationship(type, record.get('row') as Row, record.get('until'));
      }),
    ]);
  }
}

/**
 * Reads everything with its history, except shared nodes that are gone. Commits may come while it
 * reads: the caller then applies those after the number that the commit sequence had before.
 */
export const readEverything = async (tx: Runner, target: RowTarget): Promise<void> => {
  const loader = new Loader(tx, target);
  await loader.everything();
  await loader.endedAfter(new Instant(BEFORE_ALL));
};

/** Makes the shared nodes that are gone. */
export const addGoneNodes = (graph: AccessGraph): void => {
  const rows = new GraphRows(graph);
  for (let node = 0; node < graph.nodeCount; node += 1) {
    if (graph.kind(node) === null) rows.goneShared(graph.key(node));
  }
};
