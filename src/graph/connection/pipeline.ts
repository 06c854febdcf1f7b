import { setImmediate as nextTurn } from 'node:timers/promises';

import type { QueryResult, Record as GraphRecord, RecordShape } from 'neo4j-driver';

import type { Runner } from './transaction';

/** How many rows a statement goes through at most. */
const ROWS_PER_BATCH = 2_000;
const ROWS_IN_FLIGHT = 30_000;
/**
 * A plan stays right while the graph grows, since all statements are constant and start at an
 * index. So Neo4j never plans one again (docs/performance.md: What to know before you change a
 * statement).
 */
const PLANNED_ONCE = 'CYPHER replan=skip\n';

type Parameters = Readonly<Record<string, unknown>>;

/** A list that a statement goes through: the only item of the named parameter, `$rows[0]`. */
interface List {
  readonly name: string;
  readonly items: unknown[];
}

/**
 * Sends several statements without waiting for answers, so that Neo4j never waits for the next one
 * (docs/performance.md: What to know before you change a statement). Neo4j runs them in the order
 * in which they were sent.
 */
export class Pipeline {
  private turn: Promise<void> = Promise.resolve();
  private readonly pending = new Map<Promise<unknown>, number>();
  /** What failed first: whatever is run after it fails too, but does not say why. */
  private failure: { readonly error: unknown } | null = null;

  constructor(private readonly tx: Pick<Runner, 'run'>) {}

  /**
   * Sends one statement for the items, in batches, each the only item of the named parameter; resolves once there is room for more. Items are
   * taken as they are needed, so that the server works on a batch while the next one is made.
   */
  async send(
    text: string,
    name: string,
    items: Iterable<unknown>,
    parameters: Parameters = {},
  ): Promise<void> {
    for (const batch of batches(items)) {
      await this.queue(text, parameters, { name, items: batch });
      // What is packed goes out between the turns of the event loop.
      if (batch.length >= ROWS_PER_BATCH) await nextTurn();
    }
  }

  /** Sends one statement for the items, in batches, and gives what it returns. */
  async ask<R extends RecordShape>(
    text: string,
    name: string,
    items: readonly unknown[],
    parameters: Parameters = {},
  ): Promise<GraphRecord<R>[]> {
    const all: GraphRecord<R>[] = [];
    const keep = (records: readonly GraphRecord<R>[]): void => {
      for (const record of records) all.push(record);
    };
    await this.each<R>(text, name, items, keep, parameters);
    return all;
  }

  /**
   * The same, but `take` gets what each batch returns as it comes, in order, and nothing keeps it longer. An error that
   * `take` throws ends it, and nothing more is sent.
   */
  async each<R extends RecordShape>(
    text: string,
    name: string,
    items: readonly unknown[],
    take: (records: readonly GraphRecord<R>[]) => void,
    parameters: Parameters = {},
  ): Promise<void> {
    await Promise.all(
      [...batches(items)].map(async (batch) => {
        const { result } = await this.queue<R>(text, parameters, { name, items: batch });
        const { records } = await result;
        try {
          take(records);
        } catch (error) {
          this.failure ??= { error };
          throw error;
        }
      }),
    );
  }

  /** Sends one statement that goes through no list, and gives what it returns. */
  async one<R extends RecordShape>(
    text: string,
    parameters: Parameters = {},
  ): Promise<GraphRecord<R>[]> {
    const { result } = await this.queue<R>(text, parameters, null);
    return (await result).records;
  }

  /** Resolves when all that was sent is done. */
  async drain(): Promise<void> {
    await this.turn;
    await Promise.all(this.pending.keys());
  }

  /** Resolves when the statement is on its way. */
  private queue<R extends RecordShape>(
    text: string,
    parameters: Parameters,
    list: List | null,
  ): Promise<{ readonly result: Promise<QueryResult<R>> }> {
    const rows = list?.items.length ?? 1;
    const sent = this.turn.then(async () => {
      await this.room(rows);
      if (this.failure !== null) throw this.failure.error;
      // Neo4j keeps a plan for each power of ten of each parameter's length, and planning takes a tenth of a second
      // (docs/performance.md): so all lists are of one item.
      const given = list === null ? parameters : { ...parameters, [list.name]: [list.items] };
      const result = this.tx.run<R>(PLANNED_ONCE + text, given).finally(() => {
        // The driver keeps what a statement was given as long as its transaction, and longer (`gather.ts`).
        if (list !== null) list.items.length = 0;
      });
      this.pending.set(result, rows);
      // Whoever waits for it hears of a failure; until then it is no unhandled rejection.
      result.then(
        () => this.pending.delete(result),
        (error: unknown) => {
          this.failure ??= { error };
        },
      );
      // In an object, or waiting for the turn would be waiting for the result.
      return { result };
    });
    this.turn = sent.then(() => undefined);
    this.turn.catch(() => undefined);
    return sent;
  }

  private async room(rows: number): Promise<void> {
    let underWay = [...this.pending.values()].reduce((sum, count) => sum + count, 0);
    for (const [result, count] of this.pending) {
      if (underWay === 0 || underWay + rows <= ROWS_IN_FLIGHT) return;
      await result;
      underWay -= count;
    }
  }
}

function* batches(items: Iterable<unknown>): Generator<unknown[], void> {
  let batch: unknown[] = [];
  for (const item of items) {
    if (batch.push(item) < ROWS_PER_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
