import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

import type { KeptWarning, Warning } from '../../warning';

const compress = promisify(gzip);
const inflate = promisify(gunzip);

/** How many warnings a push's record lists; it always counts them all. */
const LISTED_WARNINGS = 1_000;

/** Warnings as far as a push's record has them. */
export interface ListedWarnings {
  readonly count: number;
  /** The first of them, as many as the record lists. */
  readonly listed: readonly Warning[];
}

/** What a push warns of (docs/rules.md: Warnings): there may be a warning for each of very many names. */
export interface PushWarnings extends ListedWarnings {
  /** All of them as they are sent (docs/rules.md: Multipart uploads): JSON, a list of `{"message", "code", "pointer", "subject"}`. Of no other buffer a part, so that threads can hand it over. */
  readonly json: Uint8Array<ArrayBuffer>;
}

/** A push's warnings. */
export const pushWarnings = (warnings: readonly Warning[]): PushWarnings => ({
  count: warnings.length,
  listed: warnings.slice(0, LISTED_WARNINGS),
  json: jsonOf(warnings),
});

/** How many warnings are written at a time: one text cannot hold those of a very large push. */
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

/** How warnings are kept in a node: what they say for those who read it in Neo4j, and all else about them as JSON. */
export interface StoredWarnings {
  readonly messages: readonly string[];
  readonly details: string;
}

/** Warnings as a node keeps them. */
export const storedWarnings = (listed: readonly Warning[]): StoredWarnings => ({
  messages: listed.map(({ message }) => message),
  details: JSON.stringify(listed.map(({ code, pointer, subject }) => ({ code, pointer, subject }))),
});

/** Warnings that a node keeps; earlier versions kept nothing but their messages. */
export const readWarnings = (
  messages: readonly string[],
  details: string | undefined,
): readonly KeptWarning[] => {
  if (details === undefined) return messages.map((message) => ({ message }));
  const all = JSON.parse(details) as readonly Omit<Warning, 'message'>[];
  return messages.map((message, index) => ({ message, ...all[index] }));
};
