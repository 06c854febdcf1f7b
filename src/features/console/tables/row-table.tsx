import type { JSX } from 'preact';

import type { QueryAnswer } from '../../../contract/answers/questions/query';
import { isPath, type Path, stopOfNode } from '../map/answer-ways';
import { Name } from '../parts/name';

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
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
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
                  <Name>{textOf(value)}</Name>
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
