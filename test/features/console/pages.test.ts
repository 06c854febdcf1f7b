/** @more pages */

import type { Response } from 'supertest';

import { sessionsOf } from '../../../src/features/sign-in/contract';
import { kindOf } from '../../../src/features/console/frame/kinds';
import { nameOf } from '../../../src/kit/saved-query';
import { ask } from '../../../src/neo4j/ask';
import { SESSION_COOKIE } from '../../../src/web/admission/visitor';
import { oneOfEachTopic } from '../../support/one-of-each-topic';
import { Browser } from '../../http/browser-session';
import { keyOf, pushCompany } from '../../http/company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import {
  type AccessRow,
  largestFirst,
  plain,
  rowsAnswered,
  rowsOnPage,
  waysOnPage,
} from './page-rows';

const BROWSER = 'http://localhost:7474/browser';

let service: ServiceUnderTest;
let analyst: Browser;

beforeAll(async () => {
  service = await serviceUnderTest({}, { settings: { console: { neo4jBrowserUrl: BROWSER } } });
  await pushCompany(service);
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
});
afterAll(() => service.close());

interface Answer {
  readonly values: readonly AccessRow[];
  readonly has_more?: boolean;
}

const api = async (
  path: string,
  query: Readonly<Record<string, string>> | URLSearchParams,
): Promise<unknown> => {
  const answer = await service.send('get', `${path}?${new URLSearchParams(query).toString()}`);
  expect(answer.status).toBe(200);
  return answer.body;
};

const page = async (path: string): Promise<string> => {
  const answer = await analyst.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text;
};

/** Pushes resources with these names. Gives their keys. */
const pushNames = async (
  names: readonly string[],
): Promise<{ readonly ids: readonly (string | undefined)[] }> => {
  const { path, ...ids } = await service.register('application');
  const payload = {
    applications: [
      {
        name: 'questions',
        application_type: 'wiki',
        resources: names.map((name) => ({ name, resource_type: 'page' })),
        local_users: [{ name: 'asker' }],
      },
    ],
    permissions: [{ name: 'edit', permission_type: ['DataWrite'] }],
    identity_to_permissions: [],
  };
  const { status, body } = (await service.post(path, {
    ...ids,
    json_data: JSON.stringify(payload),
  })) as { readonly status: number; readonly body: unknown };
  expect([status, body]).toEqual([200, expect.anything()]);
  const rows = await ask(
    service.graph,
    'UNWIND $names AS name MATCH (r:Resource {name: name}) RETURN r.key AS key',
    { names },
  );
  return { ids: rows.map(({ key }) => String(key)) };
};

const all = async (label: string): Promise<readonly string[]> =>
  ((await api('/api/v1/entities', { label, page_size: '1000' })) as Answer).values.map(
    ({ id }) => id,
  );

/** The queries with which a page opens Neo4j Browser. */
const inNeo4jBrowser = (html: string): readonly string[] =>
  [...html.matchAll(/href="([^"]*)" target="_blank" rel="noreferrer"/g)].map(([, href = '']) => {
    const link = plain(href);
    expect(link.startsWith(`${BROWSER}/#?cmd=edit&arg=`)).toBe(true);
    return decodeURIComponent(link.split('&arg=')[1] ?? '');
  });

test('a table opens Neo4j Browser with the query that gives its rows', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const html = await page(`/console/resources/${encodeURIComponent(resource)}`);
  const queries = inNeo4jBrowser(html);
  expect(queries.length).toBeGreaterThan(0);
  const told = (await api('/api/v1/access', { resource })) as Answer;
  const [rows] = await Promise.all(queries.map((query) => ask(service.graph, query)));
  expect(JSON.stringify(rows)).toContain(told.values[0]?.id ?? 'nobody');
});

test('the page of each principal shows what the interface answers', async () => {
  const principals = (await all('Principal')).filter((_, at) => at % 5 === 0);
  expect(principals.length).toBeGreaterThan(10);
  for (const principal of principals) {
    const answer = await api('/api/v1/access', {
      principal,
      person: 'true',
      page_size: '10000',
    });
    const rows: unknown[] = [];
    for (let path = `/console/people/${encodeURIComponent(principal)}`; path !== '';) {
      const html = await page(path);
      rows.push(...rowsOnPage(html, 'resources'));
      path = plain(/rel="next" href="([^"]+)"/.exec(html)?.[1] ?? '');
    }
    expect([principal, rows]).toEqual([principal, rowsAnswered(largestFirst(answer as Answer))]);
  }
});

// Privileged means several types, and ways lead to one: the choice led to an error.
test('the form of Why offers only what its question understands', async () => {
  const principal = await keyOf(service, 'IdpUser', 'Amara Nwosu');
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const why = `/console/why?${new URLSearchParams({ principal, resource, person: 'true' }).toString()}`;
  const [, options = ''] =
    /<select name="permission_type">(.*?)<\/select>/s.exec(await page(why)) ?? [];
  const types = [...options.matchAll(/value="([^"]+)"/g)].map(([, type = '']) => type);
  expect(types.length).toBeGreaterThan(5);
  for (const type of types) await page(`${why}&permission_type=${type}`);
});

test('what an error keeps of an address is not the page of a list', async () => {
  const { status, text } = await analyst.get(
    '/console/changes?since=nonsense&principal=ann&page=token&list=true',
  );
  expect(status).toBe(400);
  const [, form = ''] = /aria-label="Write it otherwise">(.*?)<\/form>/s.exec(text) ?? [];
  const kept = [...form.matchAll(/type="hidden" name="([^"]+)"/g)].map(([, name]) => name);
  expect(kept.toSorted()).toEqual(['list', 'principal']);
});

