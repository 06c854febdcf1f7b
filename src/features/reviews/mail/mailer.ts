import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

import { createTransport } from 'nodemailer';

import type { Config } from '../../../config';
import { isLoopback } from '../../../settings/addresses';
import { type SmtpServer, smtpServer } from './addresses';
import type { Letter } from './digest';

/** What became of a mail. Nobody knows whether an `unknown` one arrives. */
export type Outcome = 'sent' | 'refused' | 'later' | 'unknown';

/** Sends mails. */
export interface Mailer {
  /** Connects and signs in once. Throws why a mail server accepts nothing now. */
  readonly check: () => Promise<void>;
  readonly send: (to: string, letter: Letter) => Promise<Outcome>;
}

/** The longest silence of a mail server, and the longest time that a check or one mail may need. */
const SILENCE_MS = 20_000;
const LONGEST_MS = 60_000;

/** The server that the settings name, or the file that they name. */
const serverOf = async ({ server, serverFile = '' }: Config['mail']): Promise<SmtpServer> => {
  if (server !== undefined) return server;
  const read = smtpServer((await readFile(serverFile, 'utf8')).trim());
  if (read._tag === 'Right') return read.right;
  throw new Error(`The file of SMTP_URL_FILE must have ${read.left}.`);
};

/** What a server answered, without its words: they may repeat an address or a password. */
const answerIn = (error: unknown): { readonly code: string; readonly status: number | null } => {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return {
    code: typeof code === 'string' ? code : 'unknown',
    status: typeof responseCode === 'number' ? responseCode : null,
  };
};

/** A mail was certainly not accepted only if the server has said so. */
const outcomeOf = (error: unknown): Outcome => {
  const { status } = answerIn(error);
  if (status === null) return 'unknown';
  return status < 500 ? 'later' : 'refused';
};

/**
 * Sends mails by the server of the settings. Without TLS it talks only to this machine (docs/security.md:
 * Access reviews).
 */
export const mailerOf = async (
  mail: Config['mail'],
  longestMs: number = LONGEST_MS,
): Promise<Mailer> => {
  const { host, port, isEncrypted, auth } = await serverOf(mail);
  const isLocal = isLoopback(host);
  const transport = createTransport({
    host,
    port,
    secure: isEncrypted,
    auth: auth ?? undefined,
    requireTLS: !isEncrypted && !isLocal,
    ignoreTLS: !isEncrypted && isLocal,
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
  });
  const send = async (to: string, { subject, text }: Letter): Promise<Outcome> => {
    try {
      await transport.sendMail({
        subject,
        text,
        disableFileAccess: true,
        disableUrlAccess: true,
        // As objects, so that nothing reads the addresses as lists.
        from: { name: '', address: mail.from ?? '' },
        to: { name: '', address: to },
        headers: { 'Auto-Submitted': 'auto-generated' },
        xMailer: false,
        // It ends the connection too.
        signal: AbortSignal.timeout(longestMs),
      });
      return 'sent';
    } catch (error) {
      return outcomeOf(error);
    }
  };
  return {
    check: async () => {
      const refusal = await Promise.race([
        transport.verify().then(() => null, answerIn),
        // A server that goes on answering is never silent.
        pause(longestMs, { code: 'ETIMEDOUT', status: null }, { ref: false }),
      ]);
      if (refusal === null) return;
      const { code, status } = refusal;
      const reply = status === null ? code : `${code}, status ${status}`;
      throw new Error(`The mail server accepts no mail now (${reply}).`);
    },
    send,
  };
};
