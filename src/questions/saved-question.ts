import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import { pointerOf } from '../codec/pointer';
import { quote } from '../codec/quote';
import type { Role } from '../contract/team-key';
import { parameterValue } from '../kit/values';
import { savedQueries } from '../kit/saved-queries';
import { nameOf, type SavedQuery } from '../kit/saved-query';
import { type Failure, invalid, type Problem } from '../problem';
import type { Query } from './cypher/reading-query';

const NO_QUERY: Failure = {
  _tag: 'NotFound',
  message: 'There is no saved query with this name; the page cypher/README.md lists them.',
};

/** Whether somebody with a role may run a saved query. */
export const mayRun = ({ roles }: Pick<SavedQuery, 'roles'>, role: Role | null): boolean =>
  role !== null && roles.includes(role);

/**
 * The saved query of a name such as `access/check-access`, if somebody with a role may run it. The
 * names of all are public (`/kit/queries.zip`), so a refusal shows nothing of the graph.
 */
export const savedQueryFor = (name: string, role: Role | null): E.Either<Failure, SavedQuery> => {
  const saved = savedQueries().find((query) => nameOf(query) === name);
  if (saved === undefined) return E.left(NO_QUERY);
  return mayRun(saved, role)
    ? E.right(saved)
    : E.left({
        _tag: 'PermissionDenied',
        message: `Only these roles may run this saved query: ${saved.roles.join(', ')}. A key needs the scopes of such a role.`,
      });
};

/** A saved query with the values of its parameters, or what is wrong with them. */
export const savedQuestion = (
  { cypher, parameters }: SavedQuery,
  given: Readonly<Record<string, unknown>>,
): E.Either<Failure, Query> => {
  const read = parameters.map((parameter) => ({
    parameter,
    value: parameterValue(parameter, given[parameter.name]),
  }));
  const problems = [
    ...Object.keys(given).flatMap((name): Problem[] =>
      parameters.some((parameter) => parameter.name === name)
        ? []
        : [
            {
              pointer: pointerOf('parameters', name),
              code: 'UNKNOWN_FIELD',
              message: `the query has no parameter ${quote(name)}; it has: ${parameters.map((each) => each.name).join(', ') || 'none'}`,
            },
          ],
    ),
    ...read.flatMap(({ parameter: { name, doc }, value }): Problem[] =>
      E.isRight(value)
        ? []
        : [
            {
              pointer: pointerOf('parameters', name),
              code: given[name] === undefined ? 'MISSING_FIELD' : 'BAD_PARAMETER',
              message: `${value.left} (${doc})`,
            },
          ],
    ),
  ];
  return problems.length > 0
    ? E.left(
        invalid('The parameters are not valid.', {
          problems: problems.slice(0, 100),
          total: problems.length,
        }),
      )
    : pipe(
        read,
        E.traverseArray(({ parameter: { name }, value }) =>
          pipe(
            value,
            E.map((one) => [name, one] as const),
          ),
        ),
        E.bimap(
          () => NO_QUERY,
          (values) => ({ cypher, parameters: Object.fromEntries(values) }),
        ),
      );
};