test('the page of each resource shows what the interface answers', async () => {
  const resources = (await all('Resource')).filter((_, at) => at % 4 === 0);
  const applications = await all('Application');
  for (const resource of resources) {
    const answer = (await api('/api/v1/access', { resource })) as Answer;
    const html = await page(`/console/resources/${encodeURIComponent(resource)}`);
    const linked = answer.values.filter(({ id }) => !id.includes('|Resource|'));
    expect([resource, rowsOnPage(html, 'people')]).toEqual([resource, rowsAnswered(linked)]);
    // Before, no link led from a resource to its application.
    const [, up = ''] = /class="crumbs"><a href="[^"]*\/resources\/([^"?]+)"/.exec(html) ?? [];
    expect(applications).toContain(decodeURIComponent(up));
  }
});

const status = (html: string): string =>
  plain((/<p role="status">(.*?)<\/p>/s.exec(html)?.[1] ?? '').replaceAll(/<[^>]*>/g, ''));

describe('A narrowed table', () => {
  test('that is empty names its filter, and leads to the table without it', async () => {
    const resource = encodeURIComponent(await keyOf(service, 'Resource', 'Firmware.motor-control'));
    const person = encodeURIComponent(await keyOf(service, 'IdpUser', 'Amara Nwosu'));
    for (const [path, query, filter] of [
      [`/console/resources/${resource}`, 'permission=no-such', 'permission no-such'],
      [`/console/people/${person}`, 'application=forg', 'application forg'],
      ['/console/changes', 'application=forg&list=true', 'application forg'],
    ] as const) {
      const html = await page(`${path}?${query}`);
      expect(status(html)).toContain(`Nothing matches this filter: ${filter}.`);
      const [, back = ''] = /href="([^"]*)">Show it without/.exec(html) ?? [];
      expect(back.startsWith(path)).toBe(true);
      expect(back).not.toContain(query.split('&')[0]);
    }
  });

  test('says that without an HR system nobody can be told to be no employee', async () => {
    const resource = encodeURIComponent(await keyOf(service, 'Resource', 'Firmware.motor-control'));
    const html = await page(`/console/resources/${resource}?mark=not_employees`);
    expect(html).toContain('Only an HR system says who is an employee.');
  });

  // Before, the sentence had 4 who are privileged and the chip 3, without a word.
  test('says that its sentence and its tabs count all, and names its application', async () => {
    const resource = encodeURIComponent(await keyOf(service, 'Resource', 'Firmware.motor-control'));
    const person = encodeURIComponent(await keyOf(service, 'IdpUser', 'Amara Nwosu'));
    const counts = 'This and the tabs count all.';
    for (const path of [`/console/resources/${resource}`, `/console/people/${person}`]) {
      expect(await page(path)).not.toContain(counts);
      expect(await page(`${path}?permission_type=DataWrite`)).toContain(counts);
    }
    expect(await page(`/console/resources/${resource}?view=inside&mark=guest`)).not.toContain(
      counts,
    );
    const html = await page(`/console/people/${person}?application=Forge`);
    const [nav = ''] = /<nav class="chips".*?<\/nav>/s.exec(html) ?? [];
    expect(nav.replaceAll(/<[^>]*>/g, '')).toMatch(/^all in Forge \d/);
  });

  test('leads to ways and losses that keep its filter, and says what counts all', async () => {
    const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
    const path = `/console/resources/${encodeURIComponent(resource)}`;
    const who = plain(await page(`${path}?permission_type=DataWrite`));
    const [, tab = ''] = /href="([^"]*view=through[^"]*)"/.exec(who) ?? [];
    const through = plain(await page(tab));
    // Before, only the address of this tab said that it was narrowed.
    expect(through).toMatch(/Only this counts here: <span>type write/);
    const [, anyPermission = ''] = /href="([^"]*)">Count any permission/.exec(through) ?? [];
    expect(await page(anyPermission)).not.toContain('Only this counts here');
    const html = who + through;
    const links = [...html.matchAll(/href="([^"]*(?:\/why\?|[?&]without=)[^"]*)"/g)];
    expect(links.length).toBeGreaterThan(1);
    for (const [, link] of links) expect(link).toContain('permission_type=DataWrite');
    // Before, groups and losses were always those of any permission.
    const narrowed = { resource, permission_type: 'DataWrite' };
    const told = (await api('/api/v1/access:gateways', narrowed)) as {
      readonly values: readonly { readonly id: string; readonly people: number }[];
    };
    const any = (await api('/api/v1/access:gateways', { resource })) as typeof told;
    expect(told.values).not.toEqual(any.values);
    const counts = [...html.matchAll(/<strong>(\d+)<\/strong> through <span/g)].map(
      ([, count]) => count,
    );
    expect(counts).toEqual(told.values.map(({ people }) => String(people)));
    const without = links.find(([, link = '']) => link.includes('without='))?.[1] ?? '';
    const losses = await page(without);
    expect(losses).toContain('aria-label="Narrow the list"');
    expect(losses).toMatch(/name="without" value="[^"]+"/);
    // On paper and in pictures there is no form.
    for (const shown of [html, losses]) {
      expect(shown).toMatch(/Only this counts here: <span>type write/);
    }
    expect(losses).toContain('would lose everything that counts here');
  });
});

