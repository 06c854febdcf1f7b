import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { zipSync } from 'fflate';

import * as mailers from '../../../src/features/reviews/mail/mailer';
import { sendMails } from '../../../src/features/reviews/mail/send-mails';
import { instantOf, nanosOf, present } from '../../../src/model/instant';
import { ask } from '../../../src/neo4j/ask';
import type { SomeSettings } from '../../support/test-config';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from '../service-under-test';
import { evidenceOf, type Files } from './evidence-files';
import { type MailServer, partsOf, type ReceivedMail, startMailServer } from './mail-server';
import {
  application,
  type Body,
  changedInNeo4j,
  close,
  decideAll,
  decision,
  directory,
  erased,
  followed,
  itemsOf,
  opened,
  people,
  pushed,
  sent,
  service,
  user,
  useVault,
  vault,
} from './vault';

/* Mails about reviews of the vault, as a mail server receives them (docs/rules.md: Access reviews). */

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

const settings = (mail: SomeSettings['mail'] = {}): SomeSettings => ({
  http: { publicUrl: 'https://graph.example' },
  mail: {
    server: { host: '127.0.0.1', port: server.port, isEncrypted: false, auth: null },
    from: 'grantgraph@graph.example',
    ...mail,
  },
});

useVault(() => serviceUnderTest({}, { settings: settings() }));

beforeEach(() => {
  server.mails.length = 0;
  server.behaviour.clear();
  server.isAway = false;
});
/** Each test has reviews and mails of its own only. */
afterEach(() =>
  changedInNeo4j('', 'MATCH (n) WHERE n:Review OR n:ReviewMail OR n:Event DETACH DELETE n'),
);

const DAY = 86_400_000_000_000n;
const round = (days = 0n, by: Pick<ServiceUnderTest, 'context'> = service): Promise<void> =>
  sendMails(by.context, () => instantOf(nanosOf(present()) + days * DAY))(() => false);

const recipients = (): readonly string[] => server.mails.flatMap(({ to }) => to).sort();

const mailTo = (name: string): ReceivedMail => {
  const found = server.mails.find(({ to }) => to.includes(`${name}@vault.example`));
  if (found === undefined) throw new Error(`no mail to ${name}: ${recipients().join()}`);
  return found;
};

const notes = (): Promise<readonly Body[]> =>
  ask(service.graph, 'MATCH (m:ReviewMail) RETURN properties(m) AS note ORDER BY m.state', {});

const states = async (): Promise<readonly unknown[]> =>
  (await notes()).map(({ note }) => (note as Body).state);

const reported = (): Promise<readonly Body[]> =>
  ask(
    service.graph,
    "MATCH (e:Event {event_type: 'REVIEW_MAIL_NOT_SENT'}) RETURN e.message AS message ORDER BY message",
    {},
  );

/** What the script says of a mail and the evidence of a review. */
const saidOfMail = async (mail: string, files: Files, ...more: string[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'mail-'));
  const [file, evidence] = [join(folder, 'mail.eml'), join(folder, 'evidence.zip')];
  await writeFile(file, mail);
  await writeFile(evidence, zipSync(files));
  const script = join(__dirname, '../../../examples/verify-mail.py');
  try {
    const args = [script, file, evidence, ...more];
    return (await promisify(execFile)('python3', args)).stdout;
  } catch (error) {
    return (error as { stdout: string; stderr: string }).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
};

test('reviewers and the owner get one mail a day, also by two processes, and it names no people and no items', async () => {
  const id = await opened();
  const items = await itemsOf(id);
  const pendingOf = (name: string): number =>
    items.filter(({ state, reviewer }) => state === 'pending' && reviewer.name === name).length;
  expect([pendingOf('mia'), pendingOf('olga')]).toEqual([expect.any(Number), 1]);
  const other = await serviceUnderTest({}, { keep: true, settings: settings() });
  try {
    await Promise.all([round(), round(0n, other), round()]);
    await round(0n, other);
    await round();
  } finally {
    await other.close();
  }
  const reviewers = new Set(items.map(({ reviewer }) => `${String(reviewer.name)}@vault.example`));
  expect(recipients()).toEqual([...new Set([...reviewers, 'olga@vault.example'])].sort());
  const { headers, text } = partsOf(mailTo('mia'));
  expect([...headers.keys()].sort()).toEqual([
    'auto-submitted',
    'content-transfer-encoding',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
  ]);
  expect(headers.get('from')).toBe('grantgraph@graph.example');
  expect(headers.get('to')).toBe('mia@vault.example');
  expect(headers.get('subject')).toBe(`Access reviews: ${pendingOf('mia')} pending items`);
  expect(text).toContain(
    `You review:\n- "Vault, fourth quarter"\n  ${pendingOf('mia')} items, until 2099-01-01T00:00:00Z\n`,
  );
  expect(text).toContain('My reviews: https://graph.example/console/reviews\n');
  expect(text).not.toContain('You own:');
  expect(text).not.toMatch(/\b(ann|ben|mia|lee|keys|read|administer|team|robot)\b/i);
  const ofOwner = partsOf(mailTo('olga')).text;
  expect(ofOwner).toContain('You review:\n- "Vault, fourth quarter"\n  1 item, until');
  expect(ofOwner).toContain(
    `You own:\n- "Vault, fourth quarter"\n  ${items.length} of ${items.length} items pending, until`,
  );
  // The next day they get another one.
  const before = server.mails.length;
  await round(1n);
  expect(server.mails).toHaveLength(2 * before);
});

