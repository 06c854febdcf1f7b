import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

type Json = Readonly<Record<string, unknown>>;

/** A request that the server got. */
export interface Got {
  readonly method: string;
  /** With the query, decoded. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Json;
}

/** What the server does instead of answering; `next`: it answers as it should. */
export type Misdeed = (got: Got, res: ServerResponse, next: () => void) => void;

interface Stored {
  [name: string]: unknown;
  id: string;
}

/** How the server differs from the standard. */
export interface Ways {
  readonly patch: boolean;
  readonly filter: boolean;
  readonly etag: boolean;
  /** The most resources of a page. */
  readonly page: number;
  readonly paging: 'index' | 'cursor';
  /** Whether it announces what it can do. */
  readonly announces: boolean;
  /** What it makes of a resource before it keeps it. */
  readonly keep: (resource: Stored) => Stored;
  /** What it shows of a resource. */
  readonly show: (resource: Stored) => Stored;
  /** Whether it refuses members that it does not know. */
  readonly checksMembers: boolean;
}

const STANDARD: Ways = {
  patch: true,
  filter: true,
  etag: true,
  page: 100,
  paging: 'index',
  announces: true,
  keep: (resource) => resource,
  show: (resource) => resource,
  checksMembers: false,
};

/** A small SCIM server of the tests, which does what a test says. */
export interface MisbehavingServer {
  readonly port: number;
  /** `http://127.0.0.1:port/scim/v2`. */
  readonly base: string;
  readonly got: Got[];
  readonly users: Map<string, Stored>;
  readonly groups: Map<string, Stored>;
  /** What it does with requests from now on; null: as it should. */
  misdeed: Misdeed | null;
  ways: Ways;
  /** Forgets everything, and behaves. */
  reset(ways?: Partial<Ways>): void;
  /** The requests that changed something, as `METHOD path`. */
  writes(): readonly string[];
  close(): Promise<void>;
}

const same = (a: unknown, b: unknown): boolean =>
  String(a).toLowerCase() === String(b).toLowerCase();

const etagOf = ({ version }: Stored): string => `W/"${JSON.stringify(version ?? 1)}"`;

const FILTER = /^(\S+) eq ("(?:[^"\\]|\\.)*")(?: and (\S+) eq ("(?:[^"\\]|\\.)*"))?$/;

const CHANGED = /^meta\.lastModified (gt|ge) "([^"]+)"$/;

const fits = (resource: Stored, filter: string): boolean | null => {
  const [, operator, time] = CHANGED.exec(filter) ?? [];
  if (time !== undefined) {
    const { lastModified = '' } = (resource.meta ?? {}) as { readonly lastModified?: string };
    const [changed, asked] = [Date.parse(lastModified), Date.parse(time)];
    return operator === 'gt' ? changed > asked : changed >= asked;
  }
  const [, one = '', a = '', two, b = ''] = FILTER.exec(filter) ?? [];
  const has = (name: string, value: string): boolean => {
    const wanted = JSON.parse(value) as string;
    if (name === 'members.value') {
      return ((resource.members ?? []) as readonly Json[]).some(({ value: id }) => id === wanted);
    }
    return resource[name] !== undefined && same(resource[name], wanted);
  };
  if (one === '') return null;
  return has(one, a) && (two === undefined || has(two, b));
};

const MEMBER = /^members\[value eq "(.*)"\]$/;

const patched = (resource: Stored, operations: readonly Json[]): Stored => {
  const changed = structuredClone(resource);
  for (const { op, path, value } of operations) {
    const members = (changed.members ?? []) as Json[];
    if (typeof path !== 'string') Object.assign(changed, value);
    else if (MEMBER.test(path)) {
      const id = MEMBER.exec(path)?.[1];
      changed.members = members.filter((member) => member.value !== id);
    } else if (path === 'members' && op === 'add') {
      const fresh = (value as Json[]).filter(
        (one) => !members.some((old) => old.value === one.value),
      );
      changed.members = [...members, ...fresh];
    } else if (path === 'members' && op === 'remove') {
      // As the standard says: the value does not count, and all members go.
      delete changed.members;
    } else if (path === 'emails[type eq "work"].value') {
      changed.emails = ((changed.emails ?? []) as Json[]).map((email) =>
        email.type === 'work' ? { ...email, value } : email,
      );
    } else if (path === 'emails' && op === 'add') {
      changed.emails = [...((changed.emails ?? []) as Json[]), ...(value as Json[])];
    } else if (path.startsWith('name.')) {
      changed.name = { ...(changed.name as object), [path.slice(5)]: value };
    } else changed[path] = value;
  }
  return changed;
};

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly scimType?: string,
  ) {
    super(`refused with ${status}`);
  }
}

