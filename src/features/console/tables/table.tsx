import type { ComponentChildren, JSX } from 'preact';

/** The head of a column that only screen readers need, since the links in it say what they are. */
export const UnseenHead = ({ children }: { readonly children: string }): JSX.Element => (
  <th scope="col">
    <span class="unseen">{children}</span>
  </th>
);

/** The head of a column of numbers, which stands above them. */
export const numberHead = (name: string): JSX.Element => (
  <th key={name} scope="col" class="number">
    {name}
  </th>
);

/** A table with the heads of its columns. On narrow screens its rows are cards. */
export const Table = ({
  caption,
  columns,
  children,
}: {
  readonly caption: string;
  /** The name of each column, or its head if it is more than a name. */
  readonly columns: readonly (string | JSX.Element)[];
  readonly children: ComponentChildren;
}): JSX.Element => (
  <div class="scroll">
    <table class="cards">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) =>
            typeof column === 'string' ? (
              <th key={column} scope="col">
                {column}
              </th>
            ) : (
              column
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
