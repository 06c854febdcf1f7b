/** @more pages */

import { ask } from '../../../src/neo4j/ask';
import { sessionsOf } from '../../../src/features/sign-in/contract';
import { cutOf } from '../../../src/features/console/map/ways';
import { ownHandles } from '../../../src/features/console/parts/own-handles';
import { SESSION_COOKIE } from '../../../src/web/admission/visitor';
import { Browser } from '../../http/browser-session';
import { pushCompany } from '../../http/company';
import { type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { allPages } from '../../support/all-pages';
import { sized } from '../../support/test-size';

/*
 * What somebody without a role learns by the pages that they may open: nothing about what they do not reach. An attack
 * found that /console/mine/why named every resource, with its path and provider.
 */
let service: ServiceUnderTest;
let own: Browser;
let person: string;

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  person = await firstOf("MATCH (n:IdpUser {name: 'Nadia Haddad'}) RETURN n.key AS value");
  const opened = await sessionsOf(service.context).open(
    { subject: 'person:own', name: 'Nadia', role: null, person, address: null },
    new Map(),
    'r',
    [],
  )();
  if (opened._tag === 'Left') throw new Error(opened.left.message);
  own = new Browser(service.app);
  own.cookies.set(SESSION_COOKIE, opened.right.token);
});
afterAll(() => service.close());

const values = async (statement: string): Promise<readonly string[]> =>
  (await ask(service.graph, statement, {})).map(({ value }) => String(value));

const firstOf = async (statement: string): Promise<string> => (await values(statement))[0] ?? '';

/** A text like this one that nothing has: each letter and digit is the next one. */
const likeIt = (text: string): string =>
  text.replace(/[a-y0-8]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 1));

/** A page without what differs each time, and without what the reader typed. */
const shownOf = async (path: string, typed: string): Promise<readonly [number, string]> => {
  const { status, text } = await own.get(path);
  const spellings = [
    typed,
    encodeURIComponent(typed),
    new URLSearchParams({ x: typed }).toString().slice(2),
  ];
  const plain = text
    .replace(/Request [0-9a-f]{32}/g, '')
    // On paper, a page about now says when that was.
    .replace(/<span class="on-paper">: [^<]*</g, '<')
    .replace(/name="form_token" value="[^"]*"/g, '')
    .replace(/v1\.[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+/g, 'handle')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    // What a parameter may be is the same for all; the nearest of it follows from what was typed.
    .replace(/( is none of [\w, ]+); did you mean "\w+"\?/g, '$1')
    // A message quotes the beginning of what is long, and an order only its first word.
    .replace(/"([^"]+?)…?"/g, (quoted, cut: string) =>
      cut === typed.split(' ')[0] || (cut.length > 3 && typed.startsWith(cut)) ? '"typed"' : quoted,
    );
  return [
    status,
    typed === '' ? plain : spellings.reduce((told, each) => told.replaceAll(each, 'typed'), plain),
  ];
};

/** What somebody types into an address, of each kind: what exists, in a fixed order. */
const kindsOfValues = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const named = await ask(
    service.graph,
    `MATCH (n) UNWIND labels(n) AS label UNWIND ['key', 'id', 'name'] AS property
     WITH DISTINCT label + ' ' + property AS kind, toString(n[property]) AS value WHERE value <> ''
     WITH kind, value ORDER BY value RETURN kind, collect(value) AS values`,
    {},
  );
  const steps = await ask(
    service.graph,
    'MATCH (a:Entity)-->(b:Resource) WITH DISTINCT a.key AS a, b.key AS b ORDER BY a, b RETURN a, b',
    {},
  );
  const kinds = new Map(named.map(({ kind, values: all }) => [String(kind), all as string[]]));
  const beginnings = kinds.get('Push id')?.map((id) => id.slice(0, 8)) ?? [];
  kinds.set('beginning of a push', beginnings);
  const cuts = steps.map(({ a, b }) => cutOf(String(a), String(b)));
  kinds.set('step', cuts);
  return kinds;
};

/** A text like this one that nothing has and no page shows. */
const inventedFor = (exists: string, shown: string): string => {
  const invented = likeIt(exists);
  return shown.includes(invented) ? inventedFor(invented, shown) : invented;
};

/** One address of each page for all, with what makes its parameters count, and the parameters. */
const addressesOf = (reached: string): readonly (readonly [string, object, readonly string[]])[] =>
  allPages
    .filter(({ readers }) => readers === 'everybody')
    .flatMap(({ path: route, query: { required, optional } }) => {
      const path = route.replace(':id', 'none');
      const fields = Object.keys({ ...required, ...optional });
      const kept = 'resource' in { ...required } ? { resource: reached } : {};
      return 'since' in { ...optional }
        ? [
            [path, kept, fields],
            // Of all parameters, a view of changes reads these.
            [path, { ...kept, view: 'changes' }, ['at', 'since', 'until', 'page']],
          ]
        : [[path, kept, fields]];
    });

