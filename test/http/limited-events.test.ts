import { randomUUID } from 'node:crypto';

import supertest from 'supertest';

import { eventTypesOf } from '../../src/feature';
import { features } from '../../src/features';
import { runTransaction } from '../../src/neo4j/transaction';
import { writeEvent } from '../../src/graph/records/event-record';
import { EventReader } from './event-reader';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/*
 * What a key that is limited to a provider sees of the events about it (docs/security.md: What a key that is limited to providers can infer). The table
 * is written by hand: a new type of events fails here until somebody decides. `null`: it does not see the event at all.
 */
const SEEN: Readonly<Record<string, readonly string[] | null>> = {
  PROVIDER_REGISTERED: [],
  PROVIDER_CHANGED: ['changes'],
  TRUSTS_SET: null,
  REVIEW_OPENED: null,
  REVIEW_DECIDED: null,
  REVIEW_REMINDED: null,
  REVIEW_CLOSED: null,
  REVIEW_DUE_AGAIN: null,
  REVIEW_APPOINTED: null,
  REVIEW_REVOKES_SENT: null,
  REVIEW_CANCELLED: null,
  REVIEW_REMOVED: null,
  REVIEW_REMEDIATED: null,
  REVIEW_ACCESS_RETURNED: null,
  REVIEW_MAIL_NOT_SENT: null,
  PROVIDER_DELETED: ['confirmed_removal', 'erased_history', 'rows'],
  DATASOURCE_CREATED: [],
  DATASOURCE_DELETED: ['confirmed_removal', 'ended_at', 'erased_history', 'rows'],
  DATASOURCE_VERIFIED: ['findings', 'next_full_push', 'rows_gone'],
  DELETION_REFUSED: ['confirmed_removal'],
  REMOVAL_ALLOWED: ['until'],
  PUSH_ACCEPTED: ['confirmed_removal', 'push_id'],
  PUSH_UNCHANGED: ['confirmed_removal', 'push_id'],
  PUSH_WARNED: ['confirmed_removal', 'push_id', 'warning_count', 'warnings'],
  PUSH_BEGUN: ['confirmed_removal', 'push_id'],
  PUSH_PROGRESS: ['confirmed_removal', 'done', 'push_id', 'total'],
  PUSH_RESUMED: ['confirmed_removal', 'push_id'],
  PUSH_REPLACED: ['confirmed_removal', 'push_id', 'replaced_push_id'],
  PUSH_REFUSED: ['confirmed_removal', 'error', 'push_id'],
  PUSH_FAILED: ['confirmed_removal', 'error', 'push_id'],
  ACCESS_CHANGED: null,
  SCIM_CONNECTION_SET: [],
  SCIM_CONNECTION_REMOVED: [],
  SCIM_IMPORT_SET: ['data_source', 'every_seconds', 'whole_every_seconds'],
  SCIM_IMPORT_REMOVED: [],
  SCIM_IMPORTED: ['outcome', 'push_id', 'read', 'reading'],
  SCIM_IMPORT_FAILED: null,
  ACCOUNT_CREATED: null,
  ACCOUNT_ADOPTED: null,
  ACCOUNT_UPDATED: null,
  ACCOUNT_UNCHANGED: null,
  ACCOUNT_DISABLED: null,
  ACCOUNT_DELETED: null,
  MEMBER_ADDED: null,
  MEMBER_REMOVED: null,
  MEMBERS_ADDED: null,
  MEMBERS_REMOVED: null,
  PROVISIONING_FAILED: null,
  POLICY_SET: null,
  POLICY_REMOVED: null,
  POLICY_REPORT: null,
  POLICY_RUN_FAILED: null,
  POLICY_ACTION_DEAD: null,
  POLICY_ACTIONS_RETRIED: null,
  POLICY_ACCOUNT_RELEASED: null,
  PLAN_AWAITS_CONFIRMATION: null,
  PLAN_CONFIRMED: null,
  APPLICATION_DRIFTED: null,
  TEAM_KEY_CREATED: null,
  TEAM_KEY_CHANGED: null,
  TEAM_KEY_ROTATED: null,
  TEAM_KEY_REVOKED: null,
  TEAM_KEY_REINSTATED: null,
  TEAM_KEY_DELETED: null,
  PERSON_SIGNED_IN: null,
  PERSON_SIGNED_OUT: null,
  SESSION_ENDED: null,
  DATA_EXPORTED: null,
  PERSON_ERASED: null,
  GRAPH_RESTORED: null,
  // test/questions/access-memory.test.ts
  ACCESS_MEMORY_TOO_SMALL: null,
  ACCESS_MEMORY_DIFFERED: null,
  RESTORED_WORK_STARTED: null,
  SECRETS_RESEALED: null,
  // A query of Neo4j is not ended at will: test/questions/still-running.test.ts.
  QUESTION_OVERDUE: null,
};

