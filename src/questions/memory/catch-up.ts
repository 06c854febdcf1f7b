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
import { accessKindOfKey, type GraphRows, type Row } from './graph-rows';
import { listAt } from '../../model/grouped';

const pairOf = ([type, from, to]: Related): Pair => ({ type, from, to });

/** After so many pairs of nodes other requests have their turn. */
const AT_ONCE = 1_000;

const inTurns = async <A>(items: Iterable<A>, work: (item: A) => void): Promise<void> => {
  let done = 0;
  for (const item of items) {
    work(item);
    done += 1;
    if (done % AT_ONCE === 0) await nextTurn();
  }
};

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
          await inTurns(graph.openAt(key), (place) => {
            const pair = graph.pair(place);
            this.pairs.set(nameOf(pair), pair);
          });
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

  /**
   * How many nodes and relationships changed, so that `read` must read from Neo4j what they are
   * now.
   */
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
    const now = new Map<string, Lasting[]>();
    const found = (pair: Pair, lasting: Lasting): void => {
      const name = nameOf(pair);
      if (!this.pairs.has(name)) return;
      listAt(now, name).push(lasting);
    };
    const byType = new Map<HeldType, (readonly [from: string, to: string, number: number])[]>();
    const starts = new Set<string>();
    await inTurns(this.pairs.values(), ({ type, from, to }) => {
      const known = byType.get(type) ?? [];
      byType.set(type, known);
      known.push([from, to, known.length]);
      starts.add(from);
    });
    const ended = { at: toDateTime(instantOf(since)) };
    await Promise.all([
      ...[...byType].map(([type, pairs]) =>
        pipeline.each<{ number: unknown; since: string | null }>(
          relationshipsNow(type),
          'pairs',
          pairs,
          (records) => {
            for (const record of records) {
              const [from, to] = pairs[Number(record.get('number'))] ?? ['', ''];
              const since = this.rows.nanos(record.get('since'));
              found({ type, from, to }, { since, until: null });
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
            const { since, until } = record.toObject();
            found(pair, { since: this.rows.nanos(since), until: this.rows.nanos(until) });
          }
        },
        ended,
      ),
    ]);
    await inTurns(this.pairs, ([name, pair]) => {
      this.graph.setBetween(pair, since, now.get(name) ?? []);
      for (const key of [pair.from, pair.to]) {
        const node = this.graph.find(key);
        if (node >= 0 && this.graph.kind(node) === null) this.nodes.add(key);
      }
    });
  }

  private async readNodes(pipeline: Pipeline): Promise<void> {
    const since = this.first;
    if (this.nodes.size === 0 || since === null) return;
    await pipeline.each<{ key: string; row: Row | null; past: readonly [Row, string][] }>(
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
          const past = record
            .get('past')
            .map(([version, until]) => this.rows.nodeOf(kind, version, until));
          const now = row === null ? [] : [this.rows.nodeOf(kind, row, null)];
          this.graph.setVersions(key, [...now, ...past], since);
        }
      },
      { at: toDateTime(instantOf(since)) },
    );
  }
}
