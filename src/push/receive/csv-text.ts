import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import { readBase64 } from '../../contract/base64';
import { type CsvPushEnvelope, MOST_CSV } from '../endpoints';
import { csvPayload } from '../../csv/payload';
import { badField, type Failure } from '../../problem';
import { csvWithinHeap } from './needed-heap';
import { payloadTooLarge } from './payload-text';
import type { PayloadPush, PushIntent } from './push-intent';
import type { PushSizes } from './push-sizes';
import { decodeUtf8 } from '../../web/bodies/utf8';

const POINTER = '/csv_data';

const tooLong: Failure = {
  _tag: 'TooLarge',
  message: `csv_data is longer than ${MOST_CSV} characters. Push the payload as JSON, or in parts.`,
};

// A text that was sent as it is may pass for base64 of other bytes.
const notText = badField(POINTER, 'ILL_FORMED_TEXT', 'is not base64 of well-formed UTF-8');

const bytesOf = (base64: string): E.Either<Failure, Buffer> => {
  if (base64.length > MOST_CSV) return E.left(tooLong);
  const bytes = readBase64(base64);
  return bytes === null ? E.left(badField(POINTER, 'BAD_BASE64', 'is not base64')) : E.right(bytes);
};

/** Refuses a text that is larger than the limit, or than a text can be. */
const written = (payload: object, { jsonBytes, threads }: PushSizes): E.Either<Failure, string> =>
  pipe(
    E.tryCatch(
      () => JSON.stringify(payload),
      () => payloadTooLarge(jsonBytes, threads),
    ),
    E.filterOrElse(
      (json) => Buffer.byteLength(json) <= jsonBytes,
      () => payloadTooLarge(jsonBytes, threads),
    ),
  );

type CsvText = Pick<PayloadPush, 'json' | 'places' | 'faults'>;

/** What a push says about a CSV file. Without it the file has the names of its data source. */
type CsvNames = Pick<CsvPushEnvelope, 'system_name' | 'system_type' | 'columns'>;

const payloadOf = (
  bytes: Buffer,
  notUtf8: (failure: Failure) => Failure,
  { system_name, system_type, columns }: CsvNames,
  { provider, dataSource }: PushIntent['source'],
  sizes: PushSizes,
): E.Either<Failure, CsvText> =>
  pipe(
    bytes.length <= sizes.jsonBytes
      ? pipe(decodeUtf8(bytes, ''), E.mapLeft(notUtf8))
      : E.left(payloadTooLarge(sizes.jsonBytes, sizes.threads)),
    E.flatMap((text) => csvWithinHeap(text, sizes)),
    E.flatMap((text): E.Either<Failure, CsvText> => {
      const made = csvPayload(provider.custom_template, text, {
        name: system_name || dataSource.name,
        type: system_type || provider.name,
        columns: columns ?? {},
      });
      if (E.isLeft(made)) return E.right({ json: '', faults: made.left });
      const { payload, places } = made.right;
      return pipe(
        written(payload, sizes),
        E.map((json) => ({ json, places })),
      );
    }),
  );

/**
 * Converts a CSV file to the text of a payload, which is then treated like any other
 * (docs/connectors.md: CSV files). Faults of the file itself become part of the push, so that its
 * record has them.
 */
export const csvFile = (
  bytes: Buffer,
  source: PushIntent['source'],
  sizes: PushSizes,
): E.Either<Failure, CsvText> => payloadOf(bytes, (failure) => failure, {}, source, sizes);

/** Turns the CSV file in an envelope into a payload, as `csvFile` does. */
export const csvPush = (
  { csv_data, ...names }: CsvPushEnvelope,
  source: PushIntent['source'],
  sizes: PushSizes,
): E.Either<Failure, CsvText> =>
  pipe(
    bytesOf(csv_data),
    E.flatMap((bytes) => payloadOf(bytes, () => notText, names, source, sizes)),
  );
