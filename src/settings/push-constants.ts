import { fixed, following } from './constant';

/** Push threads. */
export const PUSH = {
  threadBytes: fixed(
    'PUSH_THREAD_BYTES',
    64 * 1024,
    'Size above which a push is large, as sent or uncompressed.',
    'Other requests hardly wait for a smaller push.',
    '64k',
  ),
  threadMemory: following(
    'PUSH_THREAD_MEMORY',
    'what `MEMORY` leaves',
    'JavaScript heap of each push thread. The service answers a push that needs more with 413.',
    "All sizes follow from `MEMORY`, so that they fit together. Node's own `--max-old-space-size` wins over it.",
  ),
};

/** Chunked pushes. */
export const PARTS = {
  transactionRows: following(
    'LIMIT_TRANSACTION_ROWS',
    '131072 for each gigabyte of `NEO4J_HEAP`; 131072 with `NEO4J_URI`',
    'Rows and relationships that one transaction may hold. A full push that changes more becomes a chunked push; its data source is `PENDING` until it ends.',
    "Neo4j holds a transaction in its heap, and 8 KiB for each row is enough. With `NEO4J_URI` the service does not know Neo4j's heap, and assumes 1g.",
  ),
  resumeSeconds: fixed(
    'PUSH_RESUME_SECONDS',
    10,
    'If a chunked push makes no progress for this many seconds, another process resumes it, or the next start does. The service looks for such pushes as often.',
    'A chunk needs less time than that, so no process takes over a push that still runs.',
  ),
  resumeTries: fixed(
    'PUSH_RESUME_TRIES',
    5,
    'How often the service resumes a chunked push that makes no progress. It waits twice as long after each try, from `PUSH_RESUME_SECONDS` up to ten minutes. Then the push ends as `failed`.',
    'Five tries outlast a restart of Neo4j; what fails longer needs somebody to look.',
  ),
};

/** What one push may bring, and how long it may wait and run. */
export const PUSH_LIMITS = {
  jsonBytes: following(
    'LIMIT_JSON_BYTES',
    "a 24th of a push thread's heap, at most 256m",
    'Largest payload (`json_data`) once it is uncompressed.',
    'A push needs up to 24 bytes of heap for each byte of its payload.',
  ),
  problems: fixed(
    'LIMIT_PROBLEMS',
    100,
    'Problems that the answer to a refused push lists; the answer always has the total.',
    'A hundred show what a connector does wrong.',
  ),
  resourceDepth: fixed(
    'LIMIT_RESOURCE_DEPTH',
    100,
    'Deepest nesting of resources.',
    'Real systems nest less deep, and Neo4j follows each level in each question.',
  ),
  propertyNames: fixed(
    'LIMIT_PROPERTY_NAMES',
    500,
    'Names of custom and dynamic properties that one data source may ever bring.',
    'Neo4j never forgets a name; a connector that makes up more has a fault.',
  ),
  providerPropertyNames: fixed(
    'LIMIT_PROVIDER_PROPERTY_NAMES',
    1000,
    'Names of custom and dynamic properties that all data sources of one provider may ever bring.',
    'A key that is limited to a provider may create data sources, and must not use up what others need.',
  ),
  allPropertyNames: fixed(
    'LIMIT_ALL_PROPERTY_NAMES',
    20_000,
    'Names of custom and dynamic properties that all data sources may bring together.',
    'Neo4j never forgets a name, so its list of names must end somewhere.',
  ),
  dataSources: fixed(
    'LIMIT_DATA_SOURCES',
    500,
    'Data sources that one provider may have. The service answers more with 409.',
    'A list of them is read and sorted at once, and a key that is limited to a provider makes them as it likes.',
  ),
  payloadElements: fixed(
    'LIMIT_PAYLOAD_ELEMENTS',
    6_000_000,
    'Nodes, relationships and repeated list entries that a payload may come to. Each payload may come to 200000, and to one more for each of its characters, up to this limit.',
    'It suits an ordinary payload of 256 MB, the largest that the service accepts.',
  ),
  pushWaitSeconds: fixed(
    'LIMIT_PUSH_WAIT_SECONDS',
    60,
    'How long a push waits for a busy data source, or for its turn.',
    'Most clients and proxies wait as long for an answer.',
  ),
  pushesWaiting: fixed(
    'LIMIT_PUSHES_WAITING',
    16,
    'Large pushes that may wait for a thread, half of them of one key. The service answers more with 429.',
    'Each waits with its body in memory, which `LIMIT_BODIES_BYTES` bounds; its client can send it again later.',
  ),
  pushThreadSeconds: fixed(
    'LIMIT_PUSH_THREAD_SECONDS',
    600,
    'How long a push may run in a thread; a chunked push gets as long again for each tenth. Then the service ends the thread and answers 503.',
    'The largest payloads need a fraction of that.',
  ),
  pushesAtOnce: fixed(
    'LIMIT_PUSHES_AT_ONCE',
    16,
    'Pushes that run at the same time in addition to those in threads: one for each data source, and half of them of one key. Others wait for their turn.',
    'Each holds a connection, of which the driver has a hundred.',
  ),
  pushSeconds: fixed(
    'LIMIT_PUSH_SECONDS',
    300,
    "How long a push's transaction may take.",
    'A full transaction takes seconds; one that takes minutes waits for something that does not come.',
  ),
  listedChanges: fixed(
    'LIMIT_LISTED_CHANGES',
    10_000,
    'Entries in each list of `:plan` and `:verify`; the answer always has the total.',
    'Nobody reads more, and the answer stays small.',
  ),
  deletionRows: fixed(
    'LIMIT_DELETION_ROWS',
    5000,
    'The service deletes a data source of at most this many rows while its client waits, a larger one in the background (`DELETING`).',
    'The service removes this many rows within a second or two.',
  ),
};
