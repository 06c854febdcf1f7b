import type { ComponentChildren, JSX } from 'preact';

import type { EntityPage } from '../../../contract/answers/questions/entities';
import type { Parameters } from '../frame/address';
import { kindOf } from '../frame/kinds';
import { Entity, From, Name } from '../parts/name';
import { Time } from '../parts/time';
import { Table } from './table';

type Related = EntityPage['contains']['values'][number];

/** Up to so many rows are shown unfolded. */
const UNFOLDED = 12;

/** What is related to an entity, as a section of its page: how many in words, and the first of them. */
export const SomeTable = ({
  of: { total, values },
  id,
  title,
  words,
  kind,
  keeping,
}: {
  readonly of: { readonly total: number; readonly values: readonly Related[] };
  readonly id: string;
  readonly title: string;
  /** How many there are, and what else a reader must know. */
  readonly words: ComponentChildren;
  /** What the second column says. */
  readonly kind: 'kind' | 'type';
  readonly keeping: Parameters;
}): JSX.Element | null => {
  if (total === 0) return null;
  const isCut = values.length < total;
  const table = (
    <Table caption={title} columns={['Name', kind === 'kind' ? 'Kind' : 'Type', 'Since']}>
      {values.map(({ about, since }) => (
        <tr key={about.id}>
          <th scope="row">
            <Entity of={about} keeping={keeping} isPlain />
          </th>
          <td data-name={kind === 'kind' ? 'Kind' : 'Type'} class="quiet">
            {kind === 'kind' ? (
              <>
                {kindOf(about.label)}
                <From of={about} />
              </>
            ) : (
              <Name>{about.resource_type ?? ''}</Name>
            )}
          </td>
          <td data-name="Since">
            <Time of={since} />
          </td>
        </tr>
      ))}
    </Table>
  );
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{words}</p>
      {values.length <= UNFOLDED ? (
        table
      ) : (
        <details>
          <summary>{isCut ? `${values.length} of them, by name` : `All ${total}`}</summary>
          {table}
        </details>
      )}
    </section>
  );
};
