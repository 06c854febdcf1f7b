import { Definitions } from '../../src/check/definitions';
import { decodePayload } from '../../src/contract/decode';
import type { Template } from '../../src/templates/templates';
import { payloadRows } from '../../src/rows/payload-rows';
import type { PropertyValues, Row, Stated } from '../../src/rows/row/row';
import type { Rows } from '../../src/rows/row/rows';

/** The rows of a payload that breaks no rule. */
export const rowsOf = <T extends Template>(template: T, payload: object): Rows => {
  const decoded = decodePayload(template, payload);
  if (decoded._tag === 'Left') throw new Error(JSON.stringify(decoded.left));
  if (decoded.right._tag === 'Increment') throw new Error('an increment');
  const { rows, problems } = payloadRows(template, decoded.right.payload, Definitions.none);
  if (problems.total > 0) throw new Error(JSON.stringify(problems));
  return rows;
};

/** The problems with a payload's rules, as `pointer CODE`. */
export const problemsOf = <T extends Template>(template: T, payload: object): readonly string[] => {
  const decoded = decodePayload(template, payload);
  if (decoded._tag === 'Left') throw new Error(JSON.stringify(decoded.left));
  if (decoded.right._tag === 'Increment') throw new Error('an increment');
  return payloadRows(template, decoded.right.payload, Definitions.none).problems.problems.map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );
};

const plain = (properties: PropertyValues): Record<string, unknown> =>
  JSON.parse(JSON.stringify(properties)) as Record<string, unknown>;

const toldStated = ({ kind, other, properties }: Stated): string => {
  const said = Object.keys(properties).length === 0 ? '' : ` ${JSON.stringify(plain(properties))}`;
  return kind.owner === 'from' ? `${kind.type} ${other}${said}` : `${other} ${kind.type}${said}`;
};

/** A row as tests read it: properties, then look-ups, then what it states. */
export const told = ({ key, properties, lookups, relationships, tags }: Row) => ({
  key,
  properties: plain(properties),
  lookups,
  states: [...relationships.map(toldStated), ...tags.map((tag) => `TAGGED ${tag}`)].sort(),
});

/** The row of a key. */
export const rowAt = ({ rows }: Rows, key: string): ReturnType<typeof told> => {
  const row = rows.find((one) => one.key === key);
  if (row === undefined) throw new Error(`${key} is none of ${rows.map((one) => one.key).join()}`);
  return told(row);
};
