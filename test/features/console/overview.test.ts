import * as TE from 'fp-ts/TaskEither';
import { renderToString } from 'preact-render-to-string';

import type { Reader } from '../../../src/features/console/frame/page';
import { Begin, readNews } from '../../../src/features/console/pages/find/news';
import { UTC } from '../../../src/features/console/words/time-zone';
import type { Failure } from '../../../src/problem';
import { countingRound } from '../../../src/push/counting/count-changes';
import { accessCountingOf } from '../../../src/questions/contract';
import { interfaceOf } from '../../../src/questions/contract';
import { ask } from '../../../src/neo4j/ask';
import { Browser } from '../../http/browser-session';
import { memoryLog } from '../../http/memory-log';
import {
  API_KEY,
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../../http/service-under-test';
import { plain } from './page-rows';

let service: ServiceUnderTest;
let analyst: Browser;
let directory: RegisteredIds;

const run = async (statement: string): Promise<void> => {
  const session = service.graph.driver.session({ database: service.graph.database });
  await session.run(statement);
  await session.close();
};

const push = async ({ path, ...ids }: RegisteredIds, payload: object): Promise<string> => {
  const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  expect(answer.status).toBe(200);
  return (answer.body as { push_id: string }).push_id;
};

const people = (...names: readonly string[]): object => ({
  idp_type: 'ldap',
  domains: [{ name: 'corp' }],
  groups: [{ name: 'editors' }],
  users: names.map((name) => ({ name, groups: [{ identity: 'editors' }] })),
});

const WIKI = {
  applications: [
    {
      name: 'wiki',
      application_type: 'wiki',
      local_groups: [{ name: 'writers', identities: ['editors'] }],
      resources: [{ name: 'pages', resource_type: 'space' }],
    },
  ],
  permissions: [{ name: 'read', permission_type: ['DataRead'] }],
  identity_to_permissions: [
    {
      identity: 'writers',
      identity_type: 'local_group',
      application_permissions: [{ application: 'wiki', permission: 'read', resources: ['pages'] }],
    },
  ],
};

const page = async (path: string): Promise<string> => {
  const answer = await analyst.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text;
};

/** What the bars of a page say, and where they lead. */
const barsOn = (html: string): readonly (readonly [href: string, words: string])[] =>
  [...html.matchAll(/<a href="([^"]+)"><title>([^<]+)<\/title>/g)].map(
    ([, href = '', words = '']) => [plain(href), words],
  );

/** The sentence with which a page begins. */
const answerOn = (html: string): string =>
  plain(
    (/<p class="answer" role="status">(.*?)<\/p>/s.exec(html)?.[1] ?? '').replaceAll(
      /<[^>]+>/g,
      '',
    ),
  );

