import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { PlanAnswer } from '../contract/answers/plan';
import { PushAnswer } from '../contract/answers/pushes';
import { CONFIRM_REMOVAL } from '../contract/parameters/confirm-removal';
import { endpoints, MOST_PARTS, StartedUpload } from '../push/endpoints';
import type { Client } from './client';
import { idsOf, type Target } from './registered';

/** Options of a push. */
export interface PushOptions {
  /** The digest or token that confirms a large removal (docs/connectors.md: Removal guard). */
  readonly confirmRemoval?: string | undefined;
  /**
   * The push calls this with the number of parts that arrived and of all parts, if the payload
   * needs several requests.
   */
  readonly progress?: (done: number, total: number) => void;
  /** Bytes of a part, and of the largest payload that is sent in one request. */
  readonly partBytes?: number;
}

const PART_BYTES = 8 * 1024 ** 2;

/** A payload: its text, or an object that the client writes as JSON. */
export type SentPayload = string | object;

const textOf = (payload: SentPayload): string =>
  typeof payload === 'string' ? payload : JSON.stringify(payload);

/** The header of a request that confirms a large removal. */
export const confirming = (confirmRemoval: string | undefined): Record<string, string> =>
  confirmRemoval === undefined ? {} : { [CONFIRM_REMOVAL]: confirmRemoval };

const envelope = async ({ provider, dataSource }: Target, payload: SentPayload) => ({
  id: provider.id,
  data_source_id: dataSource.id,
  json_data: (await promisify(gzip)(textOf(payload))).toString('base64'),
  compression_type: 'GZIP',
});

/** Sends a payload in several requests (docs/connectors.md: Multipart uploads). */
const pushInParts = async (
  client: Client,
  target: Target,
  bytes: Buffer,
  options: PushOptions,
): Promise<PushAnswer> => {
  const least = Math.ceil(bytes.length / MOST_PARTS);
  const size = Math.max(options.partBytes ?? PART_BYTES, least);
  const total = Math.ceil(bytes.length / size);
  const ids = idsOf(target);
  const start = { ...endpoints.pushParts, answer: StartedUpload };
  const { upload_id } = await client.call(start, ids, { body: { operation: 'start' } });
  for (let part = 0; part < total; part += 1) {
    const data = bytes.subarray(part * size, (part + 1) * size).toString('base64');
    const body = { operation: 'upload', upload_id, sequence_number: part + 1, data } as const;
    await client.call(endpoints.pushParts, ids, { body });
    options.progress?.(part + 1, total);
  }
  const complete = { ...endpoints.pushParts, answer: PushAnswer };
  return client.call(complete, ids, {
    body: { operation: 'complete', upload_id, sequence_count: total },
    headers: confirming(options.confirmRemoval),
  });
};

/** Pushes a payload: gzipped in one request, or as a multipart upload if it is large. */
export const pushPayload = async (
  client: Client,
  target: Target,
  payload: SentPayload,
  options: PushOptions = {},
): Promise<PushAnswer> => {
  const text = textOf(payload);
  const bytes = Buffer.from(text);
  if (bytes.length > (options.partBytes ?? PART_BYTES)) {
    return pushInParts(client, target, bytes, options);
  }
  return client.call(endpoints.push, idsOf(target), {
    body: await envelope(target, text),
    headers: confirming(options.confirmRemoval),
  });
};

/** Returns what a push would answer and change; the service writes nothing (docs/api.md: Plan). */
export const planPayload = async (
  client: Client,
  target: Target,
  payload: SentPayload,
): Promise<PlanAnswer> =>
  client.call(endpoints.plan, idsOf(target), { body: await envelope(target, payload) });
