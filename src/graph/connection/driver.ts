import neo4j, { type BookmarkManager, type Config, type Driver } from 'neo4j-driver';

import { Liveness } from './liveness';

/** Where the graph is and how to sign in. */
export interface GraphAddress {
  /** `bolt://`, `neo4j://`, or one of these with `+s` or `+ssc`. */
  readonly uri: string;
  readonly user: string;
  /** Unset where the server asks for no sign-in. */
  readonly password?: string | undefined;
  readonly database: string;
  /** After how much silence Neo4j is given up. */
  readonly silenceSeconds?: number;
}

/** The graph database: a driver, the database's name, and the bookmarks by which each session sees what the last one wrote. */
export interface Graph {
  /** Another one after Neo4j was silent: its connections are new. */
  readonly driver: Driver;
  readonly liveness: Liveness;
  readonly database: string;
  readonly bookmarks: BookmarkManager;
  /** Is told each time that Neo4j does not answer. */
  readonly onOutage: (error: unknown) => void;
}

const SILENCE_SECONDS = 30;

const CONNECTIONS = 100;

const openDriver = ({ uri, user, password }: GraphAddress, config: Config): Driver =>
  neo4j.driver(uri, password === undefined ? undefined : neo4j.auth.basic(user, password), {
    userAgent: 'grantgraph',
    telemetryDisabled: true,
    notificationFilter: { minimumSeverityLevel: 'OFF' },
    // If Neo4j is down, the service must answer 503 within seconds.
    connectionTimeout: 3_000,
    connectionAcquisitionTimeout: 5_000,
    // Connections that died while Neo4j restarted are found before they are used.
    connectionLivenessCheckTimeout: 1_000,
    maxConnectionLifetime: 3_600_000,
    // Retries are ours (`transaction.ts`): the driver's begin after a second and last too long.
    maxTransactionRetryTime: 0,
    ...config,
  });

/** How a graph is opened, maybe beside another. */
interface Opening {
  /** The other one: each sees what was written through both. */
  readonly graph?: Graph;
  /** How many connections it may have. */
  readonly connections?: number;
  /** Is told each time that Neo4j does not answer; that of the other graph unless given. */
  readonly onOutage?: Graph['onOutage'];
}

/** Opens the graph lazily: nothing is sent before the first transaction. */
export const openGraph = (
  address: GraphAddress,
  { graph, connections = CONNECTIONS, onOutage = graph?.onOutage }: Opening = {},
): Graph => {
  const { database, silenceSeconds = SILENCE_SECONDS } = address;
  const pool: Config = { maxConnectionPoolSize: connections };
  let driver = openDriver(address, pool);
  const pulse = openDriver(address, {
    maxConnectionPoolSize: 1,
    // A millisecond: each time on a new connection, since an old one may be dead.
    maxConnectionLifetime: 1,
    // `Liveness` gives up earlier than this.
    connectionAcquisitionTimeout: silenceSeconds * 1000,
  });
  return {
    get driver() {
      return driver;
    },
    liveness: new Liveness(pulse, silenceSeconds, () => {
      // Whoever waits on the old connections is given up; closed, they hold no sockets.
      driver.close().catch(() => undefined);
      driver = openDriver(address, pool);
    }),
    database,
    bookmarks: graph?.bookmarks ?? neo4j.bookmarkManager(),
    onOutage: onOutage ?? (() => undefined),
  };
};

/** What a reader must be told to see all that has been written through this graph. */
export const shownBookmarks = async ({ bookmarks }: Graph): Promise<readonly string[]> => [
  ...(await bookmarks.getBookmarks()),
];

/** Sees from now on what was written elsewhere as well: the next write here replaces these bookmarks. */
export const metBookmarks = ({ bookmarks }: Graph, met: readonly string[]): Promise<void> =>
  bookmarks.updateBookmarks([], met);

/** Closes all connections. */
export const closeGraph = async ({ driver, liveness }: Graph): Promise<void> => {
  await Promise.all([liveness.end(), driver.close()]);
};
