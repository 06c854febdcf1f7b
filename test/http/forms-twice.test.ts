import type { Response } from 'supertest';

import { newFormId } from '../../src/features/console/registering/form-ids';
import { showsPages } from '../../src/web/routing/route';
import { plannedJson } from '../connectors/send-file';
import { ask } from '../../src/neo4j/ask';
import { everyRoute } from '../support/idle-app';
import { Browser } from './browser-session';
import { keyOf, pushCompany } from './company';
import { draftAbout, reviewedBy } from './reviews/reviewed-by';
import { signedIn as signedInAs } from './reviews/signed-in';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
});
afterAll(() => service.close());

const signedIn = async (): Promise<Browser> => {
  const browser = new Browser(service.app);
  await browser.signIn(API_KEY);
  return browser;
};

/** What somebody does with a form, as often as they like. */
interface Form {
  readonly send: () => Promise<Response>;
  /** What there is once it was sent, however often. */
  readonly stored: () => Promise<unknown>;
  /** The status and what the page says to the first click, and to any other. */
  readonly first: number;
  readonly again: readonly [status: number, words: string];
  /** What a click at the same time may be answered too, without what the first one gives. */
  readonly meanwhile?: number;
}

const sessions = async (): Promise<number> =>
  Number(
    (await ask(service.graph, 'MATCH (session:PersonSession) RETURN count(session) AS count'))[0]
      ?.count ?? 0,
  );

/** Forms about the keys of a data source, and what there is of keys afterwards. */
const aboutKeys = async (
  fields: (made: string) => Readonly<Record<string, string>>,
): Promise<Pick<Form, 'send' | 'stored'>> => {
  const browser = await signedIn();
  const { id, data_source_id } = await service.register();
  const { body } = (await service.post('/api/preview/teamkeys', {
    name: 'one',
    scopes: ['push'],
    providers: [id],
  })) as { readonly body: { readonly value: { readonly id: string } } };
  const form_token = await browser.formToken();
  const sent = { form_token, ...fields(body.value.id) };
  return {
    send: () => browser.post(`/console/sources/${data_source_id}/keys`, sent),
    stored: () =>
      ask(
        service.graph,
        'MATCH (key:TeamKey) WHERE $id IN key.providers RETURN key.id AS id ORDER BY id',
        { id },
      ),
  };
};

const KEYS = 'post /console/sources/:id/keys';
const BEFORE = 'This was sent before';

const amara = (): Promise<string> => keyOf(service, 'IdpUser', 'Amara Nwosu');
const nadia = (): Promise<string> => keyOf(service, 'IdpUser', 'Nadia Haddad');
const reviewOfNadia = async () => reviewedBy(service, await amara(), await nadia());

const reviewIn = (id: string): Promise<unknown> =>
  ask(
    service.graph,
    'MATCH (review:Review {key: $id}) RETURN review.state AS state, review.head AS head, review.run AS run',
    { id },
  );

