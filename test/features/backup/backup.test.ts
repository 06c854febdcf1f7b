/** @more restarts */

import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import neo4j from 'neo4j-driver';

import { records } from '../../../src/features';
import { BackupTooSlow, GraphBusy, holdGraph } from '../../../src/features/backup/graph/read-graph';
import { GraphNotEmpty, writeGraph } from '../../../src/features/backup/graph/write-graph';
import { toStoredProperties } from '../../../src/features/backup/graph/stored-value';
import {
  migrate,
  RestoreUnfinished,
  STORE_VERSION,
  StoreTooNew,
  StoreTooOld,
} from '../../../src/graph/migration/migrate';
import { runTransaction } from '../../../src/neo4j/transaction';
import { restoreBackup, takeBackup, type TakenBackup } from '../../../src/features/backup/backup';
import {
  type BackupEnd,
  checkBackup,
  readBackup,
  WrongBackup,
} from '../../../src/features/backup/backup-file';
import type { DataSourceOfProvider } from '../../../src/graph/records/provider-record';
import { type VaultKey, vaultKeyOf } from '../../../src/secrets/vault';
import { fixturePushes } from '../../push/push-fixtures';
import { breakableProxy } from '../../http/breakable-proxy';
import { closeGraph, openGraph } from '../../../src/neo4j/driver';
import { killedAfter } from '../../support/killed-graph';
import { testNeo4j } from '../../support/neo4j';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../../support/push';
import { allDataSources, verified } from '../../support/verified';

const BUILD = { version: '9.9.9', commit: 'abc', rulesVersion: 3 };
const PATIENCE = { waitSeconds: 20, mostSeconds: 600 };
const FIXTURES = ['application-whole', 'identity-provider-whole', 'connections'];

let filled: FilledGraph;
let folder: string;
let files = 0;

