import { fieldOf, isJsonObject, type Json, parseObject, textOf } from '../json';
import type { Profile } from '../profile';
import { ScimFault } from '../scim-fault';
import { holdsMask, withoutSecrets } from './repeated-secrets';
import type { SignIn } from './sign-in';
import type { HttpAnswer, Transport } from './transport';

/** Time and chance, which tests replace. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** A number from 0 to 1. */
  random(): number;
}

/** A request as the service shows it to people: without headers, so without secrets. */
export interface ShownRequest {
  readonly method: string;
  /** The path below the base address. */
  readonly path: string;
  readonly body?: Json;
  /** Whether the request was sent. A dry run sends only requests that read. */
  readonly sent: boolean;
  /** The status of the answer; null if none came. */
  readonly status: number | null;
}

/** The answer of an application. */
export interface Answered {
  readonly status: number;
  /** The object in the body; null if there was none. */
  readonly body: Json | null;
  readonly etag: string | null;
  /** The header `location`, which names what was made. */
  readonly location: string | null;
}

/** How long things may take, and how often they are tried. */
export interface ExchangeLimits {
  readonly requestSeconds: number;
  /** A complete action, with its waits. */
  readonly actionSeconds: number;
  readonly attempts: number;
  /** The longest wait that an application may request. */
  readonly waitSeconds: number;
  /** The most pages of a list. */
  readonly pages: number;
  /** The most resources of a list. */
  readonly resources: number;
  /** About how many bytes of what an application shows one action may hold. */
  readonly heldBytes: number;
}

export const LIMITS: ExchangeLimits = {
  requestSeconds: 30,
  actionSeconds: 120,
  attempts: 4,
  waitSeconds: 30,
  pages: 2000,
  resources: 1_000_000,
  heldBytes: 64 * 1024 ** 2,
};

/** The memory of an entry of a list or map, in addition to the text in it. */
const ENTRY_BYTES = 64;

/** The fields of an account. Each needs about as much memory as an entry of a list. */
const ENTRIES_OF_ACCOUNT = 20;

/** This many requests of an action are recorded; further ones are only counted. */
const MOST_TOLD = 10_000;

/** What an exchange needs. */
export interface ExchangeOptions {
  /** The address below which the endpoints are, without `/` at its end. */
  readonly base: string;
  readonly transport: Transport;
  readonly signIn: SignIn;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly limits: ExchangeLimits;
  readonly isDryRun: boolean;
  /**
   * False for callers that check each text themselves (`Texts`): an import leaves out what repeats
   * a secret.
   */
  readonly hidesSecrets: boolean;
}

const FIRST_WAIT_MS = 250;

/** The seconds of `Retry-After`, which is a number or a date (RFC 9110, 10.2.3). */
const retryAfter = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
};

const MOST_DETAIL = 300;

/** An entity tag as headers can hold it. Servers exist that leave the quotes out. */
const ENTITY_TAG = /^[\x21-\x7e]{1,512}$/;

/**
 * The entity tag of a resource: from the header, or else from `meta.version`; null if it has none.
 */
export const etagOf = (resource: Json, header: string | null): string | null => {
  const meta = fieldOf(resource, 'meta');
  const tag = header ?? (isJsonObject(meta) ? textOf(meta, 'version') : null);
  return tag !== null && ENTITY_TAG.test(tag) ? tag : null;
};

/** One action on an application: its requests in their order, with retries and one deadline. */
export class Exchange {
  readonly profile: Profile;
  readonly limits: ExchangeLimits;
  readonly isDryRun: boolean;
  private readonly shown: ShownRequest[] = [];
  private count = 0;
  private held = 0;
  private readonly deadline: number;
  /** Faults after which a request has been tried often enough. */
  private readonly givenUp = new WeakSet<ScimFault>();
  /** Whether an answer repeated a secret, which was masked. */
  private hasHidden = false;

  constructor(private readonly options: ExchangeOptions) {
    const { profile, limits, isDryRun, clock } = options;
    this.profile = profile;
    this.limits = limits;
    this.isDryRun = isDryRun;
    this.deadline = clock.now() + limits.actionSeconds * 1000;
  }

  /** The requests so far, up to some ten thousand. */
  get requests(): readonly ShownRequest[] {
    return this.shown;
  }

  /** The address below which the endpoints are. */
  get base(): string {
    return this.options.base;
  }

  /** How many requests there were. */
  get requestCount(): number {
    return this.count;
  }

