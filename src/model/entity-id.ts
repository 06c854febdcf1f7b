import { nfc } from './fold';
import type { NodeKind } from './table';

/**
 * The id of an entity, in NFC: the first id field of its kind that is set (docs/rules.md: Keys).
 * `""` counts as unset.
 */
export const idOf = ({ ids }: Pick<NodeKind, 'ids'>, entity: object): string => {
  for (const field of ids) {
    const value = (entity as Readonly<Record<string, unknown>>)[field];
    if (typeof value === 'string' && value !== '') return nfc(value);
  }
  return '';
};
