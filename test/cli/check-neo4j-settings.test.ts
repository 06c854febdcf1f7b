import { neo4jSettingProblems } from '../../src/cli/check-neo4j-settings';

const RIGHT = { NEO4J_PASSWORD: 'long-enough', NEO4J_HEAP: '2g', NEO4J_MEMORY: '4g' };

const told = (env: Readonly<Record<string, string>>): readonly string[] =>
  neo4jSettingProblems({ ...RIGHT, ...env }).map(
    ({ variable, message }) => `${variable} ${message}`,
  );

test('what fits is right', () => {
  expect(told({})).toEqual([]);
  expect(told({ NEO4J_PASSWORD: 'pass $word "of one\'s own' })).toEqual([]);
  expect(told({ NEO4J_HEAP: '512m', NEO4J_MEMORY: '2g' })).toEqual([]);
});

test.each([
  ['short', 'must have at least 8 characters'],
  ['', 'must have at least 8 characters'],
  ['with/a/slash', 'must have no slash'],
  ['neo4j', 'must not be neo4j'],
])('the password %j is refused before Neo4j would be restarted in a loop', (password, why) => {
  expect(told({ NEO4J_PASSWORD: password })).toEqual([
    expect.stringContaining(`NEO4J_PASSWORD ${why}`),
  ]);
});

test('a heap that the container does not hold is refused, with the arithmetic', () => {
  expect(told({ NEO4J_HEAP: '4g' })).toEqual([
    'NEO4J_MEMORY must be at least 5632m, not 4g: the heap (NEO4J_HEAP=4g), 512m of page cache and 1g for the rest of the JVM',
  ]);
  expect(told({ NEO4J_HEAP: '4g', NEO4J_MEMORY: '5632m' })).toEqual([]);
});

test.each([
  [{ NEO4J_HEAP: 'much' }, 'NEO4J_HEAP must be a size'],
  [{ NEO4J_MEMORY: '4gb' }, 'NEO4J_MEMORY must be a size'],
])('a size that is none is refused: %j', (env, message) => {
  expect(told(env)).toEqual([expect.stringContaining(message)]);
});
