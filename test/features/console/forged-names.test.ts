import { ask } from '../../../src/neo4j/ask';
import { Browser } from '../../http/browser-session';
import { keyOf, pushCompany, type PushedSource } from '../../http/company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';

let service: ServiceUnderTest;
let analyst: Browser;
let company: readonly PushedSource[];

/** Pushes an application as a provider of its own. */
const push = async (application: object, more: object = {}): Promise<PushedSource> => {
  const { path, ...ids } = await service.register('application');
  const json_data = JSON.stringify({ applications: [application], ...more });
  await service.post(path, { ...ids, json_data }).expect(200);
  return { path, ...ids, template: 'application', json_data };
};

beforeAll(async () => {
  service = await serviceUnderTest();
  company = await pushCompany(service);
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

describe('the question who can', () => {
  test('leads to the people of the resource, narrowed to what they can', async () => {
    const motor = await keyOf(service, 'Resource', 'Firmware.motor-control');
    for (const [sentence, narrowed] of [
      ['who can write Firmware.motor-control', 'permission_type=DataWrite'],
      ['Who can write to Firmware.motor-control?', 'permission_type=DataWrite'],
      ['anybody can "Force push" on Firmware.motor-control', 'permission=Force+push'],
    ] as const) {
      const answer = await analyst.get(`/console?q=${encodeURIComponent(sentence)}`);
      expect([sentence, answer.status, answer.headers.location]).toEqual([
        sentence,
        303,
        `/console/resources/${encodeURIComponent(motor)}?${narrowed}`,
      ]);
    }
  });

  test('leaves a choice of several resources, each narrowed', async () => {
    const { status, text } = await asked('who can write motor');
    expect([status, text]).toEqual([200, expect.stringContaining('Which resource?')]);
    const links = [...text.matchAll(/href="(\/console\/resources\/[^"]*)"/g)].map(
      ([, to = '']) => to,
    );
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect(link).toContain('permission_type=DataWrite');
  });

  test('says that no resource is called so', async () => {
    const { status, text } = await asked('who can write nothing-at-all');
    expect([status, text]).toEqual([200, expect.stringContaining('No resource is called')]);
  });
});

test('Ask names those whom a name may mean', async () => {
  const path =
    '/console/ask?query=access%2Fcheck-access&run=true&principal=nadia&resource=motor-control';
  const { status, text } = await analyst.get(path);
  expect([status, text.includes('No rows.')]).toEqual([200, false]);
  expect(text).toContain('role="alert"');
});

describe('An application that somebody calls like another one', () => {
  const HUMAN = 'Amara Nwosu';
  let forged: string;
  let forge: string;
  let human: string;

  const providerOf = async ({ id }: PushedSource): Promise<string> => {
    const answer = await service.send('get', `/api/v1/providers/custom/${id}`);
    return (answer.body as { value: { name: string } }).value.name;
  };

  /** What a page says that things called like another one are from. */
  const fromIn = (html: string): ReadonlySet<string> =>
    new Set(
      [...html.matchAll(/class="from">from <bdi[^>]*>([^<]*)</g)].map(([, name = '']) => name),
    );

  const shown = async (path: string): Promise<string> => {
    const { status, text } = await analyst.get(path);
    expect([path, status]).toEqual([path, 200]);
    return text;
  };

  beforeAll(async () => {
    const source = await push(
      {
        name: 'Forge',
        application_type: 'x',
        local_users: [{ name: 'amara', identities: ['amara.nwosu@halden.example'] }],
        resources: [{ name: 'motor-control', resource_type: 'repository' }],
      },
      {
        permissions: [{ name: 'Push', permission_type: ['DataWrite'] }],
        identity_to_permissions: [
          {
            identity: 'amara',
            identity_type: 'local_user',
            application_permissions: [
              { application: 'Forge', permission: 'Push', resources: ['motor-control'] },
            ],
          },
        ],
      },
    );
    forged = await providerOf(source);
    forge = await providerOf(company[2] as PushedSource);
    human = await keyOf(service, 'IdpUser', HUMAN);
  });

  // A small key made the graph say things that looked like those of others.
  test.each([
    ['the page of a person', () => `/console/people/${encodeURIComponent(human)}`],
    [
      'the page of a person, by name',
      () => `/console/people/${encodeURIComponent(human)}?sort=name`,
    ],
    ['Changes', () => `/console/changes?principal=${encodeURIComponent(human)}`],
    ['Find', () => '/console?q=motor-control'],
    ['CSV of access', () => `/console/csv/access?principal=${encodeURIComponent(human)}`],
  ])('is from another provider, and %s says from which', async (_, path) => {
    const text = await shown(path());
    const named = text.startsWith('<')
      ? fromIn(text)
      : new Set(text.split('\r\n').map((line) => line.split(',').at(-1)));
    expect([...named]).toEqual(expect.arrayContaining([forged, forge]));
  });

  test('has reviewers of other directories, and the pages say from which', async () => {
    const { path, ...ids } = await service.register('identity_provider');
    const robber = { name: 'Nadia Haddad', identity: 'nadia.of.elsewhere' };
    const json_data = JSON.stringify({
      name: 'elsewhere',
      idp_type: 'x',
      domains: [{ name: 'halden.example' }],
      users: [
        { ...robber, entities_owned: [{ node_type: 'source_code', id: 'Forge' }] },
        {
          name: HUMAN,
          identity: 'amara.of.elsewhere',
          manager_id: robber.identity,
          source_identity: { identity: 'amara.nwosu', provider_type: 'any' },
        },
      ],
      groups: [],
      apps: [],
    });
    await service.post(path, { ...ids, json_data }).expect(200);
    const elsewhere = await providerOf({ path, ...ids, template: 'identity_provider', json_data });
    const application = await service.send(
      'get',
      `/api/v1/entities?label=Application&filter=${encodeURIComponent('application_type eq "source_code"')}`,
    );
    const [{ id = '' } = {}] = (application.body as { values: readonly { id: string }[] }).values;
    for (const page of [
      `/console/people/${encodeURIComponent(human)}`,
      `/console/resources/${encodeURIComponent(id)}`,
    ]) {
      const [, reviewers = ''] =
        /<dt>Reviewers<\/dt><dd>(.*?)<\/dd>/s.exec(await shown(page)) ?? [];
      expect(reviewers).toContain(robber.name);
      expect(fromIn(reviewers)).toContain(elsewhere);
    }
  });

  test('has a heading of Why that says from which providers both ends are', async () => {
    const directory = await providerOf(company[0] as PushedSource);
    for (const [path, provider] of [
      ['motor-control', forged],
      ['Firmware.motor-control', forge],
    ] as const) {
      const [row] = await ask(
        service.graph,
        'MATCH (resource:Resource {path: $path}) RETURN resource.key AS key',
        { path },
      );
      const ends = { principal: human, resource: String(row?.key), person: 'true' };
      const query = new URLSearchParams(ends);
      const text = await shown(`/console/why?${query.toString()}`);
      const [, subtitle = ''] = /<p class="subtitle">(.*?)<\/p>/s.exec(text) ?? [];
      expect([...fromIn(subtitle)]).toEqual([directory, provider]);
    }
  });

  test('is a group of its own on the page of a person', async () => {
    const text = await shown(`/console/people/${encodeURIComponent(human)}`);
    const groups = [...text.matchAll(/<th scope="rowgroup"[^>]*>(.*?)<\/th>/gs)].map(
      ([, head = '']) => head.replaceAll(/<[^>]*>/g, ''),
    );
    expect(groups).toEqual(expect.arrayContaining([`Forge from ${forged}`, `Forge from ${forge}`]));
  });

  // Before, a group of a directory and one that somebody else called so looked alike in a way.
  test('names along a way say their provider, unless it is that of what is reached', async () => {
    const motor = await keyOf(service, 'Resource', 'Firmware.motor-control');
    const sourceOf = (key: string): string => key.split('|')[0] ?? '';
    let said = 0;
    for (const path of [
      `/console/resources/${encodeURIComponent(motor)}`,
      `/console/people/${encodeURIComponent(human)}?application=Forge`,
    ]) {
      for (const [, row = ''] of (await shown(path)).matchAll(/<tr>(.*?)<\/tr>/gs)) {
        const [, through = ''] = /data-name="Through">(.*?)<\/td>/s.exec(row) ?? [];
        const [, reached] = /href="\/console\/resources\/([^"?]+)/.exec(row) ?? [];
        const of = sourceOf(reached === undefined ? motor : decodeURIComponent(reached));
        for (const step of through.split(' → ')) {
          const [, key] = /href="\/console\/people\/([^"?]+)/.exec(step) ?? [];
          if (key === undefined) continue;
          const isOther = sourceOf(decodeURIComponent(key)) !== of;
          expect([path, step, step.includes('class="from"')]).toEqual([path, step, isOther]);
          if (isOther) said += 1;
        }
      }
    }
    expect(said).toBeGreaterThan(0);
  });

  test('has people of its directories, and the page of a resource says from which', async () => {
    const motor = await keyOf(service, 'Resource', 'Firmware.motor-control');
    const text = await shown(`/console/resources/${encodeURIComponent(motor)}`);
    const directory = await providerOf(company[0] as PushedSource);
    expect(fromIn(text)).toContain(directory);
    expect(fromIn(text)).not.toContain(forged);
  });
});
