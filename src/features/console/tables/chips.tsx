import type { JSX } from 'preact';

import type { Narrower } from '../words/marks';

/** What an address narrows a list to. */
type Chosen = Pick<Narrower, 'mark' | 'permission_type'>;

/** A narrower, and how many rows it leaves. */
export interface Chip extends Narrower {
  readonly count: number;
}

/** The chips for the rows that each narrower leaves, as the interface counts them. */
export const chipsOf = (
  narrowers: readonly Narrower[],
  counts: Readonly<Record<string, number>>,
): readonly Chip[] =>
  narrowers.map((narrower) => ({ ...narrower, count: counts[narrower.counted] ?? 0 }));

/** How many rows a narrower leaves; 0 if no chip has it. */
export const countIn = (chips: readonly Chip[], meant: Chosen): number =>
  chips.find((chip) => chip.mark === meant.mark && chip.permission_type === meant.permission_type)
    ?.count ?? 0;

/** Narrows a list with one click. What leaves no row is not offered, unless it is chosen. */
export const Chips = ({
  of,
  total,
  chosen,
  addressOf,
}: {
  readonly of: readonly Chip[];
  /** How many rows there are without any. */
  readonly total: number;
  readonly chosen: Chosen;
  readonly addressOf: (narrower: Chosen) => string;
}): JSX.Element | null => {
  const isChosen = ({ mark, permission_type = '' }: Chosen): boolean =>
    mark === chosen.mark && permission_type === (chosen.permission_type ?? '');
  const chips: readonly Chip[] = [
    { words: 'all', counted: 'all', count: total },
    ...of.filter((c) => c.count > 0 || isChosen(c)),
  ];
  return chips.length < 2 ? null : (
    <nav class="chips" aria-label="Show only">
      {chips.map((chip) => (
        <a
          key={chip.words}
          href={addressOf(chip)}
          aria-current={isChosen(chip) ? 'true' : undefined}
        >
          {chip.words} <span class="count">{chip.count.toLocaleString('en')}</span>
        </a>
      ))}
    </nav>
  );
};
