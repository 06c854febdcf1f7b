import * as E from 'fp-ts/Either';
import { bytes, matching, oneOf, seconds, type Setting, share, whole } from './setting';
import { unknownSettings } from './unknown-setting';

const setting = <A>(
  variable: string,
  fallback: string,
  parse: Setting<A>['parse'],
  doc: string,
): Setting<A> & { readonly fallback: string } => ({
  variable,
  fallback,
  parse,
  doc,
  isSecret: false,
});

const optional = <A>(
  variable: string,
  parse: Setting<A>['parse'],
  doc: string,
  isSecret = false,
): Setting<A> & { readonly fallback: undefined } => ({
  variable,
  fallback: undefined,
  parse,
  doc,
  isSecret,
});

const port = whole(0, 65535);
const anyText = matching(/./, 'some text');

// A shorter key of the settings can be guessed over the network.
const SHORTEST_OPEN_KEY = 20;

// A string of V8 ends here; bodies and payloads are read as one string.
const LONGEST_STRING = 536_870_888;

/** Every setting of the service, once: read, checked and documented from here. */
const SETTINGS = {
  http: {
    port: setting('PORT', '8080', port, 'Port of the HTTP interface; 0 picks a free one.'),
    host: setting(
      'HOST',
      '127.0.0.1',
      anyText,
      'Address to listen on; `0.0.0.0` opens the service to the network.',
    ),
    apiKey: optional(
      'API_KEY',
      matching(/^[\x21-\x7e]+$/, 'visible ASCII characters without spaces'),
      'Bearer key that may do everything. It needs 20 characters unless `HOST` is loopback. Unset: the service makes one and keeps it in `DATA_DIR/api-key`.',
      true,
    ),
    corsOrigins: optional(
      'CORS_ORIGINS',
      origins,
      'Addresses of pages that may ask from a browser (CORS), such as `https://access.example.org`, separated by commas; `*`: all. Unset: none.',
    ),
  },
  tls: {
    mode: optional(
      'TLS',
      oneOf('self-signed'),
      '`self-signed`: https with a certificate for localhost and 127.0.0.1, which the service makes once and keeps in `DATA_DIR`. Clients must trust `DATA_DIR/tls-certificate.pem`.',
    ),
    certFile: optional(
      'TLS_CERT',
      anyText,
      'File of the certificate and its chain (PEM), for https. The service reads it again when it changes.',
    ),
    keyFile: optional(
      'TLS_KEY',
      anyText,
      'File of the private key (PEM). The service reads it again when it changes.',
    ),
  },
  memory: {
    bytes: optional(
      'MEMORY',
      bytes(256 * 1024 ** 2, 1024 ** 4),
      'Memory that the service may take; the sizes below follow from it. Unset: the limit of its container, else the memory of the machine, less that of the embedded Neo4j.',
    ),
  },
  data: {
    folder: setting('DATA_DIR', './data', anyText, 'Folder of keys and of the embedded Neo4j.'),
  },
  neo4j: {
    uri: optional(
      'NEO4J_URI',
      neo4jUri,
      'Address of Neo4j (`bolt://`, `neo4j://`, with `+s` or `+ssc`). Unset: the service starts an embedded one.',
      true,
    ),
    user: setting('NEO4J_USER', 'neo4j', anyText, 'User of Neo4j.'),
    password: optional(
      'NEO4J_PASSWORD',
      anyText,
      'Password of Neo4j. Unset: with `NEO4J_URI` the service does not sign in; otherwise it makes a password and keeps it in `DATA_DIR/neo4j-password`.',
      true,
    ),
    database: setting('NEO4J_DATABASE', 'neo4j', anyText, 'Database to write to.'),
  },
  embedded: {
    boltPort: setting(
      'NEO4J_BOLT_PORT',
      '7687',
      port,
      'Bolt port of the embedded Neo4j, on loopback; 0 picks a free one.',
    ),
    httpPort: setting(
      'NEO4J_HTTP_PORT',
      '7474',
      port,
      'Port of its Neo4j Browser, on loopback; 0 picks a free one.',
    ),
    heap: setting(
      'NEO4J_HEAP',
      '1g',
      heap,
      'Java heap of the embedded Neo4j, taken whole from the start.',
    ),
    line: optional(
      'NEO4J_LINE',
      oneOf('5.26', 'calendar'),
      'Version line of the embedded Neo4j, `5.26` or `calendar`. Unset: that of the store in `DATA_DIR`, else the newest that a Java on this machine can run.',
    ),
  },
  log: {
    level: setting(
      'LOG_LEVEL',
      'info',
      oneOf('error', 'warn', 'info', 'debug'),
      'Least severity that is logged: `error`, `warn`, `info` or `debug`.',
    ),
    format: optional(
      'LOG_FORMAT',
      oneOf('pretty', 'json'),
      '`pretty` or `json`; unset: pretty on a terminal, else json.',
    ),
  },
  push: {
    threads: setting(
      'PUSH_THREADS',
      '1',
      whole(0, 64),
      'Threads for large pushes; each runs one push at a time. 0: pushes run in the thread that answers requests.',
    ),
    threadBytes: setting(
      'PUSH_THREAD_BYTES',
      '256k',
      bytes(1, LONGEST_STRING),
      'Size above which a push is large, as sent or uncompressed.',
    ),
    threadMemory: optional(
      'PUSH_THREAD_MEMORY',
      bytes(64 * 1024 ** 2, 1024 ** 4),
      "JavaScript heap of each thread. The service answers a push that needs more with 413. Unset: what `MEMORY` leaves. Node's own `--max-old-space-size` takes precedence.",
    ),
  },
  parts: {
    transactionRows: optional(
      'LIMIT_TRANSACTION_ROWS',
      whole(1, 1e9),
      'Rows and relationships that one transaction may hold. A full push that changes more becomes a chunked push; its data source is `PENDING` meanwhile. Unset: 131072 for each gigabyte of `NEO4J_HEAP`; 131072 with `NEO4J_URI`.',
    ),
    writers: setting(
      'PUSH_WRITERS',
      '2',
      whole(1, 16),
      'Chunks of a push that are written at the same time, as long as they touch nothing that other pushes touch.',
    ),
    resumeSeconds: setting(
      'PUSH_RESUME_SECONDS',
      '10',
      seconds,
      'If a chunked push makes no progress for this many seconds, another process resumes it, or the next start does. The service looks for such pushes as often.',
    ),
    resumeTries: setting(
      'PUSH_RESUME_TRIES',
      '5',
      whole(1, 1000),
      'How often the service resumes a chunked push that makes no progress. It waits twice as long after each try, from `PUSH_RESUME_SECONDS` up to ten minutes. Then the push ends as `failed`.',
    ),
  },
  events: {
    pollSeconds: setting(
      'EVENTS_POLL_SECONDS',
      '1',
      seconds,
      'How often the service looks for new events for live streams.',
    ),
    heartbeatSeconds: setting(
      'EVENTS_HEARTBEAT_SECONDS',
      '15',
      seconds,
      'After this much silence a live stream sends a heartbeat.',
    ),
  },
  retention: {
    eventDays: setting(
      'KEEP_EVENTS_DAYS',
      '90',
      whole(0, 36_500),
      'The service removes older events; 0: it keeps all.',
    ),
    pushDays: setting(
      'KEEP_PUSHES_DAYS',
      '90',
      whole(0, 36_500),
      'The service removes older records of pushes, except of pushes that changed something and of the last push; 0: it keeps all.',
    ),
    everySeconds: setting(
      'KEEP_EVERY_SECONDS',
      '3600',
      seconds,
      'How often the service looks for old events and records.',
    ),
  },
  limits: {
    eventStreams: setting(
      'LIMIT_EVENT_STREAMS',
      '100',
      whole(0, 100_000),
      'Live streams that may be open in a process. The service answers more with 429.',
    ),
    bodyBytes: optional(
      'LIMIT_BODY_BYTES',
      bytes(1024, LONGEST_STRING),
      'Largest request body, as sent and after its `Content-Encoding` is undone. Unset: a quarter more than `LIMIT_JSON_BYTES`, at most 128m.',
    ),
    bodiesBytes: optional(
      'LIMIT_BODIES_BYTES',
      bytes(1024, 1024 ** 4),
      'Memory for the bodies of all requests; those of one key take at most half of it. The service answers a body for which there is no room with 429. Unset: an eighth of `MEMORY`, at most 1g, at least two bodies.',
    ),
    jsonBytes: optional(
      'LIMIT_JSON_BYTES',
      bytes(1024, LONGEST_STRING),
      'Largest payload (`json_data`) once it is uncompressed. Unset: a 24th of `PUSH_THREAD_MEMORY`, at most 256m.',
    ),
    keyBodies: setting(
      'LIMIT_KEY_BODIES',
      '256',
      whole(1, 100_000),
      'Requests with a body that one key may have running. The service answers more with 429.',
    ),
    sourceUploads: setting(
      'LIMIT_SOURCE_UPLOADS',
      '4',
      whole(1, 10_000),
      'Multipart uploads (`:parts`) of one data source that may be open. The service answers more with 429.',
    ),
    uploads: setting(
      'LIMIT_UPLOADS',
      '64',
      whole(1, 10_000),
      'Multipart uploads of all data sources that may be open. The service answers more with 429.',
    ),
    sourceUploadBytes: setting(
      'LIMIT_SOURCE_UPLOAD_BYTES',
      '1g',
      bytes(1024, 1024 ** 4),
      'Bytes that the open uploads of one data source may hold in Neo4j. The service answers more with 429.',
    ),
    uploadBytes: setting(
      'LIMIT_UPLOAD_BYTES',
      '4g',
      bytes(1024, 1024 ** 4),
      'Bytes that all open uploads may hold in Neo4j. The service answers more with 429.',
    ),
    problems: setting(
      'LIMIT_PROBLEMS',
      '100',
      whole(1, 100_000),
      'Problems that the answer to a refused push lists; the answer always has the total.',
    ),
    resourceDepth: setting(
      'LIMIT_RESOURCE_DEPTH',
      '100',
      whole(1, 1000),
      'Deepest nesting of resources.',
    ),
    propertyNames: setting(
      'LIMIT_PROPERTY_NAMES',
      '500',
      whole(0, 1e6),
      'Names of custom and dynamic properties that one data source may ever bring. Neo4j never forgets a name.',
    ),
    allPropertyNames: setting(
      'LIMIT_ALL_PROPERTY_NAMES',
      '5000',
      whole(0, 1e6),
      'Names of custom and dynamic properties that all data sources may bring together.',
    ),
    pushWaitSeconds: setting(
      'LIMIT_PUSH_WAIT_SECONDS',
      '60',
      seconds,
      'How long a push waits for a busy data source, or for its turn.',
    ),
    pushesWaiting: setting(
      'LIMIT_PUSHES_WAITING',
      '4',
      whole(0, 1000),
      'Large pushes that may wait for a thread, each with its body in memory. The service answers more with 429.',
    ),
    pushThreadSeconds: setting(
      'LIMIT_PUSH_THREAD_SECONDS',
      '600',
      seconds,
      'How long a push may run in a thread; a chunked push gets as long again for each tenth. Then the service ends the thread and answers 503.',
    ),
    payloadElements: setting(
      'LIMIT_PAYLOAD_ELEMENTS',
      '6000000',
      whole(1000, 1e9),
      'Nodes, relationships and repeated list entries that a payload may come to. Each payload may come to 200000, and to one more for each of its characters, up to this limit. The default suits an ordinary payload of 256 MB.',
    ),
    pushesAtOnce: setting(
      'LIMIT_PUSHES_AT_ONCE',
      '16',
      whole(1, 90),
      'Pushes that run at the same time beside those in threads, one for each data source. Others wait for their turn.',
    ),
    pushSeconds: setting(
      'LIMIT_PUSH_SECONDS',
      '300',
      seconds,
      "How long a push's transaction may take.",
    ),
    silenceSeconds: setting(
      'LIMIT_SILENCE_SECONDS',
      '30',
      seconds,
      'After this much silence the service gives Neo4j up: it answers 503 until Neo4j answers again. Work that Neo4j is doing may take longer.',
    ),
    answerSeconds: setting(
      'LIMIT_ANSWER_SECONDS',
      '30',
      seconds,
      'How long Neo4j may take to answer a question: search, access, a query.',
    ),
    questionsAtOnce: setting(
      'LIMIT_QUESTIONS_AT_ONCE',
      '24',
      whole(1, 1000),
      'Questions that run at the same time. They have as many connections to Neo4j of their own, beside those of pushes and sign-ins.',
    ),
    questionsOfKey: setting(
      'LIMIT_QUESTIONS_OF_KEY',
      '8',
      whole(1, 1000),
      'Questions that one key may have running at the same time.',
    ),
    questionWaitSeconds: setting(
      'LIMIT_QUESTION_WAIT_SECONDS',
      '5',
      seconds,
      'How long a question waits for its turn. Then the service answers 429.',
    ),
    queryRows: setting(
      'LIMIT_QUERY_ROWS',
      '10000',
      whole(1, 1_000_000),
      'Rows that `/api/v1/query` answers with; `truncated` says that there were more.',
    ),
    queryBytes: setting(
      'LIMIT_QUERY_BYTES',
      '16m',
      bytes(1024, LONGEST_STRING),
      'Bytes that Neo4j may send for an answer of `/api/v1/query`. The answer then holds the rows before; a single row that is larger is refused.',
    ),
    removalRows: setting(
      'LIMIT_REMOVAL_ROWS',
      '1000',
      whole(0, 1e12),
      'The removal guard protects data sources of at least this many rows.',
    ),
    removalShare: setting(
      'LIMIT_REMOVAL_SHARE',
      '0.5',
      share,
      'The removal guard refuses a full push that removes a larger share; 1 turns it off.',
    ),
    listedChanges: setting(
      'LIMIT_LISTED_CHANGES',
      '10000',
      whole(1, 1e6),
      'Entries in each list of `:plan` and `:verify`; the answer always has the total.',
    ),
    deletionRows: setting(
      'LIMIT_DELETION_ROWS',
      '5000',
      whole(0, 1e12),
      'The service deletes a data source of at most this many rows while its client waits, a larger one in the background (`DELETING`).',
    ),
    signIns: setting(
      'LIMIT_SIGN_INS',
      '60',
      whole(1, 1e6),
      'Unknown keys that a client address may try in a minute. The service answers more with 429. Keys that have signed in are not affected.',
    ),
    requestSeconds: setting(
      'LIMIT_REQUEST_SECONDS',
      '300',
      seconds,
      'How long a client may take to send a request, and how long it may read nothing of the answer.',
    ),
    connections: setting(
      'LIMIT_CONNECTIONS',
      '10000',
      whole(1, 1e6),
      'Connections of clients that may be open. The service closes more at once.',
    ),
    stopSeconds: setting(
      'LIMIT_STOP_SECONDS',
      '60',
      seconds,
      'How long a stop waits for running pushes.',
    ),
  },
} as const;

