import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Browser } from '../../http/browser-session';
import { pushCompany } from '../../http/company';
import {
  API_KEY,
  listenLocally,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../../http/service-under-test';

const SCRIPT = join(__dirname, '../../../scripts/console-tasks.mjs');

interface Tasks {
  readonly person: string;
  readonly why: string;
  readonly cut: string;
  readonly people: string;
  readonly losses: string;
  readonly changed: string;
  readonly stale: string;
  readonly warned: string;
  readonly file: string;
}

interface Result {
  readonly seen: { readonly mouse: Tasks; readonly keyboard: Tasks };
  readonly violations: readonly string[];
  readonly hosts: readonly string[];
  readonly errors: readonly string[];
}

let service: ServiceUnderTest;
let result: Result;
let host: string;

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  const one = new Browser(service.app);
  await one.signIn(API_KEY);
  const [[cookie = '', value = ''] = []] = one.cookies;
  const { port, close } = await listenLocally(service.app);
  host = `127.0.0.1:${port}`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[SCRIPT, `http://${host}`, cookie, value],
  ]);
  await close();
  result = JSON.parse(stdout) as Result;
}, 180_000);
afterAll(() => service.close());

test('people find who can do what and why, since which push, who else, and who would lose it', () => {
  const { person, why, cut, people, losses } = result.seen.mouse;
  expect(person).toMatch(/^\d+ resources and applications can be reached\.$/);
  expect(why).toMatch(/^\d+ ways? to \d+ permissions?: .* exists since .* push [0-9a-f]{8}\./s);
  expect(cut).toMatch(/^Without this step (?:no way remains|\d+ of \d+ ways? remains?)\.$/);
  expect(people).toMatch(/^\d+ people can reach it, /);
  expect(losses).toMatch(/^Without Engineering, \d+ of \d+ people would lose everything here/);
});

test('people see what changed, what is stale, what warned and where, and ask for a file', () => {
  const { changed, stale, warned, file } = result.seen.mouse;
  expect(changed).toMatch(/^[\d,]+ changes? of access between /);
  expect(stale).toMatch(/^\d+ data sources\. /);
  expect(warned).toMatch(/^\//);
  expect(file).toBe('rows.csv');
});

test('the keyboard alone leads to the same', () => {
  expect(result.seen.keyboard).toEqual(result.seen.mouse);
});

test('no page violates a rule of axe, light or dark', () => {
  expect(result.violations).toEqual([]);
});

test('pages load only from the service, and break no policy', () => {
  expect(result.hosts).toEqual([host]);
  expect(result.errors.filter((error) => !error.includes('404'))).toEqual([]);
});
