import * as E from 'fp-ts/Either';

/** A mail server. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS. */
  readonly isEncrypted: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
}

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** The address of a mail server, with the user and the password if it needs them. */
export const smtpServer = (text: string): E.Either<string, SmtpServer> => {
  const expected =
    'an address such as smtps://mail.example.org or smtp://user:password@mail.example.org:587, percent-encoded';
  if (!/^smtps?:\/\/[^?#\s\\/]+\/?$/.test(text) || !URL.canParse(text)) return E.left(expected);
  const { protocol, hostname, port, username, password } = new URL(text);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const [user, pass] = [decoded(username), decoded(password)];
  if (user === null || pass === null || (user === '') !== (pass === '')) return E.left(expected);
  const isEncrypted = protocol === 'smtps:';
  return E.right({
    host,
    isEncrypted,
    port: port === '' ? (isEncrypted ? 465 : 587) : Number(port),
    auth: user === '' ? null : { user, pass },
  });
};

/** Whether a text is the address of one mailbox, in characters that every mail server accepts. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(text);

/** The address from which mails come. */
export const mailAddress = (text: string): E.Either<string, string> =>
  isMailAddress(text) ? E.right(text) : E.left('an address such as grantgraph@example.org');
