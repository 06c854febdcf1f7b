import { capitals, flag, folded, number, service, text, texts, time } from './table';

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

/** A data source. It is here and not in the registry, since the templates say that payloads come `FROM` one. */
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

/** One push. It is here and not in `push`, since the lists of pushes in `graph` read its properties. */
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

/**
 * Something that happened. Event streams and `GET /events` report it. It is here and not in the feature of events,
 * since `graph` writes and lists it.
 */
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

/** The type of the relationship from an account to its person. */
export const ACCOUNT_OF = 'ACCOUNT_OF';
