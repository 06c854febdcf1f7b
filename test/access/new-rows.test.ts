import { AccessGraph, type RelationshipRow } from '../../src/access/access-graph';
import { EffectiveAccess } from '../../src/access/effective-access';
import { NOW } from '../../src/access/instants';
import { ANY_ROW } from '../../src/access/lists/lists';
import { bounded } from '../../src/access/memory';
import { atOnce } from '../../src/access/pieces';
import { instantOf } from '../../src/model/instant';
import type { Listed } from '../../src/questions/access/access-lists';
import { ListPages } from '../../src/questions/access/list-page';
import type { AccessThen } from '../../src/questions/memory/access-memory';
import { Asked } from '../../src/questions/memory/asked-in-memory';

const DAY = 24n * 3_600n * 1_000_000_000n;
const [LONG_AGO, YESTERDAY, TODAY] = [1n, 19n * DAY, 20n * DAY];

/**
 * Ann has two accounts, which were joined to her yesterday. One reads and the other one writes a page, for
 * long. Ben has read it for long, and writes it since yesterday. So do Ann's accounts with a draft.
 */
const companyOf = (): AccessGraph => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const node = (
    key: string,
    labels: readonly string[],
    facts: Readonly<Record<string, unknown>> = {},
  ): void =>
    graph.addNode({
      key,
      label: labels[0] ?? '',
      labels,
      since: LONG_AGO,
      until: null,
      facts: { name: key, ...facts },
    });
  const line = (type: RelationshipRow['type'], from: string, to: string, since: bigint): void =>
    graph.addRelationship({ type, from, to, since, until: null });
  node('ann', ['IdpUser', 'Principal']);
  node('ben', ['IdpUser', 'Principal']);
  node('ann@example.org', ['Identity', 'Principal']);
  line('KNOWN_AS', 'ann', 'ann@example.org', YESTERDAY);
  for (const account of ['reader', 'writer']) {
    node(account, ['LocalUser', 'Principal']);
    line('IDENTITY_OF', 'ann@example.org', account, YESTERDAY);
  }
  for (const resource of ['page', 'draft']) node(resource, ['Resource']);
  const grant = (who: string, type: string, resource: string, since: bigint): void => {
    const key = `${who} ${type} ${resource}`;
    node(key, ['Grant', 'Entitlement']);
    node(`${key} permission`, ['Permission'], { permission_type: [type] });
    line('HOLDS', who, key, since);
    line('OF', key, `${key} permission`, LONG_AGO);
    line('ON', key, resource, LONG_AGO);
  };
  grant('reader', 'DataRead', 'page', LONG_AGO);
  grant('writer', 'DataWrite', 'page', LONG_AGO);
  grant('ben', 'DataRead', 'page', LONG_AGO);
  grant('ben', 'DataWrite', 'page', YESTERDAY);
  grant('reader', 'DataRead', 'draft', LONG_AGO);
  grant('writer', 'DataWrite', 'draft', YESTERDAY);
  return graph;
};

const listed = (types: readonly string[], marks: Listed['marks']): Listed => ({
  ...ANY_ROW,
  permissions: null,
  permissionTypes: types.length === 0 ? null : types,
  everyType: types.map((type) => [type]),
  form: 'people first',
  contents: false,
  marks,
  details: true,
  counts: true,
});

const WANTED = { size: 10, order: 'name', isDescending: false, after: null } as const;

const EVERY_TYPE = ['DataRead', 'DataWrite'];

// Each account had to have all types by itself.
test.each([
  { types: [], who: [], what: [] },
  { types: ['DataWrite'], who: ['ben'], what: ['draft'] },
  { types: EVERY_TYPE, who: ['ben'], what: ['draft'] },
])(
  'new is who had not $types seven days before, with all accounts together',
  ({ types, who, what }) => {
    const graph = companyOf();
    const access = new EffectiveAccess(graph);
    const then = { graph, access, moment: NOW } as unknown as AccessThen;
    const asked = new Asked(then, instantOf(TODAY), new Set());
    const pages = new ListPages();
    const [ann, page] = [graph.find('ann'), graph.find('page')];
    const whoOf = (marks: Listed['marks']) =>
      atOnce(pages.reaching(asked, page, listed(types, marks), WANTED));
    const all = whoOf([]);
    expect(all.rows.map(({ about }) => about.id)).toEqual(['ann', 'ben']);
    const isMarked = all.rows.filter(({ marks }) => marks?.includes('new') === true);
    expect(isMarked.map(({ about }) => about.id)).toEqual(who);
    expect(all.counts?.new).toBe(who.length);
    expect(whoOf(['new']).rows.map(({ about }) => about.id)).toEqual(who);
    const whatOf = (marks: Listed['marks']) =>
      atOnce(
        pages.reached(asked, ann, null, { ...listed(types, marks), form: 'entities' }, WANTED),
      );
    expect(whatOf([]).rows.map(({ about }) => about.id)).toEqual(['draft', 'page']);
    expect(whatOf([]).counts?.new).toBe(what.length);
    expect(whatOf(['new']).rows.map(({ about }) => about.id)).toEqual(what);
  },
);
