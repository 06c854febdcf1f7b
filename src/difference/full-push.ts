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
  WantedRow,
  withTagsOf,
} from './difference';

/** The rows with their hashes, each of which is made once somebody asks for it. */
export const wantedRows = (rows: readonly Row[]): readonly HashedRow[] =>
  rows.map((row) => new WantedRow(row));

/** Whether a data source holds just these rows already, which its digest tells (docs/rules.md: Digests). */
export const standsAlready = (
  wanted: readonly HashedRow[],
  digest: string | null,
  rulesVersion: number | null,
): boolean => rulesVersion === RULES_VERSION && digest === digestOf(wanted);

const digestOf = (rows: readonly HashedRow[]): string =>
  Digest.empty.with(rows.map(({ hash }) => hash)).hex;

/** The local keys of standing rows that a comparison by hash could not settle. */
export const keysToRead = ({ suspects, gone }: Comparison): readonly string[] => [
  ...suspects.map(({ key }) => key),
  ...gone,
];

/** What a full push changes, once the rows that hashes could not settle are read (docs/rules.md: Full pushes). */
export const fullDifference = (
  { created, suspects, gone }: Comparison,
  standing: ReadonlyMap<string, HashedRow>,
): Difference => {
  const builder = new DifferenceBuilder();
  for (const hashed of created) builder.create(hashed);
  for (const row of suspects) {
    const before = standing.get(row.key);
    if (before === undefined) builder.create(new WantedRow(row));
    else builder.change(before, withTagsOf(before.row, row));
  }
  for (const key of gone) {
    const before = standing.get(key);
    if (before !== undefined) builder.remove(before);
  }
  return builder.difference;
};

/**
 * Rows that hashes call unchanged but whose look-ups may not stand any more: what lies below a resource that stands elsewhere now,
 * or below another id (docs/rules.md: References). They are to be read, and judged by `withFollowers`.
 */
export const followersOf = (
  wanted: readonly HashedRow[],
  { suspects }: Comparison,
  { changed, linked }: Difference,
): readonly Row[] => {
  if (changed.length === 0) return [];
  const standing = new Set(changed.map(({ after }) => after.row.key));
  const moved = new Set([
    ...linked
      .filter(({ row, stated }) => stated.kind.type === 'CONTAINS' && standing.has(row))
      .map(({ row }) => row),
    // A push that was interrupted may have moved it, and nothing below it yet.
    ...changed
      .filter((change) => isUnproven(change) && change.after.row.kind === Resource)
      .map(({ after }) => after.row.key),
  ]);
  if (moved.size === 0) return [];
  const judged = new Set(suspects.map(({ key }) => key));
  // Parents come before what they contain.
  return wanted.flatMap(({ row }) => {
    const parent = row.relationships.find(({ kind }) => kind.type === 'CONTAINS')?.other;
    if (parent === undefined || !moved.has(parent)) return [];
    moved.add(row.key);
    return judged.has(row.key) ? [] : [row];
  });
};

/** The difference with what changes in rows that follow, once those are read. */
export const withFollowers = (
  difference: Difference,
  followers: readonly Row[],
  standing: ReadonlyMap<string, HashedRow>,
): Difference => {
  const builder = new DifferenceBuilder();
  for (const row of followers) {
    const before = standing.get(row.key);
    if (before !== undefined) builder.change(before, row);
  }
  return { ...difference, followed: [...difference.followed, ...builder.difference.followed] };
};
