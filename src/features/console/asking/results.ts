import type { Entity } from '../../../contract/answers/questions/entities';
import { KINDS, kindsOf } from '../frame/kinds';

/** Results of one kind. */
export interface ResultsOfKind {
  readonly title: string;
  readonly label: string;
  readonly entities: readonly Entity[];
}

/** Results by kind: people first, what has no page last. */
export const resultsOf = (found: readonly Entity[]): readonly ResultsOfKind[] => {
  const labels = new Set([...KINDS, ...found].map(({ label }) => label));
  return [...labels]
    .map((label) => ({
      label,
      title: kindsOf(label),
      entities: found.filter((entity) => entity.label === label),
    }))
    .filter(({ entities }) => entities.length > 0);
};
