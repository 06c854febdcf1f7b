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

/** What the service remembers of the content of a data source's newest full payload. */
export interface KnownContent {
  /** SHA-256 of the text, in hexadecimal. */
  readonly sha256: string;
  /** The result of `contentDigest`; `''` if an earlier release stored the payload. */
  readonly content: string;
  /** The digest of the data source after that push. */
  readonly digest: string;
  readonly rulesVersion: number;
}

/**
 * What the service remembers of a data source's newest full payload. With it the service answers
 * the same bytes without reading them, and the same content without comparing rows.
 */
export interface KnownPayload extends KnownContent, KnownText {
  /** The commit sequence number at which the warnings were found. */
  readonly turns: number;
  readonly warnings: PackedWarnings;
}

type Stored = Readonly<Record<string, unknown>>;

const read = async (tx: Runner, statement: string, dataSource: string): Promise<Stored | null> => {
  const { records } = await tx.run<{ payload: Stored }>(statement, { data_source: dataSource });
  return records[0]?.get('payload') ?? null;
};

/** Reads the known payload. The caller holds the data source lock. */
export const readKnownPayload = async (
  tx: Runner,
  dataSource: string,
): Promise<KnownPayload | null> => {
  const payload = await read(tx, READ_KNOWN_PAYLOAD, dataSource);
  // Earlier releases stored warnings in another way. Then the push finds them again.
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

/** Reads the known payload without its warnings. The caller holds the data source lock. */
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

/** Replaces the known payload. The caller holds the data source lock. */
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
