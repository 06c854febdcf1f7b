import type { RetentionDays, NodeKind } from '../../model/table';
import { type CatalogEntry, entry } from './catalog-entry';

type Owner = 'provider' | 'data source';

/** Removes some of a kind of records of an owner. `$owner`: its id; `$most`. */
const removeOwned = (label: string, by: string): string => `MATCH (n:${label} {${by}: $owner})
WITH n LIMIT $most
DETACH DELETE n
RETURN count(n) AS removed`;

/** Statements that each remove some records of a provider or data source. `$owner`, `$most`. */
export const removeRecordsOf = (owner: Owner, records: readonly NodeKind[]): readonly string[] =>
  records.flatMap(({ label, holds }) =>
    holds?.of === owner && holds.by !== null ? [removeOwned(label, holds.by)] : [],
  );

/**
 * Statements that each remove some records whose days are over, the oldest first. `$days`, `$most`.
 */
export const removeOldRecords = (
  setting: NonNullable<RetentionDays['setting']>,
  records: readonly NodeKind[],
): readonly string[] =>
  records.flatMap(({ label, holds }) => {
    const days = holds?.days ?? null;
    if (days?.setting !== setting || days.after === null) return [];
    const where = days.where === undefined ? '' : `${days.where} AND `;
    return [
      `MATCH (n:${label})
WHERE ${where}n.${days.after} < datetime.realtime('Z') - duration({days: $days})
WITH n
ORDER BY n.${days.after}
LIMIT $most
DETACH DELETE n
RETURN count(*) AS removed`,
    ];
  });

/** The statements that remove records, for all kinds. */
export const recordStatements = (records: readonly NodeKind[]): readonly CatalogEntry[] => [
  ...(['provider', 'data source'] as const).flatMap((owner) =>
    removeRecordsOf(owner, records).map((text, at) =>
      entry(`Remove records of a ${owner}, ${at + 1}`, text),
    ),
  ),
  ...(['eventDays', 'pushDays', 'historyDays'] as const).flatMap((setting) =>
    removeOldRecords(setting, records).map((text, at) =>
      entry(`Remove old records (${setting}), ${at + 1}`, text),
    ),
  ),
];
