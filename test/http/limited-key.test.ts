/** @more bounds */

import { randomUUID } from 'node:crypto';

import fc from 'fast-check';
import supertest from 'supertest';

import { applicationDraft } from '../arbitrary/application-payload';
import { identityProviderDraft } from '../arbitrary/identity-provider-payload';
import { written } from '../arbitrary/references';
import { repaired } from '../arbitrary/repair';
import { sized } from '../support/test-size';
import { answersOf } from './limited-answers';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/*
 * What a key that is limited to one provider is told must not depend on what other providers push (docs/security.md: What a key that is limited to
 * providers can infer). Everything that it can ask is asked in two worlds: in one it is alone, in the other two identity providers and an application
 * push between its requests, about the same people, groups, roles and resources. The answers must be the same.
 */

type Template = 'identity_provider' | 'application';

/** Payloads that name each other's people and things, by chance. */
const sample = (template: Template, seed: number, count: number): readonly object[] =>
  template === 'application'
    ? fc
        .sample(applicationDraft, { seed, numRuns: count })
        .map((draft) => repaired(written(template, draft), template))
    : fc
        .sample(identityProviderDraft(['okta', 'custom', null]), { seed, numRuns: count })
        .map((draft) => repaired(written(template, draft), template));

/** What leaked before: a manager's email as a tag's value, who is known by an email, and whose identity comes from where. */
const secrets = {
  identity_provider: {
    idp_type: 'okta',
    domains: [{ name: 'others' }],
    users: [
      {
        name: 'boss',
        identity: 'secret.boss@others.example',
        email: 'ann@corp.example',
        entities_owned: [{ node_type: 'page', id: 'home' }],
      },
      { name: 'ann', source_identity: { identity: 'ann', provider_type: 'any' } },
    ],
    groups: [{ name: 'staff' }],
  },
  application: {
    applications: [
      {
        name: 'elsewhere',
        application_type: 'elsewhere',
        local_users: [{ name: 'ann', identities: ['ann@corp.example', 'ann', 'staff'] }],
        local_roles: [{ name: 'hidden', id: 'arn:aws:iam::1:role/hidden', permissions: ['read'] }],
      },
    ],
    permissions: [{ name: 'read', permission_type: ['DataRead'] }],
  },
} as const;

const mine: Readonly<Record<Template, readonly object[]>> = {
  application: [
    {
      applications: [
        {
          name: 'wiki',
          application_type: 'wiki',
          local_users: [{ name: 'ann', identities: ['ann@corp.example', 'staff'] }],
          resources: [{ name: 'home', resource_type: 'page' }],
        },
      ],
    },
    {
      applications: [
        {
          name: 'wiki',
          application_type: 'wiki',
          local_users: [{ name: 'bob', identities: ['ann@corp.example', 'new@corp.example'] }],
          resources: [{ name: 'other', resource_type: 'page' }],
        },
      ],
    },
  ],
  identity_provider: [
    {
      idp_type: 'custom',
      domains: [{ name: 'corp' }],
      users: [
        { name: 'ann', email: 'ann@corp.example', manager_id: 'bob' },
        { name: 'bob', assumed_role_arns: [{ identity: 'arn:aws:iam::1:role/hidden' }] },
      ],
      groups: [{ name: 'staff' }],
    },
    {
      idp_type: 'custom',
      domains: [{ name: 'corp' }],
      users: [
        { name: 'ann', source_identity: { identity: 'boss', provider_type: 'any' } },
        { name: 'cid', email: 'ann@corp.example', tags: [{ key: 'level', value: 'high' }] },
      ],
    },
  ],
};

/** After how many requests of the limited key the others push. */
const REQUESTS_BETWEEN = sized(3, 1);

/** Pushes of others, between the requests of the limited key. */
class Others {
  private readonly sources: (RegisteredIds & { readonly template: Template })[] = [];
  private turn = 0;
  refused = 0;

  constructor(
    private readonly service: ServiceUnderTest,
    private readonly payloads: Readonly<Record<Template, readonly object[]>>,
  ) {}

  async begin(): Promise<void> {
    for (const template of ['identity_provider', 'application', 'identity_provider'] as const) {
      this.sources.push({ ...(await this.service.register(template)), template });
      await this.push();
    }
  }

  readonly push = async (): Promise<void> => {
    const source = this.sources[this.turn % this.sources.length];
    if (source === undefined) return;
    const { path, template, ...ids } = source;
    const all = [secrets[template], ...this.payloads[template]];
    const payload = all[Math.floor(this.turn / 2) % all.length];
    this.turn += 1;
    const answer = await this.service.post(path, { ...ids, json_data: JSON.stringify(payload) });
    if (answer.status !== 200) this.refused += 1;
  };

  /** A data source, a provider, a push and an upload that the limited key may not reach. */
  async ids(): Promise<{ provider: string; source: string; push: string; upload: string }> {
    const [one] = this.sources;
    if (one === undefined) {
      return {
        provider: randomUUID(),
        source: randomUUID(),
        push: randomUUID(),
        upload: randomUUID(),
      };
    }
    const pushes = await this.service.send('get', one.path.replace(/:push$/, '/pushes'));
    const parts = await this.service.post(one.path.replace(/:push$/, ':parts'), {
      operation: 'start',
    });
    return {
      provider: one.id,
      source: one.data_source_id,
      push: (pushes.body as { values: readonly { id: string }[] }).values[0]?.id ?? '',
      upload: (parts.body as { upload_id: string }).upload_id,
    };
  }
}

interface World {
  readonly answers: readonly unknown[];
  readonly text: string;
  readonly refused: number;
}

const world = async (template: Template, seed: number, isAlone: boolean): Promise<World> => {
  const service = await serviceUnderTest();
  try {
    const others = new Others(service, {
      identity_provider: sample('identity_provider', seed + 1, 4),
      application: sample('application', seed + 2, 4),
    });
    if (!isAlone) await others.begin();
    const source = await service.register(template);
    const key = await service.post('/api/preview/teamkeys', {
      name: 'Limited',
      providers: [source.id],
    });
    const { access_key } = (key.body as { value: { access_key: string } }).value;
    let requests = 0;
    const send: Parameters<typeof answersOf>[0]['send'] = async (method, path, body, headers) => {
      requests += 1;
      if (requests % REQUESTS_BETWEEN === 0) await others.push();
      const request = supertest(service.app)
        [method](path)
        .set({ authorization: `Bearer ${access_key}`, ...headers });
      return body === undefined ? request : request.send(body as object);
    };
    const { answers, text } = await answersOf({
      send,
      source,
      template,
      foreign: await others.ids(),
      payloads: [...mine[template], ...sized([], sample(template, seed, 1))],
    });
    return { answers, text, refused: others.refused };
  } finally {
    await service.close();
  }
};

test.each([
  ['application', 1],
  ['identity_provider', 2],
] as const)(
  'what a key limited to one %s sees does not depend on what others push (%i)',
  async (template, seed) => {
    const alone = await world(template, seed * 1_000, true);
    const among = await world(template, seed * 1_000, false);
    expect(among.refused).toBe(0);
    expect(among.answers).toEqual(alone.answers);
    expect(among.text).not.toContain('secret.boss');
  },
);
