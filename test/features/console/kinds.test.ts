import { KINDS, kindInSentence, kindOf, kindsOf } from '../../../src/features/console/frame/kinds';
import { TYPES } from '../../../src/features/console/frame/permission-types';
import { PermissionType } from '../../../src/templates/application/permissions';
import { nodeKinds } from '../../../src/templates/graph/nodes';

test('each kind of node of the graph has a plain name, once', () => {
  const labels = KINDS.map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels.toSorted()).toEqual(nodeKinds.map(({ label }) => label).toSorted());
  expect(KINDS.filter(({ one }) => /[a-z][A-Z]/.test(one))).toEqual([]);
});

test('each canonical type has words and a letter of its own', () => {
  expect(Object.keys(TYPES).toSorted()).toEqual([...PermissionType.values].toSorted());
  expect(new Set(Object.values(TYPES).map(({ letter }) => letter)).size).toBe(
    PermissionType.values.length,
  );
});

test('names are those of a heading, or of a sentence', () => {
  expect([kindOf('HrisGroup'), kindsOf('Identity')]).toEqual(['HR group', 'Identities']);
  expect([kindInSentence('IdpUser'), kindInSentence('LocalAgent')]).toEqual([
    'directory user',
    'AI agent',
  ]);
});
