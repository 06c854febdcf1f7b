import neo4j, { type BookmarkManager, type Config, type Driver } from 'neo4j-driver';

import { Liveness } from './liveness';

/** Where the graph is and how to sign in. */
export interface GraphAddress {
  /** `bolt://`, `neo4j://`, or one of these with `+s` or `+ssc`. */
  readonly uri: string;
  readonly user: string;
  /** Unset if the server needs no sign-in. */
  readonly password?: string | undefined;
  readonly database: string;
  /** After this many seconds of silence the service gives up on Neo4j. */
  readonly silenceSeconds?: number;
}

/**
 * The graph database: a driver, the name of the database, and bookmarks. By the bookmarks, each
 * session sees what earlier sessions wrote.
 */
export interface Graph {
  /** After a silence of Neo4j this is a new driver with new connections. */
  readonly driver: Driver;
  readonly liveness: Liveness;
  readonly database: string;
  readonly bookmarks: BookmarkManager;
  /** Whether its transactions answer questions, and end when the client has left. */
  readonly isForQuestions: boolean;
  /** Neo4j ends a transaction after this many seconds, unless the transaction has its own limit. */
  readonly transactionSeconds?: number | undefined;
  /** Called each time that Neo4j does not answer. */
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
    // The driver tests idle connections, and so finds those that died when Neo4j restarted.
    connectionLivenessCheckTimeout: 1_000,
    maxConnectionLifetime: 3_600_000,
    // The service retries by itself (`transaction.ts`): the retries of the driver begin after a
    // second and last too long.
    maxTransactionRetryTime: 0,
    ...config,
  });

/** How to open a graph, possibly in addition to another one. */
interface Opening {
  /** The other graph. Each of the two sees what the other wrote. */
  readonly graph?: Graph;
  /** Whether its transactions answer questions, and end when the client has left. */
  readonly isForQuestions?: boolean;
  /** The largest number of connections. */
  readonly connections?: number;
  /** How long a transaction may last that has no limit of its own; without limit if unset. */
  readonly transactionSeconds?: number;
  /**
   * Called each time that Neo4j does not answer. By default this is `onOutage` of the other graph.
   */
  readonly onOutage?: Graph['onOutage'];
}

/** Opens a graph. The driver sends nothing before the first transaction. */
export const openGraph = (
  address: GraphAddress,
  {
    graph,
    connections = CONNECTIONS,
    isForQuestions = false,
    transactionSeconds,
    onOutage = graph?.onOutage,
  }: Opening = {},
): Graph => {
  const { database, silenceSeconds = SILENCE_SECONDS } = address;
  const pool: Config = { maxConnectionPoolSize: connections };
  let driver = openDriver(address, pool);
  const pulse = openDriver(address, {
    maxConnectionPoolSize: 1,
    // One millisecond, so that each sign-in uses a new connection: an old one may be dead.
    maxConnectionLifetime: 1,
    // `Liveness` gives up earlier.
    connectionAcquisitionTimeout: silenceSeconds * 1000,
  });
  return {
    get driver() {
      return driver;
    },
    liveness: new Liveness(pulse, silenceSeconds, () => {
      // The work on the old connections is given up. Closing the driver frees their sockets.
      driver.close().catch(() => undefined);
      driver = openDriver(address, pool);
    }),
    database,
    isForQuestions,
    transactionSeconds,
    bookmarks: graph?.bookmarks ?? neo4j.bookmarkManager(),
    onOutage: onOutage ?? (() => undefined),
  };
};

/** The bookmarks by which a reader sees all that was written through this graph. */
export const shownBookmarks = async ({ bookmarks }: Graph): Promise<readonly string[]> => [
  ...(await bookmarks.getBookmarks()),
];

/**
 * Adds bookmarks from elsewhere, so that later sessions see those writes too. The next write
 * through this graph replaces them.
 */
export const metBookmarks = ({ bookmarks }: Graph, met: readonly string[]): Promise<void> =>
  bookmarks.updateBookmarks([], met);

/** Closes all connections. */
export const closeGraph = async ({ driver, liveness }: Graph): Promise<void> => {
  await Promise.all([liveness.end(), driver.close()]);
};
