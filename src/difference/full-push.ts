import { Resource } from '../templates/application/resources';
import type { Row } from '../rows/row/row';
import { Digest } from '../model/digest';
import { RULES_VERSION } from '../rows/row/row-hash';
import {
  type Comparison,
  type Difference,
  DifferenceBuilder,
  type HashedRow,
  isUnproven,
  DesiredRow,
  withTagsOf,
} from './difference';

/** The desired rows. Each hash is computed when it is first needed. */
export const desiredRows = (rows: readonly Row[]): readonly HashedRow[] =>
  rows.map((row) => new DesiredRow(row));

/**
 * Whether the data source already holds exactly these rows, by comparing digests (docs/rules.md:
 * Digests).
 */
export const isCurrentAlready = (
  wanted: readonly HashedRow[],
  digest: string | null,
  rulesVersion: number | null,
): boolean => rulesVersion === RULES_VERSION && digest === digestOf(wanted);

const digestOf = (rows: readonly HashedRow[]): string =>
  Digest.empty.with(rows.map(({ hash }) => hash)).hex;

/**
 * The local keys of the current rows that the service must read, because the hashes are not enough.
 */
export const keysToRead = ({ suspects, gone }: Comparison): readonly string[] => [
  ...suspects.map(({ key }) => key),
  ...gone,
];

/**
 * The diff of a full push, when the rows of `keysToRead` have been read (docs/rules.md: Full
 * pushes).
 */
export const fullDifference = (
  { created, suspects, gone }: Comparison,
  current: ReadonlyMap<string, HashedRow>,
): Difference => {
  const builder = new DifferenceBuilder();
  for (const hashed of created) builder.create(hashed);
  for (const row of suspects) {
    const before = current.get(row.key);
    if (before === undefined) builder.create(new DesiredRow(row));
    else builder.change(before, withTagsOf(before.row, row));
  }
  for (const key of gone) {
    const before = current.get(key);
    if (before !== undefined) builder.remove(before);
  }
  return builder.difference;
};

/**
 * Rows whose hashes are unchanged but whose look-ups may be outdated: resources below one that
 * moved or got another id (docs/rules.md: References). The service reads them, and `withFollowers`
 * adds what changes.
 */
export const followersOf = (
  wanted: readonly HashedRow[],
  { suspects }: Comparison,
  { changed, linked }: Difference,
): readonly Row[] => {
  if (changed.length === 0) return [];
  const current = new Set(changed.map(({ after }) => after.row.key));
  const moved = new Set([
    ...linked
      .filter(({ row, stated }) => stated.kind.type === 'CONTAINS' && current.has(row))
      .map(({ row }) => row),
    // An interrupted push may have moved this resource without updating the resources below it.
    ...changed
      .filter((change) => isUnproven(change) && change.after.row.kind === Resource)
      .map(({ after }) => after.row.key),
  ]);
  if (moved.size === 0) return [];
  const judged = new Set(suspects.map(({ key }) => key));
  // The list has each resource before those that it contains.
  return wanted.flatMap(({ row }) => {
    const parent = row.relationships.find(({ kind }) => kind.type === 'CONTAINS')?.other;
    if (parent === undefined || !moved.has(parent)) return [];
    moved.add(row.key);
    return judged.has(row.key) ? [] : [row];
  });
};

/** The diff with the changes of following rows added, when these rows have been read. */
export const withFollowers = (
  difference: Difference,
  followers: readonly Row[],
  current: ReadonlyMap<string, HashedRow>,
): Difference => {
  const builder = new DifferenceBuilder();
  for (const row of followers) {
    const before = current.get(row.key);
    if (before !== undefined) builder.change(before, row);
  }
  return { ...difference, followed: [...difference.followed, ...builder.difference.followed] };
};
