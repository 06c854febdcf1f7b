import fc from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { KINDS, kindInSentence, kindOf, kindsOf } from '../../../src/features/console/frame/kinds';
import { RowTable } from '../../../src/features/console/tables/row-table';
import { Can } from '../../../src/features/console/words/can';
import { markInWords } from '../../../src/features/console/words/marks';
import {
  inWords,
  typeInWords,
  TYPES,
  wordsFor,
} from '../../../src/features/console/words/permission-types';
import { permissionMeant } from '../../../src/features/console/words/sentence';
import { isPrivileged, typesMeant } from '../../../src/model/access-narrowing';
import { PermissionType } from '../../../src/templates/application/permissions';
import { nodeKinds } from '../../../src/templates/graph/nodes';

test('each kind of node of the graph has a plain name, once', () => {
  const labels = KINDS.map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels.toSorted()).toEqual(nodeKinds.map(({ label }) => label).toSorted());
  expect(KINDS.filter(({ one }) => /[a-z][A-Z]/.test(one))).toEqual([]);
});

test('each canonical type has words of its own where a reader chooses one', () => {
  expect(Object.keys(TYPES).toSorted()).toEqual([...PermissionType.values].toSorted());
  expect(new Set(Object.values(TYPES)).size).toBe(PermissionType.values.length);
});

test('every set of canonical types reads as words, or as the names of its permissions', () => {
  const wordless: readonly string[] = ['NonData', 'Uncategorized'];
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          name: fc.string({ minLength: 1 }),
          permission_type: fc.subarray<string>([...PermissionType.values]),
        }),
      ),
      (held) => {
        const types = new Set<string>(held.flatMap(({ permission_type }) => permission_type));
        const { words, wordless: named } = inWords(held);
        const meant = new Set<string>(words.flatMap((each) => [each.type]));
        // Each type that is held is behind a word, or its permission is named.
        for (const { name, permission_type } of held) {
          const isInWords = permission_type.some((type) => meant.has(type));
          expect(isInWords).toBe(
            !named.some((each) => each.name === name && each.permission_type === permission_type),
          );
          expect(isInWords).toBe(
            permission_type.some((type) => !wordless.some((each) => each === type)),
          );
        }
        // No word says what nobody holds.
        for (const each of words) expect(types.has(each.type)).toBe(true);
        expect(wordsFor(held).split(', ')[0]).toBe(
          words[0]?.word ?? named[0]?.name.split(', ')[0] ?? '',
        );
      },
    ),
  );
});

test('a permission is privileged if it changes or removes settings', () => {
  for (const type of PermissionType.values) {
    const isOne = type === 'MetadataWrite' || type === 'MetadataDelete';
    expect([type, isPrivileged([type]), typesMeant(['privileged']).includes(type)]).toEqual([
      type,
      isOne,
      isOne,
    ]);
  }
  expect(typesMeant(['DataRead', 'privileged', 'MetadataWrite'])).toEqual([
    'DataRead',
    'MetadataDelete',
    'MetadataWrite',
  ]);
});

// Before, rows called `MetadataCreate` "change settings", as if it were privileged.
test('rows and filters have one word for a canonical type, and red is what is privileged', () => {
  for (const type of PermissionType.values) {
    const held = [{ name: 'its own name', permission_type: [type] }];
    const { words } = inWords(held);
    if (words.length > 0) expect(wordsFor(held)).toBe(typeInWords(type));
    const isRed = renderToString(h(Can, { of: held })).includes('"can admin"');
    expect([type, isRed]).toEqual([type, isPrivileged([type])]);
  }
});

// A resource of the type `constructor` made the page of a saved query fail for everybody.
test.each(['constructor', 'toString', 'valueOf', '__proto__'])(
  'a text that each object has as a property has no words of ours: %s',
  (text) => {
    expect([typeInWords(text), kindOf(text), markInWords(text)]).toEqual([text, text, text]);
    expect(permissionMeant(text)).toEqual({ permission: text });
    const of = { columns: ['type'], rows: [[text]], truncated: false, notices: [] };
    expect(renderToString(h(RowTable, { of }))).toContain(`>${text}</bdi>`);
  },
);

test('names are those of a heading, or of a sentence', () => {
  expect([kindOf('HrisGroup'), kindsOf('Identity')]).toEqual(['HR group', 'Identities']);
  expect([kindInSentence('IdpUser'), kindInSentence('LocalAgent')]).toEqual([
    'directory user',
    'AI agent',
  ]);
});
