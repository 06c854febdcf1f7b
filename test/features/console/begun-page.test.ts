import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage, type RequestListener } from 'node:http';

import { listen } from '../../../src/web/listening/listen';
import { Browser } from '../../http/browser-session';
import { keyOf, pushCompany } from '../../http/company';
import { memoryLog } from '../../http/memory-log';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { plain } from './page-rows';

const WAITING = 'The service reads the graph …';

let service: ServiceUnderTest;
let analyst: Browser;
let resource: string;

beforeAll(async () => {
  // No question is answered so soon.
  service = await serviceUnderTest({}, { settings: { console: { beginsAfterMs: 1 } } });
  await pushCompany(service);
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
  resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
});
afterAll(() => service.close());

/** Listens as the service does. */
const listening = async (app: RequestListener) => {
  const bounds = { requestSeconds: 30, connections: 100, addressConnections: 100 };
  const options = { host: '127.0.0.1', port: 0, certificate: null, ...bounds };
  const listens = await listen(app, options, memoryLog([]));
  return { port: Number(new URL(listens.address).port), close: () => listens.close() };
};

const cookieOf = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

const statusLogged = (): unknown =>
  service.logged.filter(({ message }) => message === 'request').at(-1)?.status;

/** Opens a page that begins before its answer; gives what follows the beginning, and the status of the log. */
const begun = async (
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly rest: string; readonly status: unknown }> => {
  const { status, text } = await analyst.get(path, headers);
  const [beginning = '', rest = ''] = text.split(WAITING);
  expect([path, status, beginning.includes('<nav'), rest.includes('</html>')]).toEqual([
    path,
    200,
    true,
    true,
  ]);
  expect(beginning).not.toContain('<title>');
  return { rest: plain(rest), status: statusLogged() };
};

test.each(['gzip', 'identity'])(
  'a page with %s begins, and has the answer later',
  async (coding) => {
    const path = `/console/resources/${encodeURIComponent(resource)}`;
    const { rest, status } = await begun(path, { 'accept-encoding': coding });
    expect(rest.match(/<title>/g)).toHaveLength(1);
    expect(rest).toContain('Firmware.motor-control');
    expect(rest).toContain('<main id="content"');
    expect(status).toBe(200);
  },
);

test('the rest is that of a page that waits', async () => {
  const path = `/console/resources/${encodeURIComponent(resource)}`;
  const { rest } = await begun(path);
  const waits = await serviceUnderTest({}, { keep: true });
  const other = new Browser(waits.app);
  await other.signIn(API_KEY);
  const whole = plain((await other.get(path)).text);
  await waits.close();
  const main = (html: string): string => html.slice(html.indexOf('<main'));
  expect(main(rest)).toBe(main(whole));
});

test('an error ends the page, and the log has its status', async () => {
  const { rest, status } = await begun('/console/people/nobody');
  expect([status, rest.includes('<title>There is nothing here · Grantgraph</title>')]).toEqual([
    404,
    true,
  ]);
  expect(rest).toContain('Back to the first page');
});

test('a question in words leads to its answer', async () => {
  const { rest, status } = await begun('/console?q=Nadia+Haddad+can+write+Firmware.motor-control');
  const [, href = ''] = /<meta http-equiv="refresh" content="0; url=([^"]+)"/.exec(rest) ?? [];
  expect([href.startsWith('/console/why?'), status]).toEqual([true, 303]);
  expect((await begun(href)).rest).toContain('Firmware.motor-control');
});

test('what the service can see at once keeps its status', async () => {
  expect((await analyst.get('/console/changes?nothing=1')).status).toBe(400);
  expect((await new Browser(service.app).get('/console')).status).toBe(303);
});

// Each such page wrote a warning of Node to the log of the operator.
test.each(['gzip', 'identity'])(
  'a page and a file with %s have no more listeners than Node expects',
  async (coding) => {
    let most = 0;
    let mostAllowed = 0;
    const { port, close } = await listening((req, res) => {
      res.on('newListener', (event: string) => {
        most = Math.max(most, res.listenerCount(event) + 1);
      });
      service.app(req, res);
      mostAllowed = res.getMaxListeners();
    });
    const cookie = cookieOf(analyst);
    for (const path of [
      `/console/resources/${encodeURIComponent(resource)}`,
      `/console/csv/access?resource=${encodeURIComponent(resource)}`,
    ]) {
      const asked = get({ port, path, headers: { cookie, 'accept-encoding': coding } });
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      expect([path, response.statusCode]).toEqual([path, 200]);
    }
    await close();
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(mostAllowed);
  },
);

test('a reader who leaves, before the page begins or after it, harms nobody else', async () => {
  const { port, close } = await listening(service.app);
  const cookie = cookieOf(analyst);
  const path = `/console/resources/${encodeURIComponent(resource)}`;
  const open = (coding: string): ClientRequest =>
    get({ port, path, headers: { cookie, 'accept-encoding': coding } });
  for (const coding of ['gzip', 'identity']) {
    for (const leavesAfterBeginning of [false, true]) {
      const asked = open(coding);
      // It also fails, since it gets no complete answer.
      const closed = new Promise((resolve) =>
        asked.on('error', () => undefined).once('close', resolve),
      );
      if (leavesAfterBeginning) {
        const [response] = (await once(asked, 'response')) as [IncomingMessage];
        await once(response, 'data');
      } else await once(asked, 'finish');
      asked.destroy();
      await closed;
      expect((await begun(path)).rest).toContain('Firmware.motor-control');
    }
  }
  await close();
});
