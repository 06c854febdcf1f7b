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
} from './upload-statements';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, LATEST, type Runner, runTransaction } from '../../neo4j/transaction';

/** A multipart upload and its data source. */
export interface UploadOf {
  readonly id: string;
  readonly dataSource: string;
}

/** A part of a multipart upload, as a request brings it. */
export interface Part {
  /** Counted from 1. */
  readonly number: number;
  readonly bytes: Buffer;
}

/** A part that the graph holds. */
export interface StoredPart {
  readonly number: number;
  /** How many bytes of the payload it holds. */
  readonly bytes: number;
  readonly sha256: string;
  readonly slices: number;
}

/** How much of unfinished multipart uploads the graph may hold. */
export interface UploadQuota {
  /** The most uploads of one data source. */
  readonly ofDataSource: number;
  /** The most uploads of all data sources of one provider. */
  readonly ofProvider: number;
  /** The most uploads of all data sources. */
  readonly inAll: number;
  /** The most bytes of payloads, for one data source, for one provider and for all. */
  readonly bytesOfDataSource: number;
  readonly bytesOfProvider: number;
  readonly bytesInAll: number;
}

/** The name of a quota. */
export type QuotaName = keyof UploadQuota;

const BYTE_QUOTAS = ['bytesOfDataSource', 'bytesOfProvider', 'bytesInAll'] as const;
const QUOTAS = ['ofDataSource', 'ofProvider', 'inAll', ...BYTE_QUOTAS] as const;

/** Which quota was exceeded. */
export interface OverQuota {
  readonly over: QuotaName;
}

/**
 * The outcome of a part. `repeated` means that a part with this number arrived before with other
 * bytes.
 */
export type PartOutcome = 'stored' | 'repeated' | 'too large' | 'unknown upload' | OverQuota;

/** The most bytes of one payload, and the quota of all uploads. */
export interface PartLimit {
  readonly payloadBytes: number;
  readonly quota: UploadQuota | null;
}

/** How long an upload may last (docs/rules.md: Multipart uploads). */
const LONGEST_SECONDS = 3600;

/** A multiple of 4, so that each slice is valid base64 by itself. */
const SLICE_CHARACTERS = 1024 * 1024;
const SLICES_AT_ONCE = 16;

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

const readParts = async (tx: Runner, upload: string): Promise<readonly StoredPart[]> => {
  const { records } = await tx.run<{ [F in keyof StoredPart]: StoredPart[F] }>(UPLOAD_PARTS, {
    prefix: `${upload}|`,
  });
  return records.map((record) => record.toObject()).sort((a, b) => a.number - b.number);
};

/** Compresses and slices a part. The caller does this before it acquires the lock of the upload. */
const packed = async ({
  number,
  bytes,
}: Part): Promise<{ part: StoredPart; slices: readonly string[] }> => {
  // Gzip makes JSON about ten times smaller, so Neo4j stores it faster.
  const slices = slicesOf((await deflate(bytes, { level: 1, ...CHUNK })).toString('base64'));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { part: { number, bytes: bytes.length, sha256, slices: slices.length }, slices };
};

