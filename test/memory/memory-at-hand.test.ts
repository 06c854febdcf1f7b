import * as E from 'fp-ts/Either';

import { type Config, readConfig } from '../../src/config';
import { memoryAtHand, plannedMemory } from '../../src/memory/memory-at-hand';
import { memoryForHeap, memoryTaken } from '../../src/memory/memory-plan';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

const config = (env: Record<string, string>): Config => {
  const result = readConfig({ NEO4J_URI: 'bolt://elsewhere', ...env });
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

const planned = (env: Record<string, string>) => plannedMemory(config(env));

test.each(['512m', '1g', '2g', '4g', '8g', '64g'])(
  'all sizes together fit into %s, and take most of it or what they may be at most',
  (memory) => {
    for (const threads of ['0', '1', '3']) {
      const plan = planned({ MEMORY: memory, PUSH_THREADS: threads });
      const fits = plan.warning === null;
      expect(fits).toBe(memoryTaken(plan.sizes, plan.threads) <= plan.memory);
      if (memory !== '512m' && !(memory === '1g' && threads === '3')) expect(fits).toBe(true);
      const { jsonBytes, bodyBytes, bodiesBytes } = plan.sizes;
      expect(jsonBytes).toBeLessThanOrEqual(256 * MIB);
      expect(bodiesBytes).toBeGreaterThanOrEqual(2 * bodyBytes);
    }
  },
);

test.each([
  ['1', 'the service may take more memory than there is: give it more'],
  ['3', 'the service may take more memory than there is: give it more, or lower PUSH_THREADS'],
])('with %s threads in too little memory a warning says what to do', (threads, message) => {
  const warning = { message, fields: { memory: '256m', needed: expect.any(String) as string } };
  expect(planned({ MEMORY: '256m', PUSH_THREADS: threads }).warning).toEqual(warning);
});

test('where no push runs in a thread of its own, V8 bounds the heap of all of them', () => {
  const plan = (env: Record<string, string>) =>
    plannedMemory(config({ MEMORY: '8g', ...env }), undefined, 2 * GIB).sizes.threadMemory;
  expect(plan({ PUSH_THREADS: '0' })).toBe(2 * GIB);
  expect(plan({ PUSH_THREADS: '1' })).toBeGreaterThan(4 * GIB);
});

test('more memory gives a larger payload; as much as is named for a heap gives that heap', () => {
  const heaps = [1, 2, 4, 8].map((size) => planned({ MEMORY: `${size}g` }).sizes.threadMemory);
  expect([...heaps].sort((a, b) => a - b)).toEqual(heaps);
  for (const heap of heaps) {
    const { sizes } = plannedMemory(config({}), memoryForHeap(heap, 1));
    expect(sizes.threadMemory).toBeGreaterThanOrEqual(heap - MIB);
  }
});

test('the memory at hand is the setting, else what is given without what the embedded Neo4j takes', () => {
  expect(memoryAtHand(config({ MEMORY: '2g' }), 4 * GIB)).toBe(2 * GIB);
  expect(memoryAtHand(config({}), 4 * GIB)).toBe(4 * GIB);
  const embedded = config({ NEO4J_URI: '', NEO4J_HEAP: '1g' });
  expect(memoryAtHand(embedded, 4 * GIB)).toBe(2 * GIB);
  expect(memoryAtHand(embedded, GIB)).toBe(256 * MIB);
});
