import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import fc from 'fast-check';

import { reviews } from '../../src/features/reviews/feature';
import { type Digest, headsOf, letterOf } from '../../src/features/reviews/mail/digest';
import { mailerOf } from '../../src/features/reviews/mail/mailer';
import type { Review } from '../../src/features/reviews/records';
import { isMailAddress } from '../../src/features/reviews/mail/addresses';
import type { Context } from '../../src/context';
import { testConfig } from '../support/test-config';
import type { SomeSettings } from '../support/test-config';

/* What a mail about reviews says, and when there is none (docs/reviews.md: Mail). */

const workOf = (settings: SomeSettings): readonly string[] =>
  (reviews.rounds?.({ config: testConfig(settings) } as Context) ?? []).map(({ name }) => name);

test('without a mail server nobody looks for whom a mail is due', () => {
  expect(workOf({})).not.toContain('mails about reviews');
  expect(workOf({ mail: { serverFile: 'server' } })).toContain('mails about reviews');
});

const digestOf = (names: readonly string[]): Digest => {
  const reviewing = names.map((name, at) => ({
    review: { id: String(at), name, due: '2099-01-01T00:00:00Z', state: 'open' } as Review,
    head: { review: String(at), entries: at, hash: 'f'.repeat(64) },
    pending: 3,
    isPast: false,
  }));
  return { reviewing, owning: [] };
};

test('whatever reviews are called, a mail has one line for each of the first 20, and few bytes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 500 }), { minLength: 1, maxLength: 50 }),
      (names) => {
        const digest = digestOf(names);
        const { subject, text } = letterOf(digest, 'https://graph.example', 'SIGNED');
        const lines = text.split('\n');
        const listed = lines.slice(lines.indexOf('You review:') + 1, lines.indexOf('', 3));
        const more = names.length > 20 ? 1 : 0;
        expect(listed).toHaveLength(2 * Math.min(names.length, 20) + more);
        expect(listed.filter((line) => line.startsWith('- '))).toHaveLength(
          Math.min(names.length, 20) + more,
        );
        expect(text).not.toMatch(/[^\P{Cc}\n]/u);
        expect(headsOf(digest)).toHaveLength(Math.min(names.length, 20));
        expect(subject).toBe(`Access reviews: ${names.length * 3} pending items`);
        expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024);
      },
    ),
  );
});

test.each([
  ['ann@vault.example', true],
  ["o'neil+x@vault.example", true],
  ['ann', false],
  ['ann@vault.example,ben@vault.example', false],
  ['Ann <ann@vault.example>', false],
  ['ann@vault.example\r\nBcc: x@y.example', false],
  ['ann@vault.example\n', false],
  ['"a b"@vault.example', false],
  ['ann@[127.0.0.1]', false],
  ['änn@vault.example', false],
  [`${'a'.repeat(65)}@vault.example`, false],
  [`ann@${'a'.repeat(260)}`, false],
])('%j as the address of one mailbox: %s', (text, expected) => {
  expect(isMailAddress(text)).toBe(expected);
});

test('a mail server that goes on answering holds up no round, and a mail ends its connection', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined).write('220 mail.example\r\n');
    const more = setInterval(() => socket.write('250-more\r\n'), 5);
    socket.once('close', () => {
      clearInterval(more);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = { server: { host: '127.0.0.1', port, isEncrypted: false, auth: null } };
  const { mail } = testConfig({ mail: { ...settings, from: 'grantgraph@graph.example' } });
  const { check, send } = await mailerOf(mail, 200);
  await expect(check()).rejects.toThrow('The mail server accepts no mail now (ETIMEDOUT).');
  expect(await send('ann@vault.example', { subject: 's', text: 't' })).toBe('unknown');
  const [first, last] = sockets;
  await new Promise((resolve) => {
    if (last?.destroyed === true) resolve(null);
    else last?.once('close', resolve);
  });
  first?.destroy();
  await new Promise((resolve) => server.close(resolve));
});
