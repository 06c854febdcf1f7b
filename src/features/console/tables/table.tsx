import type { ComponentChildren, JSX } from 'preact';

/** A table with the names of its columns. On narrow screens its rows are cards. */
export const Table = ({
  caption,
  columns,
  children,
}: {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}): JSX.Element => (
  <div class="scroll">
    <table class="cards">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
