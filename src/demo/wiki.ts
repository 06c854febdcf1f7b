import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { ActionAnswer } from '../contract/answers/provisioning/connection';
import type { ImportAnswer } from '../contract/answers/provisioning/scim-import';
import { ask } from '../graph/connection/ask';
import type { Graph } from '../graph/connection/driver';
import { Refused } from './connector';
import { counted, type Terminal } from './terminal';

const PROGRAM = join(__dirname, '../../scripts/wiki.mjs');
const NAME = 'Company handbook';
const JOINER = 'nadia.haddad@halden.example';
const LEAVER = 'jonas.eklund@halden.example';

/** An application with SCIM that runs beside the demo. */
export interface Wiki {
  readonly base: string;
  readonly token: string;
  stop(): void;
}

/** Starts the application; null where its package is not installed, as in production. */
export const startWiki = async (): Promise<Wiki | null> => {
  const token = randomBytes(24).toString('hex');
  const child: ChildProcess = spawn(process.execPath, [PROGRAM], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, WIKI_TOKEN: token },
  });
  if (child.stdout === null) return null;
  const said = once(createInterface(child.stdout), 'line').then(([line]) => String(line));
  const ended = once(child, 'exit').then(() => null);
  const base = await Promise.race([said, ended]);
  return base === null ? null : { base, token, stop: () => void child.kill() };
};

/** Lets the service call the application. */
export const allowedHost = ({ base }: Wiki) => {
  const { hostname: name, port } = new URL(base);
  return { scheme: 'http', name, isWildcard: false, port: Number(port) } as const;
};

/** What became of two accounts, and what was imported. */
export interface WikiStory {
  readonly provider: string;
  readonly joiner: ActionAnswer;
  readonly leaver: ActionAnswer;
  readonly imported: ImportAnswer;
}

/** Connects the application, gives a joiner an account, disables a leaver's, and imports it. */
export const tellWiki = async (
  { base, token }: Wiki,
  { address, apiKey }: { readonly address: string; readonly apiKey: string },
  graph: Graph,
): Promise<WikiStory> => {
  const send = async <A>(method: string, path: string, body?: object): Promise<A> => {
    const response = await fetch(`${address}/api/v1/providers/custom${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as A & { readonly message?: string };
    if (response.ok) return answer;
    throw new Refused(response.status, answer.message ?? response.statusText, []);
  };
  const filter = encodeURIComponent(`name eq "${NAME}"`);
  const { values } = await send<{ readonly values: readonly { readonly id: string }[] }>(
    'GET',
    `?filter=${filter}`,
  );
  const provider =
    values[0]?.id ??
    (
      await send<{ readonly value: { readonly id: string } }>('POST', '', {
        ...{ name: NAME, custom_template: 'application' },
        ...{ external_lifecycle_management_type: 'SCIM', provisioning: true },
      })
    ).value.id;
  const path = `/${provider}/scim`;
  await send('PUT', path, { base_url: base, authentication: { type: 'bearer', token } });
  await send('PUT', `${path}/import`, {});
  const userOf = async (email: string): Promise<string> => {
    const cypher = 'MATCH (user:IdpUser {email: $email}) RETURN user.key AS key LIMIT 1';
    const [row] = await ask(graph, cypher, { email });
    return String(row?.key);
  };
  const joiner = await send<ActionAnswer>('POST', `${path}:provision`, {
    user: await userOf(JOINER),
  });
  const leaver = await send<ActionAnswer>('POST', `${path}:deprovision`, {
    ...{ user: await userOf(LEAVER), how: 'disable' },
  });
  const imported = await send<ImportAnswer>('POST', `${path}:import?whole=true`);
  return { provider, joiner, leaver, imported };
};

const outcomeOf = ({ values }: ActionAnswer): string =>
  values.map(({ outcome, problem }) => problem?.message ?? outcome).join(', ');

/** Shows what became of the joiner and the leaver. */
export const printWiki = (terminal: Terminal, { joiner, leaver, imported }: WikiStory): void => {
  const { read, problem } = imported;
  terminal.line();
  terminal.line(['title', 'An application with SCIM beside it'], `: ${NAME}`);
  terminal.line('  joined    ', `${JOINER}: the account is `, ['good', outcomeOf(joiner)]);
  terminal.line('  left      ', `${LEAVER}: the account is `, ['good', outcomeOf(leaver)]);
  terminal.line(
    '  imported  ',
    problem?.message ??
      `${counted(read?.accounts ?? 0, 'account')}, ${counted(read?.groups ?? 0, 'group')}`,
  );
  terminal.line(['faint', `  grantgraph scim show --provider "${NAME}" shows the connection.`]);
};