test('a page writes times and reads days in the time zone of its cookie', async () => {
  const visitor = new Browser(service.app);
  await visitor.signIn(API_KEY);
  const path = '/console/changes?since=2020-11-01&list=true';
  const boundsOf = async (): Promise<readonly string[]> => {
    const { status, text } = await visitor.get(path);
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    const [, zone = ''] = /Times and days are those of ([^.<]+)\./.exec(text) ?? [];
    const [request = ''] = /access:changes\?[^<"']*/.exec(plain(text)) ?? [];
    const asked = new URLSearchParams(request.slice('access:changes?'.length));
    return [zone, asked.get('since') ?? ''];
  };
  const utc = ['UTC', '2020-10-31T23:59:59.999999999Z'];
  expect(await boundsOf()).toEqual(utc);
  visitor.cookies.set('time_zone', 'Pacific/Auckland');
  expect(await boundsOf()).toEqual(['Pacific/Auckland', '2020-10-31T10:59:59.999999999Z']);
  visitor.cookies.set('time_zone', 'Nowhere/At-all');
  expect(await boundsOf()).toEqual(utc);
});

describe('Why', () => {
  test('shows each way of the interface, and what remains without a step', async () => {
    const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
    const principal = await keyOf(service, 'IdpUser', 'Amara Nwosu');
    const { value } = (await api('/api/v1/access:explain', { principal, resource })) as {
      readonly value: { readonly paths: readonly unknown[] };
    };
    const path = `/console/why?${new URLSearchParams({ principal, resource }).toString()}`;
    const html = await page(path);
    expect(waysOnPage(html)).toBe(value.paths.length);
    const [, cut = ''] = /cut=([\w-]+)/.exec(html) ?? [];
    const without = await page(`${path}&cut=${cut}`);
    const gone = waysOnPage(without, '>is gone<');
    expect(gone).toBeGreaterThan(0);
    expect(gone + waysOnPage(without, '>remains<')).toBe(value.paths.length);
  });

  test('answers a sentence, and asks whom or what it means if that is not certain', async () => {
    const one = await analyst.get('/console?q=amara+nwosu+can+write+motor-control');
    expect([one.status, one.headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/console\/why\?.*permission_type=DataWrite/),
    ]);
    expect(await page('/console?q=nobody+at+all+can+write+motor-control')).toContain('Nobody is');
    expect(await page('/console?q=amara+nwosu+can+write+main')).toContain('Which resource?');
  });

  test('answers what somebody can do, who is in a group, and what changed for somebody', async () => {
    for (const [q, to] of [
      // Of her nodes the page of a human comes first; before, it was the one whose name came first.
      ['what can amara nwosu do', /^\/console\/people\/[^?]+IdpUser[^?]+$/],
      ['what can nadia haddad do', /^\/console\/people\/[^?]+IdpUser[^?]+$/],
      // An identity with the name of a group has no members.
      ['who is in Firmware Maintainers', /^\/console\/people\/.*IdpGroup.*\?view=members$/],
      ['who is in firmware-team?', /^\/console\/people\/.*LocalGroup.*\?view=members$/],
      ['who has access to Firmware.motor-control', /^\/console\/resources\/[^?]+$/],
      ['who is privileged on Forge', /^\/console\/resources\/[^?]+\?permission_type=privileged$/],
      ['inactive people on Forge', /^\/console\/resources\/[^?]+\?mark=inactive$/],
      ['guests of Forge', /^\/console\/resources\/[^?]+\?mark=guest$/],
      ['who is inactive and has access to Forge', /^\/console\/resources\/[^?]+\?mark=inactive$/],
      ['changes of amara nwosu since yesterday', /^\/console\/changes\?.*since=yesterday/],
      ['changes since yesterday', /^\/console\/changes\?since=yesterday&list=true$/],
      ['who gained access this week', /^\/console\/changes\?change=gained&list=true$/],
    ] as const) {
      const { status, headers } = await analyst.get(
        `/console?${new URLSearchParams({ q }).toString()}`,
      );
      expect([q, status, headers.location]).toEqual([q, 303, expect.stringMatching(to)]);
      expect((await analyst.get(headers.location ?? '')).status).toBe(200);
    }
  });

  // Before, a search for the name came in place of the question.
  test('keeps the question for each whom a name may mean', async () => {
    for (const [q, label, view] of [
      ['what can lena do', 'IdpUser', ''],
      ['who is in firm', 'IdpGroup', '?view=members'],
    ] as const) {
      const html = plain(await page(`/console?${new URLSearchParams({ q }).toString()}`));
      expect(html).toContain('Who?');
      const links = [...html.matchAll(/<li><a href="(\/console\/people\/[^"]*)"/g)].map(
        ([, to = '']) => to,
      );
      expect(links.length).toBeGreaterThan(1);
      expect(links[0]).toContain(label);
      for (const link of links) expect(link.replace(/^[^?]*/, '')).toBe(view);
    }
  });

  // Before, it was the account, identity or user whose key came first.
  test('says of what kind the human is whom a sentence means', async () => {
    for (const name of ['amara nwosu', 'nadia haddad', 'priya raman']) {
      const { headers } = await analyst.get(
        `/console?${new URLSearchParams({ q: `${name} can write motor-control` }).toString()}`,
      );
      expect([name, headers.location]).toEqual([name, expect.stringMatching(/^\/console\/why/)]);
      const asked = new URL(headers.location ?? '', 'http://any').searchParams;
      asked.set('person', 'true');
      const { principal } = (await api('/api/v1/access:explain', asked)) as {
        readonly principal: { readonly label: string; readonly provider: string };
      };
      const html = plain(await page(headers.location ?? ''));
      const [, subtitle = ''] = /<p class="subtitle">([^]*?)<\/p>/.exec(html) ?? [];
      expect([name, subtitle]).toEqual([name, expect.stringContaining(kindOf(principal.label))]);
      expect([name, subtitle]).toEqual([name, expect.stringContaining(principal.provider)]);
      expect(subtitle).not.toMatch(/^Account|^Identity/);
    }
  });

  test('finds a name that reads like a question by its name first', async () => {
    const questions = [
      ['who can write motor-control', 'permission_type=DataWrite'],
      ['amara nwosu can write motor-control', 'permission_type=DataWrite'],
      ['what can amara nwosu do', '/console/people/'],
      ['changes of amara nwosu', 'principal=amara+nwosu'],
    ] as const;
    const { ids } = await pushNames(questions.map(([name]) => name));
    for (const [at, [name, to]] of questions.entries()) {
      const q = new URLSearchParams({ q: name }).toString();
      const html = plain(await page(`/console?${q}`));
      expect(html).toContain(`/console/resources/${encodeURIComponent(ids[at] ?? '')}`);
      const question = await analyst.get(`/console?${q}&question=true`);
      expect([question.status, question.headers.location]).toEqual([
        303,
        expect.stringContaining(to),
      ]);
      expect(html).toContain('question=true');
    }
  });
});

describe('Sources', () => {
  interface Source {
    readonly id: string;
    readonly provider_id: string;
  }

  const sources = async (): Promise<readonly Source[]> => {
    const { values } = (await api('/api/v1/providers/custom', {})) as {
      readonly values: readonly Source[];
    };
    const lists = await Promise.all(
      values.map(({ id }) => api(`/api/v1/providers/custom/${id}/datasources`, {})),
    );
    return lists.flatMap((list) => (list as { values: readonly Source[] }).values);
  };

  test('lists every data source of the interface', async () => {
    const html = await page('/console/sources');
    const rows = html.matchAll(/<th scope="row"><a href="\/console\/sources\/([^"?]+)">/g);
    const shown = [...rows].map(([, id]) => id);
    const told = (await sources()).map(({ id }) => id);
    expect(shown.toSorted()).toEqual(told.toSorted());
    expect(await page('/console/sources?days=1')).toContain('stale');
  });

  test('shows the pushes of a data source, and each warning with its place', async () => {
    let warned = 0;
    for (const { id, provider_id } of await sources()) {
      const path = `/api/v1/providers/custom/${provider_id}/datasources/${id}/pushes`;
      const { values } = (await api(path, {})) as {
        readonly values: readonly { readonly id: string; readonly warning_count: number }[];
      };
      const html = await page(`/console/sources/${id}`);
      for (const push of values) expect(html).toContain(`push=${push.id}`);
      const one = values.find(({ warning_count }) => warning_count > 0);
      if (one === undefined) continue;
      warned += 1;
      const { value } = (await api(`${path}/${one.id}`, {})) as {
        readonly value: { readonly warnings: readonly { pointer: string; code: string }[] };
      };
      const shown = await page(`/console/sources/${id}?push=${one.id}`);
      for (const { pointer, code } of value.warnings) {
        expect(shown).toContain(`<code>${code}</code>`);
        expect(plain(shown)).toContain(`<code>${pointer}</code>`);
      }
    }
    expect(warned).toBeGreaterThan(0);
  });

  test('says that a data source is missing', async () => {
    expect((await analyst.get('/console/sources/nothing')).status).toBe(404);
  });
});

