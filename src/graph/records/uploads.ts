import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

import neo4j from 'neo4j-driver';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import {
  END_UPLOAD,
  KEEP_UPLOAD_PART,
  KEEP_UPLOAD_SLICE,
  LOCK_UPLOAD,
  OLD_UPLOADS,
  OPEN_UPLOADS,
  REMOVE_UPLOAD,
  REMOVE_UPLOAD_PARTS,
  REMOVE_UPLOAD_SLICES,
  START_UPLOAD,
  UPLOAD_PARTS,
  UPLOAD_SLICE,
  UPLOADS_OF,
} from '../../translate/records/upload-statements';
import type { Graph } from '../connection/driver';
import { inTransaction, runTransaction, type Runner } from '../connection/transaction';

/** An upload of a data source: its id belongs to no other. */
export interface UploadOf {
  readonly id: string;
  readonly dataSource: string;
}

/** A part of an upload, as it comes. */
export interface Part {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer;
}

/** A part that has come. */
export interface KeptPart {
  readonly number: number;
  /** How many bytes of the payload it holds. */
  readonly bytes: number;
  readonly sha256: string;
  readonly slices: number;
}

/** How much may be kept of payloads that are not complete yet. */
export interface UploadQuota {
  /** Uploads of one data source. */
  readonly ofDataSource: number;
  /** Uploads of all data sources. */
  readonly inAll: number;
  /** Bytes of payloads, of one data source and of all. */
  readonly bytesOfDataSource: number;
  readonly bytesInAll: number;
}

/** What there may be at most. */
export type QuotaName = keyof UploadQuota;

/** More than there may be. */
export interface OverQuota {
  readonly over: QuotaName;
}

/** What became of a part: `repeated` of one whose number has come with other bytes. */
export type PartOutcome = 'kept' | 'repeated' | 'too large' | 'unknown upload' | OverQuota;

/** How much an upload may hold: the payload alone, or with all other uploads. */
export interface PartLimit {
  readonly payloadBytes: number;
  readonly quota: UploadQuota | null;
}

/** Payloads that come in parts, kept in the graph: any process takes the next one (docs/rules.md: Multipart uploads). */
export interface Uploads {
  /** Begins one; `null` if the data source is gone. Without a quota it is the service's own, and counts in none. */
  start(
    upload: UploadOf,
    quota: UploadQuota | null,
  ): TaskEither<Failure, UploadOf | OverQuota | null>;
  /** Keeps a part, unless there would be more than may be; the same part again is harmless. */
  keep(upload: UploadOf, part: Part, limit: PartLimit): TaskEither<Failure, PartOutcome>;
  /** The parts that have come, in order; `null` of an upload that is unknown or too old. */
  parts(upload: UploadOf): TaskEither<Failure, readonly KeptPart[] | null>;
  /** The bytes of some of its parts, one behind the other; `null` if it ended meanwhile. */
  bytes(upload: UploadOf, parts: readonly KeptPart[]): TaskEither<Failure, Buffer | null>;
  /** Ends one: it is found no more, and removed by whoever comes to it. */
  end(upload: UploadOf): TaskEither<Failure, void>;
  /** Removes some of what has ended or is too old; gives whether there is more. */
  removeSome(): Promise<boolean>;
}

/** How long the parts of a payload may take to come (docs/rules.md: Multipart uploads). */
const LONGEST_SECONDS = 3600;

/** A multiple of 4, so that each slice is base64 by itself. */
const SLICE_CHARACTERS = 1024 * 1024;
const SLICES_AT_ONCE = 16;

const LATEST = { mode: 'write' } as const;

const deflate = promisify(gzip);
const inflate = promisify(gunzip);
const CHUNK = { chunkSize: 1024 * 1024 };

const partKey = (upload: string, number: number): string => `${upload}|${number}`;
const sliceKey = (part: string, place: number): string => `${part}|${place}`;

const slicesOf = (base64: string): readonly string[] =>
  Array.from({ length: Math.ceil(base64.length / SLICE_CHARACTERS) }, (_, place) =>
    base64.slice(place * SLICE_CHARACTERS, (place + 1) * SLICE_CHARACTERS),
  );