const ALL_SETTINGS: readonly Setting<unknown>[] = Object.values(SETTINGS).flatMap((group) =>
  Object.values(group as Record<string, Setting<unknown>>),
);

type Value<S> =
  S extends Setting<infer A> ? (S['fallback'] extends string ? A : A | undefined) : never;

/** The service's settings, by group; an optional one that is unset is undefined. */
export type Config = {
  readonly [G in keyof typeof SETTINGS]: {
    readonly [S in keyof (typeof SETTINGS)[G]]: Value<(typeof SETTINGS)[G][S]>;
  };
};

/** The limits among the settings. */
export type Limits = Config['limits'];

/** A setting that is wrong, and why. */
export interface ConfigProblem {
  readonly variable: string;
  readonly message: string;
}

/** Reads all settings from the environment; everything that is wrong is listed. */
export const readConfig = (
  env: Readonly<Record<string, string | undefined>>,
): E.Either<readonly ConfigProblem[], Config> => {
  const problems: ConfigProblem[] = unknown(env);
  const groups = Object.entries(SETTINGS).map(([group, settings]) => {
    const values = Object.entries(settings as Record<string, Setting<unknown>>).map(
      ([name, { variable, fallback, parse, isSecret }]): [string, unknown] => {
        const text = env[variable] || fallback;
        if (text === undefined) return [name, undefined];
        const value = parse(text);
        if (E.isRight(value)) return [name, value.right];
        const found = isSecret ? '' : `, not ${JSON.stringify(text)}`;
        problems.push({ variable, message: `must be ${value.left}${found}` });
        return [name, undefined];
      },
    );
    return [group, Object.fromEntries(values)] as const;
  });
  const config = Object.fromEntries(groups) as Config;
  // Rules between settings make sense only where each is right by itself.
  const all = problems.length > 0 ? problems : conflicts(config);
  return all.length > 0 ? E.left(all) : E.right(config);
};

