/**
 * Pushes the accounts of a help desk with the package `grantgraph`, which knows the shape of payloads.
 *
 *     export GRANTGRAPH_URL=https://127.0.0.1:8443 GRANTGRAPH_API_KEY=... NODE_EXTRA_CA_CERTS=...
 *     node connector.mts ../helpdesk-export.json
 *
 * Node 22.18 and later runs it as it is; for Node 20 compile it first with `tsc`.
 */
import { readFileSync } from 'node:fs';

import {
  ApplicationBuilder,
  type ApplicationPayload,
  Client,
  findTarget,
  type LocalUser,
  pushPayload,
  RefusedRequest,
  validatePayload,
} from 'grantgraph';

interface Export {
  readonly agents: readonly {
    readonly login: string;
    readonly email: string;
    readonly active: boolean;
    readonly teams: readonly string[];
  }[];
  readonly teams: readonly { readonly name: string; readonly queues: readonly string[] }[];
  readonly queues: readonly {
    readonly name: string;
    readonly readers: readonly string[];
    readonly folders: readonly string[];
  }[];
}

/** Says in Grantgraph's words what the help desk says in its own. */
const readAccounts = ({ agents, teams, queues }: Export): ApplicationPayload => {
  const desk = new ApplicationBuilder({ name: 'Help desk', application_type: 'helpdesk' });
  desk
    .define(
      { name: 'read', permission_type: ['DataRead'] },
      { name: 'manage', permission_type: ['DataRead', 'DataWrite'], apply_to_sub_resources: true },
    )
    .add('local_roles', { name: 'manager', permissions: ['manage'] })
    .add('local_groups', ...teams.map(({ name }) => ({ name })));
  const users = agents.map(({ login, email, active, teams: groups }): LocalUser => ({
    name: login,
    // The login, email or name by which an identity provider knows the person.
    identities: [email],
    is_active: active,
    groups,
  }));
  desk.add('local_users', ...users);
  for (const { name, readers, folders } of queues) {
    desk.add('resources', {
      name,
      resource_type: 'queue',
      sub_resources: folders.map((folder) => ({ name: folder, resource_type: 'folder' })),
    });
    for (const identity of readers) {
      desk.grant({ identity, identity_type: 'local_user' }, 'read', { resources: [name] });
    }
  }
  for (const { name: identity, queues: resources } of teams) {
    desk.assign({ identity, identity_type: 'local_group' }, 'manager', { resources });
  }
  return desk.build();
};

const required = (variable: string): string => {
  const value = process.env[variable];
  if (value === undefined || value === '') throw new Error(`${variable} is not set.`);
  return value;
};

const main = async (file: string): Promise<void> => {
  const payload = readAccounts(JSON.parse(readFileSync(file, 'utf8')) as Export);
  const { problems } = validatePayload('application', JSON.stringify(payload, null, 2));
  for (const { line, column, message } of problems) console.error(`${line}:${column} ${message}`);
  if (problems.length > 0) throw new Error('The payload is not valid.');

  // The client tries again while the service is busy or away, and sends large payloads in parts.
  const client = new Client({
    url: required('GRANTGRAPH_URL'),
    key: required('GRANTGRAPH_API_KEY'),
  });
  const target = await findTarget(client, {
    provider: 'Help desk',
    dataSource: 'helpdesk.example.org',
    create: { template: 'application' },
  });
  const answer = await pushPayload(client, target, payload);
  for (const { message } of answer.warnings) console.log(`warning: ${message}`);
  console.log(answer.unchanged ? 'unchanged' : `pushed ${answer.put.nodes} nodes`);
};

main(process.argv[2] ?? 'helpdesk-export.json').catch((error: unknown) => {
  if (error instanceof RefusedRequest) {
    for (const { pointer, description } of error.problems) {
      console.error(`${pointer}: ${description}`);
    }
  }
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
