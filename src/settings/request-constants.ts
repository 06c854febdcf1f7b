import { fixed, following } from './constant';

/** Live streams of events. */
export const EVENTS = {
  pollSeconds: fixed(
    'EVENTS_POLL_SECONDS',
    1,
    'How often the service looks for new events for live streams.',
    'A reader notices no shorter delay, and one look a second costs Neo4j nothing.',
  ),
  heartbeatSeconds: fixed(
    'EVENTS_HEARTBEAT_SECONDS',
    15,
    'After this much silence a live stream sends a heartbeat.',
    'Proxies close a connection that is silent for 30 to 60 seconds.',
  ),
};

/** Pages of the console. */
export const CONSOLE = {
  beginsAfterMs: fixed(
    'LIMIT_PAGE_WAIT_MS',
    50,
    'After this many milliseconds a page of the console begins, though the graph has not answered.',
    'People notice a wait of more than a tenth of a second. Pages that need less keep the status of their answer.',
  ),
};

/** A Neo4j that does not answer. */
export const NEO4J_LIMITS = {
  silenceSeconds: fixed(
    'LIMIT_SILENCE_SECONDS',
    30,
    'After this much silence the service gives Neo4j up: it answers 503 until Neo4j answers again. Work that Neo4j is doing may last longer.',
    'A Neo4j that is well answers a sign-in at once, also while it collects garbage.',
  ),
};

/** Bodies of requests. */
export const BODY_LIMITS = {
  bodyBytes: following(
    'LIMIT_BODY_BYTES',
    'a quarter more than the largest payload, at most 128m',
    'Largest request body, as sent and after its `Content-Encoding` is undone.',
    'An envelope with the largest payload fits; what is larger may come gzipped or in parts.',
  ),
  bodiesBytes: following(
    'LIMIT_BODIES_BYTES',
    'an eighth of `MEMORY`, at most 1g, at least two bodies',
    'Memory for the bodies of all requests; those of one key use at most half of it. The service answers a body for which there is no room with 429.',
    'The rest of the memory is for pushes and answers.',
  ),
  keyBodies: fixed(
    'LIMIT_KEY_BODIES',
    256,
    'Requests with a body that one key may have running. The service answers more with 429.',
    'No connector needs more, and one key cannot use all connections.',
  ),
  keyRequests: fixed(
    'LIMIT_KEY_REQUESTS',
    1000,
    'Requests that one key may have under way, also while they wait for their turn. The service answers more with 429.',
    'A tenth of the connections; nobody sends so many at once.',
  ),
  requestSeconds: fixed(
    'LIMIT_REQUEST_SECONDS',
    300,
    'How long a client may take to send a request, and how long it may read nothing of the answer.',
    'A slow line sends the largest body in that time; a client that is gone frees its room.',
  ),
  connections: fixed(
    'LIMIT_CONNECTIONS',
    10_000,
    'Connections of clients that may be open. The service closes more at once.',
    'An idle connection uses some kilobytes, and each needs a file handle of the system.',
  ),
  addressConnections: fixed(
    'LIMIT_ADDRESS_CONNECTIONS',
    1000,
    'Connections of one client address, or of one IPv6 network of 56 bits, that may wait: idle, without a complete request, or without a key. The service closes more at once.',
    'Behind a proxy all clients have its address, and a proxy holds fewer idle connections open.',
  ),
  signIns: fixed(
    'LIMIT_SIGN_INS',
    60,
    'Unknown keys that a client address, or an IPv6 network of 56 bits, may try in a minute; the same number of keys that people type, one-time codes, sessions, and answers of the issuer. The service answers more with 429. Keys that it has found before are not affected.',
    'A connector with a wrong key stays below it; somebody who guesses gets nowhere.',
  ),
  stopSeconds: fixed(
    'LIMIT_STOP_SECONDS',
    60,
    'How long a stop waits for running pushes.',
    'Most pushes end by then; the next start resumes or the client repeats the others.',
  ),
};