/** All that is wrong with the settings, as the one message with which the start stops. */
export const configMessage = (problems: readonly ConfigProblem[]): string =>
  ['Wrong settings:', ...problems.map(({ variable, message }) => `  ${variable} ${message}`)].join(
    '\n',
  );

/** The same as a refusal of the start: one line for logs, several for people. */
export const configRefusal = (
  problems: readonly ConfigProblem[],
): { readonly message: string; readonly text: string; readonly fields: { settings: object } } => ({
  message: `Wrong settings: ${problems.map(({ variable, message }) => `${variable} ${message}`).join('; ')}`,
  text: configMessage(problems),
  fields: { settings: problems },
});

/** The settings as text for a terminal. */
export const settingsText = (): string =>
  ALL_SETTINGS.map(({ variable, fallback, doc }) =>
    [
      `  ${variable}${fallback === undefined ? '' : ` (${fallback})`}`,
      `      ${doc.replaceAll('`', '')}`,
    ].join('\n'),
  ).join('\n');

const LONGEST_LINE = 118;

/** A list item of Markdown, its lines broken between words, never within backquotes. */
const item = (text: string): string => {
  const lines = ['-'];
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= LONGEST_LINE) lines[lines.length - 1] = line;
    else lines.push(`  ${word}`);
  }
  return lines.join('\n');
};

