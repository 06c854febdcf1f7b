import type { Difference } from '../../difference/difference';
import type { HeldDataSource } from '../graph/held-data-source';
import type { NameToFind } from '../graph/existing-names';
import { byCodeUnits, fold, isAscii } from '../../model/fold';
import {
  calledSubject,
  COMPARED_KINDS,
  type ComparedKind,
  lookAlike,
  namesIn,
} from '../../rows/look-alikes';
import { inPlainLetters } from '../../rows/row/plain-letters';
import type { PropertyValues, Row } from '../../rows/row/row';
import type { Warning } from '../../warning';

/** A name that an increment brings, which may look like an existing one. */
interface NewName extends NameToFind {
  readonly text: string;
  readonly properties: PropertyValues;
}

const newNames = (
  { fields }: ComparedKind,
  { key, properties }: Row,
  before: PropertyValues,
): readonly NewName[] =>
  fields
    .filter((field) => properties[field] !== before[field])
    .flatMap((field) => namesIn(properties, [field]))
    .filter((text) => !isAscii(text))
    .map((text) => ({ key, properties, text, plain: inPlainLetters(text) }))
    .filter(({ text, plain }) => plain !== fold(text));

/**
 * Warnings about names that an increment brings and that look like an existing name of its data
 * source, one for each entity (docs/rules.md: Look-alikes).
 */
export const existingLookAlikes = async (
  held: Pick<HeldDataSource, 'existingNames'>,
  { created, changed }: Pick<Difference, 'created' | 'changed'>,
): Promise<readonly Warning[]> => {
  const rows = [
    ...created.map(({ row }) => ({ row, before: {} })),
    ...changed.map(({ before, after }) => ({ row: after.row, before: before.row.properties })),
  ].sort((a, b) => byCodeUnits(a.row.key, b.row.key));
  const warnings: Warning[] = [];
  for (const each of COMPARED_KINDS) {
    const names = rows
      .filter(({ row }) => row.kind === each.kind.node)
      .flatMap(({ row, before }) => newNames(each, row, before));
    const found = await held.existingNames(each, names);
    const reported = new Set<string>();
    for (const [at, { key, text, plain, properties }] of names.entries()) {
      const other = found[at];
      if (other === null || other === undefined || reported.has(key)) continue;
      reported.add(key);
      const like = namesIn(other, each.fields).find((name) => fold(name) === plain);
      if (like === undefined) continue;
      const subject = calledSubject(each, other);
      warnings.push(lookAlike(text, calledSubject(each, properties), { text: like, subject }, ''));
    }
  }
  return warnings;
};