const FORMS: Readonly<Record<string, () => Promise<Form>>> = {
  'post /sign-in': async () => {
    const browser = await signedIn();
    return {
      send: () => browser.signIn(API_KEY),
      stored: async () => (await browser.get('/session')).status,
      first: 303,
      again: [303, ''],
    };
  },
  'post /sign-in/code': async () => {
    const { body } = (await service.post('/api/preview/sign-in-codes', {})) as {
      readonly body: { readonly value: { readonly code: string } };
    };
    const { code } = body.value;
    const browser = new Browser(service.app);
    const before = await sessions();
    return {
      send: () => browser.post('/sign-in/code', { code }),
      stored: async () => (await sessions()) - before,
      first: 303,
      again: [303, ''],
      meanwhile: 401,
    };
  },
  'post /sign-out': async () => {
    const browser = await signedIn();
    const form_token = await browser.formToken();
    const before = await sessions();
    return {
      send: () => browser.post('/sign-out', { form_token }),
      stored: async () => (await sessions()) - before,
      first: 303,
      again: [401, 'You are signed out'],
    };
  },
  'post /console/sources/:id/push': async () => {
    const browser = await signedIn();
    const { data_source_id } = await service.register('identity_provider');
    const form_token = await browser.formToken();
    const content = JSON.stringify({ idp_type: 'ldap', domains: [{ name: 'corp' }], users: [] });
    const planned = plannedJson(content);
    const path = `/console/sources/${data_source_id}/push`;
    return {
      send: () =>
        browser.upload(path, { form_token, planned, on: '' }, { name: 'people.json', content }),
      stored: () =>
        ask(
          service.graph,
          'MATCH (node {data_source: $id}) RETURN node.key AS key, node.since AS since',
          {
            id: data_source_id,
          },
        ),
      first: 303,
      again: [303, ''],
    };
  },
  'post /console/sources': async () => {
    const browser = await signedIn();
    const { data_source_id: source } = await service.register('identity_provider');
    const form_token = await browser.formToken();
    const content = JSON.stringify({ idp_type: 'ldap', domains: [{ name: 'corp' }], users: [] });
    const file = { name: 'people.json', content };
    return {
      send: () => browser.upload('/console/sources', { form_token, source }, file),
      stored: () =>
        ask(service.graph, 'MATCH (node {data_source: $source}) RETURN count(node) AS count', {
          source,
        }),
      first: 200,
      again: [200, 'Nothing is written yet'],
    };
  },
  'post /console/register': async () => {
    const browser = await signedIn();
    const form_token = await browser.formToken();
    const [provider_id, source_id, key_id] = [newFormId(), newFormId(), newFormId()];
    const ids = { provider_id, source_id, key_id };
    const fields = { form_token, ...ids, name: 'Twice', template: 'hris' };
    return {
      send: () => browser.upload('/console/register', fields, null),
      stored: () =>
        ask(
          service.graph,
          `MATCH (source:DataSource)-[:FROM]->(provider:Provider {name: 'Twice'})
           OPTIONAL MATCH (key:TeamKey) WHERE provider.id IN key.providers
           RETURN provider.id AS provider, source.id AS source, key.id AS key`,
        ),
      first: 200,
      again: [409, BEFORE],
    };
  },
  'post /console/reviews/:id/decide': async () => {
    const { id, items } = await reviewOfNadia();
    const browser = await signedInAs(service, await amara());
    const form_token = await browser.formToken();
    const [{ number, digest } = { number: 0, digest: '' }] = items;
    const fields = { act: `revoke.${number}`, seen: `${number}.${digest}`, reason: 'left' };
    return {
      send: () => browser.post(`/console/reviews/${id}/decide`, { form_token, ...fields }),
      stored: () =>
        ask(service.graph, 'MATCH (entry:ReviewDecision {review: $id}) RETURN entry.hash AS hash', {
          id,
        }),
      first: 303,
      again: [303, ''],
    };
  },
  'post /console/reviews/:id/progress': async () => {
    const { id } = await reviewOfNadia();
    const browser = await signedIn();
    const form_token = await browser.formToken();
    return {
      send: () =>
        browser.post(`/console/reviews/${id}/progress`, { form_token, act: 'cancel', reason: 'x' }),
      stored: () => reviewIn(id),
      first: 303,
      again: [303, ''],
    };
  },
  'post /console/reviews/:id/plan': async () => {
    const { id, plan } = await draftAbout(service, await amara(), await nadia());
    const browser = await signedIn();
    const form_token = await browser.formToken();
    return {
      send: () =>
        browser.post(`/console/reviews/${id}/plan`, {
          form_token,
          token: plan.token,
          sources: plan.acknowledged.map(({ data_source }) => data_source) as unknown as string,
          reasons: plan.acknowledged.map(({ reason }) => reason) as unknown as string,
        }),
      stored: () => reviewIn(id),
      first: 303,
      again: [303, ''],
    };
  },
  'post /console/new-review': async () => {
    const [owner, fallback] = [await amara(), await nadia()];
    const browser = await signedIn();
    const form_token = await browser.formToken();
    const fields = { name: 'Twice', owner, fallback, due: '2099-01-01', draft: newFormId() };
    return {
      send: () => browser.post('/console/new-review', { form_token, ...fields }),
      stored: () =>
        ask(service.graph, "MATCH (review:Review {name: 'Twice'}) RETURN review.key AS id"),
      first: 303,
      again: [303, ''],
    };
  },
  [`${KEYS} (create)`]: async () => ({
    ...(await aboutKeys(() => ({ act: 'create', name: 'two', new_id: newFormId() }))),
    first: 200,
    again: [409, BEFORE],
  }),
  [`${KEYS} (rotate)`]: async () => ({
    ...(await aboutKeys((key) => ({ act: 'rotate', key, new_id: newFormId() }))),
    first: 200,
    again: [409, BEFORE],
  }),
  [`${KEYS} (forget)`]: async () => ({
    ...(await aboutKeys((key) => ({ act: 'forget', key }))),
    first: 303,
    again: [303, ''],
  }),
};

test('every form of a page is sent twice', () => {
  const forms = everyRoute().filter((route) => route.method !== 'get' && showsPages(route));
  expect(
    [...new Set(Object.keys(FORMS).map((name) => name.replace(/ \(.*/, '')))].toSorted(),
  ).toEqual(forms.map(({ method, path }) => `${method} ${path}`).toSorted());
});

describe.each(Object.entries(FORMS))('%s', (_name, open) => {
  test('a second click and a repeated form do nothing more, and the answer says so', async () => {
    const { send, stored, first, again, meanwhile = 409 } = await open();
    const both = await Promise.all([send(), send()]);
    const [status, words] = again;
    expect(both.map((answer) => answer.status)).toContain(first);
    // At once the second may also find the first one at work.
    expect(both.filter((one) => ![first, status, 409, meanwhile].includes(one.status))).toEqual([]);
    const done = await stored();
    const third = await send();
    expect([third.status, third.text]).toEqual([status, expect.stringContaining(words)]);
    expect(await stored()).toEqual(done);
  });
});