describe('Changes', () => {
  interface Change {
    readonly principal: { readonly id: string };
    readonly resource: { readonly id: string };
  }

  test('lists what the interface answers, gained and lost alone too', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    for (const change of ['', 'gained', 'lost']) {
      const { values, total, counts } = (await api('/api/v1/access:changes', {
        since,
        application: 'Forge',
        people_first: 'true',
        page_size: '500',
        ...(change === '' ? {} : { change }),
      })) as {
        readonly values: readonly Change[];
        readonly total: number;
        readonly counts: Readonly<Record<'people_gained' | 'people_lost', number>>;
      };
      const html = await page(
        `/console/changes?${new URLSearchParams({ since, application: 'Forge', change }).toString()}`,
      );
      const [, answer = ''] = /<p class="answer" role="status">([^]*?)<\/p>/.exec(html) ?? [];
      const text = answer.replaceAll(/<[^>]*>/g, '');
      const { people_gained: gained, people_lost: lost } = counts;
      const changed = change === '' ? 'gained or lost' : change;
      if (total === 0) expect(text).toContain(`Nobody ${changed} anything`);
      else if (gained > 0) expect(text).toMatch(new RegExp(`${gained} (person|people) gained`));
      if (lost > 0) expect(text).toMatch(new RegExp(`${lost} ((person|people) )?lost access`));
      // A human is there once, so a resource may have fewer lines than entries.
      const linked = [...html.matchAll(/href="\/console\/resources\/([^"?]+)"/g)].map(
        ([, id = '']) => decodeURIComponent(plain(id)),
      );
      // A resource that connects to somebody gains as they do, so it may be who gained.
      const expected = values.flatMap(({ principal, resource }) => [
        resource.id,
        ...(principal.id.includes('|Resource|') ? [principal.id] : []),
      ]);
      expect(new Set(linked)).toEqual(new Set(expected));
      expect(change === 'lost' || total > 0).toBe(true);
    }
  });

  // Before, nothing said that an account, an identity and a user in the list are one human.
  // An account that no user leads to may still be an identity's (docs/rules.md: One human).
  test('say whose each account and identity certainly is', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const query = { since, resource: await keyOf(service, 'Resource', 'Firmware.motor-control') };
    const { values } = (await api('/api/v1/access:changes', {
      ...query,
      people_first: 'true',
    })) as {
      readonly values: readonly Change[];
    };
    const listed = [...new Set(values.map(({ principal }) => principal.id))];
    const html = plain(await page(`/console/changes?${new URLSearchParams(query).toString()}`));
    const headOf = (principal: string): string =>
      html
        .split('<th scope="row"')
        .map((part) => part.split('</th>')[0] ?? '')
        .find((part) => part.includes(`/console/people/${encodeURIComponent(principal)}"`)) ?? '';
    // What one directory user leads to is that user's, if nobody else leads there.
    const joins = await ask(
      service.graph,
      `UNWIND $listed AS key
MATCH (node:Entity {key: key})
WHERE node:Identity|LocalUser|IdpUser
WITH node, COLLECT {
  MATCH (user:IdpUser|Employee)-[:HAS_ACCOUNT|SOURCE_IDENTITY_OF|KNOWN_AS|IDENTITY_OF*1..3]->(node)
  RETURN DISTINCT user.key
} AS users
RETURN node.key AS key, users`,
      { listed },
    );
    let belonging = 0;
    for (const { key, users } of joins) {
      const [user, another] = users as readonly string[];
      const head = headOf(String(key));
      expect([key, head === '']).toEqual([key, false]);
      if (another !== undefined || user === undefined) continue;
      belonging += 1;
      expect(head).toContain(`/console/people/${encodeURIComponent(user)}"`);
    }
    expect(belonging).toBeGreaterThan(0);
  });

  test('links of a human lead to the ways of the human', async () => {
    const principal = await keyOf(service, 'IdpUser', 'Amara Nwosu');
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const html = await page(
      `/console/changes?${new URLSearchParams({ since, principal }).toString()}`,
    );
    const links = [...html.matchAll(/href="(\/console\/why\?[^"]*)"/g)].map(([, to = '']) => to);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(link).toContain('person=true');
    expect(await page((links[0] ?? '').replaceAll('&amp;', '&'))).not.toContain('There is no way');
  });

  // Before, each of these was an error page, and the page leads to the first itself.
  test('say when the history begins if all of their time lies before it', async () => {
    const resource = encodeURIComponent(await keyOf(service, 'Resource', 'Firmware.motor-control'));
    const { value } = (await api('/api/v1/history', {})) as {
      readonly value: { readonly since: string };
    };
    for (const query of [
      'since=yesterday&until=yesterday',
      'since=2020-01-01&until=2021-01-01',
      'until=2021-01-01',
      `since=2020-01-01&until=2021-01-01&resource=${resource}`,
    ]) {
      const html = await page(`/console/changes?${query}`);
      const [, answer = ''] = /<p class="answer" role="status">([^]*?)<\/p>/.exec(html) ?? [];
      expect(answer.replaceAll(/<[^>]*>/g, '')).toContain('Nothing is known before');
      const [, later = ''] = /href="([^"]*)">Who gained and who lost what since/.exec(html) ?? [];
      expect(new URLSearchParams(plain(later).split('?')[1]).get('since')).toBe(value.since);
      expect(await page(plain(later))).toMatch(/\d+ people gained/);
    }
    const turned = await analyst.get('/console/changes?since=2021-01-01&until=2020-01-01');
    expect([turned.status, turned.text]).toEqual([400, expect.stringContaining('not earlier')]);
  });

  // Before, each of these was an error page.
  test('asks what a name means if that is not certain, and keeps the other filters', async () => {
    const path = '/console/changes?since=today&list=true';
    for (const [field, name, legend, kind] of [
      ['principal', 'lena', 'Who?', 'IdpUser'],
      ['principal', 'firmware', 'Who?', 'IdpGroup'],
      ['resource', 'main', 'Which resource?', 'Resource'],
    ] as const) {
      const html = plain(await page(`${path}&${field}=${name}`));
      expect(html).toContain(legend);
      const links = [...html.matchAll(/<li><a href="(\/console\/changes\?[^"]*)"/g)].map(
        ([, to = '']) => new URL(to, 'http://any').searchParams,
      );
      expect([name, links.length > 1]).toEqual([name, true]);
      expect(links[0]?.get(field)).toContain(`|${kind}|`);
      for (const link of links) {
        expect([link.get('since'), link.get('list')]).toEqual(['today', 'true']);
      }
      expect(await page(`/console/changes?${links[0]?.toString() ?? ''}`)).not.toContain(legend);
    }
  });

  test('says that a name means nothing, and keeps its form', async () => {
    const html = await page('/console/changes?principal=nobody+at+all&since=today');
    expect(html).toContain('Nobody is called');
    expect(html).toContain('aria-label="Narrow the changes"');
  });
});

