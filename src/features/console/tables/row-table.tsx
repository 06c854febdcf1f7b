import { Fragment } from 'preact';
import type { JSX } from 'preact';

import type { QueryAnswer } from '../../../questions/endpoints';
import { kindOfKey } from '../../../templates/graph/kind-of-key';
import { kindOf } from '../frame/kinds';
import { typeInWords } from '../words/permission-types';
import { useAddresses } from '../frame/reading';
import { isNode, isPath, type Path, stopOfNode } from '../map/answer-ways';
import { Entity, Name, shortened } from '../parts/name';
import { Push } from '../parts/time';

/** The most rows that a page shows; the file has all of them. */
export const SHOWN_ROWS = 500;

/** The most values of a list, and stops of a path, that a cell shows. */
const LISTED = 50;

/** The most values of a list in other lists that a cell shows. */
const LISTED_DEEP = 10;

const listedAt = (deep: number): number => (deep === 0 ? LISTED : LISTED_DEEP);

/** A path in words; an arrow has the direction of its relationship. */
const pathText = ({ nodes, relationships }: Path): string =>
  nodes
    .slice(0, LISTED)
    .map((node, at) => {
      const { name } = stopOfNode(node);
      const step = relationships[at - 1];
      if (step === undefined) return name;
      return step.to === node.id ? `−${step.type}→ ${name}` : `←${step.type}− ${name}`;
    })
    .join(' ') + (nodes.length > LISTED ? ` and ${nodes.length - LISTED} more` : '');

/** A value with at most as many values of each list and map as a cell shows, and no long text. */
const within = (value: unknown, room: { left: number }): unknown => {
  room.left -= 1;
  if (typeof value === 'string') return shortened(value);
  if (typeof value !== 'object' || value === null) return value;
  const cut = <A,>(all: readonly A[], take: (each: A) => unknown): readonly unknown[] => {
    const taken: unknown[] = [];
    for (const each of all) {
      if (taken.length === LISTED || room.left <= 0) break;
      taken.push(take(each));
    }
    return taken;
  };
  if (Array.isArray(value)) {
    const taken = cut(value as readonly unknown[], (each) => within(each, room));
    return taken.length < value.length
      ? [...taken, `… ${value.length - taken.length} more`]
      : taken;
  }
  const entries = Object.entries(value);
  const taken = cut(entries, ([name, each]) => [shortened(name), within(each, room)]);
  const rest = entries.length - taken.length;
  return Object.fromEntries([
    ...(taken as readonly (readonly [string, unknown])[]),
    ...(rest > 0 ? [['…', `${rest} more`] as const] : []),
  ]);
};

const textOf = (value: unknown, most: number): string => {
  if (value === null || value === undefined) return '';
  if (isPath(value)) return pathText(value);
  return typeof value === 'string' ? value : JSON.stringify(within(value, { left: most }));
};

/** Columns whose texts the service has chosen, and what these mean to people. */
const IN_WORDS: readonly (readonly [column: RegExp, words: (text: string) => string])[] = [
  [/(?:^|_)labels?$/, kindOf],
  [/^(?:permission_)?types?$/, typeInWords],
];

const wordsOf = (column: string, text: string): string =>
  IN_WORDS.find(([columns]) => columns.test(column))?.[1](text) ?? text;

/** No key of an entity is longer. */
const LONGEST_KEY = 8_000;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The kind of the entity that has this key; `null`: the text is no key. */
const labelOfKey = (text: string): string | null => {
  const [source = '', second] = text.split('|', 2);
  return second !== undefined && (UUID.test(source) || source === 'Identity')
    ? (kindOfKey(text)?.label ?? null)
    : null;
};

/** Lists in so many others are texts. */
const DEEPEST = 2;

/** A value of a row. Entities, their keys, and pushes lead to their pages. */
const Cell = ({
  of: value,
  column,
  deep = 0,
}: {
  readonly of: unknown;
  readonly column: string;
  /** How many lists it is in. */
  readonly deep?: number;
}): JSX.Element => {
  const addresses = useAddresses();
  const most = listedAt(deep);
  if (Array.isArray(value) && deep < DEEPEST) {
    return (
      <>
        {value.slice(0, most).map((each: unknown, at) => (
          <Fragment key={at}>
            {at > 0 ? ', ' : ''}
            <Cell of={each} column={column} deep={deep + 1} />
          </Fragment>
        ))}
        {value.length > most ? ` and ${value.length - most} more` : ''}
      </>
    );
  }
  if (isNode(value)) return <Entity of={stopOfNode(value)} />;
  if (typeof value !== 'string') return <Name>{textOf(value, most)}</Name>;
  if (value.length > LONGEST_KEY) return <Name>{value}</Name>;
  if (column === 'push' && UUID.test(value)) return <Push id={value} />;
  const label = labelOfKey(value);
  const href = label === null ? null : addresses.entity({ id: value, label });
  const name = <Name>{wordsOf(column, value)}</Name>;
  return href === null ? name : <a href={href}>{name}</a>;
};

const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > LISTED;

/** The rows of a query as a table. A list is shown with commas, a long one in part. */
export const RowTable = ({ of: { columns, rows } }: { readonly of: QueryAnswer }): JSX.Element => (
  <>
    <div class="scroll">
      <table class="cards">
        <caption class="unseen">The rows of the query</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column.replaceAll('_', ' ')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_ROWS).map((row, at) => (
            <tr key={at}>
              {row.map((value, index) => (
                <td
                  key={columns[index]}
                  data-name={columns[index]?.replaceAll('_', ' ')}
                  class={typeof value === 'number' ? 'number' : undefined}
                >
                  <Cell of={value} column={columns[index] ?? ''} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {rows.slice(0, SHOWN_ROWS).some((row) => row.some(isLong)) ? (
      <p>A cell shows the first {LISTED} values of a list. The file below has all of them.</p>
    ) : null}
    {rows.length <= SHOWN_ROWS ? null : (
      <p>
        The page shows the first {SHOWN_ROWS} rows. The file below has all {rows.length}.
      </p>
    )}
  </>
);
