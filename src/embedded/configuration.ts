import type { Line } from './line';

/** How one embedded server is set up. */
export interface ServerSettings {
  readonly boltPort: number;
  readonly httpPort: number;
  readonly pageCache: string;
  /** Off only in throw-away servers. */
  readonly asksForSignIn: boolean;
  /** Whether `neo4j://` addresses work too. */
  readonly routes: boolean;
}

/** The text of neo4j.conf (neo4j.md 1); the server refuses keys that it does not know. */
export const configurationText = (line: Line, settings: ServerSettings): string => {
  const { boltPort, httpPort, pageCache, asksForSignIn, routes } = settings;
  return [
    '# Written by Grantgraph at each start.',
    'server.default_listen_address=127.0.0.1',
    `server.bolt.listen_address=127.0.0.1:${boltPort}`,
    `server.bolt.advertised_address=127.0.0.1:${boltPort}`,
    `server.http.listen_address=127.0.0.1:${httpPort}`,
    `server.http.advertised_address=127.0.0.1:${httpPort}`,
    'server.https.enabled=false',
    'dbms.usage_report.enabled=false',
    'client.allow_telemetry=false',
    ...line.configuration,
    `server.memory.pagecache.size=${pageCache}`,
    'db.tx_log.rotation.retention_policy=keep_none',
    `dbms.routing.enabled=${routes}`,
    `dbms.security.auth_enabled=${asksForSignIn}`,
    "# From where Neo4j Browser may play guides and take styles: Neo4j's own, and the service's kit on this machine.",
    'browser.remote_content_hostname_whitelist=guides.neo4j.com,localhost,127.0.0.1',
    '',
  ].join('\n');
};

/** Where the server's parts stand. */
export interface ServerFolders {
  /** Its data, logs and configuration. */
  readonly home: string;
  /** Its jars. */
  readonly lib: string;
}

/** The arguments with which Java runs the server (neo4j.md 1). */
export const javaArguments = (
  line: Line,
  release: number,
  heap: string,
  { home, lib }: ServerFolders,
): readonly string[] => [
  // All of it from the start, as Neo4j advises (docs/performance.md).
  `-Xms${heap}`,
  `-Xmx${heap}`,
  '-XX:+UseG1GC',
  // Ten times as short as it would be: whoever asks beside a push waits through each (docs/performance.md); the push is no slower.
  '-XX:MaxGCPauseMillis=20',
  '-XX:-OmitStackTraceInFastThrow',
  '-Dlog4j2.disable.jmx=true',
  '-Dio.netty.leakDetection.level=DISABLED',
  '-Dfile.encoding=UTF-8',
  '--add-opens=java.base/java.nio=ALL-UNNAMED',
  '--add-opens=java.base/java.io=ALL-UNNAMED',
  '--add-opens=java.base/sun.nio.ch=ALL-UNNAMED',
  '--add-opens=java.base/java.util.concurrent=ALL-UNNAMED',
  '--enable-native-access=ALL-UNNAMED',
  // Java 23 and earlier do not know the option.
  ...(release >= 24 ? ['--sun-misc-unsafe-memory-access=allow'] : []),
  '-cp',
  `${lib}/*`,
  line.mainClass,
  `--home-dir=${home}`,
  `--config-dir=${home}/conf`,
];