describe('Changes of a push', () => {
  const somePush = async (): Promise<Readonly<Record<'id' | 'source' | 'name', string>>> => {
    const [push] = await ask(
      service.graph,
      `MATCH (push:Push {outcome: 'accepted'})-[:FROM]->(source:DataSource)
RETURN push.id AS id, source.key AS source, source.name AS name ORDER BY push.at DESC LIMIT 1`,
    );
    return push as Readonly<Record<'id' | 'source' | 'name', string>>;
  };

  // Before, the page named neither, and only the whole id was accepted.
  test('name the push and its data source, and are found by the beginning of its id', async () => {
    const { id, source, name } = await somePush();
    for (const written of [id, id.slice(0, 8), id.slice(0, 15).toUpperCase()]) {
      const html = await page(`/console/changes?push=${written}`);
      expect(html).toContain(`href="/console/sources/${source}?push=${id}"`);
      expect(html).toContain(`href="/console/sources/${source}"`);
      expect(html).toContain(`name="push" value="${id}"`);
      expect(plain(html)).toContain(name);
    }
    const person = encodeURIComponent(await keyOf(service, 'IdpUser', 'Amara Nwosu'));
    const then = await page(`/console/people/${person}?at=${id.slice(0, 8)}`);
    expect(then).toMatch(/As of <time [^>]*title="[^"]*Z">[\d-]{10}<span class="hour"> [\d:]{8}</);
  });

  test('are refused if several pushes have such an id, and not found if none has', async () => {
    const { id } = await somePush();
    const twin = `${id.slice(0, 9)}0000-4000-8000-000000000000`;
    const { driver, database } = service.graph;
    await driver.executeQuery(
      'MATCH (push:Push {key: $id})-[:FROM]->(to) CREATE (:Push {key: $twin, id: $twin, at: datetime()})-[:FROM]->(to)',
      { id, twin },
      { database },
    );
    const several = await analyst.get(`/console/changes?push=${id.slice(0, 8)}`);
    expect([several.status, several.text]).toEqual([
      400,
      expect.stringContaining('several pushes'),
    ]);
    await driver.executeQuery(
      'MATCH (push:Push {key: $twin}) DETACH DELETE push',
      { twin },
      { database },
    );
    for (const written of ['00000000', id.slice(0, 7), 'x']) {
      expect((await analyst.get(`/console/changes?push=${written}`)).status).toBe(404);
    }
  });

  // Before, the filter wanted the id of a data source.
  test('can be narrowed to a data source by its name', async () => {
    const { source, name } = await somePush();
    const html = await page('/console/changes');
    const option = new RegExp(`<option value="${source}">[^<]*${name}</option>`);
    expect(html).toMatch(option);
    const narrowed = await page(`/console/changes?data_source=${source}&application=nothing`);
    expect(narrowed).toMatch(new RegExp(`<option value="${source}" selected>`));
    expect(status(narrowed)).toContain(name);
  });
});

describe('Ask', () => {
  const asked = (query: string, values: Readonly<Record<string, string>> = {}): Promise<string> =>
    page(`/console/ask?${new URLSearchParams({ query, run: 'true', ...values }).toString()}`);

  test('leads from the key of an entity to its page, and says kinds and types in words', async () => {
    const principal = await keyOf(service, 'IdpUser', 'Nadia Haddad');
    const motor = await keyOf(service, 'Resource', 'Firmware.motor-control');
    const reached = await asked('access/access-of-principal', { principal });
    expect(plain(reached)).toContain(`href="/console/resources/${encodeURIComponent(motor)}">`);
    const who = await asked('access/access-to-resource', { resource: motor });
    expect(plain(who)).toContain(`href="/console/people/${encodeURIComponent(principal)}">`);
    expect(who).toContain('>Directory user</bdi>');
    const types = await asked('access/check-access', {
      principal,
      resource: motor,
      permission_type: 'DataWrite',
    });
    expect(types).toContain('>write</bdi>');
    expect(types).not.toContain('>DataWrite</bdi>');
  });

  test('counts one row as one', async () => {
    const html = await asked('groups/groups-with-one-member');
    const rows = (html.match(/<tr>/g)?.length ?? 1) - 1;
    expect(html).toContain(rows === 1 ? '1 row.' : `${rows} rows.`);
    const one = await asked('access/access-of-principal', {
      principal: await keyOf(service, 'LocalUser', 'Omar F.'),
    });
    expect(one).not.toMatch(/>1 rows/);
  });

  test('says which value names nothing, and leads to a search for it', async () => {
    const html = await asked('access/access-of-principal', { principal: 'no such body' });
    expect(plain(html)).toContain('principal is "no such body", and nobody in the graph has that');
    expect(html).toContain('<a href="/console?q=no+such+body">Search for it</a>');
  });

  // Before, a mistyped name read as if nobody had access.
  test('says which name nothing has if there are no rows, and offers names like it', async () => {
    for (const [query, values, kind, like] of [
      [
        'groups/members-of-a-group',
        { group: 'Firmware Maintainerz' },
        'group',
        'Firmware Maintainers',
      ],
      [
        'access/who-can-write-to-a-resource',
        { resource: 'motor-contrl' },
        'resource or application',
        'motor-control',
      ],
      [
        'access/people-with-access-in-two-applications',
        { one: 'Clientbok', other: 'Forge' },
        'application',
        'Clientbook',
      ],
      [
        'access/what-a-person-can-reach',
        { person: 'Firmware Maintainers' },
        'user of a directory',
        '',
      ],
    ] as const) {
      const html = await asked(query, values);
      const [, note = ''] = /<div class="note warn" role="status">(.*?)<\/div>/s.exec(html) ?? [];
      const [, link = '', offered = ''] = /<a href="([^"]*)">(.*?)<\/a>/s.exec(note) ?? [];
      expect([query, note]).toEqual([query, expect.stringContaining(`No ${kind} is called`)]);
      expect([query, offered.replaceAll(/<[^>]*>/g, '')]).toEqual([query, like]);
      if (like !== '') expect(await page(plain(link))).not.toContain('is called');
    }
    // A name that exists may give no rows.
    const nothing = await asked('access/people-with-access-in-two-applications', {
      one: 'Forge',
      other: 'no such application',
    });
    expect(nothing.match(/No application is called/g)).toHaveLength(1);
  });

  test('runs every saved query with its examples', async () => {
    const list = await page('/console/ask');
    const queries = [...list.matchAll(/href="(\/console\/ask\?query=[^"]+)"/g)].map(([, href]) =>
      plain(href ?? ''),
    );
    expect(queries.length).toBeGreaterThan(30);
    const names = new Set(oneOfEachTopic().map(nameOf));
    const some = queries.filter((href) =>
      names.has(new URLSearchParams(href.split('?')[1]).get('query') ?? ''),
    );
    expect(some).toHaveLength(names.size);
    for (const href of some) {
      const form = await page(href);
      const fields = [...form.matchAll(/<input id="p-([a-z_]+)"[^>]*?value="([^"]*)"/g)];
      const values = new URLSearchParams(href.split('?')[1]);
      values.set('run', 'true');
      for (const [, name = '', value = ''] of fields) values.set(name, plain(value));
      const html = await page(`/console/ask?${values.toString()}`);
      expect([href, /rows?\./i.test(html), /role="alert"/.test(html)]).toEqual([href, true, false]);
      expect([href, inNeo4jBrowser(html)]).toEqual([href, [expect.stringContaining('RETURN')]]);
    }
  });

  test('shows paths as a picture of at most 60 boxes, and in words in the table', async () => {
    const [principal, resource] = [
      await keyOf(service, 'IdpUser', 'Nadia Haddad'),
      await keyOf(service, 'Resource', 'Firmware.motor-control'),
    ];
    const words = new URLSearchParams({
      query: 'access/explain-access',
      run: 'true',
      principal,
      resource,
      names: '',
      permission_type: 'DataWrite',
    });
    const html = await page(`/console/ask?${words.toString()}`);
    const boxes = html.match(/<g class="box /g) ?? [];
    expect(boxes.length).toBeGreaterThan(5);
    expect(boxes.length).toBeLessThanOrEqual(60);
    // Nothing can be cut here.
    expect(html).not.toContain('cut=');
    for (const id of [principal, resource]) expect(html).toContain(encodeURIComponent(id));
    expect(html).toMatch(/Nadia Haddad −KNOWN_AS→ [^<]+ −IDENTITY_OF→ /);
    const others = await page('/console/ask?query=resources/resources-without-an-owner');
    expect(others).not.toContain('<g class="box ');
  });

  test('says what is wrong with a value, and shows the form again', async () => {
    const html = await page(
      '/console/ask?query=accounts/credentials-that-are-unused&run=true&days=many',
    );
    expect(html).toContain('days is no whole number');
    expect((await analyst.get('/console/ask?query=no/such')).status).toBe(404);
  });
});