  /**
   * Counts what the action holds of what the application shows, and fails when that is too much. So
   * no application can fill the memory of the service.
   */
  hold(entries: number, letters: number): void {
    this.held += entries * ENTRY_BYTES + letters;
    const { heldBytes } = this.limits;
    if (this.held <= heldBytes) return;
    throw new ScimFault(
      'TOO_LARGE',
      `The application shows more than the ${heldBytes} bytes that the service holds of it at once. Give the service more memory (MEMORY).`,
    );
  }

  /** Counts an account that the action holds. */
  holdAccount(account: object): void {
    this.hold(ENTRIES_OF_ACCOUNT, JSON.stringify(account).length);
  }

  /** Reads an object. Tries again while the application is busy or the connection breaks. */
  async read(path: string): Promise<{ readonly body: Json; readonly etag: string | null }> {
    return this.persist(async () => {
      const { body, etag, status } = await this.send('GET', path);
      if (body !== null) return { body, etag };
      throw new ScimFault('NOT_SCIM', `GET ${path} was answered without an object of JSON.`, {
        status,
      });
    });
  }

  /**
   * Sends a request that changes something. A dry run only notes it and returns null. Nobody knows
   * what a request did that failed on its way. So the service sends a request again only if the
   * application says that it did not carry it out. For other failures the caller looks at the
   * present state (`persist`).
   */
  async write(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: Json,
    etag: string | null = null,
  ): Promise<Answered | null> {
    if (this.hasHidden && body !== undefined && holdsMask(body)) {
      const message = `${method} ${path} would overwrite a value that repeats a secret of the connection.`;
      throw new ScimFault('REPEATS_SECRET', message);
    }
    if (this.isDryRun) {
      this.tell(method, path, body, { sent: false, status: null });
      return null;
    }
    return this.persist(
      () => this.send(method, path, body, etag),
      ({ details }) => details.status === 429,
    );
  }

