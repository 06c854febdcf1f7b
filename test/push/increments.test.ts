import { type FilledGraph, filledGraph } from '../support/push';

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());
beforeEach(() => filled.clear());

const folder = (name: string, more: object = {}): object => ({
  name,
  id: name,
  resource_type: 'folder',
  ...more,
});
const holding = (name: string, ...sub_resources: readonly object[]): object =>
  folder(name, { sub_resources });
const application = (...resources: readonly object[]): object => ({
  applications: [
    { name: 'Wiki', application_type: 'wiki', local_users: [{ name: 'ann' }], resources },
  ],
});
const increment = (...resources: readonly object[]): object => ({
  incremental_change: true,
  applications: [{ name: 'Wiki', resources }],
});

/** The paths of all resources, as properties and as references find them. */
const paths = async (): Promise<readonly unknown[]> =>
  (
    await filled.ask(
      'MATCH (n:Resource) RETURN [n.path, n.fold_path, n.fold_id_path] AS paths ORDER BY n.path',
    )
  ).map((row) => row.paths);

const deep = (name: string): object => holding(name, holding('b', holding('c', folder('d'))));

// Found by planting a fault: with the nearest ones alone random sequences went on.
test('a resource that is named otherwise takes along all that is below it, however deep', async () => {
  const wiki = await filled.register('wiki', 'application');
  await filled.accept(wiki, application(deep('a')));
  const renamed = await filled.accept(
    wiki,
    increment(folder('a', { name: 'new', operation: 'modify' })),
  );
  expect(renamed.outcome).toBe('accepted');
  expect(await paths()).toEqual([
    ['new', 'new', 'a'],
    ['new.b', 'new.b', 'a.b'],
    ['new.b.c', 'new.b.c', 'a.b.c'],
    ['new.b.c.d', 'new.b.c.d', 'a.b.c.d'],
  ]);
});

test('a resource that moves takes along all that is below it, as if everything had been pushed anew', async () => {
  const wiki = await filled.register('wiki', 'application');
  await filled.accept(wiki, application(deep('a'), folder('z')));
  await filled.accept(wiki, increment(holding('z', folder('a', { operation: 'modify' }))));
  const moved = await paths();
  const whole = await filled.accept(wiki, application(holding('z', deep('a'))));
  expect(moved.map((names) => (names as readonly string[])[0])).toEqual([
    'z',
    'z.a',
    'z.a.b',
    'z.a.b.c',
    'z.a.b.c.d',
  ]);
  expect(whole.outcome).toBe('unchanged');
});

test('with a resource goes all that is below it, however deep', async () => {
  const wiki = await filled.register('wiki', 'application');
  await filled.accept(wiki, application(deep('a'), folder('z')));
  await filled.accept(wiki, increment(folder('a', { operation: 'delete' })));
  expect(await paths()).toEqual([['z', 'z', null]]);
});