test('every parameter of every page for all answers the same, whether something exists or not', async () => {
  // What they reach, so that the page has ways that the other parameters narrow.
  const { text } = await own.get('/console/mine');
  const reached = /\/console\/mine\/why\?resource=([\w.-]+)/.exec(text)?.[1] ?? '';
  expect(reached).not.toBe('');
  const addresses = addressesOf(reached);
  expect(new Set(addresses.map(([path]) => path))).toEqual(
    new Set([
      '/console/mine',
      '/console/mine/why',
      '/console/reviews',
      ...['', '/decide', '/progress', '/items', '/plan', '/verified'].map(
        (page) => `/console/reviews/none${page}`,
      ),
    ]),
  );
  const addressOf = (path: string, parameters: object): string =>
    `${path}?${new URLSearchParams({ ...parameters }).toString()}`;
  // What these pages name is theirs to know, such as the pushes that brought the steps of their ways. The texts of
  // the pages cannot be compared for it either: they show it whether it was typed or not.
  let shown = '';
  for (const [path, kept] of addresses) shown += (await own.get(addressOf(path, kept))).text;
  const kinds = new Map(
    [...(await kindsOfValues())].map(([kind, all]) => [
      kind,
      all.find((each) => !shown.includes(each)),
    ]),
  );
  const foreign = new Set([...kinds.values()].flatMap((each) => each ?? []));
  expect(foreign.size).toBeGreaterThan(30);
  for (const kind of ['Resource key', 'Provider name', 'DataSource id', 'Push id', 'step'])
    expect([kind, kinds.get(kind)]).toEqual([kind, expect.any(String)]);
  const told: unknown[] = [];
  // By day each parameter gets a quarter of the kinds, and each kind reaches every page.
  const share = sized(4, 1);
  for (const [path, kept, fields] of addresses)
    for (const [nth, field] of fields.entries())
      for (const exists of [...foreign].filter((_, at) => (at + nth) % share === 0)) {
        const invented = inventedFor(exists, shown);
        const answer = async (typed: string) =>
          JSON.stringify(await shownOf(addressOf(path, { ...kept, [field]: typed }), typed));
        const [one, other] = [await answer(exists), await answer(invented)];
        if (one === other) continue;
        const at = [...one].findIndex((sign, place) => sign !== other[place]);
        const [first, second] = [one, other].map((each) => each.slice(at - 60, at + 60));
        told.push({ path, kept, field, exists, first, second });
      }
  expect(told).toEqual([]);
});

test('no page of theirs has an id of a data source or provider, and links lead on', async () => {
  const ids = await values('MATCH (n:DataSource|Provider) RETURN n.key AS value');
  const first = await own.get('/console/mine');
  const whys = [...first.text.matchAll(/href="(\/console\/mine\/why\?[^"]*)"/g)].map(
    ([, href = '']) => href.replaceAll('&amp;', '&'),
  );
  const addresses = ['/console/mine', '/console/mine?view=changes', ...whys.slice(0, 5)];
  for (const path of addresses) {
    const { status, text } = await own.get(path);
    expect([path, status]).toEqual([path, 200]);
    const decoded = `${text}${decodeURIComponent(text.replace(/%(?![0-9A-F]{2})/gi, ''))}`;
    expect(ids.filter((id) => decoded.includes(id))).toEqual([]);
    expect(text).not.toContain('Request and Cypher');
  }
  const [why = ''] = whys;
  expect((await own.get(why)).text).toMatch(/\d+ ways? to/);
  const cut =
    /href="(\/console\/mine\/why\?[^"]*cut=[^"]*)"/.exec((await own.get(why)).text)?.[1] ?? '';
  expect((await own.get(cut.replaceAll('&amp;', '&'))).status).toBe(200);
});

test('a handle that somebody else got, or of what is no longer reached, is as one that nobody got', async () => {
  const unknown = 'v1-of-nobody';
  const invented = await shownOf(`/console/mine/why?resource=${unknown}`, unknown);
  expect(invented[0]).toBe(404);
  const query = new URLSearchParams({ principal: person, person: 'true', page_size: '10000' });
  const list = await service.send('get', `/api/v1/access?${query.toString()}`);
  const reached = (list.body as { values: readonly { readonly id: string }[] }).values;
  const ids = new Set(reached.map(({ id }) => id));
  const all = await values('MATCH (n:Resource) RETURN n.key AS value');
  const unreached = all.find((key) => !ids.has(key)) ?? '';
  const [theirs = ''] = ids;
  expect(unreached).not.toBe('');
  const others = await ownHandles(service.context, { seesAll: false, person: 'somebody else' });
  const mine = await ownHandles(service.context, { seesAll: false, person });
  for (const handle of [
    // What somebody writes without the service: a key, of what they reach too.
    unreached,
    theirs,
    // What the service gave to somebody else.
    others.hide(unreached),
    others.hide(theirs),
    // What the service gave them while it existed, or while they reached it.
    mine.hide('no such key'),
    mine.hide(person),
    mine.hide(unreached),
  ]) {
    const path = `/console/mine/why?resource=${encodeURIComponent(handle)}`;
    expect([handle, await shownOf(path, handle)]).toEqual([handle, invented]);
  }
  const address = `/console/mine/why?resource=${encodeURIComponent(mine.hide(theirs))}`;
  expect((await shownOf(address, ''))[0]).toBe(200);
});
