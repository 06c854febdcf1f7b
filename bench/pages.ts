import { get } from 'node:http';
import { gunzipSync } from 'node:zlib';

import { CENTRE } from './access-payload';
import { type Ask, client, idsOf } from './access-questions';
import { fillGraph, pushOnce } from './large-graph';
import { load } from './machine';
import type { Options } from './options';
import { quantile } from './probe';
import { Random } from './random';
import { beginRestlessness } from './restless';
import type { RoundTools } from './round';
import type { ServiceProcess } from './service-process';
import { upTo } from './up-to';

/** The most milliseconds of 95 of 100 pages beside pushes (docs/performance.md: Pages). */
const MOST_P95_MS = 300;
const WARM_PAGES = 10;
const PAGES = 20;
/** So many pages are opened beside pushes, or as many as half a minute has time for. */
const PAGES_BESIDE = 100;
const MOST_MS = 30_000;

const PEOPLE_OF_CROWD = 50_000;
const PEOPLE_OF_SQUARE = 10_000;
const CROWD = 'crowd';
const SQUARE = 'Square';

/** A directory with a group of 50,000 people, of whom 10,000 are in another group too. */
const crowdDirectory = (): object => ({
  idp_type: 'bench',
  domains: [{ name: 'crowd.example.com' }],
  groups: [{ name: CROWD }, { name: 'some' }],
  users: upTo(PEOPLE_OF_CROWD).map((at) => ({
    name: `crowd ${at}`,
    full_name: `Crowd ${at}`,
    groups: [{ identity: CROWD }, ...(at < PEOPLE_OF_SQUARE ? [{ identity: 'some' }] : [])],
  })),
});

/** An application with a resource for the 10,000, and a role for the 50,000. */
const squarePayload = (): object => ({
  applications: [
    {
      name: 'town',
      application_type: 'town',
      local_groups: [
        { name: 'everybody', identities: [CROWD] },
        { name: 'visitors', identities: ['some'] },
      ],
      resources: [
        { name: SQUARE, resource_type: 'place' },
        { name: 'Street', resource_type: 'place' },
      ],
    },
  ],
  permissions: [{ name: 'walk', permission_type: ['DataRead'] }],
  identity_to_permissions: [
    ['everybody', 'Street'],
    ['visitors', SQUARE],
  ].map(([identity, resource]) => ({
    identity,
    identity_type: 'local_group',
    application_permissions: [{ application: 'town', permission: 'walk', resources: [resource] }],
  })),
});

/** A page and its addresses, which the bench opens in turn. */
interface PageOfBench {
  readonly name: string;
  readonly paths: readonly string[];
}

/** The times of a page in milliseconds, and the bytes that it sends. */
interface Opened {
  readonly first: readonly number[];
  readonly whole: readonly number[];
  readonly bytes: number;
  /** How many were not answered. */
  readonly failed: number;
}

