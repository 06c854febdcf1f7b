import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Client } from '../client/client';
import type { Answer } from '../neo4j/ask';
import type { Graph } from '../neo4j/driver';
import { endpoints as connections, type ImportAnswer } from '../scim/connections/endpoints';
import { endpoints as policies, type PolicyRequest } from '../scim/policies/endpoints';
import { askSaved, title } from './questions';
import { registered } from './registered';
import { runPolicies } from './run-policies';
import { counted, type Terminal } from './terminal';

const PROGRAM = join(__dirname, '../../scripts/wiki.mjs');
const NAME = 'Company handbook';

/**
 * Says who may write the handbook: these people get accounts, and lose them when they leave these
 * groups.
 */
const POLICY: PolicyRequest = {
  name: 'Handbook editors',
  state: 'active',
  who: [
    { group: 'Firmware Maintainers', in: ['halden.example'] },
    { group: 'Release Managers', in: ['halden.example'] },
  ],
  groups: ['Editors'],
  adopt: true,
  drift: 'correct',
};

const ACCOUNTS = 'policies/accounts-made-by-a-policy';
const FAILED = 'policies/actions-that-failed';

/** An application with SCIM that runs during the demo. */
export interface Wiki {
  readonly base: string;
  readonly token: string;
  stop(): void;
}

/**
 * Starts the application, which stores its accounts in a file. Returns null if its package is not
 * installed: it is an optional dependency.
 */
export const startWiki = async (file: string): Promise<Wiki | null> => {
  const token = randomBytes(24).toString('hex');
  const child: ChildProcess = spawn(process.execPath, [PROGRAM], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, WIKI_TOKEN: token, WIKI_FILE: file },
  });
  if (child.stdout === null) return null;
  const printed = once(createInterface(child.stdout), 'line').then(([line]) => String(line));
  const ended = once(child, 'exit').then(() => null);
  const base = await Promise.race([printed, ended]);
  return base === null ? null : { base, token, stop: () => void child.kill() };
};

/** Lets the service call the application. */
export const allowedHost = ({ base }: Wiki) => {
  const { hostname: name, port } = new URL(base);
  return { scheme: 'http', name, isWildcard: false, port: Number(port) } as const;
};

const setPolicy = async (client: Client, providerId: string): Promise<void> => {
  const { values } = await client.call(policies.list, { providerId });
  if (values.every(({ name }) => name !== POLICY.name)) {
    await client.call(policies.add, { providerId }, { body: POLICY });
  }
};

/** Connects the application, and sets the policy. Returns the id of the provider. */
const connect = async (client: Client, { base, token }: Wiki): Promise<string> => {
  const providerId = await registered(client, NAME);
  const authentication = { type: 'bearer', token } as const;
  await client.call(connections.set, { providerId }, { body: { base_url: base, authentication } });
  await client.call(connections.setImport, { providerId }, { body: {} });
  await setPolicy(client, providerId);
  return providerId;
};

/** What happened to the accounts of the application. */
export interface WikiAnswers {
  readonly accounts: readonly Answer[];
  readonly failed: readonly Answer[];
  readonly imported: ImportAnswer;
}

/** The application, whose accounts a policy manages by what the directories say. */
export class ManagedWiki {
  private readonly client: Client;
  private provider: Promise<string> | null = null;
  private imported: ImportAnswer | null = null;

  constructor(
    private readonly wiki: Wiki,
    { address, apiKey }: { readonly address: string; readonly apiKey: string },
  ) {
    this.client = new Client({ url: address, key: apiKey });
  }

  /** The id of its provider, with the connection and the policy. */
  private connected(): Promise<string> {
    this.provider ??= connect(this.client, this.wiki);
    return this.provider;
  }

  /**
   * Runs the policy. Before the first run it connects the application. The service would run the
   * policy by itself within seconds. The directories must have been pushed before.
   */
  async keep(): Promise<void> {
    await runPolicies(this.client, await this.connected());
  }

  /** Imports the application. */
  async import(): Promise<void> {
    const ids = { providerId: await this.connected() };
    this.imported = await this.client.call(connections.runImport, ids, {
      parameters: { whole: true },
    });
  }

  /** Queries the graph about an imported application, with saved queries of this folder. */
  async answers(graph: Graph, folder: string): Promise<WikiAnswers> {
    const { imported } = this;
    if (imported === null) throw new Error('The application was not imported.');
    const [accounts, failed] = await Promise.all([
      askSaved(graph, folder, ACCOUNTS),
      askSaved(graph, folder, FAILED),
    ]);
    return { accounts, failed, imported };
  }
}

const becameOf = ({ state, is_adopted, groups }: Answer): string => {
  if (state !== 'ACTIVE') return String(state).toLowerCase();
  const how = is_adopted === true ? 'adopted' : 'created';
  const names = groups as readonly string[];
  return names.length === 0 ? how : `${how}, in ${names.join(', ')}`;
};

/** Prints what the policy did for joiners, movers and leavers. */
export const printWiki = (
  terminal: Terminal,
  { accounts, failed, imported }: WikiAnswers,
): void => {
  title(terminal, `Whom does a policy give an account in the ${NAME}, over SCIM?`, ACCOUNTS);
  const width = Math.max(...accounts.map(({ user_name }) => String(user_name).length), 0);
  for (const account of accounts) {
    terminal.line(`    ${String(account.user_name).padEnd(width)}  `, ['good', becameOf(account)]);
  }
  title(terminal, 'What could it not do there, and why?', FAILED);
  for (const { kind, people, problem } of failed) {
    const whom = (people as readonly string[]).join(', ');
    terminal.line(`    ${String(kind)} ${whom}  `, ['faint', String(problem)]);
  }
  const { read, problem } = imported;
  const found = `${counted(read?.accounts ?? 0, 'account')} and ${counted(read?.groups ?? 0, 'group')}`;
  terminal.line();
  terminal.line(
    `  Imported from the ${NAME}: `,
    problem === null ? ['good', found] : ['warning', problem.message],
  );
  terminal.line([
    'faint',
    `  grantgraph policies status --provider "${NAME}" reports how far it has come.`,
  ]);
};
