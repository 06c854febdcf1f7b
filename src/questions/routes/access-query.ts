import type { Request } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import type { AccessFilter } from '../../contract/answers/questions/access';
import { answerPageSize, orderOf, readToken, writeToken } from '../../contract/page';
import { instantOf, isTrue, textsOf } from '../../contract/parameters/query-parameters';
import { LIST_ORDERS, MARKS, MARKS_OF_REACHED, typesMeant } from '../../model/access-narrowing';
import { badField, badRequest, type Failure, type ProblemCode } from '../../problem';
import {
  type AccessPage,
  alone,
  type Instant,
  type Listed,
  type PairQuestion,
  placeOf,
  type RowForm,
  type Subject,
  type WantedAccess,
} from '../access/ask-access';
import { queryOf } from '../../web/lists/list-query';
import { type AccessParameters, endpoints } from '../endpoints';
import { withoutCypher } from './with-cypher';

const refused = (name: string, code: ProblemCode, message: string): E.Either<Failure, never> =>
  E.left(badField(`/${name}`, code, message));

// A page token holds the order, its direction, the value and key of the last row, and `person` if that row is one.
const TOKEN_PLACES = 5;
const PERSON = 'person';

/**
 * The principal or resource of a question, and which rows to list (docs/api.md: Who can do what).
 */
export interface AccessQuery {
  readonly of: 'principal' | 'resource';
  readonly subject: Subject;
  readonly listed: Listed;
  /** The types as the question names them; `null` if it names none. */
  readonly named: readonly string[] | null;
  readonly wanted: WantedAccess;
  /** The instant that the question is about; `null` means now. */
  readonly at: Instant | null;
}

/** A question about one principal and one resource, and the instant that it is about. */
export interface PairQuery {
  readonly pair: PairQuestion;
  readonly at: Instant | null;
}

const wantedAccess = (asked: AccessParameters): E.Either<Failure, WantedAccess> => {
  const { field, isDescending } = orderOf(asked.order_by ?? '', LIST_ORDERS, {
    field: 'name',
    isDescending: false,
  });
  const order = LIST_ORDERS.find((known) => known === field) ?? 'name';
  const size = answerPageSize(asked.page_size);
  return pipe(
    readToken(asked.page_token ?? '', TOKEN_PLACES),
    E.mapLeft(badRequest),
    E.flatMap((token): E.Either<Failure, WantedAccess> => {
      if (token === null) return E.right({ size, order, isDescending, after: null });
      const [ordered, direction, value = '', key = '', who] = token;
      return ordered === order && direction === String(isDescending)
        ? E.right({ size, order, isDescending, after: { value, key, isPerson: who === PERSON } })
        : refused('page_token', 'BAD_PAGE_TOKEN', 'is no token of this list');
    }),
  );
};

/** The texts of a parameter; `null` if it is not given. */
export const anyOf = (
  value: string | readonly string[] | null | undefined,
): readonly string[] | null => {
  const given = textsOf(value);
  return given.length === 0 ? null : given;
};

/** The canonical types that a parameter means; `null` if it is not given. */
export const permissionTypesOf = (
  value: string | readonly string[] | null | undefined,
): readonly string[] | null => {
  const named = anyOf(value);
  return named && typesMeant(named);
};

// More candidates of a name are no one human's.
const MOST_PRINCIPALS = 100;

/** `person` has no meaning without a principal. */
export const withPrincipal: Failure = badField(
  '/person',
  'UNKNOWN_FIELD',
  'goes with principal: it tells whose account it is',
);

/** Whom a question is about; `null` if it names nobody. */
export const subjectOf = (
  principal: string | readonly string[] | null | undefined,
  person: string | null | undefined,
): E.Either<Failure, Subject | null> => {
  const ids = textsOf(principal);
  if (ids.length > MOST_PRINCIPALS) {
    return refused('principal', 'OUT_OF_RANGE', `may occur at most ${MOST_PRINCIPALS} times`);
  }
  return E.right(ids.length === 0 ? null : { ids, isPerson: isTrue(person) });
};

/**
 * The principals to which a question is narrowed; `null` means everybody. Then `person` has no
 * meaning.
 */
export const narrowedTo = ({
  principal,
  person,
}: {
  readonly principal?: Parameters<typeof subjectOf>[0];
  readonly person?: Parameters<typeof subjectOf>[1];
}): E.Either<Failure, Subject | null> =>
  pipe(
    subjectOf(principal, person),
    E.flatMap((subject) =>
      subject === null && isTrue(person) ? E.left(withPrincipal) : E.right(subject),
    ),
  );

/** What a list of who can reach a resource has rows for. A label or an application is one of entities. */
const formOf = ({ person, entities, label, application }: AccessParameters): RowForm => {
  if (isTrue(person)) return 'people';
  return isTrue(entities) || label || anyOf(application) !== null ? 'entities' : 'people first';
};

const isOfEntities = (asked: AccessParameters): boolean => formOf(asked) === 'entities';

