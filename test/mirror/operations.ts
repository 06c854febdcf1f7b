import { localLists } from './application-parts';
import type { Label } from './graph';
import { listed } from './text';

/** An entry of a payload as what may carry an operation and hold other entries. */
export type Entry = Readonly<Record<string, unknown>> & {
  readonly operation?: string | null;
};

/** A list of entries nested in an entry. */
export interface Nested {
  readonly field: string;
  readonly kind: Label;
  readonly list: readonly Entry[];
}

const onAnything = ['add', 'modify', 'delete'];
const onTags = ['add_tag', 'remove_tag', 'delete_tag'];
/** The kinds that have no tags (spec, docs/rules.md: Application payloads). */
const untagged: readonly Label[] = ['Permission', 'HrisSystem', 'Employee', 'HrisGroup'];
const onResources = ['add_resource', 'delete_resource'];

/** Operations that take away, and are never an error where there is nothing to take (docs/rules.md: Increments). */
const deletions = ['delete', 'delete_tag', 'remove_tag', 'delete_resource'];

/** Whether an operation exists for a kind of entity (docs/rules.md: Increments). */
export function isForEntity(kind: Label, operation: string): boolean {
  if (onAnything.includes(operation)) return true;
  if (onTags.includes(operation)) return !untagged.includes(kind);
  return kind === 'Application';
}

/** Whether an operation exists for a whole entry of `identity_to_permissions` (docs/rules.md: Increments). */
export function isForWholeEntry(operation: string): boolean {
  return onAnything.includes(operation);
}

/** Whether an operation exists for an element (docs/rules.md: Increments). */
export function isForElement(operation: string): boolean {
  return [...onAnything, ...onResources].includes(operation);
}

/** The entries nested in an entry of a kind (spec). */
export function nestedIn(kind: Label, entry: Entry): readonly Nested[] {
  const nested = (field: string, inside: Label): Nested => {
    return { field, kind: inside, list: listed(entry[field] as readonly Entry[] | null) };
  };
  if (kind === 'Resource') return [nested('sub_resources', 'Resource')];
  if (kind !== 'Application') return [];
  return [
    ...localLists.map(([field, inside]) => nested(field, inside)),
    nested('resources', 'Resource'),
  ];
}

/** Whether an operation other than deletions stands inside an entry; what is in a `delete` is ignored (docs/rules.md: Increments). */
export function holdsMoreThanDeletions(kind: Label, entry: Entry): boolean {
  return nestedIn(kind, entry).some(({ kind: inside, list }) =>
    list.some((one) => {
      const operation = one.operation ?? null;
      if (operation === null) return holdsMoreThanDeletions(inside, one);
      return !deletions.includes(operation);
    }),
  );
}