test('the owner reads what of a closed review is not confirmed, what came back, and then nothing more', async () => {
  const id = await opened();
  await decideAll(id, { ben: 'read', lee: 'read' });
  await round();
  expect(recipients()).toEqual(['olga@vault.example']);
  expect(partsOf(mailTo('olga')).text).toContain('0 of 6 items pending, until');
  await close(id);
  await round(1n);
  expect(partsOf(server.mails[1] as ReceivedMail).text).toContain(
    '- "Vault, fourth quarter"\n  closed\n  2 revokes not confirmed yet\n',
  );
  const pushedWith = async (...reads: readonly string[]): Promise<void> => {
    await pushed(vault, application({ reads, writes: ['mia'], team: ['ann'] }));
    await followed();
  };
  await pushedWith('ann', 'lee');
  await pushedWith('ann', 'ben', 'lee');
  await round(2n);
  expect(partsOf(server.mails[2] as ReceivedMail).text).toContain(
    '  1 revoke not confirmed yet\n  1 revoked fact came back\n',
  );
  await pushedWith('ann');
  await round(3n);
  expect(server.mails).toHaveLength(3);
});

test('a mail proves the head: the chain that somebody wrote again in Neo4j does not have it', async () => {
  const id = await opened();
  const [first] = await itemsOf(id);
  if (first === undefined) throw new Error('no items');
  const name = String(first.reviewer.name);
  await sent(`/${id}:decide`, await decision(name, 'revoke', [first], 'left the project'));
  await round();
  const { data } = mailTo('olga');
  const [, publicKey = ''] = /\nkey (\S+)\n/.exec(partsOf(mailTo('olga')).text) ?? [];
  // Later entries follow the head that the mail has.
  await sent(`/${id}:decide`, await decision(name, 'revoke', [first], 'left the company'));
  const files = await evidenceOf(id);
  const said = await saidOfMail(data, files, publicKey);
  expect(said).toContain(' is in the chain\n');
  expect(said).toMatch(/\nverified\n$/);
  expect(await saidOfMail(data, files)).toContain('of the mail itself');
  for (const [changed, finding] of [
    [data.replace(/\nat 20/, '\nat 19'), 'the signature is not'],
    [data.replace(/\nentry \d+/, '\nentry 1'), 'the signature is not'],
    [data.replace(/\nhead ../, '\nhead 00'), 'no entry'],
    [data.replace(/\nsignature ../, '\nsignature AA'), 'the signature is not'],
    [data.replace(/\nreview ../, '\nreview 00'), 'not about this review'],
  ] as const) {
    expect(changed).not.toBe(data);
    expect(await saidOfMail(changed, files, publicKey)).toContain(finding);
  }
  const otherKey = Buffer.alloc(32, 7).toString('base64');
  expect(await saidOfMail(data, files, otherKey)).toContain('the signature is not of this key');
  // Readers and servers may break and quote lines in other places.
  const pasted = partsOf({ data }).text.replace(/ (?=head|entry|at)/g, '\n  ');
  expect(await saidOfMail(pasted, files, publicKey)).toMatch(/\nverified\n$/);

  await changedInNeo4j(
    id,
    `MATCH (e:ReviewDecision {review: $id}) DELETE e
    WITH count(*) AS n MATCH (d:ReviewRemediation {review: $id}) DELETE d
    WITH count(*) AS n MATCH (r:Review {key: $id}) SET r.head = null, r.entries = 0
    WITH r MATCH (i:ReviewItem {review: r.run}) SET i.state = 'pending', i.decided_by = null, i.decided_at = null, i.reason = null`,
  );
  await sent(`/${id}:decide`, await decision(name, 'keep', [first], 'needs it'));
  const forged = await saidOfMail(data, await evidenceOf(id), publicKey);
  expect(forged).toMatch(/^the chain has no entry \d+ with the head of the mail$/m);
  expect(forged).not.toContain('\nverified');
});