/** Every field that metadata of any event has, those of people and addresses among them. */
const FIELDS = [
  ...new Set([
    ...Object.values(SEEN).flatMap((fields) => fields ?? []),
    'by',
    'access',
    'factors',
    'base_url',
    'authentication',
    'user',
    'account',
    'people',
    'group',
    'problem',
    'leave_out',
    'counts',
    'token',
    'addresses',
    'parameters',
    'anything',
  ]),
].filter((field) => field !== 'error');

const HOST = {
  scheme: 'https' as const,
  name: 'secret.example.org',
  isWildcard: false,
  port: 443,
} as const;

const SECRET = 'ann@others.example';
const ERROR = {
  reason: SECRET,
  message: SECRET,
  metadata: {},
  resolution: SECRET,
  request_id: SECRET,
};

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest(
    {},
    { provisioning: { allowed: { hosts: [HOST], networks: [] } } },
  );
});
afterAll(() => service.close());

const limitedKey = async (provider: string): Promise<string> => {
  const answer = await service.post('/api/preview/teamkeys', {
    name: 'Limited',
    scopes: ['read'],
    providers: [provider],
  });
  return (answer.body as { value: { access_key: string } }).value.access_key;
};

interface Told {
  readonly event_type: string;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly error: unknown;
}

const listed = async (key: string, query: string): Promise<readonly Told[]> => {
  const answer = await supertest(service.app)
    .get(`/api/v1/events?${query}`)
    .set('authorization', `Bearer ${key}`);
  expect(answer.status).toBe(200);
  return (answer.body as { values: readonly Told[] }).values;
};

const seenOf = ({ metadata, error }: Told): readonly string[] =>
  [
    ...Object.keys(metadata).filter((field) => field !== 'request_id'),
    ...(error === null ? [] : ['error']),
  ].sort();

/** A type that an earlier version wrote, and that no feature declares today. */
const OF_EARLIER_VERSIONS = 'SIGN_INS_REFUSED';

test('each type of event says what a limited key sees of it, and it sees no more', async () => {
  expect(
    eventTypesOf(features)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(SEEN).sort());
  const { id: provider } = await service.register();
  const key = await limitedKey(provider);
  await runTransaction(service.graph, { mode: 'write' }, async (tx) => {
    await tx.run('MATCH (event:Event) DELETE event');
    for (const name of [...Object.keys(SEEN), OF_EARLIER_VERSIONS]) {
      await writeEvent(tx, {
        id: randomUUID(),
        timestamp: new Date().toISOString(),
        category: 'INTEGRATIONS',
        severity: 'INFO',
        name: 'n',
        message: `a ${name}`,
        event_type: { name, limitedView: 'nothing' },
        entity: 'PROVIDER',
        entity_id: provider,
        entity_name: 'n',
        provider_id: provider,
        metadata: Object.fromEntries(FIELDS.map((field) => [field, SECRET])),
        error: ERROR,
      });
    }
  });
  const expected = Object.fromEntries(Object.entries(SEEN).filter(([, seen]) => seen !== null));
  const byType = (events: readonly Told[]) =>
    Object.fromEntries(events.map((event) => [event.event_type, seenOf(event)]));
  expect(byType(await listed(key, 'page_size=100'))).toEqual(expected);
  const reader = await EventReader.open(service.app, { key, after: '0' });
  await reader.until(() => reader.told.length === Object.keys(expected).length);
  await reader.leave();
  expect(byType(reader.told.map(({ event }) => event as unknown as Told))).toEqual(expected);
  // A filter finds nothing that the list does not show.
  const nothing = Object.keys(SEEN).filter((type) => SEEN[type] === null);
  for (const hidden of [...nothing, OF_EARLIER_VERSIONS]) {
    const filter = encodeURIComponent(`message eq "a ${hidden}"`);
    expect(await listed(key, `filter=${filter}`)).toEqual([]);
  }
});

test('an event of a connection shows its address to no limited key', async () => {
  const source = await service.register('application');
  const key = await limitedKey(source.id);
  const provider = `/api/v1/providers/custom/${source.id}`;
  await service.send('patch', provider, { external_lifecycle_management_type: 'SCIM' }).expect(200);
  await service
    .send('put', `${provider}/scim`, {
      base_url: 'https://secret.example.org/scim',
      authentication: { type: 'basic', user: 'deployer', password: 'pass word' },
    })
    .expect(200);
  const events = await listed(key, 'page_size=100');
  expect(events.map(({ event_type }) => event_type)).toContain('SCIM_CONNECTION_SET');
  expect(JSON.stringify(events)).not.toMatch(/secret\.example|deployer/);
  const all = await service.send('get', '/api/v1/events?page_size=100');
  expect(all.text).toMatch(/secret\.example.*deployer/s);
});
