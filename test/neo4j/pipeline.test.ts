import { setImmediate } from 'node:timers/promises';

import { Pipeline } from '../../src/neo4j/pipeline';
import type { Runner } from '../../src/neo4j/transaction';

interface Parameters extends Readonly<Record<string, unknown>> {
  readonly rows?: readonly [readonly number[]];
}

interface Sent {
  readonly text: string;
  readonly rows: readonly number[];
  readonly parameters: Parameters;
}

/** A transaction that notes what it is asked to run, answers after a while, and fails where it is told to. */
class NotingRunner {
  readonly sent: Sent[] = [];
  mostUnderWay = 0;
  hasFailed = false;
  private underWay = 0;

  constructor(private readonly failing = '') {}

  readonly runner = {
    run: async (text: string, parameters: Parameters) => {
      // As they are packed: they are let go of afterwards.
      const rows = [...(parameters.rows?.[0] ?? [])];
      this.sent.push({ text, rows, parameters });
      this.underWay += rows.length;
      this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
      // Counted in turns, so that others are sent meanwhile, however slow the machine is.
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
      this.underWay -= rows.length;
      this.hasFailed = this.failing !== '' && text.includes(this.failing);
      if (this.hasFailed) throw new Error(`failed: ${text}`);
      return { records: rows.map((row) => ({ get: () => row })) };
    },
  } as unknown as Runner;
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

test('sends nothing for no items', async () => {
  const { runner, sent } = new NotingRunner();
  const pipeline = new Pipeline(runner);
  await pipeline.send('A', 'rows', []);
  expect(await pipeline.ask('B', 'rows', [])).toEqual([]);
  await pipeline.drain();
  expect(sent).toEqual([]);
});

test('cuts items into batches and gives all answers in order', async () => {
  const { runner, sent } = new NotingRunner();
  const items = numbers(5_001);
  const records = await new Pipeline(runner).ask('A', 'rows', items, { at: 'now' });
  expect(sent.map(({ rows }) => rows.length)).toEqual([2_000, 2_000, 1_001]);
  expect(sent.every(({ parameters }) => parameters.at === 'now')).toBe(true);
  expect(records.map((record) => record.get('x') as unknown)).toEqual(items);
});

test('hands each batch over as it comes; what its taker throws ends the rest', async () => {
  const { runner, sent } = new NotingRunner();
  const sizes: number[] = [];
  const take = (records: readonly unknown[]): void => {
    sizes.push(records.length);
    if (sizes.length === 2) throw new Error('too much');
  };
  await expect(new Pipeline(runner).each('A', 'rows', numbers(60_000), take)).rejects.toThrow(
    'too much',
  );
  expect(sizes.slice(0, 2)).toEqual([2_000, 2_000]);
  expect(sent.length).toBeLessThan(30);
});

test('lets go of the items of a batch once it is answered', async () => {
  const { runner, sent } = new NotingRunner();
  const pipeline = new Pipeline(runner);
  await pipeline.send('A', 'rows', numbers(2_500));
  expect(sent[0]?.parameters.rows?.[0]).toHaveLength(2_000);
  await pipeline.drain();
  expect(sent.map(({ parameters }) => parameters.rows?.[0])).toEqual([[], []]);
});

test('takes the items of a batch once the one before is on its way', async () => {
  const { runner, sent } = new NotingRunner();
  const sentBefore: number[] = [];
  function* items(): Generator<number, void> {
    for (const item of numbers(5_001)) {
      if (item % 2_000 === 0) sentBefore.push(sent.length);
      yield item;
    }
  }
  await new Pipeline(runner).send('A', 'rows', items());
  expect(sentBefore).toEqual([0, 1, 2]);
  expect(sent.flatMap(({ rows }) => rows)).toEqual(numbers(5_001));
});

test('tells what failed first, whatever is asked for after it', async () => {
  const { runner, sent } = new NotingRunner('A');
  const pipeline = new Pipeline(runner);
  await pipeline.send('A', 'rows', [1]);
  await expect(pipeline.drain()).rejects.toThrow(/A$/);
  await expect(pipeline.ask('B', 'rows', [1])).rejects.toThrow(/A$/);
  await expect(pipeline.one('C', { rows: [] })).rejects.toThrow(/A$/);
  expect(sent).toHaveLength(1);
});

test('runs a statement without a list in its turn', async () => {
  const { runner, sent } = new NotingRunner();
  const pipeline = new Pipeline(runner);
  const [, records] = await Promise.all([
    pipeline.ask('A', 'rows', [1]),
    pipeline.one('B', { rows: [[7]] }),
  ]);
  expect(records.map((record) => record.get('x') as unknown)).toEqual([7]);
  expect(sent.map(({ text }) => text.split('\n')[1])).toEqual(['A', 'B']);
});

test('sends a list as the only item of its parameter, so that its length makes no other plan', async () => {
  const { runner, sent } = new NotingRunner();
  await new Pipeline(runner).send('A', 'rows', [1, 2], { at: 'now' });
  expect(sent.map(({ parameters }) => parameters)).toEqual([{ at: 'now', rows: [[1, 2]] }]);
});

test('keeps the plan that it has', async () => {
  const { runner, sent } = new NotingRunner();
  await new Pipeline(runner).ask('A', 'rows', [1]);
  expect(sent[0]?.text).toBe('CYPHER replan=skip\nA');
});

test('runs statements in the order in which they are asked for', async () => {
  const { runner, sent } = new NotingRunner();
  const pipeline = new Pipeline(runner);
  const asked = ['A', 'B', 'C', 'D'].map((text) => pipeline.ask(text, 'rows', numbers(4_000)));
  await Promise.all(asked);
  expect(sent.map(({ text }) => text.at(-1)).join('')).toBe('AABBCCDD');
});

test('has several statements under way, but never too many rows', async () => {
  const noting = new NotingRunner();
  const pipeline = new Pipeline(noting.runner);
  await pipeline.send('A', 'rows', numbers(95_000));
  await pipeline.drain();
  expect(noting.mostUnderWay).toBeGreaterThan(10_000);
  expect(noting.mostUnderWay).toBeLessThanOrEqual(30_000);
  expect(noting.sent.flatMap(({ rows }) => rows)).toEqual(numbers(95_000));
});

describe('a statement that fails', () => {
  test('is told to whoever asked', async () => {
    const pipeline = new Pipeline(new NotingRunner('B').runner);
    const good = pipeline.ask('A', 'rows', [1]);
    await expect(pipeline.ask('B', 'rows', [1])).rejects.toThrow('failed');
    expect(await good).toHaveLength(1);
  });

  test('is told when draining, though nobody waited for it', async () => {
    const noting = new NotingRunner('A');
    const pipeline = new Pipeline(noting.runner);
    await pipeline.send('A', 'rows', [1]);
    while (!noting.hasFailed) await setImmediate();
    await expect(pipeline.drain()).rejects.toThrow('failed');
  });

  test('is told to whoever waits for room behind it', async () => {
    const pipeline = new Pipeline(new NotingRunner('A').runner);
    await expect(pipeline.send('A', 'rows', numbers(60_000))).rejects.toThrow('failed');
    await expect(pipeline.drain()).rejects.toThrow('failed');
  });
});
