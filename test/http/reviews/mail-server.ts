import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Its headers and its text, as sent. */
  readonly data: string;
}

/** What a server does with a mail: accepts it, refuses its recipient, or is away after it. */
export type Behaviour = 'accept' | 'refuse' | 'later' | 'leave';

/** A mail server in the test. */
export interface MailServer {
  readonly port: number;
  /** The mails, in the order in which they came. */
  readonly mails: ReceivedMail[];
  /** What it does with the mails to an address. */
  readonly behaviour: Map<string, Behaviour>;
  /** Whether it greets with a refusal. */
  isAway: boolean;
  readonly close: () => Promise<void>;
}

const ADDRESS = /<([^>]*)>/;

const serve = (socket: Socket, server: MailServer): void => {
  let [from, to, data] = ['', [] as string[], null as string | null];
  let rest = '';
  const say = (line: string): boolean => socket.write(`${line}\r\n`);
  const behaves = (): Behaviour => server.behaviour.get(to[0] ?? '') ?? 'accept';
  const answers: Readonly<Record<string, (line: string) => void>> = {
    EHLO: () => say('250 mail.example'),
    MAIL: (line) => {
      [from, to] = [ADDRESS.exec(line)?.[1] ?? '', []];
      say('250 ok');
    },
    RCPT: (line) => {
      to.push(ADDRESS.exec(line)?.[1] ?? '');
      const said = { refuse: '550 no', later: '451 not now', accept: '250 ok', leave: '250 ok' };
      say(said[behaves()]);
    },
    DATA: () => {
      data = '';
      say('354 go on');
    },
    RSET: () => say('250 ok'),
    QUIT: () => {
      say('221 bye');
      socket.end();
    },
  };
  const read = (line: string): void => {
    if (data === null) {
      const answer = answers[line.slice(0, 4).toUpperCase()];
      if (answer === undefined) say('502 unknown');
      else answer(line);
    } else if (line === '.') {
      server.mails.push({ from, to, data });
      data = null;
      if (behaves() === 'leave') socket.destroy();
      else say('250 accepted');
    } else {
      data += `${line.replace(/^\./, '')}\r\n`;
    }
  };
  socket.on('error', () => undefined);
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\r\n');
    rest = lines.pop() ?? '';
    lines.forEach(read);
  });
  if (server.isAway) socket.end('421 away\r\n');
  else say('220 mail.example');
};

/** Starts a mail server on this machine. */
export const startMailServer = async (): Promise<MailServer> => {
  const listening = createServer((socket) => {
    serve(socket, server);
  });
  await new Promise<void>((resolve) => {
    listening.listen(0, '127.0.0.1', resolve);
  });
  const server: MailServer = {
    port: (listening.address() as AddressInfo).port,
    mails: [],
    behaviour: new Map(),
    isAway: false,
    close: () =>
      new Promise((resolve) => {
        listening.close(() => {
          resolve();
        });
      }),
  };
  return server;
};

const unquoted = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();

/** The headers of a mail, and its text. */
export const partsOf = ({ data }: Pick<ReceivedMail, 'data'>) => {
  const end = data.indexOf('\r\n\r\n');
  const headers = new Map(
    data
      .slice(0, end)
      .replace(/\r\n[ \t]/g, ' ')
      .split('\r\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  );
  const body = data.slice(end + 4);
  const encoding = headers.get('content-transfer-encoding') ?? '7bit';
  const text =
    encoding === 'quoted-printable'
      ? unquoted(body)
      : encoding === 'base64'
        ? Buffer.from(body, 'base64').toString()
        : body;
  return { headers, text: text.replace(/\r\n/g, '\n') };
};
