import { flag, forgotten, type Holds, number, service, text, texts, time } from '../model/table';

/** A record of the service itself. */
const OWN: Holds = { of: 'service', by: null, days: null };

/** What the service stores about the newest full payload of a data source. */
export const KnownPayload = service('KnownPayload', {
  holds: { of: 'data source', by: 'key', days: null },
  doc: "What the service remembers of a data source's newest full payload, so that it need not read the same text again; its key is the data source's id.",
  properties: {
    sha256: text("Of the payload's text, in hexadecimal.", 'nobody'),
    digest: text('Digest of the data source after it.', 'nobody'),
    rules_version: number('Version of the rules that made its rows.'),
    turns: number('`turns` of the BindingLock when its warnings were found.'),
    warning_count: number('Warnings in all.'),
    first_warnings: forgotten('Its first 1,000 warnings, as JSON.', 'removal'),
    packed_warnings: forgotten(
      'Base64 of a gzip of all its warnings, as JSON; empty without any.',
      'removal',
    ),
  },
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
