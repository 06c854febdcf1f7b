import { Fragment } from 'preact';
import type { JSX } from 'preact';

import type { QueryAnswer } from '../../../contract/answers/questions/query';
import { kindOfKey } from '../../../questions/instant/contract';
import { kindOf } from '../frame/kinds';
import { typeInWords } from '../frame/permission-types';
import { useAddresses } from '../frame/reading';
import { isNode, isPath, type Path, stopOfNode } from '../map/answer-ways';
import { Entity, Name } from '../parts/name';
import { Push } from '../parts/time';

/** The most rows that a page shows; the file has all of them. */
const SHOWN = 500;

/** A path in words; an arrow has the direction of its relationship. */
const pathText = ({ nodes, relationships }: Path): string =>
  nodes
    .map((node, at) => {
      const { name } = stopOfNode(node);
      const step = relationships[at - 1];
      if (step === undefined) return name;
      return step.to === node.id ? `−${step.type}→ ${name}` : `←${step.type}− ${name}`;
    })
    .join(' ');

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (isPath(value)) return pathText(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Columns whose texts the service has chosen, and what these mean to people. */
const IN_WORDS: readonly (readonly [column: RegExp, words: (text: string) => string])[] = [
  [/(?:^|_)labels?$/, kindOf],
  [/^(?:permission_)?types?$/, typeInWords],
];

const wordsOf = (column: string, text: string): string =>
  IN_WORDS.find(([columns]) => columns.test(column))?.[1](text) ?? text;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The kind of the entity that has this key; `null`: the text is no key. */
const labelOfKey = (text: string): string | null => {
  const [source = '', second] = text.split('|', 2);
  return second !== undefined && (UUID.test(source) || source === 'Identity')
    ? (kindOfKey(text)?.label ?? null)
    : null;
};

/** A value of a row. Entities, their keys, and pushes lead to their pages. */
const Cell = ({
  of: value,
  column,
}: {
  readonly of: unknown;
  readonly column: string;
}): JSX.Element => {
  const addresses = useAddresses();
  if (Array.isArray(value)) {
    return (
      <>
        {value.map((each: unknown, at) => (
          <Fragment key={at}>
            {at > 0 ? ', ' : ''}
            <Cell of={each} column={column} />
          </Fragment>
        ))}
      </>
    );
  }
  if (isNode(value)) return <Entity of={stopOfNode(value)} />;
  if (typeof value !== 'string') return <Name>{textOf(value)}</Name>;
  if (column === 'push' && UUID.test(value)) return <Push id={value} />;
  const label = labelOfKey(value);
  const href = label === null ? null : addresses.entity({ id: value, label });
  const name = <Name>{wordsOf(column, value)}</Name>;
  return href === null ? name : <a href={href}>{name}</a>;
};

/** The rows of a query as a table. A list is shown with commas. */
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
          {rows.slice(0, SHOWN).map((row, at) => (
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
    {rows.length <= SHOWN ? null : (
      <p>
        The page shows the first {SHOWN} rows. The file below has all {rows.length}.
      </p>
    )}
  </>
);
