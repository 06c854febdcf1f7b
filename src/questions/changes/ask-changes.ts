import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type {
  AccessChanges,
  ChangedAccess,
  ChangeFilter,
  PeriodChanges,
  Span,
} from './access-changes';
import { byCodeUnits } from '../../model/fold';
import type { Instant } from '../../model/instant';
import type { Failure } from '../../problem';

export type { AccessChanges, ChangedAccess, ChangeFilter, Instant, Span };

/** The row of a list of changes behind which a page begins: the keys of its two nodes. */
export interface ChangePlace {
  readonly principal: string;
  readonly resource: string;
}

/** A page of a list of changes that a client requests. */
export interface WantedChanges {
  readonly span: Span;
  readonly filter: ChangeFilter;
  readonly size: number;
  /** `null` requests the first page. */
  readonly after: ChangePlace | null;
}

/** A page of a list of changes, and the period of the list. */
export interface ChangesPage extends Omit<PeriodChanges, 'changes'> {
  readonly total: number;
  readonly rows: readonly ChangedAccess[];
  readonly hasMore: boolean;
}

const isBehind = ({ principal, resource }: ChangedAccess, place: ChangePlace): boolean =>
  byCodeUnits(principal.id, place.principal) > 0 ||
  (principal.id === place.principal && byCodeUnits(resource.id, place.resource) > 0);

/** Finds who gained and who lost what (docs/rules.md: Changes of access). */
export const findChanges =
  ({ changes }: { readonly changes: AccessChanges }) =>
  ({ span, filter, size, after }: WantedChanges): TE.TaskEither<Failure, ChangesPage> =>
    pipe(
      changes.find(span, filter),
      TE.map(({ changes: all, ...asked }) => {
        const rest = after === null ? all : all.filter((change) => isBehind(change, after));
        const rows = rest.slice(0, size);
        return { ...asked, total: all.length, rows, hasMore: rest.length > rows.length };
      }),
    );
