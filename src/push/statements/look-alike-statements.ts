import type { ComparedKind } from '../../rows/look-alikes';
import { seek } from '../../graph/statements/seek';

/**
 * At most this many entities with one name are returned, because an entity does not look like
 * itself.
 */
const FEW = 2;

/**
 * The first entities of a data source that have a name, by each look-up. Each name occurs once, so
 * the work follows the number of nodes. `$names[0]`, `$data_source`.
 */
export const namedAlike = ({ kind: { node }, lookups, fields }: ComparedKind): string => {
  const shown = [...new Set([...fields, 'identity', 'id'])].filter(
    (name) => name in node.properties,
  );
  const branches = lookups.map(
    (lookup) => `  ${seek('other', node, lookup, 'plain').replaceAll('\n', '\n  ')}
  WHERE other.data_source = $data_source
  RETURN other ORDER BY other.key LIMIT ${FEW}`,
  );
  return `UNWIND $names[0] AS plain
CALL (plain) {
${branches.join('\n  UNION\n')}
}
RETURN plain, other.key AS key, other {${shown.map((name) => `.${name}`).join(', ')}} AS called`;
};
