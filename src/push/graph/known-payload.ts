import neo4j from 'neo4j-driver';

import { KEEP_KNOWN_PAYLOAD, READ_KNOWN_PAYLOAD } from '../statements/payload-statements';
import type { Warning } from '../../warning';
import type { Runner } from '../../neo4j/transaction';
import type { PackedWarnings } from '../../graph/records/push-warnings';

/** What the service remembers of the newest full payload of a data source. */
export interface KnownPayload {
  /** SHA-256 of the text, in hexadecimal. */
  readonly sha256: string;
  /** The digest of the data source after that push. */
  readonly digest: string;
  readonly rulesVersion: number;
  /** The commit sequence number at which the warnings were found. */
  readonly turns: number;
  readonly warnings: PackedWarnings;
}

/** Reads the known payload. The caller holds the data source lock. */
export const readKnownPayload = async (
  tx: Runner,
  dataSource: string,
): Promise<KnownPayload | null> => {
  const { records } = await tx.run<{ payload: Readonly<Record<string, unknown>> }>(
    READ_KNOWN_PAYLOAD,
    { data_source: dataSource },
  );
  const payload = records[0]?.get('payload');
  if (payload === undefined) return null;
  return {
    sha256: payload.sha256 as string,
    digest: payload.digest as string,
    rulesVersion: Number(payload.rules_version),
    turns: Number(payload.turns),
    warnings: {
      count: Number(payload.warning_count),
      listed: JSON.parse(payload.first_warnings as string) as readonly Warning[],
      packed: payload.packed_warnings as string,
    },
  };
};

/** Replaces the known payload. The caller holds the data source lock. */
export const keepKnownPayload = async (
  tx: Runner,
  dataSource: string,
  { sha256, digest, rulesVersion, turns, warnings }: KnownPayload,
): Promise<void> => {
  await tx.run(KEEP_KNOWN_PAYLOAD, {
    data_source: dataSource,
    payload: {
      sha256,
      digest,
      rules_version: neo4j.int(rulesVersion),
      turns: neo4j.int(turns),
      warning_count: neo4j.int(warnings.count),
      first_warnings: JSON.stringify(warnings.listed),
      packed_warnings: warnings.packed,
    },
  });
};
