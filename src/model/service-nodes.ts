import {
  capitals,
  flag,
  folded,
  forgotten,
  type Holds,
  number,
  service,
  text,
  texts,
  time,
} from './table';

/** A record of the service itself. */
const OWN: Holds = { of: 'service', by: null, days: null };

const name = text('Name.', 'called');

/** What a record holds of its deletion, while that is under way. */
export const DELETION = {
  deleting_request: text('The HTTP request that requested its deletion.', 'mention'),
  deleting_key_id: text(
    'Id of the team key that requested it; absent if it was a key of the settings.',
    'signer',
  ),
  deleting_key_name: text('Name of the key that requested it.', 'mention'),
  deleting_address: text('Address from which the request came.', 'whereabouts'),
  deleting_confirmed: text('The token by which the request confirmed it.', 'nobody'),
  deleting_rows: number('Rows that it held then.'),
  deleting_erases: flag('Whether its history goes too.'),
};

export const DataSource = service('DataSource', {
  holds: { of: 'data source', by: null, days: null },
  doc: 'A stream of pushes under a provider.',
  properties: {
    id: text('UUID.', 'nobody'),
    name,
    provider: text("The provider's name.", 'called'),
    status: text('`PENDING`, `SUCCESS`, `ERROR` or `DELETING`.', 'nobody'),
    ...DELETION,
    deleting_at: time('When its facts end, if it is being deleted.'),
    digest: text(
      "Sum modulo 2^256 of its rows' hashes, in hexadecimal (docs/rules.md: Digests).",
      'nobody',
    ),
    rows: number('Rows that it holds.'),
    rules_version: number('Version of the rules that made its row hashes.'),
    definitions: text('Custom property definitions remembered, as JSON.', 'called'),
    application_types: texts(
      'Application types of the newest full push and the increments since.',
      'called',
    ),
    resource_types: texts('Resource types of the same pushes.', 'called'),
    idp_types: texts('Identity provider types of the same pushes.', 'called'),
    remembers_more: flag(
      'Whether increments since the newest full push have added to definitions or types.',
    ),
    property_names: texts(
      'Names of custom and dynamic properties that its pushes ever brought.',
      'called',
    ),
    removal_allowed_until: time('Until when the removal guard lets the next push through.'),
    last_push: text('The newest accepted push.', 'nobody'),
    last_push_at: time('When it was.'),
    pending_push: text('The unfinished chunked push.', 'nobody'),
    pending_total: number('Nodes and relationships that it writes.'),
    pending_done: number('How many of them are written.'),
    pending_nodes_put: number('Nodes that its chunks created or changed.'),
    pending_relationships_put: number('Relationships that they created or changed.'),
    pending_nodes_removed: number('Nodes that they removed.'),
    pending_relationships_removed: number('Relationships that they removed.'),
    half_written_by: text(
      'The chunked push that failed and left some of its rows; until the next full push.',
      'nobody',
    ),
    since: time('Created.'),
  },
  unique: ['fold_name_in_provider'],
  indexes: ['status', 'name'],
  lookups: { fold_name_in_provider: text("The provider's id and the name: unique.", 'lookup') },
});

/** An unfinished chunked push. It holds what a process needs to resume it. */
export const LargePush = service('LargePush', {
  holds: { of: 'data source', by: 'key', days: null },
  doc: "A chunked push that is not finished; its key is the data source's id.",
  properties: {
    push: text('Id of its Push.', 'nobody'),
    payload: text('The upload that holds its payload.', 'nobody'),
    runner: text('The process that applies it; Neo4j accepts chunks from no other.', 'nobody'),
    total: number('Nodes and relationships that it writes.'),
    since: time('When a process last began or resumed it.'),
    key_id: text(
      'Id of the team key that pushed it; absent if it was a key of the settings.',
      'signer',
    ),
    key_name: text('Name of the key that pushed it.', 'mention'),
    client_address: text('Address from which it was pushed.', 'whereabouts'),
    is_counted: flag('Whether its data source counts all that it writes.'),
    tries: number('How often somebody went on with it since it last got further.'),
    tried_at: number('Tenths that were written when the count of tries last began.'),
    retry_at: time('When somebody may try again.'),
  },
  indexes: ['since'],
});