/** Starts a server on a free local port; with `tls` over https. */
export const misbehavingServer = async (tls?: ServerOptions): Promise<MisbehavingServer> => {
  const users = new Map<string, Stored>();
  const groups = new Map<string, Stored>();
  const got: Got[] = [];
  let ids = 0;

  const send = (
    res: ServerResponse,
    status: number,
    body?: Json,
    headers: Record<string, string> = {},
  ): void => {
    res.writeHead(status, { 'content-type': 'application/scim+json', ...headers });
    res.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const showOne = (res: ServerResponse, status: number, resource: Stored): void => {
    const headers = server.ways.etag ? { etag: etagOf(resource) } : {};
    send(res, status, server.ways.show(resource), headers);
  };
  const config = (): Json => {
    const { patch, filter, etag, paging } = server.ways;
    return {
      patch: { supported: patch },
      filter: { supported: filter },
      etag: { supported: etag },
      ...(paging === 'cursor' ? { pagination: { cursor: true, index: false } } : {}),
    };
  };
  const list = (all: Map<string, Stored>, query: URLSearchParams): Json => {
    const filter = query.get('filter');
    const { page, paging, filter: filters } = server.ways;
    const fitting = [...all.values()].filter((resource) => {
      if (filter === null || !filters) return true;
      const fit = fits(resource, filter);
      if (fit === null) throw new Refusal(400, 'invalidFilter');
      return fit;
    });
    const start =
      paging === 'cursor'
        ? Number(query.get('cursor') ?? 0)
        : Number(query.get('startIndex') ?? 1) - 1;
    const size = Math.min(page, Number(query.get('count') ?? page));
    const Resources = fitting.slice(start, start + size).map(server.ways.show);
    const isLast = start + size >= fitting.length;
    return {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: fitting.length,
      itemsPerPage: Resources.length,
      Resources,
      ...(paging === 'cursor' && !isLast ? { nextCursor: String(start + size) } : {}),
    };
  };
  const store = (all: Map<string, Stored>, resource: Stored): Stored => {
    const kept = server.ways.keep({ ...resource, version: Number(resource.version ?? 0) + 1 });
    if (all === users) {
      const other = [...users.values()].find(
        ({ id, userName }) => id !== kept.id && same(userName, kept.userName),
      );
      if (other !== undefined) throw new Refusal(409, 'uniqueness');
    } else if (server.ways.checksMembers) {
      const unknown = ((kept.members ?? []) as Json[]).some(
        ({ value }) => !users.has(String(value)),
      );
      if (unknown) throw new Refusal(404);
    }
    all.set(kept.id, kept);
    return kept;
  };
  const answer = ({ method, path, headers, body }: Got, res: ServerResponse): void => {
    const url = new URL(path, 'http://x');
    const [, , , kind = '', id] = url.pathname.split('/');
    const all = kind === 'Users' ? users : kind === 'Groups' ? groups : null;
    if (kind === 'ServiceProviderConfig') {
      return server.ways.announces ? send(res, 200, config()) : send(res, 404, {});
    }
    if (all === null) return send(res, 404, { detail: 'no such endpoint' });
    if (id === undefined) {
      if (method === 'GET') return send(res, 200, list(all, url.searchParams));
      if (method !== 'POST') return send(res, 405, {});
      ids += 1;
      return showOne(res, 201, store(all, { ...body, id: `${kind[0]}${ids}` }));
    }
    const resource = all.get(decodeURIComponent(id));
    if (resource === undefined) return send(res, 404, { detail: 'no such resource' });
    const tag = headers['if-match'];
    if (tag !== undefined && tag !== etagOf(resource)) return send(res, 412, {});
    switch (method) {
      case 'GET':
        return showOne(res, 200, resource);
      case 'DELETE':
        all.delete(resource.id);
        return send(res, 204);
      case 'PUT':
        return showOne(
          res,
          200,
          store(all, { ...body, id: resource.id, version: resource.version }),
        );
      case 'PATCH':
        if (!server.ways.patch) return send(res, 501, { detail: 'no PATCH' });
        return showOne(res, 200, store(all, patched(resource, body.Operations as Json[])));
      default:
        return send(res, 405, {});
    }
  };
  const listener: RequestListener = (req, res) => {
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      const one: Got = {
        method: req.method ?? '',
        path: decodeURIComponent(req.url ?? ''),
        headers: req.headers,
        body: text.startsWith('{') ? (JSON.parse(text) as Json) : { text },
      };
      got.push(one);
      const next = (): void => {
        try {
          answer(one, res);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          send(res, error.status, { scimType: error.scimType, detail: error.message });
        }
      };
      if (server.misdeed === null) next();
      else server.misdeed(one, res, next);
    });
  };
  const listening = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>((resolve) => {
    listening.listen(0, '127.0.0.1', resolve);
  });
  const { port } = listening.address() as AddressInfo;
  const server: MisbehavingServer = {
    port,
    got,
    users,
    groups,
    misdeed: null,
    ways: STANDARD,
    base: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/scim/v2`,
    reset: (ways = {}) => {
      users.clear();
      groups.clear();
      got.length = 0;
      ids = 0;
      server.misdeed = null;
      server.ways = { ...STANDARD, ...ways };
    },
    writes: () =>
      got
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path.replace('/scim/v2', '')}`),
    close: () =>
      new Promise((resolve) => {
        listening.close(() => resolve());
        listening.closeAllConnections();
      }),
  };
  return server;
};

/** Does something with the first requests that fit, and answers the others as it should. */
export const first =
  (times: number, fitting: (got: Got) => boolean, misdeed: Misdeed): Misdeed =>
  (got, res, next) => {
    if (times <= 0 || !fitting(got)) return next();
    times -= 1;
    misdeed(got, res, next);
  };

/** Whether a request changes something. */
export const isWrite = ({ method }: Got): boolean => method !== 'GET';