/** The cells of each row about a push, by the push. */
const pushesOn = (html: string): ReadonlyMap<string, string> =>
  new Map(
    [...html.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].flatMap(([, row = '']) => {
      const [, id] = /push=([\da-f-]{36})/.exec(row) ?? [];
      return id === undefined
        ? []
        : [[id, row.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')]];
    }),
  );

let gaining: string;
let losing: string;
let uncounted: string;

beforeAll(async () => {
  service = await serviceUnderTest();
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
  directory = await service.register('identity_provider');
  const wiki = await service.register('application');
  await run(`MERGE (store:Store {key: 'store'})
    SET store.history_since = datetime('2020-01-01T00:00:00Z'), store.access_turn = 0`);
  await push(wiki, WIKI);
  gaining = await push(directory, people('ann', 'bob'));
  losing = await push(directory, people('ann'));
  await countingRound(accessCountingOf(service.context), memoryLog([]))(() => false);
});
afterAll(() => service.close());

const countsOf = async (
  id: string,
): Promise<{ readonly gained: number; readonly lost: number }> => {
  const path = directory.path.replace(/:push$/, '');
  const answer = await service.send('get', `${path}/pushes/${id}`);
  return (answer.body as { value: { access: { gained: number; lost: number } } }).value.access;
};

test('the overview has numbers of the interface, what to look at, and how old the sources are', async () => {
  const html = await page('/console');
  expect(html).toContain('<h1>Overview</h1>');
  expect(html).toContain('each had a push, or was registered, within 7 days');
  const totalOf = async (label: string): Promise<number> => {
    const answer = await service.send('get', `/api/v1/entities?label=${label}&page_size=1`);
    return (answer.body as { readonly total: number }).total;
  };
  const cards = [
    ...html.matchAll(
      /<div class="card">(?:<a href="([^"]+)">)?<span class="big">([\d,]+)<\/span>(?:<\/a>)? ([^<]+)/g,
    ),
  ];
  const numbers = new Map(cards.map(([, , count = '', words = '']) => [words, Number(count)]));
  expect([...numbers.keys()]).toEqual(['directory user', 'accounts', 'people are privileged']);
  expect([...numbers.values()].slice(0, 2)).toEqual([
    await totalOf('IdpUser'),
    await totalOf('LocalUser'),
  ]);
  // A number leads to the list of those that it counts. There are no accounts, and nobody is privileged.
  const links = [
    ...cards.map(([, href, count]) => [href, count] as const),
    ...[...html.matchAll(/<a href="(\/console\?kind=[^"]+)">(\d+) /g)].map(
      ([, href, count]) => [href, count] as const,
    ),
  ];
  expect(links.map(([href]) => href?.split('=')[1])).toEqual([
    'IdpUser',
    undefined,
    undefined,
    'IdpGroup',
    'Application',
  ]);
  for (const [href, count] of links) {
    if (href === undefined) continue;
    const listed = await page(href);
    expect([href, listed.match(/<li><a href="\/console\/(?:people|resources)\//g)?.length]).toEqual(
      [href, Number(count)],
    );
  }
  // Nobody is privileged, inactive or unknown here.
  expect(html).toContain('Nothing: no inactive');
});

test('Changes shows the bars by day and the table by push as pushes are counted', async () => {
  const [gained, lost] = [await countsOf(gaining), await countsOf(losing)];
  // The group and both of its members, of whom one leaves.
  expect([gained.gained, lost.lost]).toEqual([3, 1]);
  const html = await page('/console/changes');
  const changed = barsOn(html).filter(([, words]) => !words.startsWith('0 gained and 0 lost'));
  expect(changed).toHaveLength(1);
  const [[href = '', words] = []] = changed;
  expect(words).toMatch(/^\d+ gained and 1 lost from /);
  // Before, nothing said why the sentence has other numbers than the bars.
  expect(html).toContain('permissions that each push of the day gave and took');
  expect(html).toContain('The numbers of people compare the beginning with the end');
  expect(answerOn(html)).toMatch(/^1 person gained access.* between /);
  const rows = pushesOn(html);
  expect(rows.get(gaining)).toContain('+3 −0');
  expect(rows.get(losing)).toContain('+0 −1');
  expect(rows.get(losing)).toContain('on 1 resource');
  // A bar leads to its day, with the same table.
  expect([...pushesOn(await page(href)).keys()]).toEqual([...rows.keys()]);
});

/** Opens Changes while the record of a push has other counts than it has. */
const changesWhile = async (id: string, properties: string): Promise<string> => {
  await run(`MATCH (push:Push {key: '${id}'}) SET push.was = push.access_gained, ${properties}`);
  const html = await page('/console/changes');
  await run(`MATCH (push:Push {key: '${id}'}) SET push.access_gained = push.was REMOVE push.was`);
  expect(html).not.toContain('Who gained and who lost what</caption>');
  expect(html).toContain('<a href="/console/changes?list=true">');
  return html;
};

/** The rows of the parts of a time: where each leads, and its text. */
const partsOn = (html: string): readonly (readonly [href: string, text: string])[] => {
  const [, section = ''] = /<section aria-labelledby="parts">(.*?)<\/section>/s.exec(html) ?? [];
  return section
    .split('<tr>')
    .slice(2)
    .map((row) => {
      const [href = ''] = [...row.matchAll(/href="(\/console\/changes[^"]*)"/g)].map(
        ([, address = '']) => plain(address),
      );
      return [href, plain(row.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '))];
    });
};

/** Each part says what the list says to which it leads, which is that of the interface. */
const expectPartsOfInterface = async (html: string): Promise<void> => {
  const parts = partsOn(html).filter(([href]) => href.includes('since='));
  expect(parts.length).toBeGreaterThan(0);
  for (const [href, text] of parts) {
    const asked = new URLSearchParams(href.split('?')[1]);
    asked.delete('list');
    const answer = await service.send('get', `/api/v1/access:changes?${asked.toString()}`);
    const { counts } = answer.body as {
      readonly counts: Readonly<
        Record<'people_gained' | 'people_lost' | 'gained' | 'lost', number>
      >;
    };
    const { people_gained, people_lost, gained, lost } = counts;
    expect(text).toContain(`+${gained} −${lost}`);
    const said = (words: RegExp): number => Number(words.exec(text)?.[1] ?? 0);
    expect([
      said(/(\d+) (?:person|people) gained/),
      said(/(\d+) (?:(?:person|people) )?lost/),
    ]).toEqual([people_gained, people_lost]);
  }
};

// Before, the page said only "There are many changes".
test('Changes without a filter has its answer if pushes gave 3,000 permissions', async () => {
  const html = await changesWhile(gaining, 'push.access_gained = 3000');
  expect(answerOn(html)).toMatch(/^1 person gained access.* between /);
  expect(partsOn(html)).toEqual([]);
});

// One push of a small key took the count in people away for seven days.
test('Changes leaves out a push that changed too much, names it, and counts what was before and after', async () => {
  const html = await changesWhile(gaining, 'push.access_gained = 60000');
  expect(answerOn(html)).toMatch(/^1 person lost access between /);
  expect(html).toContain('<a href="#parts">What changed before</a>');
  const parts = partsOn(html);
  expect(parts.map(([href]) => new URLSearchParams(href.split('?')[1]).get('push'))).toEqual([
    null,
    gaining,
    null,
  ]);
  expect(parts[1]?.[1]).toMatch(/Access of 2 people changed \+60000 −0/);
  expect(parts[2]?.[1]).not.toContain('people');
  await expectPartsOfInterface(html);
  expect(html).not.toContain('What was before the oldest of them is not counted');
});

/** Makes so many later copies of the push that took, each of which took so many permissions. */
const copies = async (number: number, lost: number): Promise<void> =>
  run(`MATCH (push:Push {key: '${losing}'})-[:FROM]->(source)
    UNWIND range(1, ${number}) AS nth
    CREATE (copy:Push)-[:FROM]->(source)
    SET copy = push {.*, key: 'copy-' + nth, id: 'copy-' + nth, access_lost: ${lost},
      at: push.at + duration({nanoseconds: 1000 * nth})}`);

const deleteCopies = async (): Promise<void> =>
  run("MATCH (push:Push) WHERE push.key STARTS WITH 'copy-' DETACH DELETE push");

const copiesLeftOut = (html: string): number =>
  partsOn(html).filter(([href]) => href.includes('push=copy-')).length;

// The sentence was about the newest part: nobody gained or lost anything between an instant and itself.
test('Changes says from when on it counts if many pushes changed too much', async () => {
  await copies(14, 60_000);
  const html = await page('/console/changes');
  await deleteCopies();
  expect(answerOn(html)).toMatch(/^Pushes between .* and took 840,001\./);
  expect(plain(html.replaceAll(/<[^>]+>/g, ''))).toMatch(
    /12 pushes changed too much .* Who gained and who lost access before 20[^ ]+ [^ ]+ is not counted\./,
  );
  expect(copiesLeftOut(html)).toBe(12);
  expect(html).toContain('What was before the oldest of them is not counted');
});

test('Changes leaves out the pushes that changed most, also if others are newer', async () => {
  await copies(14, 2_600);
  const html = await changesWhile(gaining, 'push.access_gained = 60000');
  await deleteCopies();
  expect(answerOn(html)).toMatch(/^1 person lost access between /);
  expect([copiesLeftOut(html), partsOn(html).length]).toEqual([0, 3]);
  expect(html).not.toContain('Who gained and who lost access before');
});

// No push of 2,500 or less was left out, so 27 of them hid what all others changed.
test('Changes leaves out pushes of some size if many of them changed too much together', async () => {
  await copies(27, 2_400);
  const html = await page('/console/changes');
  await deleteCopies();
  expect(answerOn(html)).toMatch(/^Nobody gained or lost anything between .*\./);
  expect(copiesLeftOut(html)).toBe(7);
  expect(partsOn(html).at(-1)?.[1]).toContain('1 person gained');
  expect(html).not.toContain('Who gained and who lost access before');
});

test('Changes counts no part with a push that nobody has counted', async () => {
  await copies(13, 0);
  await run(
    "MATCH (push:Push) WHERE push.key STARTS WITH 'copy-' SET push.access_state = 'failed'",
  );
  const html = await page('/console/changes');
  await deleteCopies();
  expect(answerOn(html)).toMatch(/^Pushes between .* is not known: 13 pushes are not counted\.$/);
  expect(copiesLeftOut(html)).toBe(12);
  expect(html).toContain('Who gained and who lost access before');
});

test('Changes says which pushes nobody has counted, and lists nothing unasked then', async () => {
  uncounted = await push(directory, people('ann', 'carl'));
  const html = await page('/console/changes');
  expect(pushesOn(html).get(uncounted)).toContain('not counted yet');
  expect(barsOn(html).at(-1)?.[1]).toMatch(/^more than \d+ gained and 1 lost/);
  expect(answerOn(html)).toMatch(/^Nobody gained or lost anything between /);
  const parts = partsOn(html);
  expect(parts).toHaveLength(3);
  expect(parts[1]?.[1]).toMatch(/push of .* not counted not counted yet/);
  await expectPartsOfInterface(html);
});

test('the overview shows stale data sources, and what pushes of two weeks changed', async () => {
  const source = directory.data_source_id;
  await run(`MATCH (push:Push) SET push.at = push.at - duration('P1D')`);
  await run(`MATCH (source:DataSource {key: '${source}'})
    SET source.last_push_at = source.last_push_at - duration('P9D')`);
  const html = await page('/console');
  expect(html).toMatch(
    new RegExp(
      `<h2 id="stale">.*href="/console/sources/${source}".*<span class="loss">9 days`,
      's',
    ),
  );
  const rows = pushesOn(html);
  expect(rows.get(losing)).toContain('+0 −1');
  expect(rows.get(uncounted)).toContain('not counted yet');
  expect(html).toMatch(/Without \d+ push(?:es)? that nobody has counted/);
  const day = barsOn(html).find(([, words]) => !words.includes('0 gained and 0 lost'));
  // The day on Changes has the same counts.
  const changes = barsOn(await page(day?.[0] ?? ''));
  const sumOf = (bars: typeof changes, at: number) =>
    bars
      .map(([, words]) => /(\d+) gained and (\d+) lost/.exec(words))
      .reduce((sum, found) => sum + Number(found?.[at] ?? 0), 0);
  const shown = day === undefined ? [] : [day];
  expect([sumOf(changes, 1), sumOf(changes, 2)]).toEqual([sumOf(shown, 1), sumOf(shown, 2)]);
  expect(sumOf(shown, 1)).toBeGreaterThan(0);
});

test('Sources shows the warnings of the newest accepted push, and which push was refused', async () => {
  const [warned, refused] = [
    await service.register('application'),
    await service.register('application'),
  ];
  const [first] = WIKI.applications;
  const id = await push(warned, {
    ...WIKI,
    applications: [{ ...first, local_users: [{ name: 'zoe', identities: ['nobody'] }] }],
  });
  const { path, ...ids } = refused;
  await service
    .post(path, { ...ids, json_data: JSON.stringify({ applications: [{}] }) })
    .expect(400);
  for (const address of ['/console/sources', '/console/sources?troubled=true']) {
    const html = await page(address);
    const rowOf = ({ data_source_id }: RegisteredIds): string =>
      new RegExp(
        `<tr><th scope="row"><a href="/console/sources/${data_source_id}".*?</tr>`,
        's',
      ).exec(html)?.[0] ?? '';
    expect(rowOf(warned)).toContain(
      `<a href="/console/sources/${warned.data_source_id}?push=${id}">`,
    );
    expect(rowOf(refused)).toContain('newest push refused');
    expect(rowOf(directory) === '').toBe(address.includes('troubled'));
  }
  const found = await page('/console');
  const section = /<section aria-labelledby="failed">.*?<\/section>/s.exec(found)?.[0] ?? '';
  expect(section).toContain(refused.data_source_id);
  expect(section).not.toContain(warned.data_source_id);
});

// Before, the first six by name were there, so one key could fill them.
test('the overview has a failed data source of each provider first, and counts the others', async () => {
  const [crowd, small, large] = [
    await service.register('application'),
    await service.register('application'),
    await service.register('application'),
  ];
  await run(`MATCH (source:DataSource {key: '${crowd.data_source_id}'})-[:FROM]->(provider)
    SET provider.name = 'A failing crowd', source.status = 'ERROR'
    WITH source, provider
    UNWIND range(1, 20) AS number
    CREATE (copy:DataSource)-[:FROM]->(provider)
    SET copy = source {.*, key: 'failed-' + number, id: 'failed-' + number, name: 'a' + number,
      fold_name_in_provider: 'a' + number, rows: 100 + number}`);
  await run(`UNWIND [['${small.data_source_id}', 1], ['${large.data_source_id}', 9]] AS each
    MATCH (source:DataSource {key: each[0]}) SET source.status = 'ERROR', source.rows = each[1]`);
  const html = await page('/console');
  await run("MATCH (copy:DataSource) WHERE copy.key STARTS WITH 'failed-' DETACH DELETE copy");
  await run(`MATCH (source:DataSource)
    WHERE source.key IN ['${[crowd, small, large].map((each) => each.data_source_id).join("', '")}']
    SET source.status = 'SUCCESS'`);
  const section = /<section aria-labelledby="failed">.*?<\/section>/s.exec(html)?.[0] ?? '';
  const listed = [...section.matchAll(/<li><a href="\/console\/sources\/([^"]+)"/g)].map(
    ([, id]) => id,
  );
  // One that was refused before is there too; it has no rows.
  expect(listed).toHaveLength(5);
  expect(listed.slice(0, 3)).toEqual(['failed-20', large.data_source_id, small.data_source_id]);
  expect(listed[4]).toBe('failed-19');
  expect(section).toContain('Of 19 more data sources something failed.');
  expect(section).toContain('href="/console/sources?troubled=true"');
});

test('Changes that are too many to list lead to the pushes, their sources and a narrower question', async () => {
  await run(`MATCH (push:Push) SET push.at = push.at + duration('P1D')`);
  const tooMany: Failure = { _tag: 'TooLarge', message: 'The access of too many changed.' };
  const few = await serviceUnderTest(
    {},
    {
      keep: true,
      replace: (context) =>
        interfaceOf.replace(context, (usual) => ({ ...usual(), changes: () => TE.left(tooMany) })),
    },
  );
  try {
    const one = new Browser(few.app);
    await one.signIn(API_KEY);
    const { status, text } = await one.get('/console/changes?list=true');
    const note = /<div class="note warn" role="status">.*?<\/div>/s.exec(text)?.[0] ?? '';
    expect([status, note]).toEqual([200, expect.stringContaining('Name a person')]);
    expect(note).toContain('href="#by-push"');
    expect(text).toContain('<h2 id="by-push">');
    expect([...pushesOn(text).keys()].length).toBeGreaterThan(0);
  } finally {
    await few.close();
  }
});

test('of an application whose list is too large no page says that nobody reaches it', async () => {
  const tooLarge: Failure = { _tag: 'TooLarge', message: 'The answer needs too long.' };
  const few = await serviceUnderTest(
    {},
    {
      keep: true,
      replace: (context) =>
        interfaceOf.replace(context, (usual) => {
          const found = usual();
          return { ...found, access: { ...found.access, list: () => TE.left(tooLarge) } };
        }),
    },
  );
  try {
    const one = new Browser(few.app);
    await one.signIn(API_KEY);
    const [application] = await ask(
      few.graph,
      'MATCH (a:Application) RETURN a.key AS key LIMIT 1',
      {},
    );
    const { status, text } = await one.get(
      `/console/resources/${encodeURIComponent(String(application?.key))}`,
    );
    expect([status, text]).toEqual([200, expect.stringContaining('The answer needs too long.')]);
    const [, tab = ''] = /<nav class="views"[^>]*><a [^>]*>(.*?)<\/a>/s.exec(text) ?? [];
    expect(tab).toBe('Who');
  } finally {
    await few.close();
  }
});

test('what to look at leads to lists of as many rows, what weighs most first', async () => {
  const other = await service.register('application');
  await push(other, {
    applications: [
      {
        name: 'vault',
        application_type: 'vault',
        resources: [{ name: 'safe', resource_type: 'box' }],
        local_users: [{ name: 'ghost' }, { name: 'left', is_active: false }],
      },
    ],
    permissions: [
      { name: 'own', permission_type: ['MetadataWrite'] },
      { name: 'see', permission_type: ['DataRead'] },
    ],
    identity_to_permissions: ['ghost', 'left'].map((identity) => ({
      identity,
      identity_type: 'local_user',
      application_permissions: [
        {
          application: 'vault',
          permission: identity === 'ghost' ? 'own' : 'see',
          resources: ['safe'],
        },
      ],
    })),
  });
  await run(`MATCH (source:DataSource) WHERE source.last_push_at IS NULL
    SET source.since = source.since - duration('P8D')`);
  const html = plain(await page('/console'));
  const found = [
    ...html.matchAll(/<th scope="row"><a href="([^"]+)"><b>([\d,]+)<\/b> ([^<]+)<\/a>/g),
  ];
  expect(found.map(([, , , words]) => words)).toEqual([
    'account or identity that nobody is behind is privileged',
    'inactive person or account still has access',
    'names in it are known to no directory',
    'data sources had no push for 7 days',
  ]);
  for (const [, href = '', count] of found) {
    const list = await page(href);
    const row = href === '/console/sources' ? /"Age"><span class="loss">/g : /data-name="Can"/g;
    expect([href, list.match(row)?.length]).toEqual([href, Number(count)]);
  }
});

// Before, one key made 300 data sources, and the form offered no others.
test('a provider with many data sources crowds out no others', async () => {
  const crowd = await service.register('application');
  // Half of them have a push, which is the newest of all.
  await run(`MATCH (source:DataSource {key: '${crowd.data_source_id}'})-[:FROM]->(provider)
    SET provider.name = 'A crowd'
    WITH source, provider
    UNWIND range(1, 1100) AS number
    CREATE (copy:DataSource)-[:FROM]->(provider)
    SET copy = source {.*, key: 'crowd-' + number, id: 'crowd-' + number, name: 'crowd-' + number,
      fold_name_in_provider: 'crowd-' + number,
      last_push_at: CASE WHEN number % 2 = 0 THEN datetime() + duration('P1D') END}`);
  const [sources, changes] = [await page('/console/sources'), await page('/console/changes')];
  await run("MATCH (copy:DataSource) WHERE copy.key STARTS WITH 'crowd-' DETACH DELETE copy");
  expect(sources).toContain('These are 200 of 1,000.');
  // The page has no room for all rows, but its forms have all their choices.
  expect(sources.match(/<option value="[^"]/g)).toHaveLength(200);
  expect(sources).toMatch(/type="radio" name="template"/);
  expect(sources).toContain(
    `<th scope="row"><a href="/console/sources/${directory.data_source_id}"`,
  );
  for (const html of [sources, changes]) {
    expect(html).toContain(`<option value="${directory.data_source_id}">`);
  }
});

