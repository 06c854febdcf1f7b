import { change, crm, inCrm, Scene } from './scene';

describe('resources (docs/rules.md: Increments)', () => {
  const box = (name: string, more: object = {}) => ({ name, resource_type: 'Box', ...more });
  const repo = (id: string, more: object = {}) => ({
    name: id,
    id,
    resource_type: 'Repo',
    ...more,
  });
  const tree = () =>
    new Scene().with(
      'A',
      crm({
        resources: [
          box('a', { sub_resources: [repo('1', { sub_resources: [box('in')] })] }),
          repo('2'),
        ],
      }),
    );
  const contains = (scene: Scene) =>
    scene.all('CONTAINS').map((pair) => pair.replaceAll('A|Resource|crm|', ''));

  test('add or modify elsewhere moves a resource, and its path with those below it', () => {
    const moved = inCrm({
      resources: [repo('2', { sub_resources: [repo('1', { operation: 'modify' })] })],
    });
    const scene = tree().with('A', moved);
    expect(contains(scene)).toEqual([
      'A|Application|crm > #repo|2',
      'A|Application|crm > /box|a',
      '#repo|1 > #repo|1|/box|in',
      '#repo|2 > #repo|1',
    ]);
    expect(scene.node('A|Resource|crm|#repo|1|/box|in')?.properties.path).toBe('2.1.in');
    scene.with('A', inCrm({ resources: [repo('1', { operation: 'add', name: 'one' })] }));
    expect(scene.node('A|Resource|crm|#repo|1|/box|in')?.properties.path).toBe('one.in');
  });

  test('one with an id is found wherever it stands, one without only in its place', () => {
    const scene = tree();
    expect(
      scene.warnings(
        'A',
        inCrm({
          resources: [
            box('in', { operation: 'delete' }),
            { id: '1', resource_type: 'REPO', operation: 'remove_tag', tags: [{ key: 'x' }] },
            // What has no id is not found in a place that is not known, even when it stands elsewhere.
            box('no', {
              sub_resources: [
                repo('1', { operation: 'delete' }),
                box('a', { operation: 'delete' }),
              ],
            }),
          ],
        }),
      ),
    ).toEqual([
      'Cannot find resource "in" of application "crm" (delete)',
      'Cannot find tags ["x"] (resource "1" of application "crm": remove_tag)',
      'Cannot find resource "no" of application "crm" (context)',
    ]);
    expect(contains(scene)).toEqual(['A|Application|crm > #repo|2', 'A|Application|crm > /box|a']);
  });

  test('leaves with all that is below it', () => {
    const outer = repo('2', {
      sub_resources: [
        repo('1', { operation: 'add', sub_resources: [box('x', { sub_resources: [box('y')] })] }),
      ],
    });
    const scene = tree().with('A', inCrm({ resources: [outer] }));
    expect(scene.keys('Resource')).toHaveLength(6);
    scene.with('A', inCrm({ resources: [repo('2', { operation: 'delete' })] }));
    expect(scene.keys('Resource')).toEqual(['A|Resource|crm|/box|a']);
  });

  test('none is placed inside itself', () => {
    const inside = repo('1', {
      sub_resources: [box('in', { sub_resources: [repo('1', { operation: 'modify' })] })],
    });
    expect(tree().problems('A', inCrm({ resources: [inside] }))).toEqual([
      '/applications/0/resources/0/sub_resources/0/sub_resources/0 SELF_REFERENCE',
    ]);
  });

  test('none is placed in what an entry nested with it has deleted', () => {
    const places = repo('2', {
      operation: 'add',
      sub_resources: [repo('2', { operation: 'delete' }), repo('2'), box('new'), repo('1')],
    });
    const at = (index: number): string => `/applications/0/resources/0/sub_resources/${index}`;
    expect(tree().problems('A', inCrm({ resources: [places] }))).toEqual([
      `${at(1)} UNKNOWN_ENTITY`,
      `${at(2)} UNKNOWN_ENTITY`,
      `${at(3)} UNKNOWN_ENTITY`,
    ]);
  });

  test('add_resource and delete_resource add and delete the listed ones, with what is below', () => {
    const scene = tree().with(
      'A',
      inCrm({
        operation: 'add_resource',
        description: 'ignored',
        local_users: [{ name: 'someone' }],
        resources: [box('b', { sub_resources: [box('c')] }), repo('2', { operation: 'delete' })],
      }),
    );
    expect(contains(scene)).toContain('/box|b > /box|b|/box|c');
    expect(scene.keys('Resource')).not.toContain('A|Resource|crm|#repo|2');
    expect(scene.node('A|Application|crm')?.properties.description).toBeUndefined();
    expect(
      scene.warnings(
        'A',
        inCrm({ operation: 'delete_resource', resources: [box('b'), box('c'), repo('3')] }),
      ),
    ).toEqual([
      'Cannot find resource "c" of application "crm" (delete_resource)',
      'Cannot find resource "3" of application "crm" (delete_resource)',
    ]);
    expect(scene.keys('Resource')).toHaveLength(3);
  });

  test('an unknown application: an error, or a warning where only deletions are meant', () => {
    const unknown = (inside: object) =>
      change({ applications: [{ name: 'no', resources: [box('a')], ...inside }] });
    expect(tree().problems('A', unknown({ operation: 'add_resource' }))).toEqual([
      '/applications/0 UNKNOWN_ENTITY',
    ]);
    expect(tree().warnings('A', unknown({ operation: 'delete_resource' }))).toEqual([
      'Cannot find application "no" (delete_resource)',
    ]);
    const more = { resources: [box('a', { operation: 'modify' })] };
    expect(tree().problems('A', unknown({ operation: 'delete_resource', ...more }))).toEqual([
      '/applications/0 UNKNOWN_ENTITY',
    ]);
  });

  test('ids on some of a type: at what came without one, else with one', () => {
    const adding = (...resources: object[]) => inCrm({ operation: 'add_resource', resources });
    const plain = { name: 'x', resource_type: 'repo' };
    expect(tree().problems('A', adding(repo('3'), plain))).toEqual([
      '/applications/0/resources/1 MIXED_IDS',
    ]);
    expect(tree().problems('A', adding(box('x', { id: '1' }), box('y', { id: '2' })))).toEqual([
      '/applications/0/resources/0 MIXED_IDS',
      '/applications/0/resources/1 MIXED_IDS',
    ]);
  });

  test('a move that makes the tree too deep is refused where it is made', () => {
    const chain = (levels: number, of: (at: number) => object): object =>
      levels === 1 ? of(1) : { ...of(levels), sub_resources: [chain(levels - 1, of)] };
    const scene = new Scene().with(
      'A',
      crm({
        resources: [
          chain(60, (at) => box(`b${at}`)),
          chain(41, (at) => (at === 41 ? repo('moved') : box(`c${at}`))),
        ],
      }),
    );
    // Context leads down to the given level; there the other chain's top is put.
    const move = (levels: number) =>
      inCrm({
        resources: [
          chain(levels, (at) =>
            at === 1 ? repo('moved', { operation: 'modify' }) : box(`b${at + 60 - levels}`),
          ),
        ],
      });
    expect(scene.problems('A', move(61))).toEqual([
      `/applications/0/resources/0${'/sub_resources/0'.repeat(60)} TOO_DEEP`,
    ]);
    expect(scene.problems('A', move(60))).toEqual([]);
    expect(scene.keys('Resource')).toHaveLength(101);
  });
});
