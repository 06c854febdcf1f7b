import type { KnownInApplication } from './application-parts';
import type { Content } from './content';
import type { Entity } from './entity';
import type { Label } from './graph';
import { keyBelow, keyOf, keyOfTyped } from './key';
import { knownOf } from './known';
import type { Entry } from './operations';
import type { Resource } from './payload';
import { firstGiven, lookUpExactly } from './reference';
import { fold, given } from './text';

/** What is around an entry of an increment. */
export interface Around {
  readonly application: {
    readonly id: string;
    readonly type: string;
    readonly sent: string;
  } | null;
  /** The key of the resource that contains it. */
  readonly parent: string | null;
  /** False inside context that is not known. */
  readonly isKnown: boolean;
  /** What an entry without an operation does; null: nothing, it is context. */
  readonly inherited: 'add' | 'delete_resource' | null;
}

/** An entry with its kind and place. */
export interface PlacedEntry {
  readonly kind: Label;
  readonly sent: Entry;
  readonly pointer: string;
  readonly around: Around;
}

/** The fields that an own id is taken from, the first that is set (docs/rules.md: Keys). */
export function idFields(kind: Label): readonly string[] {
  if (kind === 'IdpUser' || kind === 'IdpGroup') return ['identity', 'name'];
  if (['IdpApp', 'HrisSystem', 'Employee', 'HrisGroup'].includes(kind)) return ['id'];
  if (kind === 'Resource') return ['id', 'name'];
  if (kind === 'IdpDomain' || kind === 'Application' || kind === 'Permission') return ['name'];
  return ['unique_id', 'id', 'name'];
}

/** The own id that an entry states (docs/rules.md: Keys). */
export function statedId({ kind, sent }: PlacedEntry): string {
  return firstGiven(...idFields(kind).map((field) => sent[field] as string | null));
}

/** The key of the entity that an entry adds, and of a resource in any case (docs/rules.md: Keys). */
export function statedKey(entry: PlacedEntry, dataSource: string): string {
  const { kind, sent, around } = entry;
  const id = statedId(entry);
  const application = around.application?.id ?? '';
  if (kind !== 'Resource') {
    return around.application === null
      ? keyOf(dataSource, kind, id)
      : keyOf(dataSource, kind, application, id);
  }
  const resource = sent as unknown as Resource;
  const type = fold(resource.resource_type);
  if (given(resource.id) !== null) return keyOfTyped(dataSource, application, type, id);
  return around.parent === null
    ? keyOf(dataSource, kind, application, `/${type}`, id)
    : keyBelow(dataSource, around.parent, `/${type}`, id);
}

/** The entities that an entry may mean: as a reference finds them, but only exactly (docs/rules.md: Increments). */
export function meant(
  entry: PlacedEntry,
  { entities }: Content,
  dataSource: string,
): readonly Entity[] {
  const { kind, sent, around } = entry;
  if (kind === 'Resource') {
    if (given((sent as unknown as Resource).id) === null && !around.isKnown) return [];
    const fit = entities.get(statedKey(entry, dataSource));
    return fit === undefined ? [] : [fit];
  }
  const among = [...entities.values()].filter(
    (one) =>
      one.kind === kind &&
      (around.application === null || one.application === around.application.id),
  );
  const known = among.map((one): KnownInApplication => knownOf(one, entities));
  const fits = lookUpExactly(statedId(entry), known).map(({ key }) => key);
  return among.filter(({ key }) => fits.includes(key));
}
