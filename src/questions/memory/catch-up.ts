import { setImmediate as nextTurn } from 'node:timers/promises';

import type { AccessGraph, Lasting, Pair } from '../../access/access-graph';
import type { HeldType } from '../../access/relationship-types';
import { type Related, unpacked } from '../../graph/records/access-commit';
import { instantOf } from '../../model/instant';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { ENDED_FROM, NODES_NOW, relationshipsNow } from '../statements/access-feed-statements';
import type { Commit } from './commits';
import { accessKindOfKey, type GraphRows, kindOfLabel, type Row } from './graph-rows';

const pairOf = ([type, from, to]: Related): Pair => ({ type, from, to });

/** After so many pairs of nodes other requests have their turn. */
const AT_ONCE = 1_000;

const nameOf = ({ type, from, to }: Pair): string => `${type}\n${from}\n${to}`;

/**
 * Applies commits to an access graph. What began, the graph gets from the commits. Of what ended or
 * changed, it gets what Neo4j says now, so the same commit may be applied twice, and to a graph that
 * was read while it was committed.
 */
export class CatchUp {
  private readonly nodes = new Set<string>();
  private readonly pairs = new Map<string, Pair>();
  private first: bigint | null = null;

  constructor(
    private readonly graph: AccessGraph,
    private readonly rows: GraphRows,
  ) {}

  /** Applies what commits say. Nobody may ask the graph until `read` has ended. */
  async apply(commits: readonly Commit[]): Promise<void> {
    const { graph } = this;
    for (const { at, changes } of commits) {
      const instant = this.rows.nanos(at);
      if (instant === null) throw new Error('the commit has no instant');
      if (this.first === null || instant < this.first) this.first = instant;
      graph.touch(instant);
      for (const { put, removed, begun, ended } of unpacked(changes)) {
        for (const key of put) this.nodes.add(key);
        for (const key of removed) {
          this.nodes.add(key);
          for (const pair of graph.openAt(key)) this.pairs.set(nameOf(pair), pair);
        }
        for (const related of begun) this.begin(pairOf(related), instant);
        for (const related of ended) {
          const pair = pairOf(related);
          this.pairs.set(nameOf(pair), pair);
        }
        // Requests are answered between the pieces.
        await nextTurn();
      }
    }
  }

  /** Of how many nodes and relationships Neo4j must say what became of them. */
  get mustRead(): number {
    return this.nodes.size + this.pairs.size;
  }

  /** Reads what became of nodes and relationships. */
  async read(tx: Runner): Promise<void> {
    const pipeline = new Pipeline(tx);
    await this.readPairs(pipeline);
    await this.readNodes(pipeline);
  }

  private begin(pair: Pair, since: bigint): void {
    const { graph } = this;
    graph.begin(pair, since);
    for (const key of [pair.from, pair.to]) {
      if (graph.kind(graph.find(key)) === null) this.nodes.add(key);
    }
  }

  private async readPairs(pipeline: Pipeline): Promise<void> {
    const since = this.first;
    if (this.pairs.size === 0 || since === null) return;
    const now = new Map([...this.pairs].map(([name]) => [name, [] as Lasting[]]));
    const byType = new Map<HeldType, Pair[]>();
    for (const pair of this.pairs.values()) {
      const known = byType.get(pair.type);
      if (known === undefined) byType.set(pair.type, [pair]);
      else known.push(pair);
    }
    const starts = new Set([...this.pairs.values()].map(({ from }) => from));
    const ended = { at: toDateTime(instantOf(since)) };
    await Promise.all([
      ...[...byType].map(([type, pairs]) =>
        pipeline.each<{ number: unknown; since: string | null }>(
          relationshipsNow(type),
          'pairs',
          pairs.map(({ from, to }, number) => [from, to, number]),
          (records) => {
            for (const record of records) {
              const pair = pairs[Number(record.get('number'))];
              if (pair === undefined) continue;
              now
                .get(nameOf(pair))
                ?.push({ since: this.rows.nanos(record.get('since')), until: null });
            }
          },
        ),
      ),
      pipeline.each<Record<'type' | 'from' | 'to' | 'since' | 'until', string>>(
        ENDED_FROM,
        'keys',
        [...starts],
        (records) => {
          for (const record of records) {
            const type = record.get('type') as HeldType;
            const pair = { type, from: record.get('from'), to: record.get('to') };
            now.get(nameOf(pair))?.push({
              since: this.rows.nanos(record.get('since')),
              until: this.rows.nanos(record.get('until')),
            });
          }
        },
        ended,
      ),
    ]);
    let done = 0;
    for (const [name, pair] of this.pairs) {
      done += 1;
      if (done % AT_ONCE === 0) await nextTurn();
      this.graph.setBetween(pair, since, now.get(name) ?? []);
      for (const key of [pair.from, pair.to]) {
        const node = this.graph.find(key);
        if (node >= 0 && this.graph.kind(node) === null) this.nodes.add(key);
      }
    }
  }

  private readNodes(pipeline: Pipeline): Promise<void> {
    return pipeline.each<{ key: string; row: Row | null; past: readonly [Row, string][] }>(
      NODES_NOW,
      'keys',
      [...this.nodes],
      (records) => {
        for (const record of records) {
          const key = record.get('key');
          const kind = accessKindOfKey(key);
          if (kind === null) continue;
          const row = record.get('row');
          // A shared node that is gone stays as it was.
          if (row === null && kind.keeper === 'shared') {
            if (this.graph.kind(this.graph.find(key)) === null) this.rows.goneShared(key);
            continue;
          }
          this.graph.forgetVersions(key);
          if (row !== null) this.rows.node(kind, row, null);
          for (const [past, until] of record.get('past')) {
            this.rows.node(kindOfLabel(kind.label) ?? kind, past, until);
          }
        }
      },
    );
  }
}
