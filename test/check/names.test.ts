import { type Named, Names } from '../../src/check/names';

const named = (id: string, ...steps: readonly (readonly string[])[]): Named => ({
  id,
  name: id,
  pointer: `/${id}`,
  steps: [[id], ...steps],
  keys: [id],
  title: () => id,
});

const find = (entities: readonly Named[], reference: string): readonly string[] => {
  const names = new Names();
  for (const entity of entities) names.add('LocalUser', 'crm', entity);
  return names.find('LocalUser', 'crm', reference).map(({ id }) => id);
};

const ann = named('u1', ['7'], ['Ann']);
const bob = named('u2', ['8'], ['Bob']);

test.each([
  ['its id', [ann, bob], 'u1', ['u1']],
  ['its other id', [ann, bob], '8', ['u2']],
  ['its name', [ann, bob], 'Ann', ['u1']],
  ['its id without regard to case', [ann, bob], 'U1', ['u1']],
  ['its name without regard to case', [ann, bob], 'aNN', ['u1']],
  [
    'a name in another composition',
    [named('Zoe\u0308'.normalize('NFC'))],
    'Zoe\u0308',
    ['Zo\u00eb'],
  ],
  ['a folded name in another composition', [named('Zo\u00eb')], 'ZOE\u0308', ['Zo\u00eb']],
  ['nothing', [ann, bob], 'cyd', []],
  ['no part of a name', [ann, bob], 'An', []],
] as const)('a reference finds an entity by %s', (_by, entities, reference, found) => {
  expect(find(entities, reference)).toEqual(found);
});

test.each([
  ['an id before another id', [named('x', ['y']), named('y')], 'y', ['y']],
  ['an id before a name', [named('x', [], ['y']), named('y')], 'y', ['y']],
  ['another id before a name', [named('x', [], ['z']), named('y', ['z'])], 'z', ['y']],
  [
    'a name that fits before an id that fits without case',
    [named('ANN'), named('x', [], ['ann'])],
    'ann',
    ['x'],
  ],
  ['the exact spelling of two that differ by case', [named('Ann'), named('ann')], 'ann', ['ann']],
  ['without case the id before the name', [named('x', [], ['Ann']), named('ANN')], 'ann', ['ANN']],
] as const)('the first step that fits decides: %s', (_what, entities, reference, found) => {
  expect(find(entities, reference)).toEqual(found);
});

test.each([
  ['two of one name', [named('x', [], ['Ann']), named('y', [], ['Ann'])], 'Ann', ['x', 'y']],
  ['two of one other id', [named('x', ['7']), named('y', ['7'])], '7', ['x', 'y']],
  ['two ids that fold to one, neither exact', [named('Ann'), named('ANN')], 'ann', ['Ann', 'ANN']],
  [
    'two of one name though an id fits without case',
    [named('ANN'), named('x', [], ['ann']), named('y', [], ['ann'])],
    'ann',
    ['x', 'y'],
  ],
] as const)('what nothing decides is given whole: %s', (_what, entities, reference, found) => {
  expect(find(entities, reference)).toEqual(found);
});

describe('a resource', () => {
  const list = named('d1', ['top.list', 't1.d1'], ['list']);

  test.each(['d1', 'top.list', 't1.d1', 'list', 'TOP.List', 'T1.D1'])('is found by %s', (name) => {
    expect(find([list], name)).toEqual(['d1']);
  });

  test('is found once by two spellings of its path that fold to one', () => {
    expect(find([named('d1', ['top.list', 'Top.LIST'])], 'tOP.list')).toEqual(['d1']);
  });

  test('without an id is found by its path before another one by its name', () => {
    expect(find([named('k', ['x.y'], ['y']), named('m', ['y'], ['y'])], 'y')).toEqual(['m']);
  });
});

test('entities of other kinds and applications are not found', () => {
  const names = new Names();
  names.add('LocalUser', 'crm', ann);
  expect(names.find('LocalGroup', 'crm', 'Ann')).toEqual([]);
  expect(names.find('LocalUser', 'CRM', 'Ann')).toEqual([]);
  expect(names.find('LocalUser', '', 'Ann')).toEqual([]);
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  '%s is a name as any other',
  (name) => {
    expect(find([], name)).toEqual([]);
    expect(find([named(name)], name)).toEqual([name]);
    expect(find([named(name)], name.toUpperCase())).toEqual([name]);
  },
);

test('what is entered after a look-up is found too', () => {
  const names = new Names();
  names.add('LocalUser', 'crm', ann);
  expect(names.find('LocalUser', 'crm', 'BOB')).toEqual([]);
  names.add('LocalUser', 'crm', bob);
  expect(names.find('LocalUser', 'crm', 'BOB')).toEqual([bob]);
});
