import type { Response } from 'supertest';

import { pushCompany } from '../../http/company';
import { Browser } from '../../http/browser-session';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { plain } from './page-rows';

let service: ServiceUnderTest;
let browser: Browser;

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  browser = new Browser(service.app);
  await browser.signIn(API_KEY);
});
afterAll(() => service.close());

const suggest = (q: string): Promise<Response> =>
  browser.get(`/console/suggestions?${new URLSearchParams({ q }).toString()}`);

/** Where the suggestions for a text lead. */
const suggested = async (q: string): Promise<readonly string[]> => {
  const { status, text } = await suggest(q);
  expect(status).toBe(200);
  return [...plain(text).matchAll(/data-href="([^"]*)"/g)].map(([, href = '']) => href);
};

test('people come before what has no page, each with its kind and its provider', async () => {
  const { text } = await suggest('amara');
  const [first = ''] = text.split('</li>');
  expect(first).toMatch(/role="option"[^>]*data-href="\/console\/people\//);
  expect(first).toMatch(/Amara Nwosu.*(Employee|Directory user).*from/);
});

test.each([
  ['what can ama', 'what can Amara Nwosu do'],
  ['changes of ama', 'changes of Amara Nwosu'],
  ['who is in firmware m', 'who is in Firmware Maintainers'],
  ['who can write motor', 'who can write motor-control'],
  ['who has access to motor', 'who has access to motor-control'],
  ['amara can write motor', 'amara can write motor-control'],
])('the beginning of a question is completed: %s', async (begun, question) => {
  const hrefs = await suggested(begun);
  expect(hrefs).toContain(`/console?${new URLSearchParams({ q: question }).toString()}`);
  expect(new Set(hrefs).size).toBe(hrefs.length);
  const answer = await browser.get(`/console?${new URLSearchParams({ q: question }).toString()}`);
  expect([200, 303]).toContain(answer.status);
});

test('a text that is too short or too long suggests nothing, and no more than eight are suggested', async () => {
  expect(await suggested('')).toEqual([]);
  expect(await suggested('a')).toEqual([]);
  expect(await suggested('a'.repeat(101))).toEqual([]);
  expect((await suggested('fi')).length).toBeLessThanOrEqual(8);
});

test('nobody without a session is suggested anything', async () => {
  const { status, text } = await new Browser(service.app).get('/console/suggestions?q=amara');
  expect([status, text.includes('Amara')]).toEqual([303, false]);
});

describe('what is not found', () => {
  const find = async (q: string): Promise<string> =>
    plain((await browser.get(`/console?${new URLSearchParams({ q }).toString()}`)).text);

  test('a name: Find says where it looked, and what it answers', async () => {
    const text = await find('zzqq');
    expect(text).toContain('What Find understood');
    expect(text).toContain('It understood no question');
    expect(text).toContain('who has access to motor-control');
  });

  test.each(['what can zzqq do', 'who is in zzqq', 'who can write zzqq', 'zzqq can write x'])(
    'the name in a question: %s',
    async (question) => {
      const text = await find(question);
      expect(text).toMatch(/Find understood the question/);
      expect(text).toMatch(/(Nobody|No resource) is called/);
    },
  );
});
