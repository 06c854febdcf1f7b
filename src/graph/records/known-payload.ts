import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

import neo4j from 'neo4j-driver';

import {
  KEEP_KNOWN_PAYLOAD,
  READ_KNOWN_CONTENT,
  READ_KNOWN_PAYLOAD,
} from '../../translate/payload-statements';
import type { KnownText } from './provider-record';
import type { Runner } from '../connection/transaction';

const compress = promisify(gzip);
const inflate = promisify(gunzip);

/** What is remembered of what the newest whole payload of a data source says. */
export interface KnownContent {
  /** SHA-256 of its text, in hexadecimal. */
  readonly sha256: string;
  /** What `contentDigest` makes of it; `''` where an earlier version remembered it. */
  readonly content: string;
  /** Digest of the data source after it. */
  readonly digest: string;
  readonly rulesVersion: number;
}

/** What is remembered of the newest whole payload of a data source: the same bytes need not be read again, nor the same content be compared. */
export interface KnownPayload extends KnownContent, KnownText {
  /** How often the graph had been changed when its warnings were found. */
  readonly turns: number;
  /** Its warnings, packed. */
  readonly warnings: PackedWarnings;
}

/** Warnings as base64 of a gzip of their JSON: there may be one for each of very many names. */
export type PackedWarnings = string & { readonly PackedWarnings: unique symbol };

const NONE = '' as PackedWarnings;

/** Packs warnings. */
export const packWarnings = async (warnings: readonly string[]): Promise<PackedWarnings> =>
  warnings.length === 0
    ? NONE
    : ((await compress(JSON.stringify(warnings), { level: 1 })).toString(
        'base64',
      ) as PackedWarnings);

/** Gives warnings back as they were packed. */
export const unpackWarnings = async (packed: PackedWarnings): Promise<readonly string[]> =>
  packed === NONE
    ? []
    : (JSON.parse(
        (await inflate(Buffer.from(packed, 'base64'))).toString('utf8'),
      ) as readonly string[]);

type Stored = Readonly<Record<string, unknown>>;

const read = async (tx: Runner, statement: string, dataSource: string): Promise<Stored | null> => {
  const { records } = await tx.run<{ payload: Stored }>(statement, { data_source: dataSource });
  return records[0]?.get('payload') ?? null;
};

/** Reads what is remembered, under the data source's lock. */
export const readKnownPayload = async (
  tx: Runner,
  dataSource: string,
): Promise<KnownPayload | null> => {
  const payload = await read(tx, READ_KNOWN_PAYLOAD, dataSource);
  if (payload === null) return null;
  return {
    ...toContent(payload),
    request: (payload.request as string | undefined) ?? '',
    characters: Number(payload.characters),
    turns: Number(payload.turns),
    warnings: payload.warnings as PackedWarnings,
  };
};

/** Reads what is remembered of its content alone, under the data source's lock. */
export const readKnownContent = async (
  tx: Runner,
  dataSource: string,
): Promise<KnownContent | null> => {
  const payload = await read(tx, READ_KNOWN_CONTENT, dataSource);
  return payload === null ? null : toContent(payload);
};

const toContent = ({ sha256, content, digest, rules_version }: Stored): KnownContent => ({
  sha256: sha256 as string,
  content: (content as string | undefined) ?? '',
  digest: digest as string,
  rulesVersion: Number(rules_version),
});

/** Remembers a payload in place of an earlier one, under the data source's lock. */
export const keepKnownPayload = async (
  tx: Runner,
  dataSource: string,
  { request, sha256, characters, content, digest, rulesVersion, turns, warnings }: KnownPayload,
): Promise<void> => {
  await tx.run(KEEP_KNOWN_PAYLOAD, {
    data_source: dataSource,
    set: {
      ...{ request, sha256, content, digest, warnings },
      characters: neo4j.int(characters),
      rules_version: neo4j.int(rulesVersion),
      turns: neo4j.int(turns),
    },
  });
};
