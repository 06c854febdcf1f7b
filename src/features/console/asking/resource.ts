import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type * as t from 'io-ts';

import type {
  AccessList,
  PrincipalsWithAccess,
  ReviewerList,
} from '../../../contract/answers/questions/access';
import type {
  EmptiedGateway,
  GatewayAnswer,
  Gateways,
  WithoutGateway,
} from '../../../questions/endpoints';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import { CSV_ADDRESSES, type Parameters } from '../frame/address';
import { type Answered, ask, flag } from './ask';
import { hasCypher, type Narrowed, typesAndMarks } from './person';

/** A resource or application, and when. */
export interface AboutResource {
  readonly id: string;
  /** An instant; empty: now. */
  readonly at: string;
}

/** The same, and whether what it contains counts too. */
export interface AboutContents extends AboutResource {
  readonly contents: boolean;
}

const isReaching = (list: AccessList): list is PrincipalsWithAccess => 'resource' in list;

/** How much of a list a page wants. */
interface WantedOfWho {
  /** How many rows; empty: those of a page, with their details. */
  readonly pageSize?: string;
  /** Whether the answer says how many rows each chip leaves. */
  readonly hasCounts?: boolean;
}

/** Who can reach a resource: humans first, then what belongs to nobody. */
export const askWho = (
  context: Context,
  { id, at, contents }: AboutContents,
  { types, permission, marks, sort, page }: Omit<Narrowed, 'application'>,
  { pageSize = '', hasCounts = false }: WantedOfWho = {},
): TE.TaskEither<Failure, Answered<PrincipalsWithAccess>> =>
  pipe(
    ask(
      interfaceOf(context).access.list,
      {
        endpoint: questions.access,
        hasCypher: hasCypher({ types, marks }),
        csvAt: CSV_ADDRESSES.access,
      },
      {
        resource: id,
        contents: flag(contents),
        at,
        permission,
        ...typesAndMarks({ types, marks }),
        page_size: pageSize,
        counts: flag(hasCounts),
        details: flag(pageSize === ''),
        order_by: sort,
        page_token: page,
      },
    ),
    TE.map(({ answer, shown }) => {
      if (!isReaching(answer)) throw new Error('a list of who reaches a resource is one');
      return { answer, shown };
    }),
  );

/** Who should review the access to a resource. */
export const askResourceReviewers = (
  context: Context,
  { id, at }: AboutResource,
): TE.TaskEither<Failure, t.TypeOf<typeof ReviewerList>> =>
  pipe(
    ask(interfaceOf(context).reviewers, { endpoint: questions.reviewers }, { resource: id, at }),
    TE.map(({ answer }) => answer),
  );

const isAboutOne = (answer: GatewayAnswer): answer is WithoutGateway =>
  'without' in answer && 'resource' in answer;
const isList = (answer: GatewayAnswer): answer is Gateways => 'direct' in answer;
const isEmptied = (answer: GatewayAnswer): answer is EmptiedGateway => 'others' in answer;

/** Who would lose what anywhere if nobody gained through a group. */
export const askEmptied = (
  context: Context,
  { id, at }: AboutResource,
): TE.TaskEither<Failure, Answered<EmptiedGateway>> =>
  pipe(
    ask(interfaceOf(context).gateways, { endpoint: questions.gateways }, { without: id, at }),
    TE.map(({ answer, shown }) => {
      if (!isEmptied(answer)) throw new Error('losses everywhere are losses');
      return { answer, shown };
    }),
  );

/** Through which groups humans reach a resource. */
export const askGateways = (
  context: Context,
  { id, at, contents }: AboutContents,
  { types, permission }: Pick<Narrowed, 'types' | 'permission'>,
): TE.TaskEither<Failure, Answered<Gateways>> =>
  pipe(
    ask(
      interfaceOf(context).gateways,
      { endpoint: questions.gateways },
      { resource: id, contents: flag(contents), permission, permission_type: types, at },
    ),
    TE.map(({ answer, shown }) => {
      if (!isList(answer)) throw new Error('a list of gateways is one');
      return { answer, shown };
    }),
  );

/** Who would lose what on a resource without a gateway. */
export const askWithout = (
  context: Context,
  { id, at, contents }: AboutContents,
  { types, permission }: Pick<Narrowed, 'types' | 'permission'>,
  without: string,
): TE.TaskEither<Failure, Answered<WithoutGateway>> =>
  pipe(
    ask(
      interfaceOf(context).gateways,
      { endpoint: questions.gateways },
      {
        resource: id,
        without,
        contents: flag(contents),
        permission,
        permission_type: types,
        at,
      },
    ),
    TE.map(({ answer, shown }) => {
      if (!isAboutOne(answer)) throw new Error('a list of losses is one');
      return { answer, shown };
    }),
  );

/** Who would lose what without a gateway: on a resource, or without one anywhere. */
export const askLosses = (
  context: Context,
  asked: Parameters & { readonly without: string },
): TE.TaskEither<Failure, WithoutGateway | EmptiedGateway> =>
  pipe(
    ask(interfaceOf(context).gateways, { endpoint: questions.gateways }, asked),
    TE.map(({ answer }) => {
      if (isAboutOne(answer) || isEmptied(answer)) return answer;
      throw new Error('what would be lost without a gateway are losses');
    }),
  );