describe('tables as files', () => {
  const csvOf = async (path: string): Promise<Response> => {
    const answer = await analyst.get(path);
    expect([path, answer.status, answer.headers['content-type']]).toEqual([
      path,
      200,
      expect.stringContaining('text/csv'),
    ]);
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="[a-z0-9-]+\.csv"$/,
    );
    return answer;
  };

  /** The file that a page offers, and what the request that the page shows answers. */
  const filesOf = async (
    path: string,
  ): Promise<{ readonly file: string; readonly told: string }> => {
    const html = plain(await page(path));
    const [, href = ''] = /href="(\/console\/csv\/[^"]*)"/.exec(html) ?? [];
    // The last request of a page is that of its CSV.
    const [, request = ''] = [...html.matchAll(/"\$service"'?(\/api[^\s'<]*)/g)].at(-1) ?? [];
    expect([path, request]).toEqual([path, expect.stringMatching(/[?&]format=csv/)]);
    const told = await service.send('get', request);
    expect([request, told.status]).toEqual([request, 200]);
    return { file: (await csvOf(href)).text, told: told.text };
  };

  const rowsOf = (csv: string): readonly string[] => csv.trimEnd().split('\r\n');

  test('have what the request next to them answers: access, changes, entities and pushes', async () => {
    const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
    const [directory] = await ask(
      service.graph,
      'MATCH (s:DataSource)<-[:FROM]-(p:Push) RETURN s.key AS id ORDER BY s.key LIMIT 1',
    );
    const [since, until] = [new Date(Date.now() - 3_600_000), new Date()].map((at) =>
      at.toISOString(),
    );
    const changes = new URLSearchParams({
      since: since ?? '',
      until: until ?? '',
      application: 'Forge',
    });
    const tables: readonly (readonly [string, string])[] = [
      [`/console/resources/${encodeURIComponent(resource)}`, 'id,label,name'],
      [`/console/changes?${changes.toString()}`, 'change,principal_id'],
      ['/console?q=motor', 'id,label'],
      [`/console/sources/${String(directory?.id)}`, 'id,'],
    ];
    for (const [path, columns] of tables) {
      const { file, told } = await filesOf(path);
      expect([path, file]).toEqual([path, told]);
      const [head = '', ...rows] = rowsOf(file);
      expect([path, head.startsWith(columns), rows.length > 0]).toEqual([path, true, true]);
    }
  });

  test('of Why have its ways or steps, and the picture what the map has', async () => {
    const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
    const principal = await keyOf(service, 'IdpUser', 'Amara Nwosu');
    const asked = new URLSearchParams({ principal, resource, person: 'true' });
    const { value } = (await api('/api/v1/access:explain', {
      principal,
      resource,
      person: 'true',
    })) as { readonly value: { readonly paths: readonly unknown[] } };
    const path = `/console/why?${asked.toString()}`;
    const hrefIn = (html: string, pattern: RegExp): string => pattern.exec(plain(html))?.[1] ?? '';
    const html = await page(path);
    const ways = await csvOf(hrefIn(html, /href="(\/console\/csv\/why[^"]*)">All ways/));
    expect(ways.headers['content-disposition']).toMatch(
      /filename="amara-nwosu-why-motor-control-\d{4}-\d\d-\d\d\.csv"/,
    );
    const [head, ...rows] = rowsOf(ways.text.slice(1));
    expect(head).toMatch(/^Way,Who,Who is from,Account,Can,Permission,Through,/);
    expect(rows).toHaveLength(value.paths.length);
    const ofSteps = await page(`${path}&view=steps`);
    const steps = rowsOf(
      (await csvOf(hrefIn(ofSteps, /href="(\/console\/csv\/why[^"]*)">All steps/))).text.slice(1),
    ).slice(1);
    expect(steps.length).toBeGreaterThanOrEqual(rows.length);
    // Each says how many rows the file next to it has.
    for (const [from, count, how] of [
      [html, rows.length, ''],
      [ofSteps, steps.length, ', step by step'],
    ] as const) {
      const { text } = await csvOf(hrefIn(from, /href="(\/console\/csv\/why[^"]*about=true)"/));
      expect(text).toMatch(/Question,"?Through what Amara Nwosu reaches motor-control/);
      expect(text).toContain(`reaches motor-control${how}`);
      expect(text).toContain(`\r\nRows,${count}\r\nAsked by,`);
    }
    const picture = await analyst.get(hrefIn(html, /href="(\/console\/picture\/why[^"]*)"/));
    expect(picture.headers['content-type']).toMatch(/^image\/svg\+xml/);
    const svg = String(picture.text ?? picture.body);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    for (const name of ['Amara Nwosu', 'motor-control', 'asked by']) expect(svg).toContain(name);
    expect(svg).not.toMatch(/href=|<script/);
    // Before, a long name hid all that came after it.
    expect(svg).toMatch(/ y="36">as of \S+Z, asked by \S+ at \S+Z, (?:[^<]*, )?Amara Nwosu from /);
  });

  test('a second file says what a table in words answers', async () => {
    const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
    const html = plain(
      await page(`/console/resources/${encodeURIComponent(resource)}?permission_type=DataWrite`),
    );
    const [, href = ''] = /href="(\/console\/csv\/[^"]*about=true)"/.exec(html) ?? [];
    const { text, headers } = await csvOf(href);
    expect(headers['content-disposition']).toMatch(/motor-control-who-can-write-.*-about\.csv/);
    expect(text).toMatch(/Question,Who can write Firmware\.motor-control\r\n/);
    expect(text).toMatch(/Filters,permission type: DataWrite\r\nRows,\d+\r\nAsked by,\S+/);
    expect(text).toMatch(/Newest push by then,[\da-f-]{36}/);
  });

  test('are there in words too: plain headings, and neither ids nor labels', async () => {
    const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
    const human = await keyOf(service, 'IdpUser', 'Amara Nwosu');
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const until = new Date().toISOString();
    const changes = new URLSearchParams({ since, until, application: 'Forge' });
    const what = 'Resource,Type,Application,Resource is from,Can,Privileged,Permissions';
    const heads = `Who,Kind,Who is from,Marks,${what},Through,Since,Accounts`;
    for (const [path, head] of [
      [`/console/resources/${encodeURIComponent(resource)}`, heads],
      [`/console/people/${encodeURIComponent(human)}`, heads],
      [
        `/console/changes?${changes.toString()}`,
        `Change,Who,Kind,Who is from,${what},Accounts,Because,When,Push`,
      ],
    ] as const) {
      const html = plain(await page(path));
      const [, href = ''] = /href="(\/console\/csv\/[^"]*words=true[^"]*)"/.exec(html) ?? [];
      const { text } = await csvOf(href);
      // Excel reads UTF-8 only behind this mark.
      expect(text.charAt(0)).toBe('\ufeff');
      const [first, ...rows] = rowsOf(text.slice(1));
      expect([path, first, rows.length > 0]).toEqual([path, head, true]);
      const hers = rows
        .filter((row) => row.includes('Amara Nwosu') && row.includes('motor-control'))
        .join('\n');
      expect([path, hers]).toEqual([path, expect.stringMatching(/Directory user,Provider \d+,/)]);
      expect(hers).toMatch(/write/);
      expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-|IdpUser|LocalUser|DataWrite/);
    }
  });

  // Before, the column was empty for all of them, as if no writer were privileged.
  test('say who is privileged of all that a row has, or not at all', async () => {
    const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
    for (const [type, isSaid] of [
      ['', true],
      ['privileged', true],
      ['DataWrite', false],
      ['MetadataWrite', false],
    ] as const) {
      const query = new URLSearchParams({ resource, permission_type: type, words: 'true' });
      const { text } = await csvOf(`/console/csv/access?${query.toString()}`);
      expect([type, rowsOf(text)[0]?.includes(',Privileged,')]).toEqual([type, isSaid]);
      // The file of the page has the details of its rows.
      const detailed = await csvOf(`/console/csv/access?${query.toString()}&details=true`);
      expect([type, rowsOf(detailed.text)[0]?.includes(',Privileged,')]).toEqual([type, true]);
    }
  });

  test('have the rows of a saved query', async () => {
    const path = '/console/ask?query=resources/resources-without-an-owner';
    const html = plain(await page(path));
    const [, body = ''] =
      /\/api\/v1\/queries\/resources\/resources-without-an-owner<\/code>:<\/p><pre[^>]*><code>(.*?)<\/code>/s.exec(
        html,
      ) ?? [];
    const query = '/api/v1/queries/resources/resources-without-an-owner';
    const told = await service.post(`${query}?format=csv`, JSON.parse(body));
    expect(told.status).toBe(200);
    const [, href = ''] = /href="(\/console\/csv\/query[^"]*)"/.exec(html) ?? [];
    const { text } = await csvOf(href);
    expect(text).toBe(told.text);
    const [head = '', ...rows] = rowsOf(text);
    expect(head.split(',')).toEqual(expect.arrayContaining(['application', 'resource']));
    const { value } = (await service.post(query, JSON.parse(body))).body as {
      readonly value: { readonly rows: readonly unknown[] };
    };
    expect(rows).toHaveLength(value.rows.length);
  });

  test('are refused as pages, and are no files then', async () => {
    const { status, headers, type } = await analyst.get('/console/csv/access');
    expect([status, type, headers['content-disposition']]).toEqual([400, 'text/html', undefined]);
  });
});

