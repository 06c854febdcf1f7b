import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

import { sessionsOf, signInClockOf } from '../../../src/features/sign-in/contract';
import { SESSION_COOKIE } from '../../../src/web/admission/visitor';
import { Browser } from '../../http/browser-session';
import {
  listenLocally,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../../http/service-under-test';
import { expectPlainPage, HOSTILE } from './page-parts';
import { plain } from './page-rows';

let service: ServiceUnderTest;
let listening: Awaited<ReturnType<typeof listenLocally>>;
let now = Date.now();

beforeAll(async () => {
  service = await serviceUnderTest(
    { streamsOfKey: 2 },
    {
      settings: { events: { heartbeatSeconds: 0.1, pollSeconds: 0.1 } },
      replace: (context) => signInClockOf.replace(context, () => () => now),
    },
  );
  listening = await listenLocally(service.app);
});
afterAll(async () => {
  await listening.close();
  await service.close();
});

let people = 0;

const somebody = async (role: 'administrator' | 'auditor' | 'analyst' | null) => {
  people += 1;
  const opened = await sessionsOf(service.context).open(
    { subject: `person:${people}`, name: 'Somebody', role, person: null, address: null },
    new Map(),
    'r',
    [],
  )();
  if (opened._tag === 'Left') throw new Error(opened.left.message);
  const browser = new Browser(service.app);
  browser.cookies.set(SESSION_COOKIE, opened.right.token);
  return { browser, cookie: `${SESSION_COOKIE}=${opened.right.token}`, ...opened.right.session };
};

/** A stream as a browser opens it. */
const opened = async (path: string, cookie: string): Promise<IncomingMessage> => {
  const sent = get({ host: '127.0.0.1', port: listening.port, path, headers: { cookie } });
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.setEncoding('utf8');
  return answer;
};

/** Reads a stream until a text has come. The iterator keeps pieces that come at once; `once` loses all but the first. */
const until = async (answer: IncomingMessage, wanted: string): Promise<string> => {
  let text = '';
  for await (const piece of answer.iterator({ destroyOnReturn: false })) {
    text += String(piece);
    if (text.includes(wanted)) return text;
  }
  throw new Error(`The stream ended without ${wanted}: ${text}`);
};

const liveAddress = async (browser: Browser): Promise<string> => {
  const { text } = await browser.get('/console/sources');
  return plain(/data-live="([^"]*)"/.exec(text)?.[1] ?? '');
};

test('Sources lists the newest events as the interface does, for auditors and administrators', async () => {
  await service.register();
  const { browser } = await somebody('auditor');
  const { text } = await browser.get('/console/sources');
  const answer = await service.send('get', '/api/v1/events?page_size=20');
  const { values } = answer.body as { values: readonly { id: string }[] };
  expect([...text.matchAll(/<li id="event-([^"]+)"/g)].map(([, id]) => id)).toEqual(
    values.map(({ id }) => id),
  );
  for (const role of ['analyst', null] as const) {
    const other = await somebody(role);
    expect(await liveAddress(other.browser)).toBe('');
    expect((await other.browser.get('/console/events')).status).toBe(403);
  }
});

test('an event appears in the stream as the markup of the list, and none is left out', async () => {
  const { browser, cookie } = await somebody('administrator');
  const address = await liveAddress(browser);
  // It happens after the page, and before the stream.
  const [name = ''] = HOSTILE;
  await service.post('/api/preview/teamkeys', { name, scopes: ['read'] }).expect(200);
  const stream = await opened(address, cookie);
  expect(stream.headers['content-type']).toContain('text/event-stream');
  const text = await until(stream, 'data: <li');
  stream.destroy();
  const [, html = ''] = /data: (<li.*)\n/.exec(text) ?? [];
  expect(plain(html)).toContain(name);
  expectPlainPage(`<script type="module" src="/x"></script>${html}`);
});

// A key of one provider deleted a data source that it had called like that of another one.
test('the list and the stream name the provider of an event', async () => {
  const { browser, cookie } = await somebody('auditor');
  const address = await liveAddress(browser);
  const one = await service.register();
  const answer = await service.send('get', `/api/v1/providers/custom/${one.id}`);
  const { name } = (answer.body as { value: { name: string } }).value;
  const from = `<span class="from">from <bdi dir="auto">${name}</bdi></span>`;
  const forged = `Payroll" is deleted with its graph: 9 rows. Data source "x`;
  const path = `/api/v1/providers/custom/${one.id}/datasources`;
  const made = await service.post(path, { id: one.id, name: forged }).expect(200);
  const { id } = (made.body as { value: { id: string } }).value;
  await service.send('delete', `${path}/${id}`).expect(200);
  const stream = await opened(address, cookie);
  const events = [
    (await until(stream, 'is deleted with its graph: 0 rows')).split('data: ').at(-1) ?? '',
    ...((await browser.get('/console/sources')).text.match(/<li id="event-.*?<\/li>/gs) ?? []),
  ].filter((item) => item.includes('Payroll'));
  stream.destroy();
  expect(events).toHaveLength(2);
  for (const event of events) {
    expect(event).toContain(from);
    expect(plain(event)).toContain(`Data source ${JSON.stringify(forged)} is `);
  }
});

test('a stream ends with its session, and does not keep it from being idle', async () => {
  const one = await somebody('auditor');
  const two = await somebody('auditor');
  const [first, second] = await Promise.all(
    [one, two].map(({ cookie }) => opened('/console/events', cookie)),
  );
  for (const stream of [first, second]) if (stream) await until(stream, ': nothing new');
  const ended = [first, second].map((stream) => stream?.resume() && once(stream, 'end'));
  await service.send('delete', `/api/preview/sessions/${one.id}`).expect(200);
  await ended[0];
  // The other stream looks at its session all the time, which nobody uses.
  now += 61 * 60_000;
  await ended[1];
  expect((await two.browser.get('/console/sources')).status).toBe(303);
});

test('a person has a share of the streams', async () => {
  const { cookie } = await somebody('auditor');
  const streams = await Promise.all([1, 2].map(() => opened('/console/events', cookie)));
  expect((await opened('/console/events', cookie)).statusCode).toBe(429);
  streams.forEach((stream) => stream.destroy());
});