const lockUpload = async (tx: Runner, { id, dataSource }: UploadOf): Promise<boolean> => {
  const { records } = await tx.run(LOCK_UPLOAD, {
    upload: id,
    data_source: dataSource,
    seconds: neo4j.int(LONGEST_SECONDS),
  });
  return records.length === 1;
};

const readParts = async (tx: Runner, upload: string): Promise<readonly KeptPart[]> => {
  const { records } = await tx.run<{ [F in keyof KeptPart]: KeptPart[F] }>(UPLOAD_PARTS, {
    prefix: `${upload}|`,
  });
  return records.map((record) => record.toObject()).sort((a, b) => a.number - b.number);
};

/** What is to be kept of a part, made before the upload's lock is taken. */
const packed = async ({
  number,
  bytes,
}: Part): Promise<{ part: KeptPart; slices: readonly string[] }> => {
  // JSON becomes a tenth, which the graph takes that much faster.
  const slices = slicesOf((await deflate(bytes, { level: 1, ...CHUNK })).toString('base64'));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { part: { number, bytes: bytes.length, sha256, slices: slices.length }, slices };
};

/** How many uploads are open, and how much has come of them. */
const openUploads = async (tx: Runner, dataSource: string): Promise<UploadQuota> => {
  const { records } = await tx.run<{ [Q in QuotaName]: unknown }>(OPEN_UPLOADS, {
    data_source: dataSource,
    seconds: neo4j.int(LONGEST_SECONDS),
  });
  const count = (name: QuotaName): number => Number(records[0]?.get(name) ?? 0);
  return {
    ofDataSource: count('ofDataSource'),
    inAll: count('inAll'),
    bytesOfDataSource: count('bytesOfDataSource'),
    bytesInAll: count('bytesInAll'),
  };
};

const startUpload = async (
  tx: Runner,
  upload: UploadOf,
  quota: UploadQuota | null,
): Promise<UploadOf | OverQuota | null> => {
  if (quota !== null) {
    const open = await openUploads(tx, upload.dataSource);
    for (const over of ['ofDataSource', 'inAll', 'bytesOfDataSource', 'bytesInAll'] as const) {
      if (open[over] >= quota[over]) return { over };
    }
  }
  const { records } = await tx.run(START_UPLOAD, {
    upload: upload.id,
    data_source: upload.dataSource,
    bytes: quota === null ? null : neo4j.int(0),
  });
  return records.length === 0 ? null : upload;
};

const keepPart = async (
  tx: Runner,
  upload: UploadOf,
  { part, slices }: Awaited<ReturnType<typeof packed>>,
  { payloadBytes, quota }: PartLimit,
): Promise<PartOutcome> => {
  if (!(await lockUpload(tx, upload))) return 'unknown upload';
  const parts = await readParts(tx, upload.id);
  const same = parts.find(({ number }) => number === part.number);
  if (same !== undefined) return same.sha256 === part.sha256 ? 'kept' : 'repeated';
  const total = parts.reduce((sum, { bytes }) => sum + bytes, part.bytes);
  if (total > payloadBytes) return 'too large';
  if (quota !== null) {
    const open = await openUploads(tx, upload.dataSource);
    if (open.bytesOfDataSource + part.bytes > quota.bytesOfDataSource) {
      return { over: 'bytesOfDataSource' };
    }
    if (open.bytesInAll + part.bytes > quota.bytesInAll) return { over: 'bytesInAll' };
  }
  const key = partKey(upload.id, part.number);
  await tx.run(KEEP_UPLOAD_PART, {
    upload: upload.id,
    bytes: neo4j.int(part.bytes),
    part: { key, ...part },
  });
  for (const [place, base64] of slices.entries()) {
    await tx.run(KEEP_UPLOAD_SLICE, { key: sliceKey(key, place), base64 });
  }
  return 'kept';
};