/** One push. */
export const Push = service('Push', {
  holds: { of: 'data source', by: null, days: { setting: 'pushDays', after: null } },
  doc: 'One push, accepted or refused; every `since` and `changed` is the `at` of one.',
  properties: {
    id: text('UUID.', 'nobody'),
    at: time('When; unique in the graph.'),
    outcome: text(
      '`accepted`, `unchanged` or `refused`; a chunked push is `pending` until it ends, `replaced` if another push replaced it, `failed` if no process could finish it.',
      'nobody',
    ),
    digest: text('Digest of the data source after it.', 'nobody'),
    turn: number('Commit sequence: its number among the pushes that changed the graph.'),
    nodes_put: number('Nodes created or changed.'),
    relationships_put: number('Relationships created or changed.'),
    nodes_removed: number('Nodes removed.'),
    relationships_removed: number('Relationships removed.'),
    access_gained: number('Permissions on resources that principals gained by it, once counted.'),
    access_lost: number('Those that they lost.'),
    access_principals: number('Principals whose access it changed.'),
    access_resources: number('Resources to which it changed access.'),
    access_people: number('People whose access it changed, each once with all accounts.'),
    access_factors: text(
      'What it did to access, as JSON, if it changed too much to be counted.',
      'mention',
    ),
    warnings: texts('The first 1,000 warnings.', 'mention'),
    warning_details: text(
      'Code, pointer and subject of each of them, in the same order, as JSON.',
      'mention',
    ),
    warning_count: number('Warnings in all.'),
    problems: text('The first 100 problems for which it was refused, as JSON.', 'mention'),
    problem_count: number('Problems in all.'),
    request_id: text('Id of the HTTP request.', 'nobody'),
    key_id: text(
      'Id of the team key that pushed it; absent if it was a key of the settings.',
      'signer',
    ),
    key_name: text('Name of the key that pushed it.', 'mention'),
    client_address: text('Address from which it was pushed.', 'whereabouts'),
  },
  lookups: { fold_key_name: folded('`key_name`, folded.', 'key_name') },
  unique: ['at'],
  indexes: [['outcome', 'at'], 'turn'],
});

/** Something that happened. Event streams and `GET /events` report it. */
export const Event = service('Event', {
  holds: { of: 'service', by: null, days: { setting: 'eventDays', after: 'timestamp' } },
  doc: 'Something that happened to a provider, a data source, a team key or the service (docs/rules.md: Events).',
  properties: {
    id: text('UUID.', 'nobody'),
    timestamp: time('When.'),
    category: capitals('`INTEGRATIONS` or `SYSTEM`.'),
    severity: capitals('`INFO`, `WARNING` or `ERROR`.'),
    name: text('What happened, in two words.', 'nobody'),
    message: text('A sentence.', 'mention'),
    event_type: capitals('Kind of event.'),
    entity: capitals('`DATASOURCE`, `PROVIDER`, `TEAM_KEY` or `SERVICE`.'),
    entity_id: text('Its id.', 'nobody'),
    entity_name: text('Its name.', 'mention'),
    provider_id: text('Id of the provider; empty if the event concerns none.', 'nobody'),
    metadata: text('Further facts, as JSON.', 'mention'),
    error: text('What went wrong, as JSON.', 'mention'),
    place: number('Place in the live stream; set after the commit.'),
    unplaced: flag('Whether it has no place yet.'),
  },
  lookups: {
    fold_name: folded('`name`, folded.', 'name'),
    fold_message: folded('`message`, folded.', 'message'),
    fold_entity_name: folded('`entity_name`, folded.', 'entity_name'),
  },
  indexes: ['timestamp', 'entity_id', 'place', 'unplaced'],
});

