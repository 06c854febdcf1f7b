import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { listStatements, records } from '../../src/features';
import { cypherFiles, kitFiles } from '../../src/cli/cypher-files';

const FOLDER = join(__dirname, '../../cypher');
const generated = Object.entries({
  ...cypherFiles(records, listStatements()),
  ...kitFiles(records),
});

test.each(generated)('cypher/%s is what `npm run cypher` writes', (name, text) => {
  expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
});

test('cypher/ holds nothing else but the rows that queries give', () => {
  const files = readdirSync(FOLDER, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(FOLDER, join(parentPath, name)).replaceAll('\\', '/'))
    .filter((name) => !name.endsWith('.rows.json'));
  expect(files.sort()).toEqual(generated.map(([name]) => name).sort());
});

test('each statement of the catalogue has a title of its own', () => {
  const titles = listStatements().map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test("payload text never stands in a statement: all that is quoted is the service's own", () => {
  const quoted = listStatements().flatMap(({ text }) =>
    [...text.matchAll(/'([^']*)'/g)].map(([, word]) => word),
  );
  expect([...new Set(quoted)].sort()).toMatchInlineSnapshot(`
   [
     "",
     ".",
     ".resource",
     ".subresource",
     "/",
     "<",
     ">",
     "ACCOUNT_OF",
     "ACTS_AS",
     "ALLOWS",
     "ASSIGNED_TO",
     "ASSUMES_ROLE",
     "AccessCredential",
     "Application",
     "CONNECTS_TO",
     "CONTAINS",
     "CloudRole",
     "CloudRole|",
     "DEAD",
     "DELETING",
     "DONE",
     "DROPPED",
     "DataSource",
     "ERROR",
     "Employee",
     "Entitlement",
     "Entity",
     "ExternalEntity",
     "ExternalEntity|",
     "FAILED",
     "FROM",
     "HAS_ACCOUNT",
     "HAS_CREDENTIAL",
     "HOLDS",
     "HrisGroup",
     "IDENTITY_OF",
     "INACTIVE",
     "INCLUDES",
     "IN_COST_CENTER",
     "IN_DEPARTMENT",
     "Identity",
     "Identity|",
     "IdpApp",
     "IdpGroup",
     "IdpUser",
     "KNOWN_AS",
     "LocalAgent",
     "LocalGroup",
     "LocalModel",
     "LocalRole",
     "LocalUser",
     "MANAGED_BY",
     "MEMBER_OF",
     "OF",
     "ON",
     "OWNED_BY",
     "OWNS",
     "PENDING",
     "Permission",
     "Principal",
     "RESOLVES_TO",
     "Resource",
     "Role",
     "SOURCE_IDENTITY_OF",
     "SYSTEM_resource_managers",
     "TAGGED",
     "Tag",
     "Tag|",
     "USES_MODEL",
     "Z",
     "[0-9a-f]{64}",
     "accepted",
     "accesscredential",
     "application",
     "arn:",
     "backup",
     "binding",
     "blocked",
     "came_back",
     "changed",
     "closed",
     "customprop_",
     "draft",
     "dynprop_",
     "erased",
     "events",
     "except",
     "excepted",
     "gone",
     "idpgroup",
     "idpuser",
     "impossible",
     "is the manager of",
     "keep",
     "left:",
     "localagent",
     "localgroup",
     "localrole",
     "localuser",
     "manages",
     "new",
     "oaa.",
     "open",
     "ordered",
     "owns",
     "pending",
     "privileged",
     "reassign",
     "refused",
     "replaced",
     "revoke",
     "sending",
     "store",
     "system_resource_managers",
     "unchanged",
     "waiting",
     "|",
   ]
  `);
});
