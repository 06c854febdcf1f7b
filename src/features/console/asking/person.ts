import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type * as t from 'io-ts';

import type {
  AccessList,
  ReachedResources,
  ReviewerList,
} from '../../../contract/answers/questions/access';
import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import type { EntityPage } from '../../../contract/answers/questions/entities';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import { CSV_ADDRESSES, type Parameters } from '../frame/address';
import { type Answered, ask, flag } from './ask';

/** Whom a page asks about, and when. */
export interface About {
  readonly id: string;
  /** An instant; empty: now. */
  readonly at: string;
  /** Whether the answer is for the human to whom the principal belongs, if that is certain. */
  readonly isHuman: boolean;
}

/** What a list of access is narrowed to. */
export interface Narrowed {
  /** The label of the rows; unset: any. */
  readonly label?: string;
  readonly application: string;
  /** Canonical types: rows have a permission of each. */
  readonly types: readonly string[];
  readonly permission: string;
  /** Marks: rows have each. */
  readonly marks: readonly string[];
  readonly sort: string;
  readonly page: string;
}

/** The order of what somebody can reach if the address of a page names none. */
export const USUAL_ORDER = 'largest_application';

/** What narrows a list in the words of the interface: its rows have each of these types and marks. */
export const typesAndMarks = ({ types, marks }: Pick<Narrowed, 'types' | 'marks'>): Parameters => ({
  permission_type: types,
  every_type: flag(types.length > 1),
  mark: marks,
});

/** Whether a query in Cypher gives such a list. */
export const hasCypher = ({ types, marks }: Pick<Narrowed, 'types' | 'marks'>): boolean =>
  types.length < 2 && marks.length === 0;

/** The entity with this id; of a group also who is in it in any way, if asked. */
export const askEntity = (
  context: Context,
  { id, at }: Pick<About, 'id' | 'at'>,
  hasEverybody = false,
): TE.TaskEither<Failure, EntityPage> =>
  pipe(
    ask(
      interfaceOf(context).entities.one,
      { endpoint: questions.readEntity, params: { entityId: id } },
      { at, everybody: flag(hasEverybody) },
    ),
    TE.map(({ answer }) => answer.value),
  );

const isReached = (list: AccessList): list is ReachedResources => 'principal' in list;

/** What a principal or a human can reach. */
export const askAccess = (
  context: Context,
  { id, at, isHuman }: About,
  { label, application, types, permission, marks, sort, page }: Narrowed,
  hasCounts = false,
): TE.TaskEither<Failure, Answered<ReachedResources>> =>
  pipe(
    ask(
      interfaceOf(context).access.list,
      {
        endpoint: questions.access,
        hasCypher: hasCypher({ types, marks }),
        csvAt: CSV_ADDRESSES.access,
      },
      {
        principal: id,
        person: flag(isHuman),
        at,
        label,
        application,
        permission,
        ...typesAndMarks({ types, marks }),
        details: 'true',
        counts: flag(hasCounts),
        order_by: sort,
        page_token: page,
      },
    ),
    TE.map(({ answer, shown }) => {
      if (!isReached(answer)) throw new Error('a list of what a principal reaches is one');
      return { answer, shown };
    }),
  );

/** How much a principal or a human can reach, and how much each chip leaves. */
export const countAccess = (
  context: Context,
  { id, at, isHuman }: About,
): TE.TaskEither<Failure, Readonly<Record<string, number>>> =>
  pipe(
    ask(
      interfaceOf(context).access.list,
      { endpoint: questions.access },
      { principal: id, person: flag(isHuman), at, counts: 'true', page_size: '1' },
    ),
    TE.map(({ answer }) => answer.counts ?? {}),
  );

/** Who should review a principal or a human. */
export const askReviewers = (
  context: Context,
  { id, at, isHuman }: About,
): TE.TaskEither<Failure, t.TypeOf<typeof ReviewerList>> =>
  pipe(
    ask(
      interfaceOf(context).reviewers,
      { endpoint: questions.reviewers },
      { principal: id, person: flag(isHuman), at },
    ),
    TE.map(({ answer }) => answer),
  );

/** What a principal or a human gained and lost between two instants. */
export const askChanges = (
  context: Context,
  { id, isHuman }: Pick<About, 'id' | 'isHuman'>,
  {
    since,
    until,
    page = '',
    details = '',
  }: {
    readonly since: string;
    readonly until: string;
    readonly page?: string;
    /** `true`: with what brought each change about. */
    readonly details?: 'true' | '';
  },
): TE.TaskEither<Failure, Answered<AccessChangeList>> =>
  ask(
    interfaceOf(context).changes,
    { endpoint: questions.changes, csvAt: CSV_ADDRESSES.changes },
    { principal: id, person: flag(isHuman), since, until, page_token: page, details },
  );
