import type * as t from 'io-ts';

import { Codec, typeInWords } from '../codec/codec';
import { dictionary } from '../codec/collections';
import { quote } from '../codec/quote';
import { wholeNumber } from '../codec/scalars';
import { struct } from '../codec/struct';
import { TEMPLATES, type Template } from '../templates/templates';
import { anyText, enumeration, patternText, requiredText, Text, text } from '../codec/text';

/** The name of a provider or data source (docs/rules.md: Requests). */
export const RegisteredName = patternText('registered name', {
  mayBeEmpty: false,
  pattern: /^[ @#$%&*:()!,a-zA-Z0-9_'"=.-]*$/,
  characters: 'letters a-z, digits, spaces and @ # $ % & * : ( ) ! , _ \' " = . -',
});

/** The template of a provider (docs/rules.md: Words). */
export const CustomTemplate = enumeration(
  'custom template',
  TEMPLATES as readonly [Template, ...Template[]],
);
export type CustomTemplate = t.TypeOf<typeof CustomTemplate>;

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