/** Multipart uploads. */
export const UPLOAD_LIMITS = {
  sourceUploads: fixed(
    'LIMIT_SOURCE_UPLOADS',
    4,
    'Multipart uploads (`:parts`) of one data source that may be open. The service answers more with 429.',
    'A connector needs one, and a few more that it gave up within the hour.',
  ),
  uploads: fixed(
    'LIMIT_UPLOADS',
    64,
    'Multipart uploads of all data sources that may be open, a quarter of them of one provider. The service answers more with 429.',
    'So many connectors seldom upload within one hour.',
  ),
  sourceUploadBytes: fixed(
    'LIMIT_SOURCE_UPLOAD_BYTES',
    1024 ** 3,
    'Bytes that the open uploads of one data source may hold in Neo4j. The service answers more with 429.',
    'Four payloads of the largest size fit.',
    '1g',
  ),
  uploadBytes: fixed(
    'LIMIT_UPLOAD_BYTES',
    4 * 1024 ** 3,
    'Bytes that all open uploads may hold in Neo4j, a quarter of them of one provider. The service answers more with 429.',
    'Uploads must not fill the disk of Neo4j.',
    '4g',
  ),
};

/** Questions and their answers. */
export const QUESTION_LIMITS = {
  eventStreams: fixed(
    'LIMIT_EVENT_STREAMS',
    100,
    'Live streams that may be open in a process. The service answers more with 429.',
    'Each holds a connection for as long as its reader stays.',
  ),
  streamsOfKey: fixed(
    'LIMIT_STREAMS_OF_KEY',
    20,
    'Live streams of one key that may be open in a process. The service answers more with 429.',
    'One key cannot use up the streams of all others.',
  ),
  questionsAtOnce: fixed(
    'LIMIT_QUESTIONS_AT_ONCE',
    24,
    'Questions that run at the same time. They have eight connections each to Neo4j of their own, in addition to those of pushes and sign-ins.',
    'More would only wait for the processors of Neo4j.',
  ),
  questionsOfKey: fixed(
    'LIMIT_QUESTIONS_OF_KEY',
    8,
    'Questions that one key may have running at the same time.',
    'One key uses at most a third of the room for questions.',
  ),
  cypherAtOnce: fixed(
    'LIMIT_CYPHER_AT_ONCE',
    4,
    'Queries in Cypher of callers that run at the same time, one of each key. They count in no other limit of questions.',
    'Each may use a processor of Neo4j until its time ends.',
  ),
  questionWaitSeconds: fixed(
    'LIMIT_QUESTION_WAIT_SECONDS',
    5,
    'How long a question waits for its turn. Then the service answers 429.',
    'Somebody waits before a screen; a program can send the question again.',
  ),
  exportsAtOnce: fixed(
    'LIMIT_EXPORTS_AT_ONCE',
    4,
    'Exports of access that run at the same time, half of them of one key. Others wait for `LIMIT_QUESTION_WAIT_SECONDS`; then the service answers 429.',
    'Each holds a part of a graph of access in memory (`ACCESS_MEMORY`), and needs a processor.',
  ),
  loadSeconds: fixed(
    'LIMIT_LOAD_SECONDS',
    600,
    'How long a question waits while the process loads the graph of access. Then the service answers 503; the load goes on.',
    'Who waits longer should ask again, and hold no place of a question meanwhile.',
  ),
  queryRows: fixed(
    'LIMIT_QUERY_ROWS',
    10_000,
    'Rows that `/api/v1/query` answers with; `truncated` says that there were more.',
    'A query can page with `SKIP` and `LIMIT`.',
  ),
  queryBytes: fixed(
    'LIMIT_QUERY_BYTES',
    16 * 1024 ** 2,
    'Bytes that Neo4j may send for an answer of `/api/v1/query`. The answer then holds the rows before; a single row that is larger is refused.',
    'The service holds the answer in memory, and several at once.',
    '16m',
  ),
};
