import type { JSX } from 'preact';

import { Name, Unseen } from '../parts/name';
import type { Narrower } from '../words/marks';

/** What an address narrows a list to: its rows have each of these types and marks. */
export interface Chosen {
  readonly types: readonly string[];
  readonly marks: readonly string[];
}

/** A narrower, and how many rows it leaves in addition to the chosen ones; `null`: nobody counted them. */
export interface Chip extends Narrower {
  readonly count: number | null;
}

/** The chips for the rows that each narrower leaves, as the interface counts them. */
export const chipsOf = (
  narrowers: readonly Narrower[],
  counts: Readonly<Record<string, number>> | undefined,
): readonly Chip[] =>
  narrowers.map((narrower) => ({
    ...narrower,
    count: counts === undefined ? null : (counts[narrower.counted] ?? 0),
  }));

/** How many rows a narrower leaves; 0 if no chip has it. */
export const countIn = (chips: readonly Chip[], meant: Pick<Narrower, 'mark' | 'type'>): number =>
  chips.find((chip) => chip.mark === meant.mark && chip.type === meant.type)?.count ?? 0;

const isIn = ({ types, marks }: Chosen, { type, mark }: Narrower): boolean =>
  (type !== undefined && types.includes(type)) || (mark !== undefined && marks.includes(mark));

const toggled = (values: readonly string[], value: string | undefined): readonly string[] => {
  if (value === undefined) return values;
  return values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
};

/** What is chosen after a click on a narrower: it is added, or taken off if it was chosen. */
export const afterClick = ({ types, marks }: Chosen, { type, mark }: Narrower): Chosen => ({
  types: toggled(types, type),
  marks: toggled(marks, mark),
});

/**
 * Narrows a list with one click for each filter; a second click removes the filter. What leaves no row is
 * not offered, unless it is chosen.
 */
export const Chips = ({
  of,
  total,
  within = '',
  chosen,
  addressOf,
}: {
  readonly of: readonly Chip[];
  /** How many rows there are without any. */
  readonly total: number;
  /** The application to which the list is narrowed, which no chip removes. */
  readonly within?: string;
  readonly chosen: Chosen;
  readonly addressOf: (chosen: Chosen) => string;
}): JSX.Element | null => {
  const chips = of.filter((chip) => chip.count !== 0 || isIn(chosen, chip));
  const isNone = chosen.types.length + chosen.marks.length === 0;
  return chips.length === 0 ? null : (
    <nav class="chips" aria-label="Show only">
      <a href={addressOf({ types: [], marks: [] })} aria-current={isNone ? 'true' : undefined}>
        all{' '}
        {within === '' ? null : (
          <>
            in <Name>{within}</Name>{' '}
          </>
        )}
        <Count of={total} />
      </a>
      {chips.map((chip) => {
        const isChosen = isIn(chosen, chip);
        return (
          <a
            key={chip.words}
            href={addressOf(afterClick(chosen, chip))}
            aria-current={isChosen ? 'true' : undefined}
          >
            {chip.words} <Count of={chip.count} />
            {isChosen ? (
              <>
                <span aria-hidden="true"> ×</span>
                <Unseen>remove this filter</Unseen>
              </>
            ) : null}
          </a>
        );
      })}
    </nav>
  );
};

/** How many rows a choice leaves; nothing if nobody counted them. */
export const Count = ({ of }: { readonly of: number | null }): JSX.Element | null =>
  of === null ? null : <span class="count">{of.toLocaleString('en')}</span>;
