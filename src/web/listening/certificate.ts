import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { generate } from 'selfsigned';

import type { Config } from '../../config';
import { hasCode } from '../../error-code';
import type { Log } from '../../log';
import { storedText } from '../../secrets/stored-secret';

/** A certificate with its chain, and its private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The certificate of a running service; its files may be replaced while the service runs. */
export interface CertificateSource {
  readonly first: Certificate;
  /** Calls back with each renewed certificate; the returned function stops the watch. */
  readonly watch: (renewed: (certificate: Certificate) => void) => () => void;
}

/** The certificate cannot be used; the message says which setting is wrong. */
export class CertificateFailure extends Error {}

const DAY_MS = 24 * 60 * 60 * 1000;
// Some clients refuse a certificate that is valid for longer.
const VALID_DAYS = 397;
const RENEWED_BEFORE_DAYS = 7;
const SELF_SIGNED = 'tls-self-signed.pem';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]+-----END CERTIFICATE-----/;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]+-----END [A-Z ]*PRIVATE KEY-----/;

const makeSelfSigned = async (): Promise<string> => {
  const now = Date.now();
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // The clocks of clients may be slow.
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + (VALID_DAYS - 1) * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return `${key.trim()}\n${cert.trim()}`;
};

const isWorn = (cert: string): boolean =>
  Date.parse(new X509Certificate(cert).validTo) < Date.now() + RENEWED_BEFORE_DAYS * DAY_MS;

const ownCertificate = async (folder: string): Promise<Certificate> => {
  const file = join(folder, SELF_SIGNED);
  const pem = await storedText(folder, SELF_SIGNED, makeSelfSigned);
  const cert = CERTIFICATE.exec(pem)?.[0];
  const key = PRIVATE_KEY.exec(pem)?.[0];
  if (cert === undefined || key === undefined) {
    throw new CertificateFailure(
      `${file} is not as it was made: remove it, and a new one is made.`,
    );
  }
  if (isWorn(cert)) {
    await rm(file, { force: true });
    return ownCertificate(folder);
  }
  // This file leaves out the private key, because clients need only the certificate.
  await writeFile(join(folder, 'tls-certificate.pem'), `${cert}\n`);
  return { cert, key };
};

const reasonOf = (error: unknown): string => {
  if (hasCode(error, 'ENOENT')) return 'names a file that is not there';
  if (hasCode(error, 'EACCES', 'EPERM')) return 'names a file that this user may not read';
  if (hasCode(error, 'EISDIR')) return 'names a folder';
  return 'cannot be read';
};

const wrong = (variable: string, message: string): CertificateFailure =>
  new CertificateFailure(`Wrong settings:\n  ${variable} ${message}`);

const readSetting = async (variable: string, file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw wrong(variable, reasonOf(error));
  }
};

const parsed = <A>(variable: string, expected: string, parse: () => A): A => {
  try {
    return parse();
  } catch {
    throw wrong(variable, `must name ${expected}`);
  }
};

/** Reads a certificate and its key, and checks that they belong together. */
const readPair = async (certFile: string, keyFile: string): Promise<Certificate> => {
  const cert = await readSetting('TLS_CERT', certFile);
  const key = await readSetting('TLS_KEY', keyFile);
  const certificate = parsed('TLS_CERT', 'a certificate in PEM', () => new X509Certificate(cert));
  const privateKey = parsed('TLS_KEY', 'a private key in PEM, without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw wrong('TLS_KEY', 'names a key of another certificate than TLS_CERT');
  }
  return { cert, key };
};

/**
 * The certificate that the settings name; `null` for plain http. Rejects with a CertificateFailure.
 */
export const certificateSource = async (
  { tls: { mode, certFile, keyFile }, data }: Pick<Config, 'tls' | 'data'>,
  everySeconds: number,
  log: Log,
): Promise<CertificateSource | null> => {
  if (mode === 'self-signed') {
    return { first: await ownCertificate(data.folder), watch: () => () => undefined };
  }
  if (certFile === undefined || keyFile === undefined) return null;
  const first = await readPair(certFile, keyFile);
  return {
    first,
    watch: (renewed) => {
      let current = first;
      let reported = '';
      const look = async (): Promise<void> => {
        try {
          const found = await readPair(certFile, keyFile);
          reported = '';
          if (found.cert === current.cert && found.key === current.key) return;
          current = found;
          renewed(found);
          log.info('the certificate is renewed');
        } catch (error) {
          // Somebody replaces one file after the other, so for a moment they may not belong
          // together.
          const message = error instanceof Error ? error.message : String(error);
          if (message !== reported)
            log.warn('the certificate stays as it was', { reason: message });
          reported = message;
        }
      };
      const timer = setInterval(() => void look(), everySeconds * 1000);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
};
