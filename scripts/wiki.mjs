// An application with SCIM 2.0 for the demo: scimmy-routers of npm, unchanged. It keeps its accounts
// in the file WIKI_FILE. It prints its address once it listens, and ends with its parent. The token
// comes in WIKI_TOKEN.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

import express from 'express';
import SCIMMYRouters, { SCIMMY } from 'scimmy-routers';

const plain = (resource) => JSON.parse(JSON.stringify(resource));

/** Keeps resources for scimmy, which leaves that to its users. */
const keeper = (unique, all, refuse = () => {}) => {
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
      refuse(id, fresh);
      const lastModified = new Date().toISOString();
      const created = id === undefined ? lastModified : found(id).meta.created;
      const kept = {
        ...fresh,
        id: id ?? fresh[unique].split('@', 1).join(),
        meta: { created, lastModified },
      };
      all.set(kept.id, kept);
      save();
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
      save();
    },
  };
};

const meta = { created: '2026-03-02T08:00:00Z', lastModified: '2026-03-02T08:00:00Z' };
const account = (id, displayName) => {
  const userName = `${id}@halden.example`;
  const emails = [{ value: userName, type: 'work', primary: true }];
  return { id, userName, displayName, active: true, emails, meta };
};
const users = [account('priya.raman', 'Priya Raman'), account('lena.hofmann', 'Lena Hofmann')];
const members = users.map(({ id }) => ({ value: id, type: 'User' }));
const groups = [{ id: 'editors', displayName: 'Editors', members, meta }];

const kept = existsSync(process.env.WIKI_FILE)
  ? JSON.parse(readFileSync(process.env.WIKI_FILE, 'utf8'))
  : { users, groups };
const byId = (resources) => new Map(resources.map((resource) => [resource.id, resource]));
const all = { users: byId(kept.users), groups: byId(kept.groups) };

const save = () => {
  const text = JSON.stringify({ users: [...all.users.values()], groups: [...all.groups.values()] });
  writeFileSync(`${process.env.WIKI_FILE}.new`, text);
  renameSync(`${process.env.WIKI_FILE}.new`, process.env.WIKI_FILE);
};

/** Applications exist that do not let their owner go. */
const refuse = (id, { active }) => {
  if (id !== 'lena.hofmann' || active !== false) return;
  throw new SCIMMY.Types.Error(403, '', 'Lena Hofmann owns the handbook: name another owner first');
};

SCIMMY.Resources.declare(SCIMMY.Resources.User, keeper('userName', all.users, refuse));
SCIMMY.Resources.declare(SCIMMY.Resources.Group, keeper('displayName', all.groups));

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
