import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { ServiceProcess } from './service-process';

const compress = promisify(gzip);

/** A registered data source. */
export interface DataSource {
  readonly provider: string;
  readonly id: string;
}

/** A push that is ready to be sent. */
export interface PreparedPush {
  readonly source: DataSource;
  readonly body: Buffer;
  readonly isGzipped: boolean;
  /** The size of the payload itself. */
  readonly payloadBytes: number;
}

/** The state of a data source, as the service answers it. */
export interface DataSourceState {
  readonly status: string;
  readonly pending: { readonly total: number; readonly done: number } | null;
}

/** The answer to a push. `seconds` counts from the first byte sent to the last byte received. */
export interface PushAnswer {
  readonly push: string;
  readonly isUnchanged: boolean;
  readonly warnings: number;
  readonly digest: string;
  readonly seconds: number;
}

const PROVIDERS = '/api/v1/providers/custom';
/** How often it looks whether a deletion has ended. */
const LOOK_MS = 50;

/** A connector. It compresses its pushes unless told otherwise. */
export class Connector {
  private readonly address: string;
  private readonly headers: Readonly<Record<string, string>>;

  constructor({ address, apiKey }: ServiceProcess) {
    this.address = address;
    this.headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  }

  /** Registers a provider with this template, and creates a data source under it. */
  async register(name: string, custom_template: string): Promise<DataSource> {
    const provider = await this.created('', { name, custom_template });
    const id = await this.created(`/${provider}/datasources`, { id: provider, name: 'bench' });
    return { provider, id };
  }

  /**
   * Finds the data source of the provider with this name, and whether it has accepted a push;
   * `null` if there is none.
   */
  async find(
    name: string,
  ): Promise<{ readonly source: DataSource; readonly isFilled: boolean } | null> {
    const filter = encodeURIComponent(`name eq "${name}"`);
    const [provider] = await this.listed(`?filter=${filter}`);
    if (provider === undefined) return null;
    const [dataSource] = await this.listed(`/${provider.id}/datasources`);
    if (dataSource === undefined) return null;
    return {
      source: { provider: provider.id, id: dataSource.id },
      isFilled: dataSource.status === 'SUCCESS',
    };
  }

  /** The state of a data source, and the progress of its chunked push. */
  async state({ provider, id }: DataSource): Promise<DataSourceState> {
    return (await this.get<{ value: DataSourceState }>(`/${provider}/datasources/${id}`)).value;
  }

  /** Deletes the provider of a data source, and waits until it is gone. */
  async remove({ provider }: DataSource): Promise<void> {
    const address = `${this.address}${PROVIDERS}/${provider}`;
    for (let method = 'DELETE'; ; method = 'GET') {
      const response = await fetch(address, { method, headers: this.headers });
      const text = await response.text();
      if (response.status === 404) return;
      if (!response.ok) throw new Error(`The service answered ${response.status}: ${text}`);
      if (method === 'GET') await sleep(LOOK_MS);
    }
  }

  /** The number of findings of a verification. */
  async verify({ provider, id }: DataSource): Promise<number> {
    const answer = await this.post<{ findings: { total: number } }>(
      `/${provider}/datasources/${id}:verify`,
      '',
    );
    return answer.findings.total;
  }

  /** Prepares a push, so that the time of `push` is that of the request alone. */
  async prepare(source: DataSource, payload: object, isGzipped = true): Promise<PreparedPush> {
    return this.prepareText(source, JSON.stringify(payload), isGzipped);
  }

  /** Prepares a push of a payload's text. */
  async prepareText(source: DataSource, json: string, isGzipped = true): Promise<PreparedPush> {
    const envelope = { id: source.provider, data_source_id: source.id, json_data: json };
    return {
      source,
      body: isGzipped
        ? await compress(JSON.stringify(envelope))
        : Buffer.from(JSON.stringify(envelope)),
      isGzipped,
      payloadBytes: Buffer.byteLength(json),
    };
  }

  /** Pushes, and waits for the answer. */
  async push({ source, body, isGzipped }: PreparedPush): Promise<PushAnswer> {
    const start = performance.now();
    const answer = await this.post<{
      push_id: string;
      unchanged: boolean;
      warnings: readonly unknown[];
      digest: string;
    }>(
      `/${source.provider}/datasources/${source.id}:push`,
      body,
      isGzipped ? { 'content-encoding': 'gzip' } : {},
    );
    const seconds = (performance.now() - start) / 1000;
    return {
      push: answer.push_id,
      isUnchanged: answer.unchanged,
      warnings: answer.warnings.length,
      digest: answer.digest,
      seconds,
    };
  }

  /** Pushes, and resolves with the status of the answer. */
  async statusOf({ source, body, isGzipped }: PreparedPush): Promise<number> {
    const response = await fetch(
      `${this.address}${PROVIDERS}/${source.provider}/datasources/${source.id}:push`,
      {
        method: 'POST',
        headers: { ...this.headers, ...(isGzipped ? { 'content-encoding': 'gzip' } : {}) },
        body: new Uint8Array(body),
      },
    );
    await response.arrayBuffer();
    return response.status;
  }

  private async created(path: string, request: object): Promise<string> {
    const answer = await this.post<{ value: { id: string } }>(path, JSON.stringify(request));
    return answer.value.id;
  }

  private async listed(path: string): Promise<{ id: string; status: string }[]> {
    return (await this.get<{ values: { id: string; status: string }[] }>(path)).values;
  }

  private async get<A>(path: string): Promise<A> {
    const response = await fetch(`${this.address}${PROVIDERS}${path}`, { headers: this.headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`The service answered ${response.status}: ${text}`);
    return JSON.parse(text) as A;
  }

  private async post<A>(
    path: string,
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<A> {
    const response = await fetch(`${this.address}${PROVIDERS}${path}`, {
      method: 'POST',
      headers: { ...this.headers, ...headers },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The service answered ${response.status}: ${text}`);
    return JSON.parse(text) as A;
  }
}
