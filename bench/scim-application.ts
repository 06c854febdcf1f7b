import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Readonly<Record<string, unknown>>;

interface Resource {
  [name: string]: unknown;
  id: string;
}

/** An application with SCIM that answers at once, so that the bench measures the service. */
export interface ScimApplication {
  readonly port: number;
  /** Requests by method, since the last call. */
  takeCounts(): Readonly<Record<string, number>>;
  readonly accounts: () => number;
  readonly memberships: () => number;
  addGroup(name: string): void;
  close(): Promise<void>;
}

const bodyOf = async (req: IncomingMessage): Promise<Json> => {
  const pieces: Buffer[] = [];
  for await (const piece of req as AsyncIterable<Buffer>) pieces.push(piece);
  return pieces.length === 0 ? {} : (JSON.parse(Buffer.concat(pieces).toString()) as Json);
};

/** Resources with an index on what the service looks for. */
class Resources {
  readonly byId = new Map<string, Resource>();
  private readonly found = new Map<string, Resource>();

  constructor(private readonly indexed: readonly string[]) {}

  private keyOf(name: string, value: unknown): string {
    return `${name} ${String(value).toLowerCase()}`;
  }

  put(resource: Resource): Resource {
    const before = this.byId.get(resource.id);
    for (const name of this.indexed) {
      if (before !== undefined) this.found.delete(this.keyOf(name, before[name]));
      this.found.set(this.keyOf(name, resource[name]), resource);
    }
    this.byId.set(resource.id, resource);
    return resource;
  }

  filtered(filter: string): readonly Resource[] {
    // The service asks for one value; whatever else it asks finds nothing.
    const [, name = '', value = '""'] = /^(\w+) eq ("(?:[^"\\]|\\.)*")$/.exec(filter) ?? [];
    const one = this.found.get(this.keyOf(name, JSON.parse(value)));
    return one === undefined ? [] : [one];
  }
}

type Member = Readonly<{ value: string }>;

const patched = (resource: Resource, operations: readonly Json[]): Resource => {
  const changed = { ...resource };
  for (const { op, path, value } of operations as readonly {
    op: string;
    path: string;
    value: unknown;
  }[]) {
    const members = (changed.members ?? []) as readonly Member[];
    if (path === 'members') changed.members = [...members, ...(value as Member[])];
    else if (path.startsWith('members[')) {
      changed.members = members.filter((each) => !path.includes(`"${each.value}"`));
    } else if (path.startsWith('name.')) {
      changed.name = { ...(changed.name as object), [path.slice(5)]: value };
    } else if (op !== 'remove') changed[path] = value;
  }
  return changed;
};

/** Starts the application on a free port of loopback. */
export const scimApplication = async (): Promise<ScimApplication> => {
  const users = new Resources(['userName', 'externalId']);
  const groups = new Resources(['displayName']);
  let counts: Record<string, number> = {};
  let ids = 0;
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const send = (status: number, body: Json = {}): void => {
      res.writeHead(status, { 'content-type': 'application/scim+json' });
      res.end(JSON.stringify(body));
    };
    const method = req.method ?? '';
    counts[method] = (counts[method] ?? 0) + 1;
    const url = new URL(req.url ?? '', 'http://x');
    const [, , kind = '', id] = url.pathname.split('/');
    const body = await bodyOf(req);
    if (kind === 'ServiceProviderConfig') {
      return send(200, { patch: { supported: true }, filter: { supported: true } });
    }
    const all = kind === 'Users' ? users : groups;
    if (id === undefined && method === 'POST') {
      return send(201, all.put({ ...body, id: `${kind[0]}${(ids += 1)}` }));
    }
    if (id === undefined) {
      const filter = url.searchParams.get('filter');
      const fitting = filter === null ? [...all.byId.values()] : all.filtered(filter);
      const start = Number(url.searchParams.get('startIndex') ?? 1) - 1;
      const page = fitting.slice(start, start + Number(url.searchParams.get('count') ?? 100));
      return send(200, { totalResults: fitting.length, Resources: page });
    }
    const resource = all.byId.get(decodeURIComponent(id));
    if (resource === undefined) return send(404);
    if (method === 'GET') return send(200, resource);
    send(200, all.put(patched(resource, body.Operations as readonly Json[])));
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    takeCounts: () => {
      const taken = counts;
      counts = {};
      return taken;
    },
    accounts: () => users.byId.size,
    memberships: () =>
      [...groups.byId.values()].reduce(
        (sum, { members }) => sum + ((members ?? []) as readonly Member[]).length,
        0,
      ),
    addGroup: (displayName) =>
      void groups.put({ id: `g-${displayName}`, displayName, members: [] }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
