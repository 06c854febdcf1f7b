import { setTimeout as sleep } from 'node:timers/promises';

/** A request that the service refused. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: readonly unknown[],
  ) {
    super(message);
  }

  /** Whether the name is in use already. */
  get isNameTaken(): boolean {
    return JSON.stringify(this.details).includes('"NAME_TAKEN"');
  }
}

/** The answer to a push (docs/rules.md: Requests). */
export interface PushAnswer {
  readonly warnings: readonly { readonly message: string }[];
  readonly unchanged: boolean;
  readonly put: { readonly nodes: number; readonly relationships: number };
  readonly removed: { readonly nodes: number; readonly relationships: number };
}

/** The three endpoints that every connector calls. */
export interface Connector {
  registerProvider(name: string, template: string): Promise<string>;
  createDataSource(provider: string, name: string): Promise<string>;
  push(provider: string, dataSource: string, payload: string): Promise<PushAnswer>;
}

const PROVIDERS = '/api/v1/providers/custom';

/** A connector to the service at this address. */
export const connector = (address: string, apiKey: string): Connector => {
  const post = async <A>(path: string, body: object): Promise<A> => {
    const response = await fetch(`${address}${PROVIDERS}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as A & { message?: string; details?: unknown[] };
    if (response.ok) return answer;
    throw new Refused(response.status, answer.message ?? response.statusText, answer.details ?? []);
  };
  const idOf = ({ value }: { value: { id: string } }): string => value.id;

  return {
    registerProvider: async (name, custom_template) =>
      idOf(await post('', { name, custom_template })),
    createDataSource: async (id, name) => idOf(await post(`/${id}/datasources`, { id, name })),
    push: (id, data_source_id, json_data) =>
      post(`/${id}/datasources/${data_source_id}:push`, { id, data_source_id, json_data }),
  };
};

const PAUSE_MS = 500;

/**
 * Waits until the service is ready for pushes. A Neo4j that the service did not start may be ready
 * later than the service.
 */
export const awaitReady = async (address: string, seconds: number): Promise<void> => {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const response = await fetch(`${address}/readyz`);
    const answer = (await response.json()) as { message?: string };
    if (response.ok) return;
    if (performance.now() > end) {
      throw new Refused(response.status, answer.message ?? response.statusText, []);
    }
    await sleep(PAUSE_MS);
  }
};