describe('people without a role', () => {
  let own: Browser;
  let person: string;

  beforeAll(async () => {
    person = await keyOf(service, 'IdpUser', 'Amara Nwosu');
    const opened = await sessionsOf(service.context).open(
      { subject: 'person:amara', name: 'Amara', role: null, person, address: null },
      new Map(),
      'r',
      [],
    )();
    if (opened._tag === 'Left') throw new Error(opened.left.message);
    own = new Browser(service.app);
    own.cookies.set(SESSION_COOKIE, opened.right.token);
  });

  test('see their own access, and no link to anybody else', async () => {
    const answer: Response = await own.get('/console/mine');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Amara Nwosu');
    expect(answer.text).toContain('/console/mine/why?');
    // Nor do they learn which pushes there are.
    expect(answer.text).toContain('<datalist id="instants"></datalist>');
    expect(inNeo4jBrowser(answer.text)).toEqual([]);
    expect(answer.text).not.toMatch(/href="\/console\/(?:people|resources|why)/);
  });

  test('are refused the same page, whether somebody exists or not', async () => {
    const refused = await Promise.all(
      [`/console/people/${encodeURIComponent(person)}`, '/console/people/nobody', '/console'].map(
        async (path) => {
          const { status, text } = await own.get(path);
          return [status, text.replace(/Request [0-9a-f]{32}/, '')];
        },
      ),
    );
    expect(refused[0]?.[0]).toBe(403);
    expect(refused).toEqual([refused[0], refused[0], refused[0]]);
  });
});

test('nobody who has not signed in sees a page', async () => {
  const { status, headers } = await new Browser(service.app).get('/console/people/x');
  expect([status, headers.location]).toEqual([
    303,
    expect.stringMatching(/^\/sign-in\?to=%2Fconsole%2Fpeople%2Fx$/),
  ]);
});

test('a page runs and styles nothing of its own, and no cache stores it', async () => {
  const { headers } = await analyst.get('/console');
  expect(headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  });
});

