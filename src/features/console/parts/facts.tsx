import type { ComponentChildren, JSX } from 'preact';

import type { Parameters } from '../frame/address';
import { Entity, type Named } from './name';

/** Terms and what they are. */
export type FactRows = readonly (readonly [term: string, content: ComponentChildren])[];

/** Facts as a list of terms; those without content are left out. */
export const Facts = ({ of }: { readonly of: FactRows }): JSX.Element => (
  <dl class="facts">
    {of.map(([term, content], at) =>
      content === null || content === undefined || content === '' || content === false ? null : (
        <div key={at}>
          <dt>{term}</dt>
          <dd>{content}</dd>
        </div>
      ),
    )}
  </dl>
);

/** Whether a list has entries. */
export const has = (list: readonly unknown[]): boolean => list.length > 0;

const SHOWN = 8;

/** Entities, one a line. Many are folded together. */
export const Entities = ({
  of,
  total = of.length,
  keeping = {},
}: {
  readonly of: readonly Named[];
  /** How many there are, if these are only the first. */
  readonly total?: number;
  readonly keeping?: Parameters;
}): JSX.Element | null => {
  if (of.length === 0) return null;
  const items = (some: readonly Named[]): JSX.Element => (
    <ul>
      {some.map((each) => (
        <li key={each.id}>
          <Entity of={each} keeping={keeping} />
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {items(of.slice(0, SHOWN))}
      {of.length <= SHOWN ? null : (
        <details>
          <summary>and {total - SHOWN} more</summary>
          {items(of.slice(SHOWN))}
          {total > of.length ? <p>and {total - of.length} that are not listed</p> : null}
        </details>
      )}
    </>
  );
};
