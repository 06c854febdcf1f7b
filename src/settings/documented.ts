import * as E from 'fp-ts/Either';

import { neo4jUri, networks, origins, publicUrl } from './addresses';
import {
  anyText,
  bytes,
  matching,
  oneOf,
  optional,
  port,
  seconds,
  share,
  whole,
  withDefault,
} from './setting';

const heap = (text: string): E.Either<string, string> => {
  // Below 256 MB Neo4j does not start reliably.
  const size = bytes(256 * 1024 ** 2, 1024 ** 4)(text);
  return E.isRight(size) && /[kmg]$/i.test(text)
    ? E.right(text.toLowerCase())
    : E.left('a size from 256m up, such as 512m or 4g');
};

/** The settings that operators set. `--help` and docs/operating.md (Settings) list them from here. */
export const DOCUMENTED = {
  http: {
    port: withDefault('PORT', '8080', port, 'Port of the HTTP interface; 0 picks a free one.'),
    host: withDefault(
      'HOST',
      '127.0.0.1',
      anyText,
      'Address to listen on; `0.0.0.0` opens the service to the network.',
    ),
    apiKey: optional(
      'API_KEY',
      matching(/^[\x21-\x7e]+$/, 'visible ASCII characters without spaces'),
      'Bearer key that may do everything. It needs 20 characters unless `HOST` is loopback. Unset: the service makes one and stores it in `DATA_DIR/api-key`.',
      true,
    ),
    nextApiKey: optional(
      'API_KEY_NEXT',
      matching(/^[\x21-\x7e]+$/, 'visible ASCII characters without spaces'),
      'A second such key, to change `API_KEY` without an outage (see Rotation of keys). Unset: none.',
      true,
    ),
    publicUrl: optional(
      'PUBLIC_URL',
      publicUrl,
      'Address under which clients reach the service, such as `https://graph.example.org`. Addresses in answers begin with it. If it has a path, a proxy removes it from requests, and all links of pages stay below it. Unset: they are relative, the guide for Neo4j Browser names `localhost`, and people sign in only at `localhost`, an IP address or the name of the machine.',
    ),
    trustedProxies: optional(
      'TRUSTED_PROXIES',
      networks,
      'Addresses or networks of proxies before the service, such as `10.0.0.5,10.1.0.0/16`. Of their requests the service takes the address and the scheme of the client from `X-Forwarded-For` and `X-Forwarded-Proto`. Unset: it trusts none, so all clients of a proxy have one address.',
    ),
    corsOrigins: optional(
      'CORS_ORIGINS',
      origins,
      'Addresses of pages that may send requests from a browser (CORS), such as `https://access.example.org`, separated by commas; `*`: all. Unset: none.',
    ),
  },
  tls: {
    mode: optional(
      'TLS',
      oneOf('self-signed'),
      '`self-signed`: https with a certificate for localhost and 127.0.0.1, which the service makes once and stores in `DATA_DIR`. Clients must trust `DATA_DIR/tls-certificate.pem`.',
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
      'Memory that the service may use. The sizes of payloads, bodies and push threads follow from it. Unset: the limit of its container, or else the memory of the machine, less that of the embedded Neo4j.',
    ),
    accessBytes: optional(
      'ACCESS_MEMORY',
      bytes(16 * 1024 ** 2, 1024 ** 4),
      'Memory for graphs of access: half of it for the one that the process holds and for the copy that a plan changes, and half for those of exports that run at once. With less than they need the service starts and accepts pushes, and answers questions about access and exports with 503. A relationship needs up to 64 bytes and a node some 250. Unset: a quarter of `MEMORY`.',
    ),
  },
  data: {
    folder: withDefault('DATA_DIR', './data', anyText, 'Folder of keys and of the embedded Neo4j.'),
  },
  secrets: {
    key: optional(
      'SECRETS_KEY',
      matching(/^([\da-f]{64}|[\w+/-]{43}=?)$/i, '32 bytes in base64 or hexadecimal'),
      'Key that seals the secrets of applications in the graph: 32 bytes, in base64 or hexadecimal. Unset: `SECRETS_KEY_FILE`.',
      true,
    ),
    keyFile: optional(
      'SECRETS_KEY_FILE',
      anyText,
      'File of that key. Unset: the service makes a key once, and stores it in `DATA_DIR/secrets-key`.',
    ),
  },
  neo4j: {
    uri: optional(
      'NEO4J_URI',
      neo4jUri,
      'Address of Neo4j (`bolt://`, `neo4j://`, with `+s` or `+ssc`). Unset: the service starts an embedded one.',
      true,
    ),
    user: withDefault('NEO4J_USER', 'neo4j', anyText, 'User of Neo4j.'),
    password: optional(
      'NEO4J_PASSWORD',
      anyText,
      'Password of Neo4j. Unset: with `NEO4J_URI` the service does not sign in; otherwise it makes a password and stores it in `DATA_DIR/neo4j-password`.',
      true,
    ),
    database: withDefault('NEO4J_DATABASE', 'neo4j', anyText, 'Database to write to.'),
  },
  console: {
    neo4jBrowserUrl: optional(
      'NEO4J_BROWSER_URL',
      publicUrl,
      'Address of Neo4j Browser, as people reach it, such as `http://localhost:7474/browser/`. The console leads there with its queries. Unset: that of the embedded Neo4j if `HOST` is loopback, or else none.',
    ),
  },
  embedded: {
    boltPort: withDefault(
      'NEO4J_BOLT_PORT',
      '7687',
      port,
      'Bolt port of the embedded Neo4j, on loopback; 0 picks a free one.',
    ),
    httpPort: withDefault(
      'NEO4J_HTTP_PORT',
      '7474',
      port,
      'Port of its Neo4j Browser, on loopback; 0 picks a free one.',
    ),
    heap: withDefault(
      'NEO4J_HEAP',
      '1g',
      heap,
      'Java heap of the embedded Neo4j, which Java reserves completely at the start.',
    ),
    aotCache: withDefault(
      'NEO4J_AOT_CACHE',
      'make',
      oneOf('make', 'use', 'off'),
      "Java's AOT cache, with which the embedded Neo4j starts faster on Java 25 and later: `make` one in the background if there is none, only `use` one that exists, or `off`.",
    ),
  },
  log: {
    level: withDefault(
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
    threads: withDefault(
      'PUSH_THREADS',
      '1',
      whole(0, 64),
      'Threads for large pushes; each runs one push at a time. 0: pushes run in the thread that answers requests.',
    ),
  },
  limits: {
    removalRows: withDefault(
      'LIMIT_REMOVAL_ROWS',
      '1000',
      whole(0, 1e12),
      'The removal guard protects data sources of at least this many rows.',
    ),
    removalShare: withDefault(
      'LIMIT_REMOVAL_SHARE',
      '0.5',
      share,
      'The removal guard refuses a full push that removes a larger share; 1 turns it off.',
    ),
    answerSeconds: withDefault(
      'LIMIT_ANSWER_SECONDS',
      '30',
      seconds,
      'How long Neo4j may take to answer a question: search, access, a query.',
    ),
  },
} as const;
