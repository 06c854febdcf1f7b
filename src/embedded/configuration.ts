import type { Line } from './line';

/** The settings of one embedded server. */
export interface ServerSettings {
  readonly boltPort: number;
  readonly httpPort: number;
  /** The Java heap, such as `1g`. */
  readonly heap: string;
  /**
   * Whether the server lives for minutes and its data are removed with it. Its clients need not
   * sign in.
   */
  readonly isThrowAway: boolean;
  /** Whether `neo4j://` addresses work too. */
  readonly routes: boolean;
}

/**
 * The setting by which the Neo4j of a throw-away server caches each plan for good. Such a server
 * lives for minutes, so better plans would save less time than Neo4j needs to make them
 * (docs/performance.md: Tests).
 */
export const KEPT_PLANS = { name: 'dbms.cypher.min_replan_interval', value: '1d' } as const;

/**
 * The setting by which Neo4j plans a statement once, whatever the sizes of its lists and texts. By
 * default it plans each statement again for lists of more than 1, 10, 100 … entries, some 50 ms of a
 * processor each time (docs/performance.md: Tests). Both lines know it.
 */
const PLANS_OF_ALL_SIZES = 'internal.cypher.use_parameter_size=false';

const MEGABYTES: Readonly<Record<string, number>> = { k: 1 / 1024, m: 1, g: 1024 };

/**
 * The most memory of one transaction: two thirds of the heap. The pushes that one transaction may
 * hold (`LIMIT_TRANSACTION_ROWS`) need more than half of it. All transactions together use 70 % at
 * most, which is Neo4j's own limit.
 */
export const transactionMemory = (heap: string): string => {
  const [, amount = '', unit = ''] = /^(\d+)([kmg]?)$/i.exec(heap) ?? [];
  const megabytes = Number(amount) * (MEGABYTES[unit.toLowerCase()] ?? 1 / 1024 ** 2);
  return `${Math.max(16, Math.floor((megabytes * 2) / 3))}m`;
};

/**
 * The text of neo4j.conf. Neo4j refuses to start if it does not know a setting, so each line of
 * releases has its own settings.
 */
export const configurationText = (line: Line, settings: ServerSettings): string => {
  const { boltPort, httpPort, heap, isThrowAway, routes } = settings;
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
    `server.memory.pagecache.size=${isThrowAway ? '64m' : '256m'}`,
    `db.memory.transaction.max=${transactionMemory(heap)}`,
    PLANS_OF_ALL_SIZES,
    // Otherwise the logs of an empty store take 520 MB of disk.
    ...(isThrowAway
      ? [`${KEPT_PLANS.name}=${KEPT_PLANS.value}`, 'db.tx_log.preallocate=false']
      : []),
    'db.tx_log.rotation.retention_policy=keep_none',
    `dbms.routing.enabled=${routes}`,
    `dbms.security.auth_enabled=${!isThrowAway}`,
    "# From where Neo4j Browser may play guides and take styles: Neo4j's own, and the service's kit on this machine.",
    'browser.remote_content_hostname_whitelist=guides.neo4j.com,localhost,127.0.0.1',
    '',
  ].join('\n');
};

/** The folders of a server. */
export interface ServerFolders {
  /** Its data, logs and configuration. */
  readonly home: string;
  /** Its jars. */
  readonly lib: string;
}

/**
 * A garbage collector with a tenth of the pauses that Java allows by default. Questions that run
 * during a push wait through each pause. The push itself gets no slower (docs/performance.md:
 * Pushes).
 */
const SHORT_PAUSES = ['-XX:+UseG1GC', '-XX:MaxGCPauseMillis=20'];
/**
 * Java's first compiler without the second one, which needs more processor time than its code saves
 * within minutes (docs/performance.md: Tests).
 */
export const FIRST_COMPILER = '-XX:TieredStopAtLevel=1';
/** The collector and the compiler that use the least processor time. */
const LEAST_WORK = ['-XX:+UseSerialGC', FIRST_COMPILER];

/** How Java runs Neo4j. */
export interface JavaSettings {
  /** The Java heap, such as `1g`. */
  readonly heap: string;
  readonly isThrowAway: boolean;
}

/** The arguments with which Java runs Neo4j. */
export const javaArguments = (
  line: Line,
  release: number,
  { heap, isThrowAway }: JavaSettings,
  { home, lib }: ServerFolders,
): readonly string[] => [
  // Java reserves the complete heap at once, as Neo4j advises (docs/performance.md: Pushes).
  `-Xms${heap}`,
  `-Xmx${heap}`,
  ...(isThrowAway ? LEAST_WORK : SHORT_PAUSES),
  '-XX:-OmitStackTraceInFastThrow',
  '-Dlog4j2.disable.jmx=true',
  '-Dio.netty.leakDetection.level=DISABLED',
  '-Dfile.encoding=UTF-8',
  '--add-opens=java.base/java.nio=ALL-UNNAMED',
  '--add-opens=java.base/java.io=ALL-UNNAMED',
  '--add-opens=java.base/sun.nio.ch=ALL-UNNAMED',
  '--add-opens=java.base/java.util.concurrent=ALL-UNNAMED',
  '--enable-native-access=ALL-UNNAMED',
  // Java 23 and earlier do not know this option.
  ...(release >= 24 ? ['--sun-misc-unsafe-memory-access=allow'] : []),
  '-cp',
  `${lib}/*`,
  line.mainClass,
  `--home-dir=${home}`,
  `--config-dir=${home}/conf`,
];