const readPart = async (tx: Runner, upload: string, part: KeptPart): Promise<Buffer | null> => {
  const key = partKey(upload, part.number);
  const packedBytes: Buffer[] = [];
  for (let place = 0; place < part.slices; place += 1) {
    const { records } = await tx.run<{ base64: string }>(UPLOAD_SLICE, {
      key: sliceKey(key, place),
    });
    const [record] = records;
    if (record === undefined) return null;
    packedBytes.push(Buffer.from(record.get('base64'), 'base64'));
  }
  return inflate(Buffer.concat(packedBytes), {
    maxOutputLength: Math.max(part.bytes, 1),
    ...CHUNK,
  });
};

/** The bytes of some parts, one behind the other; beside them only one part is held at a time. */
const readInto = async (
  tx: Runner,
  upload: string,
  parts: readonly KeptPart[],
): Promise<Buffer | null> => {
  const all = Buffer.allocUnsafeSlow(parts.reduce((sum, { bytes }) => sum + bytes, 0));
  let at = 0;
  for (const part of parts) {
    const bytes = await readPart(tx, upload, part);
    if (bytes === null) return null;
    at += bytes.copy(all, at);
  }
  return all;
};

/** The bytes of all parts of an upload, whatever its age; `null` if it is gone. */
export const readWhole = async (tx: Runner, upload: string): Promise<Buffer | null> => {
  const parts = await readParts(tx, upload);
  return parts.length === 0 ? null : readInto(tx, upload, parts);
};

/** Ends an upload and removes some of it; gives how many slices that were. */
const removeSlices = async (tx: Runner, upload: string, most: number): Promise<number> => {
  await tx.run(END_UPLOAD, { upload });
  const { records } = await tx.run<{ removed: unknown }>(REMOVE_UPLOAD_SLICES, {
    prefix: `${upload}|`,
    most: neo4j.int(most),
  });
  const removed = Number(records[0]?.get('removed') ?? 0);
  if (removed < most) {
    await tx.run(REMOVE_UPLOAD_PARTS, { prefix: `${upload}|` });
    await tx.run(REMOVE_UPLOAD, { upload });
  }
  return removed;
};

const removeSomeOf = async (tx: Runner, uploads: readonly string[]): Promise<boolean> => {
  let most = SLICES_AT_ONCE;
  for (const upload of uploads) {
    most -= await removeSlices(tx, upload, most);
    if (most <= 0) return true;
  }
  return false;
};

const keysOf = async (
  tx: Runner,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> =>
  (await tx.run<{ key: string }>(statement, parameters)).records.map((record) => record.get('key'));

/** Removes some of the uploads of a data source that is being deleted; gives whether there may be more. */
export const removeSomeUploads = async (tx: Runner, dataSource: string): Promise<boolean> =>
  removeSomeOf(tx, await keysOf(tx, UPLOADS_OF, { data_source: dataSource }));

/** The uploads of the graph. */
export const graphUploads = (graph: Graph): Uploads => {
  // In this process one begins after the other, so that those which begin at once see each other.
  let begun: Promise<unknown> = Promise.resolve();
  return {
    start: (upload, quota) => async () => {
      const starting = begun.then(
        inTransaction(graph, LATEST, (tx) => startUpload(tx, upload, quota)),
      );
      begun = starting.catch(() => undefined);
      return starting;
    },

    keep: (upload, part, limit) => async () => {
      const ready = await packed(part);
      return inTransaction(graph, LATEST, (tx) => keepPart(tx, upload, ready, limit))();
    },

    parts: (upload) =>
      inTransaction(graph, LATEST, async (tx) =>
        (await lockUpload(tx, upload)) ? readParts(tx, upload.id) : null,
      ),

    bytes: ({ id }, parts) => inTransaction(graph, LATEST, (tx) => readInto(tx, id, parts)),

    end: ({ id }) =>
      inTransaction(graph, LATEST, async (tx) => {
        await tx.run(END_UPLOAD, { upload: id });
      }),

    removeSome: () =>
      runTransaction(graph, LATEST, async (tx) =>
        removeSomeOf(tx, await keysOf(tx, OLD_UPLOADS, { seconds: neo4j.int(LONGEST_SECONDS) })),
      ),
  };
};
