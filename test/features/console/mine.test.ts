import { ask } from '../../../src/neo4j/ask';
import { sessionsOf } from '../../../src/features/sign-in/contract';
import { pages } from '../../../src/features/console/pages';
import { ownHandles } from '../../../src/features/console/parts/own-handles';
import { SESSION_COOKIE } from '../../../src/web/admission/visitor';
import { Browser } from '../../http/browser-session';
import { pushCompany } from '../../http/company';
import { type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';

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
}, 180_000);
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
    .replace(/name="form_token" value="[^"]*"/g, '')
    .replace(/v1\.[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+/g, 'handle')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    // A message quotes the beginning of what is long, and an order only its first word.
    .replace(/"([^"]+?)…?"/g, (quoted, cut: string) =>
      cut.length > 3 && typed.startsWith(cut) ? '"typed"' : quoted,
    );
  return [
    status,
    typed === '' ? plain : spellings.reduce((told, each) => told.replaceAll(each, 'typed'), plain),
  ];
};

/** What exists and is not theirs, of every kind that an address could name. */
const foreign = async (): Promise<readonly string[]> => [
  ...(await values(
    'MATCH (n:Entity) WITH labels(n) AS labels, min(n.key) AS value RETURN value LIMIT 12',
  )),
  ...(await values('MATCH (n:Resource) RETURN n.key AS value LIMIT 6')),
  ...(await values('MATCH (n:Application) UNWIND [n.key, n.name] AS value RETURN value LIMIT 6')),
  ...(await values('MATCH (n:Permission) RETURN DISTINCT n.name AS value LIMIT 6')),
  ...(await values('MATCH (n:Provider) UNWIND [n.key, n.name] AS value RETURN value LIMIT 6')),
  ...(await values('MATCH (n:DataSource) UNWIND [n.key, n.name] AS value RETURN value LIMIT 6')),
  ...(await values('MATCH (n:Push) UNWIND [n.id, left(n.id, 8)] AS value RETURN value LIMIT 4')),
  ...(await values('MATCH (n:Session) RETURN n.key AS value')),
];

test('every parameter of every page for all answers the same, whether something exists or not', async () => {
  const open = pages.filter(({ readers }) => readers === 'everybody');
  expect(open.map(({ path }) => path)).toEqual(['/console/mine', '/console/mine/why']);
  // What they reach, so that the page has ways that the other parameters narrow.
  const { text } = await own.get('/console/mine');
  const reached = /\/console\/mine\/why\?resource=([\w.-]+)/.exec(text)?.[1] ?? '';
  expect(reached).not.toBe('');
  // What the page names is theirs to know.
  const named = (await foreign()).filter((each) => each !== '' && !text.includes(each));
  expect(named.length).toBeGreaterThan(20);
  const told: unknown[] = [];
  for (const { path, query } of open) {
    const { required, optional } = query;
    for (const field of [...Object.keys({ ...required }), ...Object.keys({ ...optional })]) {
      for (const exists of named) {
        const address = (value: string): string => {
          const words = new URLSearchParams({
            ...('resource' in { ...required } ? { resource: reached } : {}),
            [field]: value,
          });
          return `${path}?${words.toString()}`;
        };
        const invented = likeIt(exists);
        const [one, other] = [
          await shownOf(address(exists), exists),
          await shownOf(address(invented), invented),
        ];
        if (JSON.stringify(one) !== JSON.stringify(other))
          told.push({ path, field, exists, one, other });
      }
    }
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
    ...[unreached, theirs],
    // What the service gave to somebody else.
    ...[others.hide(unreached), others.hide(theirs)],
    // What the service gave them while it existed, or while they reached it.
    ...[mine.hide('no such key'), mine.hide(person), mine.hide(unreached)],
  ]) {
    const path = `/console/mine/why?resource=${encodeURIComponent(handle)}`;
    expect([handle, await shownOf(path, handle)]).toEqual([handle, invented]);
  }
  const address = `/console/mine/why?resource=${encodeURIComponent(mine.hide(theirs))}`;
  expect((await shownOf(address, ''))[0]).toBe(200);
});