/** Its write lock puts the events of the live stream in order. */
export const EventOrder = service('EventOrder', {
  holds: OWN,
  doc: 'One node. A process holds its write lock while it gives events their places in the live stream.',
  properties: {
    places: number('How many places have been given.'),
  },
});

/**
 * A multipart upload. It ends when it is complete or an hour old (docs/rules.md: Multipart
 * uploads).
 */
export const Upload = service('Upload', {
  holds: { of: 'data source', by: null, days: null },
  doc: 'A multipart upload, until it is complete or an hour old.',
  properties: {
    data_source: text('Id of the data source that it is for.', 'nobody'),
    since: time('When it began; a time long ago once it has ended and may be removed.'),
    bytes: number(
      'Bytes of the payload that have arrived; absent if they count in no quota of uploads.',
    ),
  },
  indexes: ['since', 'data_source'],
});

/** A part of a multipart upload that the service has received. */
export const UploadPart = service('UploadPart', {
  holds: { of: 'data source', by: null, days: null },
  doc: "A received part of an upload; its key is the upload's id and its number.",
  properties: {
    number: number('Sequence number, from 1.'),
    bytes: number('Bytes of the payload that it holds.'),
    sha256: text('Their SHA-256, in hexadecimal.', 'nobody'),
    slices: number('Number of its slices.'),
  },
});

/** A slice of a part. A part may be too large for one property. */
export const UploadSlice = service('UploadSlice', {
  holds: { of: 'data source', by: null, days: null },
  doc: "A slice of an upload's part; its key is the part's and its place, from 0.",
  properties: {
    base64: forgotten("Base64 of a piece of the part's gzip.", 'the end of uploads'),
  },
});

/**
 * The derivation lock. Its write lock lets one push at a time draw derived relationships
 * (docs/rules.md: Derived relationships).
 */
export const BindingLock = service('BindingLock', {
  holds: OWN,
  doc: 'One node. A push holds its write lock while it draws derived relationships.',
  properties: {
    turns: number('The commit sequence: how often pushes and repairs have changed the graph.'),
    epoch: text(
      'Random: the same number of another graph is another commit. Absent after a restore, and in graphs of old releases.',
      'nobody',
    ),
    kinds: texts(
      'Labels of which the graph has held nodes, among those that derived relationships join.',
      'nobody',
    ),
  },
});

/**
 * What one transaction changed in the graph of effective access. Processes that hold that graph in
 * memory read it (docs/architecture.md: Access in memory).
 */
export const AccessCommit = service('AccessCommit', {
  holds: { ...OWN, isLeftOutOfBackups: true },
  doc: 'What one transaction changed in the graph of access, for a day; its key is its number in the commit sequence.',
  properties: {
    turn: number('Its number in the commit sequence.'),
    written: time('When it was.'),
    at: time('The instant at which its facts begin and end.'),
    changes: forgotten(
      'The changes, each piece as base64 of a gzip; absent if nobody knows them all.',
      'removal',
    ),
  },
  indexes: ['turn', 'written'],
});

/**
 * The store version. A release that writes the graph in another way first migrates it
 * (docs/rules.md: Store versions).
 */
export const Store = service('Store', {
  holds: OWN,
  doc: 'One node, which holds the store version. A process holds its write lock while it migrates the graph.',
  properties: {
    version: number('The store version.'),
    release: text('The release that brought the graph to this version.', 'nobody'),
    history_since: time('Since when ended facts are stored; absent if none are.'),
    access_turn: number('Commit sequence up to which changes of access are counted.'),
    access_push: text('Id of the newest push that is counted.', 'nobody'),
    access_at: time('When that push was.'),
    restoring: time('When a restore began that is not finished yet.'),
    restored: time('When the graph was restored from a backup; absent if it never was.'),
    restored_keys: texts('Ids of the team keys that the restore revoked.', 'nobody'),
    paused: time(
      'Since when policies and timed imports wait for somebody who starts them, after a restore.',
    ),
  },
});

/** The type of the relationship from an account to its person. */
export const ACCOUNT_OF = 'ACCOUNT_OF';
