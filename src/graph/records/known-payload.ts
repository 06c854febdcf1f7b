import neo4j from 'neo4j-driver';

import {
  KEEP_KNOWN_PAYLOAD,
  READ_KNOWN_CONTENT,
  READ_KNOWN_PAYLOAD,
} from '../../translate/records/payload-statements';
import type { KnownText } from './provider-record';
import type { Runner } from '../connection/transaction';
import type { Warning } from '../../warning';
import type { PackedWarnings } from './push-warnings';

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
  readonly warnings: PackedWarnings;
}

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
  // Earlier versions kept warnings otherwise: they are found anew.
  if (payload?.first_warnings === undefined) return null;
  return {
    ...toContent(payload),
    request: (payload.request as string | undefined) ?? '',
    characters: Number(payload.characters),
    turns: Number(payload.turns),
    warnings: {
      count: Number(payload.warning_count),
      listed: JSON.parse(payload.first_warnings as string) as readonly Warning[],
      packed: payload.packed_warnings as string,
    },
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
    payload: {
      ...{ request, sha256, content, digest },
      characters: neo4j.int(characters),
      rules_version: neo4j.int(rulesVersion),
      turns: neo4j.int(turns),
      warning_count: neo4j.int(warnings.count),
      first_warnings: JSON.stringify(warnings.listed),
      packed_warnings: warnings.packed,
    },
  });
};