/** The settings as the Markdown list that docs/operating.md holds. */
export const settingsList = (): string =>
  ALL_SETTINGS.map(({ variable, fallback, doc }) =>
    item(`**\`${variable}\`**${fallback === undefined ? '' : ` (\`${fallback}\`)`}: ${doc}`),
  ).join('\n');

function neo4jUri(text: string): E.Either<string, string> {
  const expected =
    'an address such as bolt://host:7687 or neo4j+s://host, without user and password';
  if (!/^(bolt|neo4j)(\+s|\+ssc)?:\/\//.test(text) || !URL.canParse(text)) return E.left(expected);
  const { hostname, username, password } = new URL(text);
  return hostname !== '' && username === '' && password === '' ? E.right(text) : E.left(expected);
}

function unknown(env: Readonly<Record<string, string | undefined>>): ConfigProblem[] {
  const known = ALL_SETTINGS.map(({ variable }) => variable);
  return unknownSettings(env, known).map(({ variable, guess }) => ({
    variable,
    message: `is no setting${guess === undefined ? '; --help lists them all' : `: did you mean ${guess}?`}`,
  }));
}

function origins(text: string): E.Either<string, readonly string[]> {
  const all = text.split(',').map((each) => each.trim());
  const isOrigin = (each: string): boolean =>
    /^https?:\/\//.test(each) && URL.canParse(each) && new URL(each).origin === each;
  return all.every((each) => each === '*' || isOrigin(each))
    ? E.right(all)
    : E.left(
        'origins such as https://access.example.org, in lower case and without a path, with commas between, or *',
      );
}

function heap(text: string): E.Either<string, string> {
  // Below 256 MB Neo4j does not start reliably.
  const size = bytes(256 * 1024 ** 2, 1024 ** 4)(text);
  return E.isRight(size) && /[kmg]$/i.test(text)
    ? E.right(text.toLowerCase())
    : E.left('a size from 256m up, such as 512m or 4g');
}

function conflicts({ http, tls, neo4j, embedded, limits }: Config): ConfigProblem[] {
  const problems = tlsConflicts(tls);
  const { apiKey, host } = http;
  if (apiKey !== undefined && apiKey.length < SHORTEST_OPEN_KEY && !isLoopback(host)) {
    problems.push({
      variable: 'API_KEY',
      message: `must have at least ${SHORTEST_OPEN_KEY} characters where HOST opens the service to the network`,
    });
  }
  if ((limits.bodiesBytes ?? Infinity) < (limits.bodyBytes ?? 0)) {
    problems.push({
      variable: 'LIMIT_BODIES_BYTES',
      message: 'must be at least LIMIT_BODY_BYTES: one body must find room',
    });
  }
  if (neo4j.uri !== undefined) return problems;
  if (neo4j.user !== 'neo4j') {
    problems.push({ variable: 'NEO4J_USER', message: 'is for NEO4J_URI; embedded it is neo4j' });
  }
  if (neo4j.database !== 'neo4j') {
    problems.push({
      variable: 'NEO4J_DATABASE',
      message: 'is for NEO4J_URI; the embedded Neo4j has one database, neo4j',
    });
  }
  if (neo4j.password !== undefined && neo4j.password.length < 8) {
    problems.push({
      variable: 'NEO4J_PASSWORD',
      message: 'must have at least 8 characters: the embedded Neo4j takes no shorter one',
    });
  }
  const ports = [
    ['PORT', http.port],
    ['NEO4J_BOLT_PORT', embedded.boltPort],
    ['NEO4J_HTTP_PORT', embedded.httpPort],
  ] as const;
  ports.forEach(([variable, number], index) => {
    const other = ports.slice(0, index).find(([, earlier]) => earlier === number && number !== 0);
    if (other !== undefined) {
      problems.push({ variable, message: `must not be ${number}, which is ${other[0]}'s` });
    }
  });
  return problems;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function tlsConflicts({ mode, certFile, keyFile }: Config['tls']): ConfigProblem[] {
  if (mode !== undefined && (certFile !== undefined || keyFile !== undefined)) {
    return [
      { variable: 'TLS', message: 'is for want of TLS_CERT and TLS_KEY: set one or the other' },
    ];
  }
  if ((certFile === undefined) === (keyFile === undefined)) return [];
  return certFile === undefined
    ? [{ variable: 'TLS_CERT', message: 'is missing beside TLS_KEY' }]
    : [{ variable: 'TLS_KEY', message: 'is missing beside TLS_CERT' }];
}