test('what a page cannot answer is a page too, and says why', async () => {
  const missing = await analyst.get('/console/people/nobody');
  expect([missing.status, missing.type]).toEqual([404, 'text/html']);
  const unknown = await analyst.get('/console/people/nobody?aplication=x');
  expect(unknown.status).toBe(400);
  expect(unknown.text).toContain('application');
  const early = await analyst.get('/console/people/nobody?at=1999-01-01');
  expect(early.status).toBe(400);
  expect(early.text).toContain('history');
});

test('a page that cannot read its address leads to itself without what is wrong there', async () => {
  const resource = encodeURIComponent(await keyOf(service, 'Resource', 'Firmware.motor-control'));
  for (const [path, wrong, kept] of [
    [`/console/resources/${resource}`, 'at=yesterdayy', 'permission_type=DataWrite'],
    ['/console/changes', 'since=20.11.2026', 'change=lost'],
    ['/console/people/nobody', 'aplication=x', ''],
  ] as const) {
    const { status, text } = await analyst.get(`${path}?${wrong}&${kept}`);
    const [, right = ''] = /href="([^"]*)">Show the page without it/.exec(text) ?? [];
    expect([status, plain(right)]).toEqual([400, kept === '' ? path : `${path}?${kept}`]);
  }
});

// Before, it had neither the name of the reader nor the button, and called the field `at`.
test('a page that cannot read its address says who has signed in, and names the field as it does', async () => {
  const resource = encodeURIComponent(await keyOf(service, 'Resource', 'Firmware.motor-control'));
  const { status, text } = await analyst.get(`/console/resources/${resource}?at=third+week`);
  expect(status).toBe(400);
  expect(text).toContain('<q>Show it as of</q> is no time');
  expect(text).toMatch(/<input name="at" value="third week"/);
  const asideOn = (html: string): string =>
    (/<div class="reader">.*?<\/div>/s.exec(html)?.[0] ?? '').replace(
      /(name="form_token" value=")[^"]*/,
      '$1',
    );
  expect(asideOn(text)).toContain('Sign out');
  expect(asideOn(text)).toBe(asideOn(await page('/console')));
});

test('two instants without a difference do not say that nothing happened in between', async () => {
  const now = encodeURIComponent(new Date().toISOString());
  const person = encodeURIComponent(await keyOf(service, 'IdpUser', 'Amara Nwosu'));
  for (const path of [
    `/console/changes?list=true&since=${now}`,
    `/console/people/${person}?view=changes&since=${now}`,
  ]) {
    expect(await page(path)).toContain('gained and lost again in between is not listed');
  }
});

// Before, Gained and lost of a group had two of its four tabs, and that of a resource none.
test('each page of somebody or something has the same tabs, also Gained and lost', async () => {
  const tabsOn = (html: string): readonly (readonly [href: string, name: string])[] => {
    const [, nav = ''] = /<nav class="views"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
    return [...nav.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)/g)].map(([, href = '', name = '']) => [
      plain(href),
      name,
    ]);
  };
  const application = await keyOf(service, 'Application', 'Forge');
  for (const [path, names] of [
    [
      `people/${encodeURIComponent(await keyOf(service, 'IdpGroup', 'Firmware Maintainers'))}`,
      ['Access', 'Members', 'If nobody were in it', 'Gained and lost'],
    ],
    [
      `people/${encodeURIComponent(await keyOf(service, 'IdpUser', 'Amara Nwosu'))}`,
      ['Access', 'Gained and lost'],
    ],
    ...[application, await keyOf(service, 'Resource', 'Firmware.motor-control')].map(
      (id) =>
        [
          `resources/${encodeURIComponent(id)}`,
          ['Who', 'Through which groups', 'What is in it', 'Gained and lost'],
        ] as const,
    ),
  ] as const) {
    const tabs = tabsOn(await page(`/console/${path}`));
    expect([path, tabs.map(([, name]) => name)]).toEqual([path, names]);
    for (const [href] of tabs) {
      const html = await page(href);
      expect([href, tabsOn(html)]).toEqual([href, tabs]);
      expect(html).toMatch(/<nav class="views".*aria-current="page"/s);
    }
  }
});

test('pages lead on: a resource to its changes and sources, a group to all its members', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const html = plain(await page(`/console/resources/${encodeURIComponent(resource)}`));
  expect(html).toContain(`/console/changes?${new URLSearchParams({ resource }).toString()}`);
  const source = /href="(\/console\/sources\/[^"?]+)"/.exec(html)?.[1] ?? '';
  expect(await page(source)).toContain('Main · Grantgraph</title>');
  const group = await keyOf(service, 'LocalGroup', 'firmware-team');
  const shown = plain(await page(`/console/people/${encodeURIComponent(group)}?view=members`));
  // By a group of the directory, which is no member of it.
  expect(shown).toMatch(/Viktor Petrov.*Firmware Maintainers/s);
});

test('the style sheet, the script and the icon have addresses that never change their content', async () => {
  const html = await page('/console');
  const addresses = html.match(/\/console\/assets\/[\w.]+/g) ?? [];
  expect(addresses).toHaveLength(3);
  for (const address of addresses) {
    const { status, headers } = await analyst.get(address);
    expect([status, headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
});

test('a name that too many have is refused, and not taken for the one that was read', async () => {
  const { path, ...ids } = await service.register('application');
  const resources = Array.from({ length: 205 }, (_, at) => ({
    name: `crowd ${at}`,
    resource_type: 'thing',
  }));
  const json_data = JSON.stringify({
    applications: [
      {
        name: 'Crowd',
        application_type: 'test',
        resources,
        local_users: [{ name: 'zoe crowd' }],
      },
    ],
    permissions: [{ name: 'read', permission_type: ['DataRead'] }],
  });
  expect((await service.post(path, { ...ids, json_data })).status).toBe(200);
  const filtered = await analyst.get('/console/changes?principal=crowd');
  expect([filtered.status, filtered.text]).toEqual([
    200,
    expect.stringContaining('Too many names have'),
  ]);
  expect(await page('/console?q=crowd+can+read+motor-control')).toContain('Too many names have');
  // It said that all of these are called exactly so.
  expect(await page('/console?q=who+can+read+rowd')).toContain('These have it in their names');
});