/** Counts the open uploads and the bytes of their parts. */
const openUploads = async (tx: Runner, dataSource: string): Promise<UploadQuota> => {
  const { records } = await tx.run<{ [Q in QuotaName]: unknown }>(OPEN_UPLOADS, {
    data_source: dataSource,
    seconds: neo4j.int(LONGEST_SECONDS),
  });
  const count = (name: QuotaName): number => Number(records[0]?.get(name) ?? 0);
  return {
    ofDataSource: count('ofDataSource'),
    ofProvider: count('ofProvider'),
    inAll: count('inAll'),
    bytesOfDataSource: count('bytesOfDataSource'),
    bytesOfProvider: count('bytesOfProvider'),
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
    for (const over of QUOTAS) {
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

const storePart = async (
  tx: Runner,
  upload: UploadOf,
  { part, slices }: Awaited<ReturnType<typeof packed>>,
  { payloadBytes, quota }: PartLimit,
): Promise<PartOutcome> => {
  if (!(await lockUpload(tx, upload))) return 'unknown upload';
  const parts = await readParts(tx, upload.id);
  const same = parts.find(({ number }) => number === part.number);
  if (same !== undefined) return same.sha256 === part.sha256 ? 'stored' : 'repeated';
  const total = parts.reduce((sum, { bytes }) => sum + bytes, part.bytes);
  if (total > payloadBytes) return 'too large';
  if (quota !== null) {
    const open = await openUploads(tx, upload.dataSource);
    for (const over of BYTE_QUOTAS) if (open[over] + part.bytes > quota[over]) return { over };
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
  return 'stored';
};

const readPart = async (tx: Runner, upload: string, part: StoredPart): Promise<Buffer | null> => {
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

/** Reads the given parts into one buffer. Besides that buffer it holds only one part at a time. */
const readInto = async (
  tx: Runner,
  upload: string,
  parts: readonly StoredPart[],
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

/** Reads all parts of an upload, whatever its age; `null` if the upload is gone. */
export const readWhole = async (tx: Runner, upload: string): Promise<Buffer | null> => {
  const parts = await readParts(tx, upload);
  return parts.length === 0 ? null : readInto(tx, upload, parts);
};

/** Ends an upload and removes at most `most` slices. Resolves with the number of removed slices. */
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

/**
 * Removes some uploads of a data source that is being deleted. Resolves with `true` if there may be
 * more.
 */
export const removeSomeUploads = async (tx: Runner, dataSource: string): Promise<boolean> =>
  removeSomeOf(tx, await keysOf(tx, UPLOADS_OF, { data_source: dataSource }));

/** The multipart uploads of the graph. */
export const graphUploads = (graph: Graph) => {
  // Within this process one upload starts after the other, so that each sees the others when it
  // counts them against the quota.
  let begun: Promise<unknown> = Promise.resolve();
  return {
    /**
     * Starts an upload; `null` if the data source is gone. An upload without a quota is the service's
     * own, and counts in no quota.
     */
    start:
      (
        upload: UploadOf,
        quota: UploadQuota | null,
      ): TaskEither<Failure, UploadOf | OverQuota | null> =>
      async () => {
        const starting = begun.then(
          inTransaction(graph, LATEST, (tx) => startUpload(tx, upload, quota)),
        );
        begun = starting.catch(() => undefined);
        return starting;
      },

    /** Stores a part, unless that would exceed a limit. The same part may come twice. */
    store:
      (upload: UploadOf, part: Part, limit: PartLimit): TaskEither<Failure, PartOutcome> =>
      async () => {
        const ready = await packed(part);
        return inTransaction(graph, LATEST, (tx) => storePart(tx, upload, ready, limit))();
      },

    /** The parts so far, in order; `null` if the upload is unknown or too old. */
    parts: (upload: UploadOf): TaskEither<Failure, readonly StoredPart[] | null> =>
      inTransaction(graph, LATEST, async (tx) =>
        (await lockUpload(tx, upload)) ? readParts(tx, upload.id) : null,
      ),

    /** The bytes of the given parts, joined; `null` if the upload has ended in the meantime. */
    bytes: ({ id }: UploadOf, parts: readonly StoredPart[]): TaskEither<Failure, Buffer | null> =>
      inTransaction(graph, LATEST, (tx) => readInto(tx, id, parts)),

    /** Ends an upload. Nobody finds it any more, and the next removal deletes its parts. */
    end: ({ id }: UploadOf): TaskEither<Failure, void> =>
      inTransaction(graph, LATEST, async (tx) => {
        await tx.run(END_UPLOAD, { upload: id });
      }),

    /** Deletes some of the ended or too old uploads. Resolves with `true` if there is more. */
    removeSome: (): Promise<boolean> =>
      runTransaction(graph, LATEST, async (tx) =>
        removeSomeOf(tx, await keysOf(tx, OLD_UPLOADS, { seconds: neo4j.int(LONGEST_SECONDS) })),
      ),
  };
};

/**
 * The multipart uploads in the graph, so any process can accept the next part (docs/rules.md:
 * Multipart uploads).
 */
export type Uploads = ReturnType<typeof graphUploads>;
