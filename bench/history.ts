import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { IdentityProviderPayload } from '../src/templates/identity-provider/template';
import { type Ask, client, questionsOn } from './access-questions';
import { applicationPayload } from './application-payload';
import { changeOf } from './changes';
import type { DataSource } from './connector';
import type { Stage } from './increment';
import { fillGraph, pushOnce } from './large-graph';
import { load } from './machine';
import type { Options } from './options';
import { quantile } from './probe';
import { Random } from './random';
import { upTo } from './up-to';

/** Starts a Neo4j and a service with these settings. */
export interface StagesWith {
  begin(settings: Readonly<Record<string, string>>, data?: string): Promise<Stage>;
  end(): Promise<void>;
}

const PEOPLE = 10_000;
/** The pushes of one kind that warm up, and those that count. */
const WARM = 10;
const COUNTED = 30;
const FEW = 4;
/** Whose membership moves, to make a history, and how often. */
const MOVED = 50_000;

const milliseconds = (all: readonly number[]): string => (quantile(all, 0.5) * 1000).toFixed(0);

const directory = (people: number, moved: number, to: string): IdentityProviderPayload => ({
  idp_type: 'bench',
  domains: [{ name: 'history' }],
  groups: ['all', 'left', 'right'].map((name) => ({ name: `history ${name}` })),
  users: upTo(people).map((at) => ({
    name: `history ${at}`,
    groups: [{ identity: 'history all' }, { identity: `history ${at < moved ? to : 'left'}` }],
  })),
});

/** An increment that moves so many people to a group. */
const moves = (moved: number, to: string): object => ({
  incremental_change: true,
  users: upTo(moved).map((at) => ({
    operation: 'modify',
    name: `history ${at}`,
    groups: [{ identity: 'history all' }, { identity: `history ${to}` }],
  })),
});

/** Pushes payloads by turns, and gives the seconds of those that count. */
const pushed = async (
  { connector }: Stage,
  source: DataSource,
  payloads: readonly object[],
  [warm, counted]: readonly [number, number],
): Promise<readonly number[]> => {
  const prepared = await Promise.all(payloads.map((one) => connector.prepare(source, one)));
  const taken: number[] = [];
  for (let at = 0; at < warm + counted; at += 1) {
    const push = prepared[at % prepared.length];
    if (push === undefined) throw new Error('There is nothing to push.');
    const { seconds, isUnchanged } = await connector.push(push);
    if (isUnchanged) throw new Error('A push changed nothing.');
    if (at >= warm) taken.push(seconds);
  }
  return taken;
};

/** Pushes of several kinds, with history or without: the median of each. */
const pushesOn = async (
  stage: Stage,
  options: Options,
  say: (text: string) => void,
): Promise<ReadonlyMap<string, number>> => {
  const put = (name: string, template: string, payload: object): Promise<DataSource> =>
    pushOnce(stage, name, template, () => payload, say);
  const people = await put('People', 'identity_provider', directory(PEOPLE, 0, 'right'));
  const whole = applicationPayload(options.elements, options.seed);
  const application = await put('Application', 'application', whole);
  const { whole: changed } = changeOf(whole, options.elements / 100, 'b', new Random(options.seed));
  const fewer = {
    ...whole,
    applications: (whole.applications ?? []).map((one) => ({
      ...one,
      resources: (one.resources ?? []).filter((_, at) => at % 10 !== 0),
      local_users: (one.local_users ?? []).filter((_, at) => at % 10 !== 0),
    })),
    identity_to_permissions: undefined,
  };
  const found = new Map<string, number>();
  const note = async (
    name: string,
    source: DataSource,
    payloads: readonly object[],
    times: readonly [number, number],
  ): Promise<void> => {
    const seconds = await pushed(stage, source, payloads, times);
    found.set(name, quantile(seconds, 0.5));
  };
  for (const rows of [3, 30, 300]) {
    const both = [moves(rows, 'right'), moves(rows, 'left')];
    await note(`${rows} memberships move`, people, both, [WARM, COUNTED]);
  }
  await note('a whole of which 1 % changed', application, [changed, whole], [2, FEW]);
  await stage.connector.push(await stage.connector.prepare(application, changed));
  const bare = { ...whole, identity_to_permissions: undefined };
  await stage.connector.push(await stage.connector.prepare(application, bare));
  await note('a removal of 10 %, and its return', application, [fewer, bare], [2, FEW]);
  return found;
};

/** How much a folder takes, without the transaction logs. */
const bytesIn = async (folder: string): Promise<number> => {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.parentPath.includes('databases/neo4j')) continue;
    sum += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return sum;
};

const medianOf = async (ask: Ask, paths: readonly string[], count: number): Promise<number> => {
  const taken: number[] = [];
  for (let at = 0; at < count * 2; at += 1) {
    const start = performance.now();
    await ask(paths[at % paths.length] ?? '');
    if (at >= count) taken.push(performance.now() - start);
  }
  return quantile(taken, 0.5);
};

const pastFacts = async ({ driver, database }: Stage): Promise<number> => {
  const counting = 'MATCH (fact:Past) RETURN count(fact) AS facts';
  const { records } = await driver.executeQuery(counting, {}, { database });
  return Number(records[0]?.get('facts') ?? 0);
};

