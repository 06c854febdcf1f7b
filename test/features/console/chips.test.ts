import { Browser } from '../../http/browser-session';
import { keyOf, pushCompany } from '../../http/company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';

let service: ServiceUnderTest;
let analyst: Browser;

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
});
afterAll(() => service.close());

test('the chips of a page have the numbers of the interface, and lead to as many rows', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const path = `/console/resources/${encodeURIComponent(resource)}`;
  const { text } = await analyst.get(path);
  const chips = [
    ...text.matchAll(/<a href="([^"]*)"[^>]*>([^<]+) <span class="count">([\d,]+)<\/span><\/a>/g),
  ].filter(([, href = '']) => /[?&](?:amp;)?(?:mark|permission_type)=/.test(href));
  expect(chips.length).toBeGreaterThan(5);
  for (const [, href = '', words, count = ''] of chips) {
    const asked = new URL(href.replaceAll('&amp;', '&'), 'http://service').searchParams;
    const query = new URLSearchParams({
      resource,
      page_size: '1000',
      ...Object.fromEntries(asked),
    });
    const answer = await service.send('get', `/api/v1/access?${query.toString()}`);
    const { total, values } = answer.body as { total: number; values: readonly unknown[] };
    expect([words, Number(count)]).toEqual([words, total]);
    const { text: narrowed } = await analyst.get(href.replaceAll('&amp;', '&'));
    expect([words, narrowed.match(/data-name="Can"/g)?.length]).toEqual([words, values.length]);
  }
});
