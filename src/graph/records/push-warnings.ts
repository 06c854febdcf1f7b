import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

import type { Warning } from '../../warning';

const compress = promisify(gzip);
const inflate = promisify(gunzip);

/** How many warnings a push's record lists. It counts all of them. */
const LISTED_WARNINGS = 1_000;

/** The warnings that a push's record lists. */
export interface ListedWarnings {
  readonly count: number;
  /** The first warnings. */
  readonly listed: readonly Warning[];
}

/**
 * All warnings of a push (docs/rules.md: Warnings). A large push may have one for each of a million
 * names.
 */
export interface PushWarnings extends ListedWarnings {
  /**
   * All warnings as the answer sends them: a JSON list of `{"message", "code", "pointer",
   * "subject"}`. The bytes have a buffer of their own, so that a push thread can transfer them
   * without a copy.
   */
  readonly json: Uint8Array<ArrayBuffer>;
}

/** Makes the warnings of a push. */
export const pushWarnings = (warnings: readonly Warning[]): PushWarnings => ({
  count: warnings.length,
  listed: warnings.slice(0, LISTED_WARNINGS),
  json: jsonOf(warnings),
});

/**
 * How many warnings one `JSON.stringify` writes. The JSON of all of them may exceed the longest
 * string that V8 allows.
 */
const WRITTEN_AT_ONCE = 10_000;

const jsonOf = (warnings: readonly Warning[]): Uint8Array<ArrayBuffer> => {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < warnings.length; from += WRITTEN_AT_ONCE) {
    const json = JSON.stringify(warnings.slice(from, from + WRITTEN_AT_ONCE)).slice(1, -1);
    pieces.push(encoder.encode(`${from === 0 ? '[' : ','}${json}`));
  }
  pieces.push(encoder.encode(pieces.length === 0 ? '[]' : ']'));
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

/** The listed warnings of a push without warnings. */
export const NO_WARNINGS: ListedWarnings = { count: 0, listed: [] };

/**
 * Warnings as `KnownPayload` stores them. `packed` is base64 of the gzipped JSON of all warnings.
 */
export interface PackedWarnings extends ListedWarnings {
  readonly packed: string;
}

/** Packs warnings to store them. */
export const packWarnings = async ({
  count,
  listed,
  json,
}: PushWarnings): Promise<PackedWarnings> => {
  const packed = count === 0 ? '' : (await compress(json, { level: 1 })).toString('base64');
  return { count, listed, packed };
};

/** Unpacks stored warnings without parsing their JSON. */
export const unpackWarnings = async ({
  count,
  listed,
  packed,
}: PackedWarnings): Promise<PushWarnings> =>
  count === 0
    ? pushWarnings([])
    : { count, listed, json: new Uint8Array(await inflate(Buffer.from(packed, 'base64'))) };

/**
 * Warnings as a Push node stores them: messages as a list that people can read in Neo4j, and the
 * other fields as JSON.
 */
export interface StoredWarnings {
  readonly messages: readonly string[];
  readonly details: string;
}

/** Turns warnings into properties of a node. */
export const storedWarnings = (listed: readonly Warning[]): StoredWarnings => ({
  messages: listed.map(({ message }) => message),
  details: JSON.stringify(listed.map(({ code, pointer, subject }) => ({ code, pointer, subject }))),
});

/** Reads the warnings of a node. A push without warnings has no details. */
export const readWarnings = (messages: readonly string[], details = '[]'): readonly Warning[] => {
  const all = JSON.parse(details) as readonly Omit<Warning, 'message'>[];
  return all.map((each, index) => ({ message: messages[index] ?? '', ...each }));
};
