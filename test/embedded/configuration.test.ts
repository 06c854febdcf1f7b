import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { configurationText, javaArguments } from '../../src/embedded/configuration';
import { containerArguments, NEO4J_IMAGE } from '../../src/embedded/docker/container';
import { CALENDAR, LTS } from '../../src/embedded/line';
import { lateFailure, startFailure } from '../../src/embedded/server';

const folders = { home: '/data/neo4j-calendar', lib: '/cache/lib' };

const java = { heap: '1g', isThrowAway: false };

const settings = {
  boltPort: 7687,
  httpPort: 7474,
  heap: '1g',
  isThrowAway: false,
  routes: false,
};

test('configurationText', () => {
  const text = configurationText(CALENDAR, settings);
  expect(text).toMatchInlineSnapshot(`
   "# Written by Grantgraph at each start.
   server.default_listen_address=127.0.0.1
   server.bolt.listen_address=127.0.0.1:7687
   server.bolt.advertised_address=127.0.0.1:7687
   server.http.listen_address=127.0.0.1:7474
   server.http.advertised_address=127.0.0.1:7474
   server.https.enabled=false
   dbms.usage_report.enabled=false
   client.allow_telemetry=false
   server.fleet_discovery.enabled=false
   server.memory.pagecache.size=256m
   db.memory.transaction.max=682m
   internal.cypher.use_parameter_size=false
   db.tx_log.rotation.retention_policy=keep_none
   dbms.routing.enabled=false
   dbms.security.auth_enabled=true
   # From where Neo4j Browser may play guides and take styles: Neo4j's own, and the service's kit on this machine.
   browser.remote_content_hostname_whitelist=guides.neo4j.com,localhost,127.0.0.1
   "
  `);
});

test('the line with long support is spared the setting that it does not know', () => {
  expect(configurationText(LTS, settings)).not.toContain('fleet_discovery');
});

test('javaArguments of the newest line', () => {
  expect(javaArguments(CALENDAR, 25, java, folders).join('\n')).toMatchInlineSnapshot(`
   "-Xms1g
   -Xmx1g
   -XX:+UseG1GC
   -XX:MaxGCPauseMillis=20
   -XX:-OmitStackTraceInFastThrow
   -Dlog4j2.disable.jmx=true
   -Dio.netty.leakDetection.level=DISABLED
   -Dfile.encoding=UTF-8
   --add-opens=java.base/java.nio=ALL-UNNAMED
   --add-opens=java.base/java.io=ALL-UNNAMED
   --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
   --add-opens=java.base/java.util.concurrent=ALL-UNNAMED
   --enable-native-access=ALL-UNNAMED
   --sun-misc-unsafe-memory-access=allow
   -cp
   /cache/lib/*
   org.neo4j.server.Neo4jCommunity
   --home-dir=/data/neo4j-calendar
   --config-dir=/data/neo4j-calendar/conf"
  `);
});

test('a throw-away server asks for no sign-in, plans a statement once, and does little beside', () => {
  const text = configurationText(LTS, { ...settings, isThrowAway: true });
  expect(text).toContain('auth_enabled=false');
  expect(text).toContain('min_replan_interval=1d');
  const args = javaArguments(LTS, 17, { ...java, isThrowAway: true }, folders);
  expect(args).toContain('-XX:+UseSerialGC');
  expect(args).toContain('-XX:TieredStopAtLevel=1');
  expect(args).not.toContain('-XX:+UseG1GC');
});

test('an older Java is spared the option that it does not know', () => {
  const newer = javaArguments(CALENDAR, 25, java, folders);
  const older = javaArguments(LTS, 17, java, folders);
  expect(newer.filter((argument) => !older.includes(argument))).toEqual([
    '--sun-misc-unsafe-memory-access=allow',
    'org.neo4j.server.Neo4jCommunity',
  ]);
});

test('containerArguments keep data in a volume, listen on loopback and tell no password', () => {
  const container = { name: 'grantgraph-neo4j-1', boltPort: 7688, httpPort: 7475, heap: '2g' };
  const args = containerArguments(container);
  expect(args.at(-1)).toBe(NEO4J_IMAGE);
  expect(args).toEqual(
    expect.arrayContaining([
      '--volume=grantgraph-neo4j-1:/data',
      '--publish=127.0.0.1:7688:7687',
      '--publish=127.0.0.1:7475:7474',
      '--env=NEO4J_AUTH',
      '--env=NEO4J_server_fleet__discovery_enabled=false',
    ]),
  );
});

describe('startFailure', () => {
  test.each([
    [
      'a locked store',
      1,
      'FileLockException: Lock file has been locked by another process',
      'store-locked',
    ],
    ['a port taken meanwhile', 1, 'java.net.BindException: Address already in use', 'port-taken'],
    ['a wrong configuration', 3, 'Unrecognized setting', 'server-failed'],
  ])('%s', (_sentence, code, output, kind) => {
    expect(startFailure(code, '/data/neo4j-5.26', output).kind).toBe(kind);
  });

  test('shows the last lines that the server printed', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    const { message } = startFailure(1, '/data/neo4j-5.26', lines.join('\n'));
    expect(message.split('\n')).toHaveLength(16);
    expect(message).toContain('exit code 1');
    expect(message).toMatch(/line 39$/);
  });
});

test.each([
  ['No space left on device', /the disk of .* is full/],
  ['Something else', /its logs are in .*logs\.$/],
])('a server that never answers, and says "%s" in its log', async (said, told) => {
  const folder = await mkdtemp(join(tmpdir(), 'grantgraph-late-'));
  await mkdir(join(folder, 'logs'));
  await writeFile(join(folder, 'logs', 'debug.log'), `Failed to preallocate: '${said}'`);
  expect((await lateFailure(folder)).message).toMatch(told);
  await rm(folder, { recursive: true });
});
