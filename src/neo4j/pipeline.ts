import { setImmediate as nextTurn } from 'node:timers/promises';

import type { QueryResult, Record as GraphRecord, RecordShape } from 'neo4j-driver';

import type { Runner } from './transaction';

/** How many rows one statement gets at most. */
const ROWS_PER_BATCH = 2_000;
const ROWS_IN_FLIGHT = 30_000;
/**
 * A plan stays right while the graph grows, since all statements are constant and start at an
 * index. So Neo4j never plans one again (docs/recipes.md: Write a statement).
 */
const PLANNED_ONCE = 'CYPHER replan=skip\n';

type Parameters = Readonly<Record<string, unknown>>;

/** A list of rows for a statement. It is the only item of the named parameter: `$rows[0]`. */
interface List {
  readonly name: string;
  readonly items: unknown[];
}

/**
 * Sends several statements without waiting for answers, so that Neo4j never waits for the next one
 * (docs/recipes.md: Write a statement). Neo4j runs them in the order in which they were sent.
 */
export class Pipeline {
  private turn: Promise<void> = Promise.resolve();
  private readonly pending = new Map<Promise<unknown>, number>();
  /** The first failure. All later statements of the transaction fail too, but do not say why. */
  private failure: { readonly error: unknown } | null = null;

  constructor(private readonly tx: Pick<Runner, 'run'>) {}

  /**
   * Sends one statement for the items, in batches. Each batch is the only item of the named
   * parameter. Resolves when there is room for more. The pipeline requests items when it needs
   * them, so that Neo4j works on one batch while the service makes the next one.
   */
  async send(
    text: string,
    name: string,
    items: Iterable<unknown>,
    parameters: Parameters = {},
  ): Promise<void> {
    for (const batch of batches(items)) {
      await this.queue(text, parameters, { name, items: batch });
      // The driver sends packed batches between the turns of the event loop.
      if (batch.length >= ROWS_PER_BATCH) await nextTurn();
    }
  }

  /** Sends one statement for the items, in batches, and gives its records. */
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
   * Sends one statement in batches, and calls `take` with the records of each batch in order. The
   * pipeline does not store the records. If `take` throws, the pipeline sends nothing more and
   * rejects.
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

  /** Sends one statement without a list, and gives its records. */
  async one<R extends RecordShape>(
    text: string,
    parameters: Parameters = {},
  ): Promise<GraphRecord<R>[]> {
    const { result } = await this.queue<R>(text, parameters, null);
    return (await result).records;
  }

  /** Resolves when all statements have ended. */
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
      // Neo4j caches a plan for each power of ten of the length of each parameter, and planning
      // needs a tenth of a second (docs/recipes.md). So each list parameter has one item.
      const given = list === null ? parameters : { ...parameters, [list.name]: [list.items] };
      const result = this.tx.run<R>(PLANNED_ONCE + text, given).finally(() => {
        // The driver holds the parameters of a statement as long as its transaction, and longer
        // (`gather.ts`).
        if (list !== null) list.items.length = 0;
      });
      this.pending.set(result, rows);
      // The caller gets the failure later. Until then it must not count as an unhandled rejection.
      result.then(
        () => this.pending.delete(result),
        (error: unknown) => {
          this.failure ??= { error };
        },
      );
      // The object prevents `await` from waiting for the result as well.
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
