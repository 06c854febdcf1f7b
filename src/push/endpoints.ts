import type * as t from 'io-ts';

import { Codec, typeInWords } from '../codec/codec';
import { dictionary } from '../codec/collections';
import { exact, has, oneOf } from '../codec/exact';
import { quote } from '../codec/quote';
import { wholeNumber } from '../codec/scalars';
import { struct } from '../codec/struct';
import { anyText, enumeration, requiredText, Text, text } from '../codec/text';
import { pageOf, valueOf } from '../contract/answers/page';
import { PlanAnswer } from '../contract/answers/plan';
import { ListedPush, PushAnswer, PushDetails } from '../contract/answers/pushes';
import { count } from '../contract/answers/values';
import { CONFIRM_REMOVAL } from '../contract/parameters/confirm-removal';
import { oneText, orderText, pageParameters } from '../contract/parameters/query-parameters';
import type { Access, Endpoints } from '../web/routing/route';

const COMPRESSION = /^(gzip|none)?$/i;

const compressionType = new Codec<string>(
  'compression type',
  (value) => typeof value === 'string' && COMPRESSION.test(value),
  (value, walk) => {
    if (typeof value !== 'string') {
      walk.refuse('WRONG_TYPE', () => `expected a string, got ${typeInWords(value)}`);
    } else if (!COMPRESSION.test(value)) {
      walk.refuse('UNKNOWN_VALUE', () => `${quote(value)} is none of GZIP, none`);
    }
  },
  { schema: { type: 'string', pattern: '^([Gg][Zz][Ii][Pp]|[Nn][Oo][Nn][Ee])?$' } },
);

/**
 * A push. `json_data` is the text of the payload, or base64 of its gzip if `compression_type` is
 * `GZIP`.
 */
export const PushEnvelope = struct(
  'push envelope',
  { id: requiredText, data_source_id: requiredText, json_data: anyText },
  { compression_type: compressionType },
  { isOpen: true },
);
export type PushEnvelope = t.TypeOf<typeof PushEnvelope>;

/** The longest `csv_data`, in characters of base64 (docs/connectors.md: CSV files). */
export const MOST_CSV = 100 * 1024 ** 2;

/**
 * A push of a CSV file. `csv_data` is base64 of its text. `columns` names the field for each column
 * whose name does not already name it (docs/connectors.md: CSV files).
 */
export const CsvPushEnvelope = struct(
  'CSV push envelope',
  { id: requiredText, data_source_id: requiredText, csv_data: anyText },
  {
    system_name: text,
    system_type: text,
    columns: dictionary(
      'columns',
      new Text('column', { ...text.rule, most: 4096, mayHaveLines: true }),
      text,
    ),
  },
  { isOpen: true },
);
export type CsvPushEnvelope = t.TypeOf<typeof CsvPushEnvelope>;

/** The most parts that a multipart upload may have (docs/rules.md: Multipart uploads). */
export const MOST_PARTS = 99;

const partNumber = wholeNumber(1, MOST_PARTS);

/** The field that all requests of a multipart upload have (docs/rules.md: Multipart uploads). */
export const PartsOperation = struct(
  'parts request',
  { operation: enumeration('operation', ['start', 'upload', 'complete']) },
  {},
  { isOpen: true },
);

/** Begins a multipart upload. */
export const StartUploadRequest = struct(
  'start of an upload',
  { operation: enumeration('operation', ['start']) },
  {},
  { isOpen: true },
);

/**
 * A part of a multipart upload: base64 of some bytes of the payload. A part may end in the middle
 * of a character (docs/rules.md: Multipart uploads).
 */
export const UploadPartRequest = struct(
  'part',
  {
    operation: enumeration('operation', ['upload']),
    upload_id: requiredText,
    sequence_number: partNumber,
    data: anyText,
  },
  {},
  { isOpen: true },
);

/**
 * Completes a multipart upload after all parts have been sent (docs/rules.md: Multipart uploads).
 */