/** Answers about now and about an instant, where as much has ended as stands. */
const answersOn = async (
  stages: StagesWith,
  folder: string,
  options: Options,
  say: (text: string) => void,
): Promise<void> => {
  let stage = await stages.begin({}, folder);
  await fillGraph(stage, options, say);
  const source = await pushOnce(
    stage,
    'Moving',
    'identity_provider',
    () => directory(MOVED, MOVED, 'left'),
    say,
  );
  const at = new Date().toISOString();
  // A Neo4j that stops writes its store whole.
  const counted = async (): Promise<{ readonly facts: number; readonly bytes: number }> => {
    const facts = await pastFacts(stage);
    await stages.end();
    const bytes = await bytesIn(folder);
    stage = await stages.begin({}, folder);
    return { facts, bytes };
  };
  const before = await counted();
  const turns = await Promise.all(
    ['right', 'left'].map((to) => stage.connector.prepare(source, directory(MOVED, MOVED, to))),
  );
  for (let turn = 0; (await pastFacts(stage)) < options.elements; turn += 1) {
    const push = turns[turn % turns.length];
    if (push !== undefined) await stage.connector.push(push);
  }
  const after = await counted();
  const ended = after.facts - before.facts;
  const ask = client(stage.service);
  const told = (await ask('history')) as { value?: { bytes?: number } };
  say(
    `${ended} facts ended: ${((after.bytes - before.bytes) / ended).toFixed(0)} bytes of the store each; ` +
      `the service tells ${((told.value?.bytes ?? 0) / after.facts).toFixed(0)}`,
  );
  say('| question | live (ms) | at (ms) | times |');
  say('| --- | --- | --- | --- |');
  for (const { name, paths } of await questionsOn(ask, options.seed)) {
    if (!paths.every((path) => path.startsWith('access'))) continue;
    const some = paths.slice(0, 20);
    const live = await medianOf(ask, some, 20);
    const then = some.map((path) => `${path}&at=${at}`);
    try {
      const past = await medianOf(ask, then, 10);
      say(`| ${name} | ${live.toFixed(1)} | ${past.toFixed(1)} | ${(past / live).toFixed(1)} |`);
    } catch (error) {
      say(`| ${name} | ${live.toFixed(1)} | ${String(error).slice(0, 120)} | |`);
    }
  }
  await changesOn(stage, say);
};

/** An application in which a group of all people, or a role, reaches much. */
const estate = (all: boolean, holders: number): object => ({
  applications: [
    {
      name: 'estate',
      application_type: 'estate',
      local_groups: [{ name: 'everyone', identities: ['history all'] }],
      local_users: upTo(10).map((at) => ({ name: `a${at}` })),
      local_roles: [{ name: 'r', permissions: ['read'] }],
      resources: upTo(1_000).map((at) => ({ name: `p${at}`, resource_type: 'page' })),
    },
  ],
  permissions: [{ name: 'read', permission_type: ['DataRead'] }],
  identity_to_permissions: [
    ...(all
      ? [
          {
            identity: 'everyone',
            identity_type: 'local_group',
            application_permissions: [
              { application: 'estate', permission: 'read', resources: ['p500'] },
            ],
          },
        ]
      : []),
    ...upTo(holders).map((at) => ({
      identity: `a${at}`,
      identity_type: 'local_user',
      role_assignments: [
        {
          application: 'estate',
          role: 'r',
          resources: upTo(1_000).map((number) => `p${number}`),
        },
      ],
    })),
  ],
});

/** What it takes to tell the changes of a push, beside the push itself. */
const changesOn = async (stage: Stage, say: (text: string) => void): Promise<void> => {
  const { connector, service } = stage;
  const ask = client(service);
  const source = await pushOnce(stage, 'Estate', 'application', () => estate(false, 1), say);
  const cases = [
    [`a group of ${MOVED} gets a resource`, estate(true, 1)],
    ['a role of 1,000 resources is given to one', estate(false, 2)],
  ] as const;
  for (const [name, payload] of cases) {
    const [there, back] = [payload, estate(false, 1)];
    const taken: number[] = [];
    const told: number[] = [];
    let total = 0;
    for (let turn = 0; turn < 3; turn += 1) {
      const { push, seconds } = await connector.push(await connector.prepare(source, there));
      const start = performance.now();
      const answer = await ask(`access:changes?page_size=1&push=${push}`);
      told.push((performance.now() - start) / 1000);
      taken.push(seconds);
      total = answer.total ?? 0;
      await connector.push(await connector.prepare(source, back));
    }
    say(`${name}: push ${milliseconds(taken)} ms, its ${total} changes ${milliseconds(told)} ms`);
  }
};

/**
 * Measures what history costs (docs/performance.md: History): pushes with it and without it by
 * turns, answers about an instant beside live ones, and changes of pushes.
 */
export const measureHistory = async (
  stages: StagesWith,
  folder: string,
  options: Options,
  say: (text: string) => void,
): Promise<void> => {
  const pushOptions = { ...options, elements: Math.min(options.elements, 100_000) };
  const sums = new Map<string, { on: number[]; off: number[] }>();
  for (let round = 0; round < options.rounds; round += 1) {
    for (const side of ['on', 'off'] as const) {
      const stage = await stages.begin(side === 'on' ? {} : { KEEP_HISTORY_DAYS: '0' });
      for (const [name, median] of await pushesOn(stage, pushOptions, say)) {
        const both = sums.get(name) ?? { on: [], off: [] };
        both[side].push(median);
        sums.set(name, both);
      }
      await stages.end();
    }
  }
  say('| push | without (ms) | with (ms) | times |');
  say('| --- | --- | --- | --- |');
  for (const [name, { on, off }] of sums) {
    const times = quantile(on, 0.5) / quantile(off, 0.5);
    say(`| ${name} | ${milliseconds(off)} | ${milliseconds(on)} | ${times.toFixed(2)} |`);
  }
  say(`Load ${load()}`);
  await answersOn(stages, folder, options, say);
  say(`Load ${load()}`);
};
