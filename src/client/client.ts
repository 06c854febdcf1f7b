import { setTimeout as sleep } from 'node:timers/promises';

import { backOff } from 'exponential-backoff';
import type * as t from 'io-ts';

import type { AnyCodec } from '../codec/codec';
import type { ErrorAnswer } from '../contract/answers/error';
import { type IdsOf, pathOf } from '../contract/parameters/path-of';
import { withoutTrailing } from '../model/trailing';

/** The address of the service, and the key with which to sign in. */
export interface ClientOptions {
  /** Such as `https://grantgraph.example.org`. */
  readonly url: string;
  readonly key: string;
  /** How often a request is sent at most while the service is busy or unreachable; 5 if unset. */
  readonly attempts?: number;
}

/** Parameters of a query string. A list repeats its name. What is undefined is left out. */
export type QueryParameters = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/**
 * The service, or a proxy before it, is busy or unreachable, so the client sends the request again.
 * It does not send a request again after a 409, because then the data source is busy or a person
 * must decide. The caller handles that.
 */
const BUSY: readonly number[] = [429, 502, 503, 504];

/** The service refused a request (docs/connectors.md: When a push is refused). */
export class RefusedRequest extends Error {
  constructor(
    readonly status: number,
    /** What the service answered; `null` if something else answered, such as a proxy. */
    readonly answer: ErrorAnswer | null,
    /** After how many seconds the service wants to receive the request again. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(answer?.message ?? `The service answered with the status ${status}.`);
  }

  /** All problems, as far as the service lists them. */
  get problems(): ErrorAnswer['details'][number]['field_violations'] {
    return this.answer?.details.flatMap(({ field_violations }) => field_violations) ?? [];
  }

  /** Whether the same request may succeed later. */
  get mayPass(): boolean {
    return this.status === 409 || BUSY.includes(this.status);
  }
}

/** Nothing answers at the address of the service. */
export class Unreachable extends Error {}

const ATTEMPTS = 5;
const LONGEST_WAIT_SECONDS = 60;
const searchOf = (parameters: QueryParameters): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const values = Array.isArray(value) ? (value as readonly string[]) : [value];
    for (const one of values) search.append(name, String(one));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

const refusalOf = async (answer: Response): Promise<RefusedRequest> => {
  const json = jsonOf(await answer.text());
  const isOurs = typeof json === 'object' && json !== null && 'request_id' in json;
  const seconds = Number(answer.headers.get('retry-after') ?? NaN);
  return new RefusedRequest(
    answer.status,
    isOurs ? (json as ErrorAnswer) : null,
    Number.isFinite(seconds) ? seconds : null,
  );
};

/** A page of a list. */
export interface PageOf<A> {
  readonly values: readonly A[];
  readonly has_more: boolean;
  readonly next_page_token: string;
}

/** What the client needs of an endpoint as features declare it. */
export interface Called {
  readonly method: string;
  readonly path: string;
  readonly answer: AnyCodec;
}

/** A body to send. JSON leaves out what is undefined. */
type Sendable<B> = {
  readonly [F in keyof B]: object extends Pick<B, F> ? B[F] | undefined : B[F];
};

/** The body that an endpoint accepts. */
type BodyOf<E> = E extends { readonly body: readonly (infer C extends AnyCodec)[] }
  ? Sendable<t.TypeOf<C>>
  : never;

/** An entry of the list that an endpoint answers. */
type EntryOf<E extends Called> =
  t.TypeOf<E['answer']> extends { readonly values: readonly (infer A)[] } ? A : never;

/**
 * Calls the service over HTTP. It sends requests again while the service is busy or unreachable.
 */
export class Client {
  private readonly base: string;

  constructor(private readonly options: ClientOptions) {
    this.base = withoutTrailing(options.url, '/');
  }

