import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const inflate = promisify(gunzip);

/** How many warnings a push's record lists; it always counts them all. */
const LISTED_WARNINGS = 1_000;

/** Warnings as far as a push's record has them. */
export interface ListedWarnings {
  readonly count: number;
  /** The first of them, as many as the record lists. */
  readonly listed: readonly string[];
}

/** What a push warns of (graph.md 8): there may be a warning for each of very many names. */
export interface PushWarnings extends ListedWarnings {
  /** All of them as they are sent (api.md 2): JSON, a list of `{"message": …}`. Of no other buffer a part, so that threads can hand it over. */
  readonly json: Uint8Array<ArrayBuffer>;
}

/** A push's warnings, from what they say. */
export const pushWarnings = (messages: readonly string[]): PushWarnings => ({
  count: messages.length,
  listed: messages.slice(0, LISTED_WARNINGS),
  json: new TextEncoder().encode(JSON.stringify(messages.map((message) => ({ message })))),
});

/** What a push without warnings has to tell of them. */
export const NO_WARNINGS: ListedWarnings = { count: 0, listed: [] };

/** Warnings as they are kept: those that are listed, and of all of them base64 of a gzip of what is sent. */
export interface PackedWarnings extends ListedWarnings {
  readonly packed: string;
}

/** Packs warnings. */
export const packWarnings = async ({
  count,
  listed,
  json,
}: PushWarnings): Promise<PackedWarnings> => {
  const packed = count === 0 ? '' : (await compress(json, { level: 1 })).toString('base64');
  return { count, listed, packed };
};

/** Gives warnings back as they were packed, without reading them. */
export const unpackWarnings = async ({
  count,
  listed,
  packed,
}: PackedWarnings): Promise<PushWarnings> =>
  count === 0
    ? pushWarnings([])
    : { count, listed, json: new Uint8Array(await inflate(Buffer.from(packed, 'base64'))) };