/** Reads a question for a list of access. */
export const accessQuery = (req: Pick<Request, 'query'>): E.Either<Failure, AccessQuery> =>
  pipe(
    queryOf(endpoints.access.query, req),
    E.bindTo('asked'),
    E.bind('principal', ({ asked }) => subjectOf(asked.principal, asked.person)),
    E.flatMap(({ asked, principal }): E.Either<Failure, AccessQuery> => {
      const { resource, person, entities, label, ...narrowing } = asked;
      const subject = principal ?? (resource ? alone(resource) : null);
      if (subject === null) {
        return refused('principal', 'MISSING_FIELD', 'one of principal and resource is needed');
      }
      if (principal !== null && resource) {
        return refused(
          'resource',
          'UNKNOWN_FIELD',
          'is given together with principal: access:check and access:explain take both',
        );
      }
      if (principal !== null && isTrue(entities)) {
        return refused(
          'entities',
          'UNKNOWN_FIELD',
          'goes with resource: it lists who can reach it',
        );
      }
      if (principal !== null && isTrue(asked.contents)) {
        return refused(
          'contents',
          'UNKNOWN_FIELD',
          'goes with resource: it counts what that contains too',
        );
      }
      const marks = MARKS.filter((each) => textsOf(asked.mark).includes(each));
      const isOfReached = marks.every((each) => MARKS_OF_REACHED.includes(each));
      if (!isOfReached && (principal !== null || isOfEntities(asked))) {
        return refused(
          'mark',
          'UNKNOWN_FIELD',
          'goes with a list of the people who can reach a resource; only new goes with principal',
        );
      }
      if (marks.length > 0 && isTrue(asked.cypher)) {
        return refused('cypher', 'UNKNOWN_FIELD', 'goes without mark: no query finds marks');
      }
      const everyType = isTrue(asked.every_type)
        ? textsOf(asked.permission_type).map((each) => typesMeant([each]))
        : [];
      if (everyType.length > 1 && isTrue(asked.cypher)) {
        return refused(
          'cypher',
          'UNKNOWN_FIELD',
          'goes without every_type: no query compares types',
        );
      }
      if (isTrue(person) && isTrue(entities)) {
        return refused(
          'entities',
          'UNKNOWN_FIELD',
          'is given together with person: use one of them',
        );
      }
      return pipe(
        wantedAccess(asked),
        E.map((wanted) => ({
          of: principal === null ? 'resource' : 'principal',
          subject,
          listed: {
            label: label || null,
            applications: anyOf(narrowing.application),
            permissions: anyOf(narrowing.permission),
            permissionTypes: permissionTypesOf(narrowing.permission_type),
            form: principal === null ? formOf(asked) : 'entities',
            contents: isTrue(asked.contents),
            marks,
            everyType,
            details: isTrue(asked.details),
            counts: isTrue(asked.counts),
          },
          named: anyOf(narrowing.permission_type),
          wanted,
          at: instantOf(asked.at),
        })),
      );
    }),
    E.tap(({ at }) => withoutCypher(req, at)),
  );

/** The filter of a list, as its answer repeats it: a question with this filter has the same rows. */
export const filterOf = ({
  of,
  subject: { isPerson },
  listed: { label, applications, permissions, everyType, form, contents, marks },
  named,
}: AccessQuery): AccessFilter => ({
  ...(permissions === null ? {} : { permission: permissions }),
  ...(named === null ? {} : { permission_type: named }),
  ...(everyType.length < 2 ? {} : { every_type: true }),
  ...(applications === null ? {} : { application: applications }),
  ...(label === null ? {} : { label }),
  ...(form === 'people' || isPerson ? { person: true } : {}),
  ...(of === 'resource' && form === 'entities' ? { entities: true } : {}),
  ...(contents ? { contents: true } : {}),
  ...(marks.length === 0 ? {} : { mark: marks }),
});

/** The token of the next page; empty after the last page. */
export const tokenAfter = (
  { rows, hasMore }: AccessPage,
  { order, isDescending }: WantedAccess,
): string => {
  const last = rows.at(-1);
  if (!hasMore || last === undefined) return '';
  const { value, key, isPerson } = placeOf(last);
  return writeToken([order, String(isDescending), value, key, isPerson ? PERSON : '']);
};

/**
 * Reads a question about one principal and one resource. If `isPrecise`, the question must name a
 * permission or a canonical type.
 */
export const pairQuery = (
  req: Pick<Request, 'query'>,
  isPrecise: boolean,
): E.Either<Failure, PairQuery> =>
  pipe(
    queryOf(endpoints.check.query, req),
    E.bindTo('asked'),
    E.bind('subject', ({ asked }) => subjectOf(asked.principal, asked.person)),
    E.flatMap(({ asked, subject }): E.Either<Failure, PairQuery> => {
      const { resource, permission, permission_type } = asked;
      if (subject === null) return refused('principal', 'MISSING_FIELD', 'is needed');
      if (isPrecise && !permission && !permission_type) {
        return refused('permission', 'MISSING_FIELD', 'permission or permission_type is needed');
      }
      const pair: PairQuestion = {
        subject,
        resource,
        permission: permission || null,
        permissionType: permission_type || null,
      };
      return E.right({ pair, at: instantOf(asked.at) });
    }),
    E.tap(({ at }) => withoutCypher(req, at)),
  );
