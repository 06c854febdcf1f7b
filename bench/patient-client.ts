import { request } from 'node:http';
import { text } from 'node:stream/consumers';

import type { DataSource } from './connector';

/** An answer of the service. */
export interface Answer {
  /** `null` if the connection broke before an answer came. */
  readonly status: number | null;
  readonly text: string;
  readonly seconds: number;
}

/** A client that waits for each answer as long as it takes, and reads it whatever its status. */
export class PatientClient {
  constructor(
    private readonly address: string,
    private readonly apiKey: string,
  ) {}

  /** Pushes a payload in one request. */
  push(source: DataSource, body: Buffer): Promise<Answer> {
    return this.post(`${pathOf(source)}:push`, body);
  }

  /**
   * Pushes a payload as a multipart upload with parts of this size. Stops at the first answer that
   * is no success.
   */
  async pushParts(source: DataSource, json: string, partBytes: number): Promise<Answer> {
    const begun = performance.now();
    const post = (asked: object): Promise<Answer> =>
      this.post(`${pathOf(source)}:parts`, Buffer.from(JSON.stringify(asked)));
    const inAll = (answer: Answer): Answer => ({
      ...answer,
      seconds: (performance.now() - begun) / 1000,
    });
    const started = await post({ operation: 'start' });
    if (started.status !== 200) return inAll(started);
    const { upload_id } = JSON.parse(started.text) as { upload_id: string };
    const bytes = Buffer.from(json);
    let count = 0;
    for (let at = 0; at < bytes.length; at += partBytes) {
      count += 1;
      const data = bytes.subarray(at, at + partBytes).toString('base64');
      const kept = await post({ operation: 'upload', upload_id, sequence_number: count, data });
      if (kept.status !== 200) return inAll(kept);
    }
    return inAll(await post({ operation: 'complete', upload_id, sequence_count: count }));
  }

  /** Creates a team key, and gives a client that uses it. */
  async teamKey(name: string): Promise<PatientClient> {
    const asked = { name, scopes: ['push'], providers: [] };
    const answer = await this.post('/api/preview/teamkeys', Buffer.from(JSON.stringify(asked)));
    const { value } = JSON.parse(answer.text) as { value: { access_key: string } };
    return new PatientClient(this.address, value.access_key);
  }

  private post(path: string, body: Buffer): Promise<Answer> {
    const begun = performance.now();
    const answered = (status: number | null, said: string): Answer => ({
      status,
      text: said,
      seconds: (performance.now() - begun) / 1000,
    });
    return new Promise((resolve) => {
      const broken = (error: Error): void => resolve(answered(null, error.message));
      const headers = {
        authorization: `Bearer ${this.apiKey}`,
        'content-type': 'application/json',
        'content-length': body.length,
      };
      const sent = request(`${this.address}${path}`, { method: 'POST', headers }, (response) => {
        text(response).then((said) => resolve(answered(response.statusCode ?? null, said)), broken);
      });
      sent.on('error', broken);
      sent.end(body);
    });
  }
}

const pathOf = ({ provider, id }: DataSource): string =>
  `/api/v1/providers/custom/${provider}/datasources/${id}`;