test('a mail server that is away is tried again, and nobody gets a mail twice', async () => {
  const id = await opened();
  server.isAway = true;
  await expect(round()).rejects.toThrow('The mail server accepts no mail now (');
  expect(await notes()).toEqual([]);
  server.isAway = false;
  const all = [...new Set((await itemsOf(id)).map(({ reviewer }) => String(reviewer.name)))];
  expect(all.sort()).toEqual(['fay', 'mia', 'olga']);
  server.behaviour
    .set('mia@vault.example', 'later')
    .set('olga@vault.example', 'refuse')
    .set('fay@vault.example', 'leave');
  await round();
  await round();
  // The server accepted one mail, and nobody knows.
  expect(recipients()).toEqual(['fay@vault.example']);
  expect(await states()).toEqual(['refused', 'unknown', 'waiting']);
  expect(await reported()).toEqual([
    {
      message:
        'A reviewer of the review "Vault, fourth quarter" gets no mail today: the mail server has not said whether it accepted it.',
    },
    {
      message:
        'The owner of the review "Vault, fourth quarter" gets no mail today: their mail server refuses it.',
    },
  ]);
  server.behaviour.clear();
  await round();
  expect(recipients()).toEqual(['fay@vault.example']);
  // After the pause.
  await changedInNeo4j(
    '',
    "MATCH (m:ReviewMail {state: 'waiting'}) SET m.at = m.at - duration('PT1H')",
  );
  await Promise.all([round(), round()]);
  expect(recipients()).toEqual(['fay@vault.example', 'mia@vault.example']);
  expect(await states()).toEqual(['refused', 'sent', 'unknown']);
});

test('a round that is killed while it sends a mail sends the others, and that one on the next day', async () => {
  await opened();
  const mailerOf = jest.spyOn(mailers, 'mailerOf');
  mailerOf.mockImplementationOnce((...given) =>
    Promise.resolve({
      check: () => Promise.resolve(),
      send: async (...mail) => {
        mailerOf.mockRestore();
        await (await mailers.mailerOf(...given)).send(...mail);
        throw new Error('the process was killed');
      },
    }),
  );
  await expect(round()).rejects.toThrow('the process was killed');
  expect(server.mails).toHaveLength(1);
  await round();
  await round();
  expect(recipients()).toEqual(['fay@vault.example', 'mia@vault.example', 'olga@vault.example']);
  expect(await states()).toEqual(['sending', 'sent', 'sent']);
  await round(1n);
  expect(server.mails).toHaveLength(6);
});

test.each<[string, readonly Body[], Body, string]>([
  [
    'two people share',
    [user('max', { email: 'MIA@vault.example' })],
    {},
    'somebody else has the same address',
  ],
  ['no directory has', [], { email: null }, 'no directory says their address'],
  [
    'somebody has who left',
    [],
    { is_active: false },
    'they are inactive, or nobody is certainly them',
  ],
])('an address that %s gets no mail, which one event a day says', async (_, more, mia, reason) => {
  await opened();
  const { users, ...others } = directory(more) as { readonly users: readonly Body[] };
  await pushed(people, {
    ...others,
    users: users.map((each) => (each.name === 'mia' ? { ...each, ...mia } : each)),
  });
  await round();
  await round();
  expect(recipients()).not.toContain('mia@vault.example');
  expect(recipients()).toContain('olga@vault.example');
  expect(await reported()).toEqual([
    {
      message: `A reviewer of the review "Vault, fourth quarter" gets no mail today: ${reason}.`,
    },
  ]);
});

/** What HR says of Mia. */
const staff = (more: Body): object => ({
  name: 'Staff',
  hris_type: 'x',
  system: { id: 'hr', name: 'HR' },
  groups: [],
  employees: [
    {
      id: 'E1',
      name: 'mia',
      employee_number: 'E1',
      first_name: 'Mia',
      last_name: 'Berg',
      is_active: true,
      employment_status: 'ACTIVE',
      idp_id: 'mia',
      ...more,
    },
  ],
});

const withHr = async (work: (hr: RegisteredIds) => Promise<void>): Promise<void> => {
  const hr = await service.register('hris');
  try {
    await work(hr);
  } finally {
    await service.send('delete', `/api/v1/providers/custom/${hr.id}?erase=true`);
  }
};

