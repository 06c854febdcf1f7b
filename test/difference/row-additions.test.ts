import {
  additionsTo,
  type FoundRelationship,
  rowWithout,
} from '../../src/difference/row-additions';
import { IdpGroup } from '../../src/templates/identity-provider/groups';
import { IdpUser } from '../../src/templates/identity-provider/users';
import { relationshipKind } from '../../src/templates/graph/relationships';
import { Tag } from '../../src/model/shared-nodes';
import { stated } from '../../src/rows/row/row';
import { rowHash } from '../../src/rows/row/row-hash';

const memberOf = relationshipKind(IdpUser, 'MEMBER_OF', IdpGroup);
const tagged = relationshipKind(IdpUser, 'TAGGED', Tag);

const member = (id: string, isDated = true): FoundRelationship => ({
  id,
  stated: stated(memberOf, `IdpGroup|${id}`),
  isTag: false,
  isDated,
});
const tag = (id: string, isDated = true): FoundRelationship => ({
  id,
  stated: stated(tagged, `Tag|${id}`),
  isTag: true,
  isDated,
});

const row = {
  kind: IdpUser,
  key: 'IdpUser|ann',
  properties: { name: 'ann', department: ['Sales'] },
  relationships: [member('staff'), tag('high')],
};
const hash = rowHash(rowWithout(row, { properties: [], relationships: [] }));

test('a row that is what its hash tells has nothing too much', () => {
  expect(additionsTo(row, hash)).toEqual({ properties: [], relationships: [] });
});

test('a property that was added is told', () => {
  const found = { ...row, properties: { ...row.properties, customprop_colour: 'red' } };
  expect(additionsTo(found, hash)).toEqual({
    properties: ['customprop_colour'],
    relationships: [],
  });
});

test.each([member('board'), tag('low'), tag('low', false)])(
  'a relationship that was added is told: $id',
  (added) => {
    const found = { ...row, relationships: [added, ...row.relationships] };
    expect(additionsTo(found, hash)).toEqual({ properties: [], relationships: [added] });
  },
);

test('of several relationships those without a date are told', () => {
  const added = [member('board', false), tag('low', false), member('chair', false)];
  const found = { ...row, relationships: [...row.relationships, ...added] };
  expect(additionsTo(found, hash)).toEqual({ properties: [], relationships: added });
});

test('a relationship that only lost its date is none too much', () => {
  const found = { ...row, relationships: [member('staff', false), tag('high')] };
  expect(additionsTo(found, hash)).toEqual({ properties: [], relationships: [] });
});

test.each([
  ['a property was changed', { ...row, properties: { ...row.properties, name: 'eve' } }],
  ['a property is gone', { ...row, properties: { name: 'ann' } }],
  ['a relationship is gone', { ...row, relationships: [tag('high')] }],
  [
    'more was added than one thing',
    { ...row, relationships: [...row.relationships, member('board'), member('chair')] },
  ],
])('nothing tells how to put it right when %s', (_what, found) => {
  expect(additionsTo(found, hash)).toBeNull();
});
