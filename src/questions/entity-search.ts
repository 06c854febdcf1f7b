import * as TE from 'fp-ts/TaskEither';

import type { SearchFilter } from '../contract/filters/search-filter';
import type { Answers } from './answers';
import type { FoundEntities, Search, SearchPlace } from './search/entities';
import type { Answered } from './answering/answered';
import type { NodeKind } from '../model/table';
import { badField, type Failure } from '../problem';
import { entityKinds, entityProperties, orderedProperties } from '../templates/graph/searched';
import type { SearchOrder } from './statements/search-statements';

export type { FoundEntities, SearchOrder, SearchPlace };

/** A search as a client requests it (docs/rules.md: Searches). */
export interface WantedEntities {
  readonly filter: SearchFilter | null;
  /** Only entities of this label; `null` means all. */
  readonly label: string | null;
  readonly order: SearchOrder;
  readonly isDescending: boolean;
  readonly size: number;
  readonly after: SearchPlace | null;
}

const NAME: SearchOrder = { field: 'name', type: 'text' };

/** The order by this property, or by name if there is no such order. */
export const searchOrder = (field: string): SearchOrder => {
  const type = orderedProperties.get(field);
  return type === undefined ? NAME : { field, type };
};

const kindsOf = (label: string | null): readonly NodeKind[] =>
  entityKinds.filter((kind) => label === null || kind.label === label || kind.also.includes(label));

/** The declared properties of the entities of a label; those of all entities without one. */
export const searchProperties = (label: string): readonly string[] => [
  ...new Set(kindsOf(label || null).flatMap((kind) => [...entityProperties(kind).keys()])),
];

/** A search with the kinds of its label. */
export const searchOf = ({ label, ...wanted }: WantedEntities): Search => ({
  ...wanted,
  kinds: kindsOf(label),
});

/** Searches the entities of the graph (docs/rules.md: Searches). */
export const search =
  ({ answers }: { readonly answers: Answers }) =>
  (wanted: WantedEntities): TE.TaskEither<Failure, Answered<FoundEntities>> => {
    const search = searchOf(wanted);
    if (search.kinds.length > 0) return answers.search(search);
    const known = [...new Set(entityKinds.flatMap((kind) => [kind.label, ...kind.also]))].sort();
    return TE.left(badField('/label', 'UNKNOWN_VALUE', `is none of ${known.join(', ')}`));
  };
