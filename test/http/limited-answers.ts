import type { Response } from 'supertest';

import type { RegisteredIds } from './service-under-test';

/** How a request is sent with a limited key. */
export interface LimitedAsker {
  readonly send: (
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
  readonly source: RegisteredIds;
  readonly template: 'identity_provider' | 'application';
  /** Ids that belong to others. */
  readonly foreign: {
    readonly provider: string;
    readonly source: string;
    readonly push: string;
    readonly upload: string;
  };
  /** What is pushed and planned, one after the other. */
  readonly payloads: readonly object[];
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** What the docs list as inferable, and what no two runs have in common. */
class Plain {
  private readonly ids = new Map<string, string>();

  of(value: unknown, name = ''): unknown {
    if (typeof value === 'string') return this.text(value, name);
    if (Array.isArray(value)) {
      return value
        .filter((one) => name !== 'warnings' || !/^Cannot find/.test(messageOf(one)))
        .filter((one) => (one as { event_type?: unknown } | null)?.event_type !== 'PUSH_WARNED')
        .map((one) => this.of(one));
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        // How long it took tells how busy the service is.
        .filter(([field]) => !['seconds', 'warning_count', 'timestamp'].includes(field))
        .map(([field, one]) => [field, this.of(one, field)]),
    );
  }

  private text(value: string, name: string): unknown {
    if (name === 'request_id') return 'request';
    if (name === 'next_page_token' && value !== '') {
      return this.of(JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as unknown);
    }
    // The tests number their providers.
    const named = value.replace(/Provider \d+/g, 'Provider');
    return named.replace(TIME, 'time').replace(UUID, (id) => {
      const known = this.ids.get(id) ?? `id ${this.ids.size + 1}`;
      this.ids.set(id, known);
      return known;
    });
  }
}

const messageOf = (warning: unknown): string =>
  String((warning as { message?: unknown } | null)?.message ?? warning);

const hopeless = (template: LimitedAsker['template']): readonly object[] =>
  template === 'application'
    ? [
        {
          applications: [
            {
              name: 'wiki',
              application_type: 'wiki',
              local_users: [{ name: 'ann', groups: ['stafff'] }],
            },
          ],
        },
        {
          incremental_change: true,
          applications: [
            { name: 'elsewher', application_type: 'x', operation: 'modify', description: 'x' },
            {
              name: 'wiki',
              local_users: [{ name: 'ane', operation: 'modify', is_active: false }],
            },
          ],
        },
      ]
    : [
        {
          domains: [{ name: 'corp' }],
          users: [{ name: 'ann', groups: [{ identity: 'stafff' }] }],
        },
        {
          incremental_change: true,
          users: [{ name: 'bosss', operation: 'modify', is_active: false }],
        },
      ];

/** Asks everything that a limited key can ask; gives the answers without what is inferable, and all that was said. */
export const answersOf = async ({
  send,
  source: { path, ...ids },
  template,
  foreign,
  payloads,
}: LimitedAsker): Promise<{ readonly answers: readonly unknown[]; readonly text: string }> => {
  const plain = new Plain();
  const answers: unknown[] = [];
  let text = '';
  const ask = async (...[method, asked, body, headers]: Parameters<LimitedAsker['send']>) => {
    const answer = await send(method, asked, body, headers);
    const { 'retry-after': retry } = answer.headers as Record<string, string>;
    text += answer.text;
    answers.push([
      plain.of(`${method} ${asked}`.replace(/\?.*page_token=.*/, '?…')),
      answer.status,
      retry ?? null,
      plain.of(answer.body),
    ]);
    return answer;
  };
  const pages = async (list: string): Promise<void> => {
    let token = '';
    do {
      const answer = await ask('get', `${list}${token === '' ? '' : `&page_token=${token}`}`);
      token = (answer.body as { next_page_token?: string }).next_page_token ?? '';
    } while (token !== '');
  };

  const providers = '/api/v1/providers/custom';
  const provider = `${providers}/${ids.id}`;
  const base = path.replace(/:push$/, '');
  const lists = async (): Promise<void> => {
    await pages(`${providers}?page_size=1`);
    await ask('get', `${providers}?order_by=state&filter=name co "o"`);
    await ask('get', provider);
    await pages(`${provider}/datasources?page_size=1`);
    await ask('get', base);
    await pages(`${base}/pushes?page_size=2`);
    await pages('/api/v1/events?page_size=3&filter=event_type ne "PUSH_WARNED"');
    await ask('get', '/api/preview/events?order_by=timestamp&filter=severity eq "ERROR"');
    await ask('get', `/api/v1/events?filter=provider_id eq "${foreign.provider}"`);
  };
  const envelope = (payload: object): object => ({ ...ids, json_data: JSON.stringify(payload) });

  await ask('get', `${providers}/templates`);
  await ask('patch', provider, { provisioning: true });
  await ask('post', `${provider}:icon`, { icon_base64: Buffer.from('<svg/>').toString('base64') });
  await ask('post', `${provider}/datasources`, { id: ids.id, name: 'Main' });
  await ask('post', `${provider}/datasources`, { id: ids.id, name: 'Second' });
  await lists();
  for (const payload of payloads) {
    await ask('post', `${base}:plan`, envelope(payload));
    await ask('post', path, envelope(payload));
    await ask('post', `${base}:allow-removal`, {});
    await ask('post', path, envelope(payload));
    await ask('post', path, envelope(payload));
    await ask('post', `${base}:verify`);
    for (const other of payloads) await ask('post', `${base}:plan`, envelope(other));
    for (const other of hopeless(template)) {
      await ask('post', `${base}:plan`, envelope(other));
      await ask('post', path, envelope(other));
    }
  }
  await ask('post', `${base}:verify?repair=true`);
  const start = await ask('post', `${base}:parts`, { operation: 'start' });
  const { upload_id } = start.body as { upload_id: string };
  for (const upload of [upload_id, foreign.upload]) {
    const data = Buffer.from('{}').toString('base64');
    const part = { operation: 'upload', upload_id: upload, sequence_number: 1, data };
    await ask('post', `${base}:parts`, part);
    const complete = { operation: 'complete', upload_id: upload, sequence_count: 1 };
    await ask('post', `${base}:parts`, complete);
  }
  await lists();
  const pushes = await send('get', `${base}/pushes`);
  for (const { id } of (pushes.body as { values: readonly { id: string }[] }).values.slice(0, 3)) {
    await ask('get', `${base}/pushes/${id}`);
  }
  // What it may not reach is refused alike, whether it is there or not.
  await ask('get', `${base}/pushes/${foreign.push}`);
  await ask('get', `${provider}/datasources/${foreign.source}`);
  await ask('post', `${provider}/datasources/${foreign.source}:plan`, {});
  await ask('get', `${providers}/${foreign.provider}`);
  await ask('get', `${providers}/${foreign.provider}/datasources/${foreign.source}/pushes`);
  await ask('post', `${providers}/${foreign.provider}/datasources/${foreign.source}:push`, {});
  await ask('post', providers, { name: 'Provider 1', custom_template: template });
  for (const closed of ['/metrics', '/api/v1/entities', '/api/preview/teamkeys']) {
    await ask('get', closed);
  }
  await ask('post', '/api/v1/query', { cypher: 'MATCH (n) RETURN count(n)' });
  await ask('delete', base);
  await ask('delete', `${provider}`);
  await ask('get', '/api/v1/events?page_size=3&filter=event_type ne "PUSH_WARNED"');
  return { answers, text };
};
