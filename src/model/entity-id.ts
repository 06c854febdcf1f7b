import { nfc } from './fold';
import type { NodeKind } from './table';

/** Kinds of entity whose id is `unique_id`, else `id`, else `name` (docs/rules.md: Keys). */
export interface LocalEntity {
  readonly name?: string | null;
  readonly id?: string | null;
  readonly unique_id?: string | null;
}

/** Kinds of entity whose id is `identity`, else `name` (docs/rules.md: Keys). */
export interface FederatedEntity {
  readonly name: string;
  readonly identity?: string | null;
}

// `""` in an optional field is unset (docs/rules.md: Values), so `||` is meant.
/** The id of a local user, group, role, agent, model or credential, in NFC (docs/rules.md: Keys). */
export const localId = ({ unique_id, id, name }: LocalEntity): string =>
  nfc(unique_id || id || name || '');

/** The id of an identity provider's user or group, in NFC (docs/rules.md: Keys). */
export const federatedId = ({ identity, name }: FederatedEntity): string => nfc(identity || name);

/** The id of an entity, in NFC: the first of its kind's id fields that is set. */
export const idOf = ({ ids }: Pick<NodeKind, 'ids'>, entity: object): string => {
  for (const field of ids) {
    const value = (entity as Readonly<Record<string, unknown>>)[field];
    if (typeof value === 'string' && value !== '') return nfc(value);
  }
  return '';
};
