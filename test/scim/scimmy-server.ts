import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';
import SCIMMYRouters, { SCIMMY } from 'scimmy-routers';

import { TOKEN } from './acting';
import type { Application } from './scim2-server';

interface Stored {
  readonly id: string;
  readonly [attribute: string]: unknown;
}

/** Its resources have getters, which no other way of copying takes. */
const copy = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A;

/** Keeps resources for scimmy, which leaves that to its users. */
const keepers = (unique: string) => {
  const all = new Map<string, Stored>();
  let ids = 0;
  return {
    ingress: ({ id }: { readonly id?: string }, data: object): Stored => {
      const fresh = copy(data) as Readonly<Record<string, unknown>>;
      const taken = [...all.values()].some(
        (one) =>
          one.id !== id &&
          String(one[unique]).toLowerCase() === String(fresh[unique]).toLowerCase(),
      );
      if (taken) throw new SCIMMY.Types.Error(409, 'uniqueness', `${unique} is taken`);
      if (id !== undefined && !all.has(id))
        throw new SCIMMY.Types.Error(404, '', 'no such resource');
      const now = new Date().toISOString();
      const { created = now } = (all.get(id ?? '')?.meta ?? {}) as { readonly created?: string };
      const meta = { created, lastModified: now };
      const stored = { ...fresh, id: id ?? String((ids += 1)), meta };
      all.set(stored.id, stored);
      return copy(stored);
    },
    egress: ({ id, filter }: { readonly id?: string; readonly filter?: SCIMMY.Types.Filter }) => {
      if (id === undefined) {
        const everything = copy([...all.values()]);
        return filter === undefined ? everything : (filter.match(everything) as Stored[]);
      }
      const one = all.get(id);
      if (one === undefined) throw new SCIMMY.Types.Error(404, '', 'no such resource');
      return copy(one);
    },
    degress: ({ id }: { readonly id?: string }): void => {
      if (!all.delete(id ?? '')) throw new SCIMMY.Types.Error(404, '', 'no such resource');
    },
  };
};

/** Starts `scimmy-routers` of npm on a free local port. */
export const scimmyServer = async (): Promise<Application> => {
  const users = keepers('userName');
  const groups = keepers('displayName');
  SCIMMY.Resources.declare(SCIMMY.Resources.User as never, users as never);
  SCIMMY.Resources.User.extend(SCIMMY.Schemas.EnterpriseUser, false);
  SCIMMY.Resources.declare(SCIMMY.Resources.Group as never, groups as never);
  const app = express();
  app.use(
    '/scim',
    new SCIMMYRouters({
      type: 'bearer',
      handler: (request) => {
        if (request.header('authorization') === `Bearer ${TOKEN}`) return 'grantgraph';
        throw new Error('not signed in');
      },
    }),
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