const cookieOf = async ({ address, apiKey }: ServiceProcess): Promise<string> => {
  const response = await fetch(`${address}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: address, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ key: apiKey }).toString(),
  });
  const [cookie] = response.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`The sign-in was answered ${response.status}.`);
  return cookie.split(';')[0] ?? '';
};

/** What a browser gets of a page, and when: milliseconds after it asked. */
interface Load {
  readonly first: number;
  readonly whole: number;
  readonly bytes: number;
  readonly status: number | undefined;
  readonly html: string;
}

const loaded = (address: string, cookie: string): Promise<Load> =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    const asked = get(address, { headers: { cookie, 'accept-encoding': 'gzip' } }, (response) => {
      const chunks: Buffer[] = [];
      let first = NaN;
      response.on('error', reject).on('data', (chunk: Buffer) => {
        if (chunks.length === 0) first = performance.now() - start;
        chunks.push(chunk);
      });
      response.once('end', () => {
        const whole = performance.now() - start;
        const sent = Buffer.concat(chunks);
        const isZipped = response.headers['content-encoding'] === 'gzip';
        const html = (isZipped ? gunzipSync(sent) : sent).toString();
        resolve({ first, whole, bytes: sent.length, status: response.statusCode, html });
      });
    });
    asked.once('error', reject);
  });

/** What the page of an error ends with, whatever status its beginning has. */
const OF_ERROR = '<p class="quiet">Request ';

const open = async (
  { address }: ServiceProcess,
  cookie: string,
  { paths }: PageOfBench,
  count: number,
  say: (text: string) => void,
): Promise<Opened> => {
  const first: number[] = [];
  const whole: number[] = [];
  let bytes = 0;
  let failed = 0;
  const end = performance.now() + MOST_MS;
  for (let at = 0; at < count && performance.now() < end; at += 1) {
    const path = paths[at % paths.length] ?? '';
    const load = await loaded(address + path, cookie);
    first.push(load.first);
    whole.push(load.whole);
    bytes = Math.max(bytes, load.bytes);
    if (load.status !== 200 || load.html.includes(OF_ERROR)) {
      failed += 1;
      say(`${path}: ${load.status} ${load.html.slice(load.html.indexOf('<h1>')).slice(0, 200)}`);
    }
  }
  return { first, whole, bytes, failed };
};

const inMs = (value: number): string => value.toFixed(0);

/** Whether a service has the graph of access in memory. */
const accessGraphOf = async ({ address }: ServiceProcess): Promise<string> => {
  const ready = (await (await fetch(`${address}/readyz`)).json()) as { access_graph: string };
  return ready.access_graph;
};

/** Opens each page twice, one after the other, right after a service says that it is ready. */
const measureFirstOpenings = async (
  service: ServiceProcess,
  pages: readonly PageOfBench[],
  say: (text: string) => void,
): Promise<void> => {
  const begun = performance.now();
  const cookie = await cookieOf(service);
  say(`Load ${load()}`);
  say('| page | first opening (ms) | second (ms) | begun after (s) | graph of access then | |');
  say('| --- | --- | --- | --- | --- | --- |');
  for (const { name, paths } of pages) {
    const at = ((performance.now() - begun) / 1000).toFixed(1);
    const state = await accessGraphOf(service);
    const one = { name, paths: paths.slice(0, 1) };
    const { whole, failed } = await open(service, cookie, one, 2, say);
    const end = failed === 0 ? '' : `${failed} not answered`;
    say(`| ${[name, inMs(whole[0] ?? NaN), inMs(whole[1] ?? NaN), at, state, end].join(' | ')} |`);
  }
  say('');
};

const someOf = async (ask: Ask, filter: string, label: string): Promise<readonly string[]> =>
  (await idsOf(ask, filter, label)).slice(0, 50).map(encodeURIComponent);

const oneOf = async (ask: Ask, filter: string, label: string): Promise<string> => {
  const [found] = await someOf(ask, filter, label);
  if (found === undefined) throw new Error(`No ${label} has ${filter}.`);
  return found;
};

/** The pages of the console, on the graph of `fillGraph` and the crowd. */
const pagesOn = async (ask: Ask, source: string, seed: number): Promise<readonly PageOfBench[]> => {
  const random = new Random(seed);
  const people = await someOf(ask, 'name sw "person7"', 'IdpUser');
  const documents = await someOf(ask, 'name co "7"', 'Resource');
  const busy = await oneOf(ask, 'name eq "h0" and application eq "hub"', 'LocalUser');
  const wiki = await oneOf(ask, 'path eq "Wiki" and application eq "hub"', 'Resource');
  const crowd = await oneOf(ask, `name eq "${CROWD}"`, 'IdpGroup');
  const someone = await oneOf(ask, 'name eq "crowd 7"', 'IdpUser');
  const [square, street] = await Promise.all(
    [SQUARE, 'Street'].map((name) => oneOf(ask, `path eq "${name}"`, 'Resource')),
  );
  const [visitors, lost, centre] = await Promise.all([
    oneOf(ask, 'name eq "visitors" and application eq "town"', 'LocalGroup'),
    oneOf(ask, 'name eq "lost" and application eq "maze"', 'LocalUser'),
    oneOf(ask, `path eq "${CENTRE}" and application eq "maze"`, 'Resource'),
  ]);
  const at = encodeURIComponent(new Date(Date.now() - 1000).toISOString());
  const ofPeople = people.map((id) => `/console/people/${id}`);
  const ofDocuments = documents.map((id) => `/console/resources/${id}`);
  const why = (who: string, what: string): string =>
    `/console/why?principal=${who}&resource=${what}`;
  const person = (): number => random.below(2000);
  return [
    { name: 'Find', paths: ['/console'] },
    { name: 'Find: a name', paths: upTo(50).map(() => `/console?q=person+${person()}`) },
    { name: 'Find: "crowd"', paths: ['/console?q=crowd'] },
    { name: 'Person', paths: ofPeople },
    { name: 'Person with 1,000 resources', paths: [`/console/people/${busy}`] },
    { name: 'Person, a group of 50,000', paths: [`/console/people/${crowd}`] },
    {
      name: 'Person, gained and lost',
      paths: ofPeople.map((path) => `${path}?view=changes&since=${at}`),
    },
    { name: 'Person at an instant', paths: ofPeople.map((path) => `${path}?at=${at}`) },
    { name: 'Resource', paths: ofDocuments },
    { name: 'Resource of 10,000 people', paths: [`/console/resources/${square}`] },
    { name: 'Resource of 50,000 people', paths: [`/console/resources/${street}`] },
    { name: 'Resource, 4 ways each', paths: [`/console/resources/${wiki}`] },
    {
      name: 'Resource, without a group of 10,000',
      paths: [`/console/resources/${square}?without=${visitors}`],
    },
    {
      name: 'Resource at an instant',
      paths: ofDocuments.map((path) => `${path}?at=${at}`),
    },
    { name: 'Why', paths: [why(someone, square ?? ''), why(busy, wiki)] },
    { name: 'Why, half a million ways', paths: [why(lost, centre)] },
    { name: 'Why at an instant', paths: [`${why(someone, square ?? '')}&at=${at}`] },
    { name: 'Changes', paths: ['/console/changes'] },
    { name: 'Sources', paths: ['/console/sources'] },
    { name: 'Sources, one of them', paths: [`/console/sources/${source}`] },
    { name: 'Ask', paths: ['/console/ask'] },
    { name: 'My access', paths: ['/console/mine'] },
  ];
};

/**
 * Measures the pages of the console, one after the other: first after a start, then while nothing
 * else happens, then
 * beside pushes (docs/performance.md: Pages).
 */
export const measurePages = async (
  tools: RoundTools & { readonly startService: () => Promise<ServiceProcess> },
  options: Options,
  say: (text: string) => void,
): Promise<void> => {
  const { service, connector } = tools;
  await pushOnce(tools, 'Crowd', 'identity_provider', crowdDirectory, say);
  await pushOnce(tools, 'Town', 'application', squarePayload, say);
  const filling = await fillGraph(tools, options, say);
  const cookie = await cookieOf(service);
  const pages = await pagesOn(client(service), filling.source.id, options.seed);
  // Neo4j plans each statement again, as after a start of its own.
  await tools.driver.executeQuery('CALL db.clearQueryCaches()', {}, { database: tools.database });
  const started = await tools.startService();
  await measureFirstOpenings(started, pages, say);
  await started.stop();
  const idle: Opened[] = [];
  for (const page of pages) {
    const { whole } = await open(service, cookie, page, WARM_PAGES, say);
    const opened = await open(service, cookie, page, PAGES, say);
    idle.push(opened);
    say(
      `${page.name}: the first time ${inMs(whole[0] ?? NaN)} ms, then ${inMs(quantile(opened.whole, 0.5))} ms`,
    );
  }
  const quietLoad = load();
  const restless = await beginRestlessness(connector, filling);
  say('');
  say(
    `| page | KB, gzip | idle: p50, p95 (ms) | beside pushes: opened, p50, p95 | first bytes: p95 | not answered | p95 at most ${MOST_P95_MS} |`,
  );
  say('| --- | --- | --- | --- | --- | --- | --- |');
  for (const [at, page] of pages.entries()) {
    const quiet = idle[at];
    if (quiet === undefined) continue;
    const beside = await open(service, cookie, page, PAGES_BESIDE, say);
    const p95 = quantile(beside.whole, 0.95);
    say(
      `| ${[
        page.name,
        (quiet.bytes / 1000).toFixed(1),
        `${inMs(quantile(quiet.whole, 0.5))}, ${inMs(quantile(quiet.whole, 0.95))}`,
        `${beside.whole.length}: ${inMs(quantile(beside.whole, 0.5))}, ${inMs(p95)}`,
        inMs(quantile(beside.first, 0.95)),
        beside.failed,
        p95 <= MOST_P95_MS && beside.failed === 0 ? 'reached' : 'MISSED',
      ].join(' | ')} |`,
    );
  }
  const { pushes, seconds } = await restless.stop();
  say('');
  say(
    `Beside: ${pushes} whole pushes with a hundredth changed, ${seconds.toFixed(1)} s each. Load ${quietLoad} before, ${load()} after.`,
  );
};
