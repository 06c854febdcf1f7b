// An application with SCIM 2.0 for the demo: scimmy-routers of npm, unchanged, with accounts in memory.
// It prints its address once it listens, and ends with its parent. The token comes in WIKI_TOKEN.
import { createServer } from 'node:http';

import express from 'express';
import SCIMMYRouters, { SCIMMY } from 'scimmy-routers';

const plain = (resource) => JSON.parse(JSON.stringify(resource));

/** Keeps resources for scimmy, which leaves that to its users. */
const keeper = (unique, prefix, first) => {
  const all = new Map(first.map((resource) => [resource.id, resource]));
  let ids = all.size;
  const found = (id) => {
    const resource = all.get(id);
    if (resource === undefined) throw new SCIMMY.Types.Error(404, '', 'no such resource');
    return plain(resource);
  };
  return {
    ingress: ({ id }, data) => {
      const fresh = plain(data);
      const same = [...all.values()].find((other) => other[unique] === fresh[unique]);
      if (same !== undefined && same.id !== id) {
        throw new SCIMMY.Types.Error(409, 'uniqueness', `${unique} is taken`);
      }
      const lastModified = new Date().toISOString();
      const created = id === undefined ? lastModified : found(id).meta.created;
      const kept = {
        ...fresh,
        id: id ?? `${prefix}${(ids += 1)}`,
        meta: { created, lastModified },
      };
      all.set(kept.id, kept);
      return plain(kept);
    },
    egress: ({ id, filter }) => {
      if (id !== undefined) return found(id);
      const everything = plain([...all.values()]);
      return filter === undefined ? everything : filter.match(everything);
    },
    degress: ({ id }) => {
      found(id);
      all.delete(id);
    },
  };
};

const meta = { created: '2026-03-02T08:00:00Z', lastModified: '2026-03-02T08:00:00Z' };
const account = (id, login, displayName) => {
  const userName = `${login}@halden.example`;
  const emails = [{ value: userName, type: 'work', primary: true }];
  return { id, userName, displayName, active: true, emails, meta };
};
const users = [
  account('w1', 'priya.raman', 'Priya Raman'),
  account('w2', 'jonas.eklund', 'Jonas Eklund'),
];
const members = users.map(({ id }) => ({ value: id, type: 'User' }));
const groups = [{ id: 'g1', displayName: 'Editors', members, meta }];

SCIMMY.Resources.declare(SCIMMY.Resources.User, keeper('userName', 'w', users));
SCIMMY.Resources.declare(SCIMMY.Resources.Group, keeper('displayName', 'g', groups));

const app = express();
const handler = (request) => {
  if (request.header('authorization') === `Bearer ${process.env.WIKI_TOKEN}`) return 'grantgraph';
  throw new Error('not signed in');
};
app.use('/scim/v2', new SCIMMYRouters({ type: 'bearer', handler }));

const server = createServer(app).listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/scim/v2\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
