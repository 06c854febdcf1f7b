/** @more pages */

import { execFile } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { keyOf, pushCompanyTwice } from '../../http/company';
import {
  API_KEY,
  listenLocally,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../../http/service-under-test';

const SCRIPT = join(__dirname, '../../../scripts/console-tasks.mjs');

interface Tasks {
  readonly signedIn: string;
  readonly person: string;
  readonly has: readonly string[];
  readonly firstWeek: string;
  readonly had: readonly string[];
  readonly why: string;
  readonly cut: string;
  readonly people: string;
  readonly losses: string;
  readonly changed: string;
  readonly stale: string;
  readonly waiting: string;
  readonly warned: string;
  readonly file: string;
  readonly plan: string;
  readonly gains: readonly string[];
  readonly gained: readonly string[];
  readonly back: string;
}

interface Result {
  readonly seen: { readonly mouse: Tasks; readonly keyboard: Tasks };
  /** How many clicks each question of strangers needs. */
  readonly clicks: Readonly<Record<string, { readonly clicks: number }>>;
  /** How often forms with a chosen file were sent: one that lacks its data source, and a complete one. */
  readonly sending: Readonly<Record<'incomplete' | 'complete', number>> & {
    /** How a form was sent whose first answer is no page of the service. */
    readonly withoutPage: readonly string[];
  };
  /** At which pixel the first row of each page is, on a wide screen and on a phone. */
  readonly firstRows: Readonly<Record<'wide' | 'phone', Readonly<Record<string, number | null>>>>;
  readonly violations: readonly string[];
  readonly hosts: readonly string[];
  readonly errors: readonly string[];
  /** What Why is on a phone, in pixels. */
  readonly phone: readonly Readonly<
    Record<'path' | 'width' | 'height' | 'map' | 'cuts', unknown>
  >[];
}

let service: ServiceUnderTest;
let result: Result;
let host: string;
let folder: string;
let firstWeek: string;

/** An application that gives Amara something, as a file. */
const wikiFile = async (name: string): Promise<string> => {
  const file = join(folder, `${name}.json`);
  const payload = {
    applications: [
      {
        name,
        application_type: 'wiki',
        resources: [{ name: 'handbook', resource_type: 'page' }],
        local_users: [{ name: 'amara', identities: ['amara.nwosu@halden.example'] }],
      },
    ],
    permissions: [{ name: 'edit', permission_type: ['DataWrite'] }],
    identity_to_permissions: [
      {
        identity: 'amara',
        identity_type: 'local_user',
        application_permissions: [
          { application: name, permission: 'edit', resources: ['handbook'] },
        ],
      },
    ],
  };
  await writeFile(file, JSON.stringify(payload));
  return file;
};

const pushOf = async (name: string): Promise<object> => ({
  source: (await service.register('application')).data_source_id,
  file: await wikiFile(name),
});

/** Pages to which no task leads. */
const furtherPages = async (): Promise<readonly string[]> => {
  const at = (folderOf: string, key: string, query = ''): string =>
    `/console/${folderOf}/${encodeURIComponent(key)}${query}`;
  const principal = await keyOf(service, 'IdpUser', 'Amara Nwosu');
  const resource = await keyOf(service, 'Application', 'Forge');
  return [
    at('resources', resource),
    at('resources', resource, '?permission=Pushh'),
    at('people', await keyOf(service, 'IdpGroup', 'Firmware Maintainers')),
    at('people', await keyOf(service, 'LocalRole', 'Developer')),
    `/console/why?${new URLSearchParams({ principal, resource }).toString()}`,
  ];
};

beforeAll(async () => {
  // Forms count only from `PUBLIC_URL`, so the service must know its port.
  let app: RequestListener = (_req, res) => res.end();
  const { port, close } = await listenLocally((req, res) => app(req, res));
  host = `127.0.0.1:${port}`;
  const settings = { http: { publicUrl: `http://${host}` } };
  service = await serviceUnderTest({ bodyBytes: 1024 ** 2 }, { settings });
  app = service.app;
  firstWeek = await pushCompanyTwice(service);
  folder = await mkdtemp(join(tmpdir(), 'console-tasks-'));
  const wrong = join(folder, 'wrong.csv');
  await writeFile(wrong, 'nam\nann\n');
  const wanted = {
    firstWeek,
    wrong,
    pages: await furtherPages(),
    pushes: {
      mouse: await pushOf('Wiki A'),
      keyboard: await pushOf('Wiki B'),
      clicks: await pushOf('Wiki C'),
      mended: await pushOf('Wiki E'),
      first: await wikiFile('Wiki D'),
    },
  };
  const { stdout } = await promisify(execFile)(process.execPath, [
    SCRIPT,
    `http://${host}`,
    API_KEY,
    JSON.stringify(wanted),
  ]).finally(close);
  result = JSON.parse(stdout) as Result;
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await service.close();
});

test('people sign in by a page, and after they sign out the back button shows nothing', () => {
  const { signedIn, back } = result.seen.mouse;
  expect(signedIn).toBe('API_KEY');
  expect(back).toContain('Sign in with a key');
  expect(back).not.toMatch(/Amara|Wiki/);
});

test('people see what she had at the end of the first week', async () => {
  const principal = await keyOf(service, 'IdpUser', 'Amara Nwosu');
  const query = new URLSearchParams({ principal, person: 'true', at: firstWeek }).toString();
  const { body } = (await service.send('get', `/api/v1/access?${query}&page_size=1000`)) as {
    readonly body: { readonly values: readonly object[] };
  };
  expect(result.seen.mouse.firstWeek).toMatch(
    new RegExp(`can reach ${body.values.length} resources`),
  );
  const { has, had } = result.seen.mouse;
  expect(had.length).toBeGreaterThan(0);
  expect(had).not.toEqual(has);
});

test('an administrator plans a payload, pushes it, and sees the change', () => {
  const { plan, gains, gained } = result.seen.mouse;
  expect(plan).toMatch(
    /^1 person would gain access\. A push would put \d+ nodes and \d+ relationships, .*Nothing is written yet/,
  );
  expect(gains.length).toBeGreaterThan(0);
  for (const gain of gains) expect(gain).toContain('edit');
  // In the changes a human is there once, with all that is theirs.
  expect(gained).toEqual([expect.stringMatching(/\S/)]);
});

test('people find who can do what and why, since which push, who else, and who would lose it', () => {
  const { person, why, cut, people, losses } = result.seen.mouse;
  expect(person).toMatch(/^Amara Nwosu can reach \d+ resources and applications/);
  expect(why).toMatch(/^\d+ ways? to \d+ permissions?: .* exists since .* push [0-9a-f]{8}\./s);
  expect(cut).toMatch(/^Without this step (?:no way remains|\d+ of \d+ ways? remains?)\.$/);
  expect(people).toMatch(/^\d+ people and \d+ others can reach it\. Of these, \d+ can write to it/);
  expect(losses).toMatch(
    /^Without Engineering from [^,]+, \d+ of \d+ people would lose everything here/,
  );
});

test('people see what changed, what is stale, what warned and where, and ask for a file', () => {
  const { changed, stale, waiting, warned, file } = result.seen.mouse;
  expect(changed).toMatch(/^[\d,]+ (?:person|people) gained .*access.* between /);
  expect(stale).toMatch(
    /^\d+ data sources\. \d+ of them (?:is|are) new and waits? for a first push\./,
  );
  expect(waiting).toMatch(/^Provider \d+, Main.*never/s);
  expect(warned).toMatch(/^\//);
  expect(file).toBe('rows.csv');
});

/** What does not change by the push of the first of them. */
const lastingIn = ({ signedIn, firstWeek: week, why, cut, losses, ...seen }: Tasks): object => ({
  signedIn,
  week,
  why,
  cut,
  people: seen.people,
  losses,
  warned: seen.warned,
  file: seen.file,
  gains: seen.gains,
  gained: seen.gained,
  back: seen.back,
});

test('the keyboard alone leads to the same', () => {
  const { mouse, keyboard } = result.seen;
  expect(lastingIn(keyboard)).toEqual(lastingIn(mouse));
});

// Eleven screens of tables followed the map, which looked as if it ended at the edge.
test('Why is a list on a phone, a few screens long, whose steps can be cut', () => {
  expect(result.phone.length).toBeGreaterThan(0);
  for (const { path, width, height, map, cuts } of result.phone) {
    expect([path, width]).toEqual([path, 390]);
    expect([path, Number(height) < 3_500]).toEqual([path, true]);
    expect([path, map, Number(cuts) > 0]).toEqual([path, 0, true]);
  }
});

test('each question of strangers is answered with at most three clicks from the overview', () => {
  const clicks = Object.entries(result.clicks).map(([name, { clicks }]) => [name, clicks] as const);
  expect(clicks.length).toBeGreaterThan(10);
  expect(clicks.filter(([, count]) => count > 3)).toEqual([]);
});

test('a file is sent once, and only by a form that lacks nothing', () => {
  expect(result.sending).toMatchObject({ incomplete: 0, complete: 1 });
});

// Before, the page became the word "null", and the file was not sent.
test('a file whose answer is no page of the service is sent by the browser itself', () => {
  expect(result.sending.withoutPage).toEqual(['fetch', 'document']);
});

test('the first row of the main tables is on the first screen', () => {
  const { wide, phone } = result.firstRows;
  for (const path of ['/console', '/console/changes?list=true', '/console/sources']) {
    expect([path, (wide[path] ?? Infinity) <= 480]).toEqual([path, true]);
    expect([path, (phone[path] ?? Infinity) <= 800]).toEqual([path, true]);
  }
});

test('no page violates a rule of axe, light or dark', () => {
  expect(result.violations).toEqual([]);
});

test('pages load only from the service, and break no policy', () => {
  expect(result.hosts).toEqual([host]);
  expect(result.errors.filter((error) => !/ 40[04] /.test(error))).toEqual([]);
});