  /** Calls an endpoint. Its declaration says which ids and body it needs, and what it answers. */
  call<E extends Called>(
    endpoint: E,
    ids: IdsOf<E['path']>,
    request: {
      readonly parameters?: QueryParameters;
      readonly headers?: Record<string, string>;
      readonly body?: BodyOf<E>;
    } = {},
  ): Promise<t.TypeOf<E['answer']>> {
    const { body, ...more } = request;
    return this.send(endpoint.method.toUpperCase(), pathOf(endpoint, ids), {
      ...more,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** All entries of a list that an endpoint answers, page by page. */
  entries<E extends Called>(
    endpoint: E,
    ids: IdsOf<E['path']>,
    parameters: QueryParameters = {},
  ): AsyncGenerator<EntryOf<E>> {
    return this.list(pathOf(endpoint, ids), parameters);
  }

  /** All pages of a list that an endpoint answers. */
  pagesOf<E extends Called>(
    endpoint: E,
    ids: IdsOf<E['path']>,
    parameters: QueryParameters = {},
  ): AsyncGenerator<t.TypeOf<E['answer']> & PageOf<EntryOf<E>>> {
    return this.pages(pathOf(endpoint, ids), parameters);
  }

  get<A>(path: string, parameters: QueryParameters = {}): Promise<A> {
    return this.send('GET', path, { parameters });
  }

  /** A push that is sent twice is `unchanged` the second time, so POST is retried too. */
  post<A>(
    path: string,
    body: object = {},
    more: { readonly parameters?: QueryParameters; readonly headers?: Record<string, string> } = {},
  ): Promise<A> {
    return this.send('POST', path, { ...more, body: JSON.stringify(body) });
  }

  put<A>(path: string, body: object): Promise<A> {
    return this.send('PUT', path, { body: JSON.stringify(body) });
  }

  delete<A>(path: string, headers: Record<string, string> = {}): Promise<A> {
    return this.send('DELETE', path, { headers });
  }

  /** All entries of a list, page by page. */
  async *list<A>(path: string, parameters: QueryParameters = {}): AsyncGenerator<A> {
    for await (const { values } of this.pages<PageOf<A>>(path, parameters)) yield* values;
  }

  /** All pages of a list. */
  async *pages<P extends PageOf<unknown>>(
    path: string,
    parameters: QueryParameters = {},
  ): AsyncGenerator<P> {
    let token = '';
    do {
      const page: P = await this.get<P>(path, {
        ...parameters,
        page_token: token === '' ? undefined : token,
      });
      yield page;
      token = page.has_more ? page.next_page_token : '';
    } while (token !== '');
  }

  /** Opens an answer that never ends, such as the live events. */
  async open(path: string, headers: Record<string, string>): Promise<Response> {
    const answer = await this.fetch('GET', path, { headers });
    if (!answer.ok) throw await refusalOf(answer);
    return answer;
  }

  private send<A>(
    method: string,
    path: string,
    request: {
      readonly parameters?: QueryParameters;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    },
  ): Promise<A> {
    const once = async (): Promise<A> => {
      const answer = await this.fetch(method, path + searchOf(request.parameters ?? {}), request);
      if (!answer.ok) throw await refusalOf(answer);
      return (await answer.json()) as A;
    };
    return backOff(once, {
      numOfAttempts: this.options.attempts ?? ATTEMPTS,
      startingDelay: 500,
      jitter: 'full',
      retry: async (error: unknown) => {
        if (error instanceof Unreachable) return true;
        if (!(error instanceof RefusedRequest) || !BUSY.includes(error.status)) return false;
        const seconds = Math.min(error.retryAfterSeconds ?? 0, LONGEST_WAIT_SECONDS);
        await sleep(seconds * 1000);
        return true;
      },
    });
  }

  private async fetch(
    method: string,
    path: string,
    { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body?: string },
  ): Promise<Response> {
    try {
      return await fetch(`${this.base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.options.key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Unreachable(`Nobody answers at ${this.base}: ${why}`, { cause: error });
    }
  }
}
