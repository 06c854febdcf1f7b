import { cp, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';

import { generate } from 'selfsigned';

import {
  CertificateFailure,
  certificateSource,
  type CertificateSource,
} from '../../src/web/listening/certificate';
import { listen } from '../../src/web/listening/listen';
import { type LoggedLine, memoryLog } from './memory-log';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-tls-'));
});
afterEach(() => rm(folder, { recursive: true }));

const source = async (
  tls: { mode?: 'self-signed'; certFile?: string; keyFile?: string },
  logged: LoggedLine[] = [],
): Promise<CertificateSource | null> =>
  certificateSource(
    {
      tls: { mode: tls.mode, certFile: tls.certFile, keyFile: tls.keyFile },
      data: { folder },
    },
    0.05,
    memoryLog(logged),
  );

const certFile = (): string => join(folder, 'cert.pem');
const keyFile = (): string => join(folder, 'key.pem');

const put = async (file: string, text: string): Promise<void> => {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
};

const pair = async (name: string): Promise<{ cert: string; private: string }> =>
  generate([{ name: 'commonName', value: name }], { keyType: 'ec', algorithm: 'sha256' });

/** Asks over a new connection; gives the answer and the name on the certificate. */
const ask = (address: string, ca?: string): Promise<{ text: string; name: unknown }> =>
  new Promise((resolve, reject) => {
    const trust = ca === undefined ? { rejectUnauthorized: false } : { ca };
    get(address, { agent: false, ...trust }, (res) => {
      const { CN: name } = (res.socket as TLSSocket).getPeerCertificate().subject;
      let text = '';
      res.on('data', (chunk) => (text += String(chunk)));
      res.on('end', () => resolve({ text, name }));
    }).on('error', reject);
  });

const serve = (certificate: CertificateSource | null) =>
  listen(
    (_req, res) => res.end('fine'),
    {
      host: '127.0.0.1',
      port: 0,
      requestSeconds: 5,
      connections: 100,
      addressConnections: 100,
      certificate,
    },
    memoryLog([]),
  );

test('a self-signed certificate covers localhost and 127.0.0.1, and is kept', async () => {
  const first = await source({ mode: 'self-signed' });
  const listening = await serve(first);
  const ca = await readFile(join(folder, 'tls-certificate.pem'), 'utf8');
  const { port } = new URL(listening.address);
  expect(listening.address).toBe(`https://127.0.0.1:${port}`);
  expect((await ask(listening.address, ca)).text).toBe('fine');
  expect((await ask(`https://localhost:${port}`, ca)).text).toBe('fine');
  await expect(ask(`https://127.0.0.2:${port}`, ca)).rejects.toThrow();
  await listening.close();

  expect((await source({ mode: 'self-signed' }))?.first).toEqual(first?.first);
  expect((await stat(join(folder, 'tls-self-signed.pem'))).mode & 0o777).toBe(0o600);
  expect(ca).not.toContain('PRIVATE');
});

test('a certificate that changes is taken, a wrong one is not', async () => {
  const logged: LoggedLine[] = [];
  const [one, two] = [await pair('one'), await pair('two')];
  await put(certFile(), one.cert);
  await put(keyFile(), one.private);
  const listening = await serve(await source({ certFile: certFile(), keyFile: keyFile() }, logged));
  const untilNamed = async (name: string): Promise<void> => {
    while ((await ask(listening.address)).name !== name);
  };
  await untilNamed('one');
  // For a moment the certificate is newer than its key.
  await put(certFile(), two.cert);
  while (!logged.some(({ message }) => message === 'the certificate stays as it was')) {
    await sleep(20);
  }
  await untilNamed('one');
  await put(keyFile(), two.private);
  await untilNamed('two');
  await listening.close();
});

test.each([
  ['no certificate file', async () => rm(certFile()), 'TLS_CERT names a file that is not there'],
  ['no key file', async () => rm(keyFile()), 'TLS_KEY names a file that is not there'],
  [
    'no certificate in it',
    async () => writeFile(certFile(), 'x'),
    'TLS_CERT must name a certificate in PEM',
  ],
  [
    'no key in it',
    async () => cp(certFile(), keyFile()),
    'TLS_KEY must name a private key in PEM, without a passphrase',
  ],
  [
    'a key of another certificate',
    async () => writeFile(keyFile(), (await pair('other')).private),
    'TLS_KEY names a key of another certificate than TLS_CERT',
  ],
])('%s stops the start', async (_what, spoil, message) => {
  const one = await pair('one');
  await put(certFile(), one.cert);
  await put(keyFile(), one.private);
  await spoil();
  const failure = source({ certFile: certFile(), keyFile: keyFile() });
  await expect(failure).rejects.toThrow(CertificateFailure);
  await expect(failure).rejects.toThrow(`Wrong settings:\n  ${message}`);
});

test('without settings there is no certificate', async () => {
  expect(await source({})).toBeNull();
});