test('who has several addresses gets no mail, which one event a day says', () =>
  withHr(async (hr) => {
    await pushed(hr, staff({ email: 'm@other.example' }));
    await opened();
    await round();
    await round();
    expect(recipients()).toEqual(['fay@vault.example', 'olga@vault.example']);
    const message =
      'A reviewer of the review "Vault, fourth quarter" gets no mail today: directories say several addresses.';
    expect(await reported()).toEqual([{ message }]);
  }));

test('one event a day reports a person without an address, whatever pushes say of who that is', () =>
  withHr(async (hr) => {
    const { users, ...others } = directory() as { readonly users: readonly Body[] };
    await pushed(people, {
      ...others,
      users: users.map((each) => (each.name === 'mia' ? { ...each, email: null } : each)),
    });
    await opened();
    for (const idp_id of ['nobody', 'mia', 'nobody', 'mia']) {
      await pushed(hr, staff({ idp_id }));
      await round();
    }
    expect(await reported()).toHaveLength(1);
  }));

test('no name and no address adds a header, a recipient or a long line to a mail', async () => {
  const id = await opened();
  const name = `a\r\nBcc: evil@x.example\r\n\r\n.\r\n-----BEGIN GRANTGRAPH HEADS----- \u202e ${'ž'.repeat(100_000)}`;
  await changedInNeo4j(id, 'MATCH (r:Review {key: $id}) SET r.name = $name', { name });
  const email = 'mia@vault.example>\r\nRCPT TO:<evil@x.example';
  await changedInNeo4j(
    '',
    "MATCH (u:IdpUser {name: 'mia'}) SET u.email = $email, u.fold_email = $email",
    { email },
  );
  await round();
  expect(recipients()).toEqual(['fay@vault.example', 'olga@vault.example']);
  for (const mail of server.mails) {
    const { headers, text } = partsOf(mail);
    expect(headers.has('bcc')).toBe(false);
    expect(mail.data.length).toBeLessThan(8_000);
    expect(Math.max(...mail.data.split('\r\n').map(({ length }) => length))).toBeLessThan(80);
    expect(text).toContain('- "a\\r\\nBcc: evil@x.example\\r\\n\\r\\n.\\r\\n-----BEGIN');
    expect(text).toContain('\\u202e');
  }
  expect(await saidOfMail(mailTo('olga').data, await evidenceOf(id))).toContain(' is in the chain');
});

test('no more people than the limit get a mail on one day', async () => {
  await opened();
  const limited = await serviceUnderTest({}, { keep: true, settings: settings({ mostOfDay: 1 }) });
  try {
    await round(0n, limited);
    await round(0n, limited);
    expect(server.mails).toHaveLength(1);
    expect(limited.logged).toContainEqual(
      expect.objectContaining({ message: 'more people than LIMIT_MAILS_OF_DAY should get a mail' }),
    );
  } finally {
    await limited.close();
  }
});

test('people without an address use up no mails of the day', async () => {
  await opened();
  const { users, ...others } = directory() as { readonly users: readonly Body[] };
  await pushed(people, {
    ...others,
    users: users.map((each) => (each.name === 'olga' ? each : { ...each, email: null })),
  });
  const limited = await serviceUnderTest({}, { keep: true, settings: settings({ mostOfDay: 1 }) });
  try {
    server.isAway = true;
    await expect(round(0n, limited)).rejects.toThrow('accepts no mail now');
    server.isAway = false;
    await round(0n, limited);
    expect(recipients()).toEqual(['olga@vault.example']);
  } finally {
    await limited.close();
  }
});

test('a slow mail server gets no mails that were written long ago: the next round looks again', async () => {
  await opened();
  const mailerOf = jest.spyOn(mailers, 'mailerOf');
  const clock = jest.spyOn(performance, 'now');
  mailerOf.mockImplementationOnce(() =>
    Promise.resolve({
      check: () => Promise.resolve(),
      send: () => {
        clock.mockReturnValue(1e15);
        return Promise.resolve('sent');
      },
    }),
  );
  try {
    await round();
  } finally {
    clock.mockRestore();
    mailerOf.mockRestore();
  }
  expect(await states()).toEqual(['sent']);
  await round();
  expect(recipients()).toHaveLength(2);
});

test('what is stored of mails names nobody, and goes after a day', async () => {
  await opened();
  await round();
  const stored = JSON.stringify(await notes());
  expect(stored).not.toMatch(/mia|olga|fay|vault/);
  await erased('mia');
  await round(1n);
  expect(server.mails.slice(3).flatMap(({ to }) => to)).not.toContain('mia@vault.example');
  await round(2n);
  const days = (await notes()).map(({ note }) => (note as Body).day);
  expect(new Set(days).size).toBe(2);
});