export const CompleteUploadRequest = struct(
  'complete request',
  {
    operation: enumeration('operation', ['complete']),
    upload_id: requiredText,
    sequence_count: partNumber,
  },
  {},
  { isOpen: true },
);

/** Parameters of `…/pushes`. This list can be ordered by time only. */
const PushesParameters = struct(
  'the query of pushes',
  {},
  { filter: oneText, order_by: orderText(['at']), ...pageParameters },
);

const uploadId = has(anyText, 'What the parts and the completion of this upload name.');

/** An upload that has begun (docs/rules.md: Multipart uploads). */
export const StartedUpload = exact('started upload', { upload_id: uploadId });

/** A part of an upload that the service has stored. */
export const TakenPart = exact('stored part', {
  upload_id: uploadId,
  sequence_number: has(count, 'The number of the part.'),
});
export type TakenPart = t.TypeOf<typeof TakenPart>;

/** What an operation of an upload returns: `start`, `upload` or `complete`. */
export const PartsAnswer = oneOf('parts answer', StartedUpload, TakenPart, PushAnswer);
export type PartsAnswer = t.TypeOf<typeof PartsAnswer>;

/** A page of the pushes to a data source. */
export const PushPage = pageOf('page of pushes', ListedPush);
export type PushPage = t.TypeOf<typeof PushPage>;

const PushValue = valueOf('one push', PushDetails);
export type PushValue = t.TypeOf<typeof PushValue>;

const DATA_SOURCE = '/api/v1/providers/custom/:providerId/datasources/:dataSourceId';
const PUSHES = `${DATA_SOURCE}/pushes` as const;

const PUSHES_OWN: Access = { scopes: ['push'], limitedKeys: 'own provider' };
const READS_OWN: Access = { scopes: ['read'], orScope: 'push', limitedKeys: 'own provider' };

/** The endpoints of pushes, without their handlers. */
export const endpoints = {
  push: {
    method: 'post',
    path: `${DATA_SOURCE}\\:push`,
    access: PUSHES_OWN,
    summary: 'Pushes a payload, plain or as base64 of its gzip (`compression_type`).',
    more: 'connectors#the-order-of-requests',
    ignoresOtherParameters: true,
    body: [PushEnvelope],
    headers: [CONFIRM_REMOVAL],
    answer: PushAnswer,
  },
  pushCsv: {
    method: 'post',
    path: `${DATA_SOURCE}\\:push_csv`,
    access: PUSHES_OWN,
    summary: 'Pushes a CSV file as base64 (`csv_data`); its columns name fields.',
    more: 'connectors#csv-files',
    body: [CsvPushEnvelope],
    headers: [CONFIRM_REMOVAL],
    answer: PushAnswer,
  },
  pushParts: {
    method: 'post',
    path: `${DATA_SOURCE}\\:parts`,
    access: PUSHES_OWN,
    summary: 'Pushes a payload in parts.',
    more: 'connectors#multipart-uploads',
    ignoresOtherParameters: true,
    body: [StartUploadRequest, UploadPartRequest, CompleteUploadRequest],
    headers: [CONFIRM_REMOVAL],
    answer: PartsAnswer,
  },
  plan: {
    method: 'post',
    path: `${DATA_SOURCE}\\:plan`,
    access: { scopes: ['push', 'read'], limitedKeys: 'own provider' },
    summary: 'Tells what a push would answer and change, and does nothing.',
    more: 'api#plan',
    body: [PushEnvelope],
    answer: PlanAnswer,
  },
  list: {
    method: 'get',
    path: PUSHES,
    access: READS_OWN,
    summary: 'Lists the pushes to a data source, newest first.',
    query: PushesParameters,
    alsoAs: 'text/csv',
    answer: PushPage,
  },
  read: {
    method: 'get',
    path: `${PUSHES}/:pushId`,
    access: READS_OWN,
    summary: 'Reads a push with its warnings or problems.',
    answer: PushValue,
  },
} as const satisfies Endpoints;
