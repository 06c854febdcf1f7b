import { nfc } from './fold';
import type { NodeKind } from './table';

/** The id of an entity, in NFC: the first of its kind's id fields that is set, which `""` is not (docs/rules.md: Keys). */
export const idOf = ({ ids }: Pick<NodeKind, 'ids'>, entity: object): string => {
  for (const field of ids) {
    const value = (entity as Readonly<Record<string, unknown>>)[field];
    if (typeof value === 'string' && value !== '') return nfc(value);
  }
  return '';
};
