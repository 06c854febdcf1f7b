import { node, type Graph, type Relationship, type Values } from '../mirror/graph';
import { differences } from './graph-comparison';

const ann = node('IdpUser', 'ann', { name: 'Ann' });
const staff = node('IdpGroup', 'staff', { name: 'Staff' });
const member = (properties: Values = {}): Relationship => ({
  type: 'MEMBER_OF',
  from: { label: 'IdpUser', key: 'ann' },
  to: { label: 'IdpGroup', key: 'staff' },
  properties,
});
const whole: Graph = { nodes: [ann, staff], relationships: [member({ since: 'then' })] };

test('equal graphs in any order differ in nothing', () => {
  const reversed = { ...whole, nodes: [staff, { ...ann, labels: [...ann.labels].reverse() }] };
  expect(differences(whole, reversed)).toEqual([]);
});

test.each<[string, Graph, RegExp]>([
  ['a node too few', { ...whole, nodes: [ann] }, /^missing {2}\(IdpGroup staff\)$/],
  ['a relationship too few', { ...whole, relationships: [] }, /^missing .*MEMBER_OF/],
  [
    'a node too many',
    { ...whole, nodes: [ann, staff, node('Tag', 't', {})] },
    /^too much \(Tag t\)/,
  ],
  ['a label too few', { ...whole, nodes: [{ ...ann, labels: ['IdpUser'] }, staff] }, /^differs/],
  [
    'another value',
    { ...whole, nodes: [node('IdpUser', 'ann', { name: 'ann' }), staff] },
    /^differs/,
  ],
  ['another since', { ...whole, relationships: [member({ since: 'now' })] }, /^differs/],
  [
    'a relationship twice',
    { ...whole, relationships: [member({ since: 'then' }), member({ since: 'then' })] },
    /^twice/,
  ],
])('%s is found', (_name, found, text) => {
  expect(differences(whole, found)).toEqual([expect.stringMatching(text)]);
});
