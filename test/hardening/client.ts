import { Agent, request } from 'node:http';

import type { ServiceProcess } from '../connectors/service-process';

/** A request as it goes over the wire. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer as text, and read as JSON; `null` where it is none. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** A connection to the service that is kept. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly service: Pick<ServiceProcess, 'address' | 'apiKey'>) {}

  send({ method, path, headers = {}, body }: Sent): Promise<Answer> {
    const { address, apiKey } = this.service;
    return new Promise((resolve, reject) => {
      const sent = request(
        `${address}${path}`,
        {
          method,
          agent: this.agent,
          headers: {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/json',
            ...headers,
          },
        },
        (answer) => {
          const pieces: Buffer[] = [];
          answer.on('data', (piece: Buffer) => pieces.push(piece));
          answer.once('error', reject);
          answer.once('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              contentType: answer.headers['content-type'] ?? '',
              ...read(Buffer.concat(pieces).toString('utf8')),
            }),
          );
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

const read = (text: string): Pick<Answer, 'text' | 'body'> => {
  try {
    return { text, body: JSON.parse(text) as Answer['body'] };
  } catch {
    return { text, body: null };
  }
};

/** The codes of the problems that an answer lists, and its own. SCIM has names of its own for them. */
export const codesOf = ({ body }: Answer): readonly string[] => {
  if (typeof body?.scimType === 'string') return [body.scimType];
  if (typeof body?.code !== 'string') return [];
  const details = body.details as readonly {
    readonly field_violations?: readonly { readonly code: string }[];
  }[];
  return [
    body.code,
    ...new Set(
      details.flatMap(({ field_violations = [] }) => field_violations.map(({ code }) => code)),
    ),
  ];
};
