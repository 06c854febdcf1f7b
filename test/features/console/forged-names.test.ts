import { Browser } from '../../http/browser-session';
import { keyOf, pushCompany } from '../../http/company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';

let service: ServiceUnderTest;
let analyst: Browser;

const push = async (application: object): Promise<void> => {
  const { path, ...ids } = await service.register('application');
  const json_data = JSON.stringify({ applications: [application] });
  await service.post(path, { ...ids, json_data }).expect(200);
};

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  // Anybody who pushes can name accounts and resources as they like.
  await push({
    name: 'elsewhere',
    application_type: 'x',
    local_users: [{ name: 'nadia' }, { name: 'Amara Nwosu' }],
    resources: [{ name: 'motor one', resource_type: 'x' }],
  });
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
});
afterAll(() => service.close());

const asked = async (sentence: string) => {
  const { status, text } = await analyst.get(`/console?q=${encodeURIComponent(sentence)}`);
  return { status, text };
};

// An account called exactly so stood for the human whose name has it, and had no access.
test('an account that somebody calls like a part of a name does not answer for the human', async () => {
  const { status, text } = await asked('nadia can write motor-control');
  expect([status, text]).toEqual([200, expect.stringContaining('Who?')]);
  const real = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  expect(text).toContain(encodeURIComponent(real).replaceAll('%20', '+'));
});

test('an account that somebody calls like a human leaves a choice, and no dead end', async () => {
  const { status, text } = await asked('amara nwosu can write motor-control');
  expect([status, text]).toEqual([200, expect.stringContaining('Who?')]);
});

test('a name of several resources leaves a choice, and whom is asked after it', async () => {
  const { status, text } = await asked('amara nwosu can write motor');
  expect([status, text]).toEqual([200, expect.stringContaining('Which resource?')]);
  // The choice of the resource still asks whom the name means.
  const [, chosen = ''] = /href="(\/console\?q=[^"]*resource=[^"]*)"/.exec(text) ?? [];
  const next = await analyst.get(chosen.replaceAll('&amp;', '&'));
  expect([next.status, next.text]).toEqual([200, expect.stringContaining('Who?')]);
});

test('Ask names those whom a name may mean', async () => {
  const path =
    '/console/ask?query=access%2Fcheck-access&run=true&principal=nadia&resource=motor-control';
  const { status, text } = await analyst.get(path);
  expect([status, text.includes('No rows.')]).toEqual([200, false]);
  expect(text).toContain('role="alert"');
});