beforeAll(async () => {
  filled = await filledGraph(TEST_LIMITS, { transactionRows: 24 });
});
afterAll(async () => {
  await filled.clear();
  await filled.close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-backup-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (cypher: string, parameters: object = {}): Promise<void> => {
  const { driver, database } = filled.graph;
  await driver.executeQuery(cypher, parameters, { database });
};

const KEY = vaultKeyOf('07'.repeat(32)) as VaultKey;

const newFile = (): string => join(folder, `${(files += 1)}.gz`);

const backedUp = async (): Promise<TakenBackup & { readonly file: string }> => {
  const file = newFile();
  return { ...(await takeBackup(filled.graph, records, file, PATIENCE, BUILD, KEY)), file };
};

// Uploads that have ended wait for their removal, and are in no backup.
const ALL = `MATCH (n) WHERE NOT n:Store AND NOT n:AccessCommit AND coalesce(n.event_type, '') <> 'GRAPH_RESTORED' AND NOT (n:Upload AND n.since.year = 1970)
  AND NOT ((n:UploadPart OR n:UploadSlice) AND NOT EXISTS { MATCH (l:LargePush) WHERE n.key STARTS WITH l.payload })
RETURN labels(n) AS labels, properties(n) AS properties,
  [(n)-[r]->(m) | [type(r), labels(m), m.key, properties(r)]] AS links`;

/** Everything in the graph, with the types of its values; locks that were taken mean nothing. */
const everything = async (): Promise<readonly string[]> => {
  const { driver, database } = filled.graph;
  const { records } = await driver.executeQuery(ALL, {}, { database });
  return records
    .map((record) => {
      const { labels, properties, links } = record.toObject() as {
        readonly labels: readonly string[];
        readonly properties: Readonly<Record<string, unknown>>;
        readonly links: readonly (readonly [string, string[], string, Record<string, unknown>])[];
      };
      const sorted = (values: Readonly<Record<string, unknown>>, ...without: string[]) =>
        Object.entries(toStoredProperties(values, without)).sort(([a], [b]) => (a < b ? -1 : 1));
      return JSON.stringify([
        [...labels].sort(),
        sorted(properties, 'lock', ...(labels.includes('BindingLock') ? ['push', 'epoch'] : [])),
        links
          .map(([type, to, key, of]) => JSON.stringify([type, [...to].sort(), key, sorted(of)]))
          .sort(),
      ]);
    })
    .sort();
};

/** Empties the database as a loss of the store does. */
const wipe = async (): Promise<void> => {
  await filled.clear();
  await write('MATCH (n) DETACH DELETE n');
};

const fill = async (): Promise<void> => {
  await filled.clear();
  for (const name of FIXTURES) {
    const sources = new Map<string, DataSourceOfProvider>();
    for (const { source, template, payload } of fixturePushes(name)) {
      const known = sources.get(source) ?? (await filled.register(`${name} ${source}`, template));
      sources.set(source, known);
      await filled.push(known, payload);
    }
  }
};

const expectSound = async (): Promise<void> => {
  for (const source of await allDataSources(filled)) {
    expect(await verified(filled, source)).toMatchObject({
      sound: true,
      hashes_checked: true,
      findings: { total: 0, values: [] },
    });
  }
};

test('a restore brings back no session and no one-time code, since they may have ended', async () => {
  await fill();
  const before = await everything();
  await write(`CREATE (:PersonSession {key: 'a session', fold_hash: 'x', ends_at: datetime() + duration('PT9H')}),
    (:SignInCode {key: 'a code', expires_at: datetime() + duration('PT9M')})`);
  const { file } = await backedUp();
  expect(gunzipSync(await readFile(file)).toString()).not.toMatch(/a session|a code/);
  await wipe();
  await restoreBackup(filled.graph, records, await checkBackup(file, KEY));
  expect(await everything()).toEqual(before);
});

test('a restored graph is the one that was backed up', async () => {
  await fill();
  await write(
    "MATCH (u:IdpUser) WITH u LIMIT 1 SET u:Starred SET u += $values CREATE (u)-[:NOTED {at: date('2026-11-24')}]->(u)",
    {
      values: {
        whole: neo4j.int('9007199254740993'),
        float: 1.5,
        minus_zero: -0,
        none: NaN,
        flags: [true, false],
        texts: ['a', 'ä\u2028"'],
        most: Infinity,
        day: new neo4j.types.Date(2026, 11, 24),
        moment: neo4j.types.DateTime.fromString('2026-11-24T10:11:12.123456789+02:00'),
        zoned: neo4j.types.DateTime.fromString('2026-11-24T10:11:12+01:00[Europe/Berlin]'),
        local: neo4j.types.LocalDateTime.fromString('2026-11-24T10:11:12.5'),
        clock: [neo4j.types.LocalTime.fromString('10:11:12.000000001')],
        offset: neo4j.types.Time.fromString('10:11:12-03:00'),
        length: neo4j.types.Duration.fromString('P1M2DT3.000000004S'),
        place: new neo4j.types.Point(neo4j.int(4326), 1.25, -2.5),
        bytes: new Int8Array([1, -2, 127]),
      },
    },
  );
  await write(
    'CREATE (:TeamKey {key: $id, id: $id, name: "k", fold_hash: "h", scopes: ["push"]})',
    {
      id: 'a-key',
    },
  );
  // The history outlasts its data source, and begins when it began.
  await write(
    `CREATE (:PastNode:Past {key: 'gone|IdpUser|ann', label: 'IdpUser', data_source: 'gone', name: 'ann', until: datetime()}),
       (:PastRelationship:Past {type: 'MEMBER_OF', start: 'gone|IdpUser|ann', end: 'gone|IdpGroup|x', data_source: 'gone', until: datetime()})
     WITH DISTINCT 1 AS one MATCH (s:Store) SET s.history_since = datetime('2026-01-02T03:04:05.123456789Z')`,
  );
  await write('CREATE (:Note)-[:ABOUT]->(:Note)');
  await write("CREATE (:Upload {key: 'running', data_source: 'x', since: datetime()})");
  await write("CREATE (:UploadPart {key: 'running|1'})");
  const { file, end } = await backedUp();
  expect(end.left_out).toEqual({ uploads: 1, foreign_nodes: 2, foreign_relationships: 1 });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await write("MATCH (n) WHERE n:Note OR n.key STARTS WITH 'running' DETACH DELETE n");
  const before = await everything();
  expect(end.nodes).toBe(before.length);

  await wipe();
  await restoreBackup(filled.graph, records, await checkBackup(file, KEY));
  expect(await everything()).toEqual(before);
  const since = 'MATCH (s:Store) RETURN toString(s.history_since) AS since';
  expect(await filled.ask(since)).toEqual([{ since: '2026-01-02T03:04:05.123456789Z' }]);
  for (const { source, payload } of fixturePushes('application-whole').slice(-1)) {
    const [known] = (await allDataSources(filled)).filter(
      ({ dataSource }) => dataSource.name === `application-whole ${source}`,
    );
    const again = await filled.accept(known as DataSourceOfProvider, payload);
    expect(again.outcome).toBe('unchanged');
  }
});

const application = (version: number): object => ({
  applications: [
    {
      name: 'Wiki',
      application_type: 'wiki',
      local_users: Array.from({ length: 30 }, (_, n) => ({
        name: `user-${version % 3}-${n}`,
        identities: [`u${n}@corp.example`],
        groups: [`g${version % 2}`],
      })),
      local_groups: [{ name: 'g0' }, { name: 'g1', tags: [{ key: 'v', value: `${version % 5}` }] }],
    },
  ],
  identity_to_permissions: [],
});

test('a backup that is taken while connectors push is the graph between two pushes', async () => {
  await filled.clear();
  // One pushes in one transaction, one in chunks.
  const whole = await filledGraph(TEST_LIMITS, { keep: true });
  const [inChunks, atOnce] = [
    await filled.register('in chunks', 'application'),
    await filled.register('at once', 'application'),
  ];
  let isPushing = true;
  let accepted = 0;
  const pushing = (by: FilledGraph, to: DataSourceOfProvider) => async (): Promise<void> => {
    for (let version = 0; isPushing; version += 1) {
      await by.accept(to, application(version));
      accepted += 1;
      if (version % 2 === 0) await by.register(`later ${version} ${to.dataSource.id}`, 'hris');
    }
  };
  await filled.accept(inChunks, application(1));
  await filled.accept(atOnce, application(1));
  const pushes = Promise.all([pushing(filled, inChunks)(), pushing(whole, atOnce)()]);
  const backups: string[] = [];
  while (backups.length < 4) backups.push((await backedUp()).file);
  isPushing = false;
  await pushes;
  await whole.close();
  expect(accepted).toBeGreaterThan(1);

  for (const file of backups) {
    await wipe();
    await restoreBackup(filled.graph, records, await checkBackup(file, KEY));
    await filled.finishUnfinished();
    await expectSound();
    const dangling = `MATCH (n) WHERE n.row_hash IS NOT NULL
      AND NOT EXISTS { (:Push {at: n.since}) } RETURN n.key AS key`;
    expect(await filled.ask(dangling)).toEqual([]);
    for (const source of await allDataSources(filled)) {
      if (source.dataSource.name.startsWith('later')) continue;
      const pushed = await filled.accept(source, application(7));
      const again = await filled.accept(source, application(7));
      expect([pushed.digest, again.outcome]).toEqual([again.digest, 'unchanged']);
    }
  }
});

test('an unfinished chunked push is in the backup, and the next start finishes it', async () => {
  await filled.clear();
  const wiki = await filled.register('wiki', 'application');
  await filled.accept(wiki, application(0));
  const killed = await filledGraph(TEST_LIMITS, {
    keep: true,
    transactionRows: 24,
    spoil: killedAfter(12),
  });
  expect((await killed.push(wiki, application(1)))._tag).toBe('Left');
  await killed.close();
  const { file, end } = await backedUp();
  expect(end.left_out.uploads).toBe(0);
  const before = await everything();
  await wipe();
  await restoreBackup(filled.graph, records, await checkBackup(file, KEY));
  expect(await everything()).toEqual(before);
  expect(await filled.finishUnfinished()).toBe(1);
  await expectSound();
});

test('a backup that cannot take its locks in time leaves no file', async () => {
  await fill();
  const holds = { mode: 'write', end: 'rollback' } as const;
  await runTransaction(filled.graph, holds, async (tx) => {
    await tx.run('MATCH (s:DataSource) SET s.lock = "other"');
    const file = join(folder, 'late.gz');
    await expect(
      takeBackup(filled.graph, records, file, { ...PATIENCE, waitSeconds: 0.5 }, BUILD, KEY),
    ).rejects.toThrow(GraphBusy);
  });
  expect(await readdir(folder)).toEqual([]);
});

/** Locks of other transactions. */
const LOCKS = `SHOW TRANSACTIONS YIELD currentQuery, activeLockCount
WHERE activeLockCount > 0 AND NOT currentQuery STARTS WITH 'SHOW TRANSACTIONS'
RETURN count(*) AS count`;

const untilFree = async (): Promise<void> => {
  const { driver, database } = filled.graph;
  for (;;) {
    const { records } = await driver.executeQuery(LOCKS, {}, { database });
    if (Number(records[0]?.get('count')) === 0) return;
  }
};

test('a backup that takes longer than it may is given up, leaves no file, and frees the graph', async () => {
  await fill();
  const file = newFile();
  const none = { ...PATIENCE, mostSeconds: 0 };
  await expect(takeBackup(filled.graph, records, file, none, BUILD, KEY)).rejects.toThrow(
    BackupTooSlow,
  );
  expect(await readdir(folder)).toEqual([]);
  // One that waits for its disk and reads nothing frees the graph, too.
  let stuck = (): void => undefined;
  let held: Promise<void> | undefined;
  await new Promise<void>((begun) => {
    held = holdGraph(filled.graph, records, { ...PATIENCE, mostSeconds: 0.05 }, async () => {
      begun();
      await new Promise<void>((resolve) => (stuck = resolve));
    });
    held.catch(() => undefined);
  });
  await untilFree();
  stuck();
  await expect(held).rejects.toThrow(BackupTooSlow);
  await expectSound();
});

test('a backup whose process ends frees the graph', async () => {
  await fill();
  const proxy = await breakableProxy(testNeo4j().uri);
  const other = openGraph({ ...testNeo4j(), uri: `bolt://127.0.0.1:${proxy.port}` });
  let begun = (): void => undefined;
  const reads = new Promise<void>((resolve) => (begun = resolve));
  const held = holdGraph(other, records, PATIENCE, async (graph) => {
    begun();
    for (;;) for await (const part of graph.parts()) void part;
  });
  held.catch(() => undefined);
  await reads;
  await proxy.cut();
  await untilFree();
  await expect(held).rejects.toThrow();
  await closeGraph(other);
});

test('a backup that fails midway leaves no file', async () => {
  await filled.clear();
  await filled.register('wiki', 'application');
  const file = join(folder, 'missing', 'backup.gz');
  await expect(takeBackup(filled.graph, records, file, PATIENCE, BUILD, KEY)).rejects.toThrow(
    'ENOENT',
  );
  expect(await readdir(folder)).toEqual([]);
});

/** A file with other lines, or other bytes. */
const changed = async (file: string, change: (bytes: Buffer) => Buffer): Promise<string> => {
  const other = newFile();
  await writeFile(other, change(await readFile(file)));
  return other;
};
const withLine =
  (place: number, replace: (line: string) => string) =>
  (bytes: Buffer): Buffer => {
    const lines = gunzipSync(bytes).toString().split('\n');
    const at = place < 0 ? lines.length - 1 + place : place;
    lines[at] = replace(lines[at] as string);
    return gzipSync(lines.join('\n'));
  };
const header = (change: object) =>
  withLine(0, (line) => JSON.stringify({ ...(JSON.parse(line) as object), ...change }));

const REFUSED: readonly (readonly [string, (bytes: Buffer) => Buffer, unknown, RegExp])[] = [
  ['is cut off', (bytes) => bytes.subarray(0, bytes.length / 2), WrongBackup, /cut off/],
  ['lacks its end', withLine(-1, () => ''), WrongBackup, /no JSON/],
  [
    'has a flipped byte',
    (bytes) => {
      const flipped = Buffer.from(bytes);
      const at = Math.floor(flipped.length / 2);
      flipped[at] = (flipped[at] as number) ^ 1;
      return flipped;
    },
    WrongBackup,
    /damaged|no JSON/,
  ],
  [
    'says something else',
    withLine(5, (line) => line.replace('":', '_":')),
    WrongBackup,
    /not what its end says/,
  ],
  ['is no gzip', () => Buffer.from('hello'), WrongBackup, /damaged/],
  ['is something else', () => gzipSync('{"a":1}\n'), WrongBackup, /no backup/],
  ['is one long line', () => gzipSync(Buffer.alloc(50_000_000, 'x')), WrongBackup, /no backup/],
  ['is empty', () => gzipSync(''), WrongBackup, /cut off/],
  [
    'has a newer format',
    header({ format_version: 2 }),
    WrongBackup,
    /release that wrote it \(9\.9\.9\)/,
  ],
  [
    'has a newer store version',
    header({ store_version: 99 }),
    StoreTooNew,
    /Release 9\.9\.9 wrote .* version 99/,
  ],
  ['is from before 1.0.0', header({ release: '0.1.0' }), StoreTooOld, /before 1\.0\.0/],
  ['names no release', header({ release: undefined }), StoreTooOld, /before 1\.0\.0/],
];

test('a file that is no whole backup is refused, before anybody asks a graph', async () => {
  await fill();
  const { file } = await backedUp();
  for (const [name, change, kind, message] of REFUSED) {
    const wrong = checkBackup(await changed(file, change), KEY);
    const error = await wrong.catch((thrown: unknown) => thrown);
    expect([name, error]).toEqual([name, expect.any(kind)]);
    await expect(wrong).rejects.toThrow(message);
  }
});

test('a graph that is not empty is refused', async () => {
  await fill();
  const { file } = await backedUp();
  const before = await everything();
  await expect(restoreBackup(filled.graph, records, await checkBackup(file, KEY))).rejects.toThrow(
    GraphNotEmpty,
  );
  expect(await everything()).toEqual(before);
});

test('an interrupted restore is not used, and the next one begins anew', async () => {
  await fill();
  const before = await everything();
  const { file } = await backedUp();
  await wipe();
  async function* interrupted() {
    let left = 60;
    for await (const part of readBackup(file)) {
      if ((left -= 1) < 0) throw new Error('interrupted');
      yield part;
    }
  }
  const store = { version: STORE_VERSION, release: BUILD.version };
  await expect(writeGraph(filled.graph, records, store, interrupted())).rejects.toThrow(
    'interrupted',
  );
  await expect(migrate(filled.graph, records)).rejects.toThrow(RestoreUnfinished);
  await restoreBackup(filled.graph, records, await checkBackup(file, KEY));
  expect(await everything()).toEqual(before);
  await migrate(filled.graph, records);
});

/** A backup whose content somebody changed, with the digest made right again. */
const forged = (bytes: Buffer): Buffer => {
  const lines = gunzipSync(bytes).toString().split('\n').slice(0, -1);
  const end = JSON.parse(lines.pop() as string) as object;
  const head = JSON.parse(lines.shift() as string) as object;
  const text = `${[JSON.stringify({ ...head, as_of: '2001-01-01T00:00:00Z' }), ...lines].join('\n')}\n`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return gzipSync(`${text}${JSON.stringify({ ...end, sha256 })}\n`);
};

test('a backup that somebody changed, or that another key signed, is reported and refused', async () => {
  await fill();
  const { file, end } = await backedUp();
  expect(end.signed_with).toBe(KEY.id);
  await expect(checkBackup(file, KEY)).resolves.toMatchObject({ words: { end } });
  // Such a file was restored without a word: a team key of one’s own could be put in.
  const other = await changed(file, forged);
  await expect(checkBackup(other, KEY)).rejects.toThrow('Somebody changed the backup');
  const key = vaultKeyOf('09'.repeat(32)) as VaultKey;
  await expect(checkBackup(file, key)).rejects.toThrow(`signed with the key "${KEY.id}"`);
  await expect(checkBackup(file, key, KEY.id)).resolves.toBeDefined();
  const unsigned = await changed(
    file,
    withLine(-1, (line) => {
      const end = JSON.parse(line) as BackupEnd;
      return JSON.stringify({ ...end, signed_with: undefined, signature: undefined });
    }),
  );
  await expect(checkBackup(unsigned, KEY, 'nobody')).rejects.toThrow('it has no signature');
});

test('a backup is written to a new file that its owner alone may read, and follows no link', async () => {
  await fill();
  const { file } = await backedUp();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const [victim, target] = [join(folder, 'victim'), newFile()];
  await writeFile(victim, 'kept');
  // The backup was written through this link.
  await symlink(victim, `${target}.unfinished`);
  const again = takeBackup(filled.graph, records, target, PATIENCE, BUILD, KEY);
  await expect(again).rejects.toThrow('EEXIST');
  expect(await readFile(victim, 'utf8')).toBe('kept');
  const taken = newFile();
  await writeFile(taken, 'of somebody else');
  await expect(takeBackup(filled.graph, records, taken, PATIENCE, BUILD, KEY)).rejects.toThrow(
    'EEXIST',
  );
  expect(await readFile(taken, 'utf8')).toBe('of somebody else');
  expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([
    `${basename(target)}.unfinished`,
  ]);
});
