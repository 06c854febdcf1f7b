import { hash } from 'node:crypto';

import { sized } from '../../model/digest';
import { byCodeUnits } from '../../model/fold';
import { Instant } from '../../model/instant';
import type { PropertyValues, Row, Value } from '../../rows/row/row';

const spelled = (value: Value | undefined): string => {
  if (typeof value === 'string') return sized(value);
  return value instanceof Instant ? `@${value.utc}` : JSON.stringify(value);
};

const described = (properties: PropertyValues): string =>
  Object.keys(properties)
    .toSorted(byCodeUnits)
    .map((name) => `\n${name}${spelled(properties[name])}`)
    .join('');

const listed = (texts: readonly string[]): string =>
  texts.toSorted(byCodeUnits).map(sized).join('');

/**
 * The hash of a row in store versions 1 to 4: one SHA-256 of all that the row says, its scope
 * included.
 */
export const formerRowHash = ({ kind, key, properties, relationships, tags }: Row): string => {
  const said = relationships.map((stated) => {
    const more = described(stated.properties);
    return more === '' ? stated.identity : sized(stated.identity) + more;
  });
  return hash(
    'sha256',
    `${kind.label}${sized(key)}${described(properties)}\n>${listed(said)}\n#${listed(tags)}`,
    'hex',
  );
};
