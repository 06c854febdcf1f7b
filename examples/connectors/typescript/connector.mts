/**
 * Pushes the people of a directory, read from a CSV file, with Node alone.
 *
 *     export GRANTGRAPH_URL=https://127.0.0.1:8443 GRANTGRAPH_API_KEY=... NODE_EXTRA_CA_CERTS=...
 *     node connector.mts ../staff.csv
 *
 * Node 22.18 and later runs it as it is; for Node 20 compile it first: `npm install && npx tsc`.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const PROVIDER = 'Staff directory';
const DATA_SOURCE = 'staff.csv';

interface Registered {
  readonly id: string;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details: readonly {
    readonly field_violations?: readonly {
      readonly pointer: string;
      readonly description: string;
    }[];
  }[];
}

interface PushAnswer {
  readonly warnings: readonly { readonly message: string }[];
  readonly unchanged: boolean;
  readonly put: { readonly nodes: number };
}

const required = (variable: string): string => {
  const value = process.env[variable];
  if (value === undefined || value === '') throw new Error(`${variable} is not set.`);
  return value;
};

async function request<A>(method: 'GET' | 'POST', path: string, body?: object): Promise<A> {
  const answer = await fetch(`${required('GRANTGRAPH_URL')}/api/v1/providers/custom${path}`, {
    method,
    headers: {
      authorization: `Bearer ${required('GRANTGRAPH_API_KEY')}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: unknown = await answer.json();
  if (answer.ok) return json as A;
  // Nothing was written, and all that is wrong is listed.
  const { code, message, details } = json as Refusal;
  const reasons = details
    .flatMap(({ field_violations = [] }) => field_violations)
    .map(({ pointer, description }) => `\n  ${pointer}: ${description}`);
  throw new Error(`refused: ${code}: ${message}${reasons.join('')}`);
}

/** Finds what has this name, or creates it. */
const findOrCreate = async (path: string, name: string, body: object): Promise<Registered> => {
  const filter = encodeURIComponent(`name eq "${name}"`);
  const { values } = await request<{ values: Registered[] }>('GET', `${path}?filter=${filter}`);
  return values[0] ?? (await request<{ value: Registered }>('POST', path, { ...body, name })).value;
};

/** Says in Grantgraph's words what the directory says in its own. */
const readPeople = (csv: string): object => {
  const [, ...lines] = csv.trim().split(/\r?\n/);
  const people = lines.map((line) => {
    const [login = '', email, fullName, department, manager, groups = ''] = line.split(',');
    return {
      login,
      email,
      fullName,
      department,
      manager,
      groups: groups.split(' ').filter(Boolean),
    };
  });
  return {
    name: 'Staff directory',
    idp_type: 'staff_csv',
    domains: [{ name: 'example.org' }],
    users: people.map((person) => ({
      name: person.login,
      // What accounts elsewhere may call this person: name, email or identity.
      identity: person.login,
      email: person.email,
      full_name: person.fullName,
      department: person.department,
      // The manager's identity; suggests reviewers.
      manager_id: person.manager,
      groups: person.groups.map((identity) => ({ identity })),
    })),
    groups: [...new Set(people.flatMap((person) => person.groups))].map((name) => ({ name })),
    apps: [],
  };
};

const main = async (file: string): Promise<void> => {
  const payload = readPeople(readFileSync(file, 'utf8'));
  const provider = await findOrCreate('', PROVIDER, { custom_template: 'identity_provider' });
  const path = `/${provider.id}/datasources`;
  const dataSource = await findOrCreate(path, DATA_SOURCE, { id: provider.id });
  // The payload is one string; compressed, it is a tenth of the size.
  const answer = await request<PushAnswer>('POST', `${path}/${dataSource.id}:push`, {
    id: provider.id,
    data_source_id: dataSource.id,
    json_data: gzipSync(JSON.stringify(payload)).toString('base64'),
    compression_type: 'GZIP',
  });
  for (const { message } of answer.warnings) console.log(`warning: ${message}`);
  console.log(answer.unchanged ? 'unchanged' : `pushed ${answer.put.nodes} nodes`);
};

main(process.argv[2] ?? 'staff.csv').catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
