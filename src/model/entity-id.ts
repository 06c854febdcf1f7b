import { nfc } from './fold';
import type { NodeKind } from './table';

/** Kinds of entity whose id is `unique_id`, else `id`, else `name` (graph.md 4). */
export interface LocalEntity {
  readonly name?: string | null;
  readonly id?: string | null;
  readonly unique_id?: string | null;
}

/** Kinds of entity whose id is `identity`, else `name` (graph.md 4). */
export interface FederatedEntity {
  readonly name: string;
  readonly identity?: string | null;
}

// `""` in an optional field is unset (graph.md 2), so `||` is meant.
/** The id of a local user, group, role, agent, model or credential, in NFC (graph.md 4). */
export const localId = ({ unique_id, id, name }: LocalEntity): string =>
  nfc(unique_id || id || name || '');

/** The id of an identity provider's user or group, in NFC (graph.md 4). */
export const federatedId = ({ identity, name }: FederatedEntity): string => nfc(identity || name);

/** The id of an entity, in NFC: the first of its kind's id fields that is set. */
export const idOf = ({ ids }: Pick<NodeKind, 'ids'>, entity: object): string => {
  for (const field of ids) {
    const value = (entity as Readonly<Record<string, unknown>>)[field];
    if (typeof value === 'string' && value !== '') return nfc(value);
  }
  return '';
};