  /** Does something again while it fails in a way that may pass. */
  async persist<A>(
    work: () => Promise<A>,
    mayTryAgain: (fault: ScimFault) => boolean = ({ mayPass }) => mayPass,
  ): Promise<A> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ScimFault) || !mayTryAgain(error)) throw error;
        // If a request was given up, the surrounding step does not begin it again.
        if (this.givenUp.has(error)) throw error;
        if (attempt >= this.limits.attempts || !(await this.pause(attempt, error))) {
          this.givenUp.add(error);
          throw error;
        }
      }
    }
  }

  /**
   * Waits longer with each attempt, and as long as the application requests. Returns false if that
   * is too long.
   */
  private async pause(attempt: number, fault: ScimFault): Promise<boolean> {
    const asked = fault.details.retryAfterSeconds;
    const { clock, limits } = this.options;
    const own = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + clock.random() / 2);
    const wait = Math.max((asked ?? 0) * 1000, own);
    if (wait > limits.waitSeconds * 1000 || clock.now() + wait > this.deadline) return false;
    await clock.sleep(wait);
    return true;
  }

  /** Waits before something is read once more. */
  async wait(attempt: number): Promise<void> {
    await this.options.clock.sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
  }

  private tell(
    method: string,
    path: string,
    body: Json | undefined,
    more: Pick<ShownRequest, 'sent' | 'status'>,
  ): void {
    this.count += 1;
    if (this.shown.length >= MOST_TOLD) return;
    this.shown.push({ method, path, ...(body === undefined ? {} : { body }), ...more });
  }

  private async send(
    method: string,
    path: string,
    body?: Json,
    etag: string | null = null,
  ): Promise<Answered> {
    const at = this.count;
    this.tell(method, path, body, { sent: true, status: null });
    let answer = await this.sendOnce(method, path, body, etag, false);
    if (answer.status === 401 && this.options.signIn.canRenew) {
      answer = await this.sendOnce(method, path, body, etag, true);
    }
    const { status } = answer;
    const asked = this.shown[at];
    if (asked !== undefined) this.shown[at] = { ...asked, status };
    if (status < 200 || status > 299) throw this.faultOf(method, path, answer);
    const { etag: tag = null, location = null } = answer.headers;
    const place = location === null || this.hide(location) !== location ? null : location;
    return { status, body: this.objectIn(method, path, answer), etag: tag, location: place };
  }

  private async sendOnce(
    method: string,
    path: string,
    body: Json | undefined,
    etag: string | null,
    isRefused: boolean,
  ): Promise<HttpAnswer> {
    const { transport, signIn, profile } = this.options;
    try {
      const authorization = await signIn.authorization(isRefused, this.left());
      return await transport({
        method,
        url: this.urlOf(path),
        headers: {
          authorization,
          accept: 'application/scim+json, application/json;q=0.9',
          ...(body === undefined ? {} : { 'content-type': profile.media_type }),
          ...(etag === null ? {} : { 'if-match': etag }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        milliseconds: this.left(),
      });
    } catch (error) {
      if (!(error instanceof ScimFault)) throw error;
      throw new ScimFault(error.code, signIn.hide(error.message), error.details);
    }
  }

  /** Replaces secrets in a text of the application by `***`. */
  hide(text: string): string {
    return this.options.signIn.hide(text);
  }

  /** The object in the answer of the application. Secrets that it repeats are masked. */
  private parsed(text: string): Json | null {
    const body = parseObject(text);
    if (body === null || !this.options.hidesSecrets) return body;
    const clean = withoutSecrets(body, (each) => this.hide(each));
    this.hasHidden ||= clean !== body;
    return clean;
  }

  /** The address of a path below the base. No path leads elsewhere. */
  private urlOf(path: string): URL {
    const { base } = this.options;
    const url = new URL(base + path);
    const { pathname } = new URL(base);
    const [expected = ''] = ((pathname === '/' ? '' : pathname) + path).split('?');
    if (url.pathname === expected) return url;
    throw new ScimFault('BAD_ID', `${path.slice(0, 100)} is no path below the application's.`);
  }

  /** How many milliseconds the next request may take. */
  private left(): number {
    const { clock, limits } = this.options;
    const left = this.deadline - clock.now();
    if (left > 0) return Math.ceil(Math.min(left, limits.requestSeconds * 1000));
    throw new ScimFault('TOO_SLOW', `The action took longer than ${limits.actionSeconds} s.`);
  }

  private objectIn(method: string, path: string, answer: HttpAnswer): Json | null {
    const { status, text, headers } = answer;
    if (status === 204 || text.trim() === '') return null;
    const type = headers['content-type'] ?? '';
    const body = /\bhtml\b/i.test(type) ? null : this.parsed(text);
    // The service finds out what a change did by reading again, whatever its answer says.
    if (body !== null || method !== 'GET') return body;
    const what = /\bhtml\b/i.test(type) || /^\s*</.test(text) ? 'HTML' : 'something else than SCIM';
    throw new ScimFault('NOT_SCIM', `${method} ${path} was answered with ${what}.`, { status });
  }

  private faultOf(method: string, path: string, answer: HttpAnswer): ScimFault {
    const { status, headers, text } = answer;
    const body = this.parsed(text);
    const { clock, base } = this.options;
    const answered = body === null ? null : textOf(body, 'detail');
    const detail = answered === null ? '' : `: ${this.hide(answered).slice(0, MOST_DETAIL)}`;
    const message = `${method} ${path} was answered ${status}${detail}`;
    const scimType = body === null ? '' : (textOf(body, 'scimType') ?? '').toLowerCase();
    const details = { status, ...(scimType === '' ? {} : { scimType }) };
    const asked = retryAfter(headers['retry-after'], clock.now());
    const busy = { ...details, ...(asked === undefined ? {} : { retryAfterSeconds: asked }) };
    if (status >= 300 && status < 400) {
      const to = headers.location;
      const where = to !== undefined && URL.canParse(to, base) ? new URL(to, base).origin : '?';
      return new ScimFault('REDIRECTED', `${message}: a redirect to ${this.hide(where)}`, details);
    }
    switch (status) {
      case 401:
        return new ScimFault('SIGN_IN_REFUSED', message, details);
      case 405:
      case 501:
        return new ScimFault('NOT_OFFERED', message, details);
      case 412:
        return new ScimFault('CHANGED_MEANWHILE', message, details);
      case 429:
        return new ScimFault('BUSY', message, busy);
      default:
        return status >= 500
          ? new ScimFault('BUSY', message, busy)
          : new ScimFault('REFUSED', message, details);
    }
  }
}

/** Whether the application answered that there is no such thing (404), or no more (410). */
export const isMissing = (error: unknown): boolean =>
  error instanceof ScimFault &&
  error.code === 'REFUSED' &&
  (error.details.status === 404 || error.details.status === 410);

/**
 * Whether the application does not offer such a request (405, 501), so that another one is tried.
 */
export const isNotOffered = (error: unknown): boolean =>
  error instanceof ScimFault && error.code === 'NOT_OFFERED';

/** Whether the application does not accept a filter, so that the list is read without one. */
export const refusesFilter = (error: unknown): boolean =>
  isNotOffered(error) ||
  (error instanceof ScimFault && error.code === 'REFUSED' && error.details.status === 400);
