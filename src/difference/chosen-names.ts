import { isChosenName } from '../model/property-name';
import type { Difference, HashedRow } from './difference';

/** The stored names of the custom and dynamic properties that a diff writes. */
export const chosenNamesIn = ({
  created,
  changed,
  linked,
  relabelled,
}: Difference): ReadonlySet<string> => {
  const names = new Set<string>();
  const enter = (properties: object): void => {
    for (const name of Object.keys(properties)) if (isChosenName(name)) names.add(name);
  };
  for (const { row } of created) enter(row.properties);
  for (const { changes } of changed) enter(changes);
  for (const { stated } of linked) enter(stated.properties);
  for (const { changes } of relabelled) enter(changes);
  return names;
};

/** The same diff, but without properties of these names. */
export const withoutNames = (difference: Difference, names: ReadonlySet<string>): Difference => {
  if (names.size === 0) return difference;
  const without = <A extends object>(properties: A): A =>
    Object.keys(properties).some((name) => names.has(name))
      ? (Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name))) as A)
      : properties;
  const hashed = ({ row, hash }: HashedRow): HashedRow => ({
    row: { ...row, properties: without(row.properties) },
    hash,
  });
  return {
    ...difference,
    created: difference.created.map(hashed),
    changed: difference.changed.map((change) => ({ ...change, changes: without(change.changes) })),
    linked: difference.linked.map(({ row, stated }) => ({
      row,
      stated: { ...stated, properties: without(stated.properties) },
    })),
    relabelled: difference.relabelled.map((change) => ({
      ...change,
      changes: without(change.changes),
    })),
  };
};