test('a data source that never had a push is stale, however many others have pushes', async () => {
  const { data_source_id: waiting } = await service.register('application');
  await run(`MATCH (source:DataSource {key: '${waiting}'})-[:FROM]->(provider)
    SET source.since = source.since - duration('P30D')
    WITH source, provider
    UNWIND range(1, 6) AS number
    CREATE (copy:DataSource)-[:FROM]->(provider)
    SET copy = source {.*, key: 'fresh-' + number, id: 'fresh-' + number, name: 'fresh-' + number,
      fold_name_in_provider: 'fresh-' + number, last_push_at: datetime()}`);
  const html = await page('/console');
  await run("MATCH (copy:DataSource) WHERE copy.key STARTS WITH 'fresh-' DETACH DELETE copy");
  expect(html).toMatch(new RegExp(`<h2 id="stale">.*href="/console/sources/${waiting}"`, 's'));
});

test('the overview is there if a feature cannot look', async () => {
  const reader = { role: 'administrator', administers: true, zone: UTC } as Reader;
  const failing = () => TE.left<Failure>({ _tag: 'Unavailable', message: 'Neo4j is away' });
  expect(await readNews(service.context, reader, [failing])()).toMatchObject({
    right: { glance: { unanswered: [{ name: 'what other features find' }] } },
  });
});

test('a graph without data sources says how to begin, and its links lead somewhere', async () => {
  const html = renderToString(Begin({ administers: true }));
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
  expect(links).toEqual(['/console/register', '/manual/connectors', '/console/sources']);
  for (const link of links) await page(link);
});
