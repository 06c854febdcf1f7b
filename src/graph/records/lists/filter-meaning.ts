import * as E from 'fp-ts/Either';

import type { Condition, Filter } from '../../../contract/filter';
import { fold } from '../../../model/fold';
import { parseInstant } from '../../../model/instant';
import { foldedPlaces } from '../../../model/folded-texts';
import type { NodeKind, ValueType } from '../../../model/table';
import { oneProblem, type ProblemList } from '../../../problem';
import { toDateTime } from '../../../neo4j/values';

/** A condition in Cypher. */
interface Compiled {
  readonly text: string;
  readonly parameter: readonly [string, unknown];
}

type Operator = Condition['operator'];

const TEXT_OPERATORS: { readonly [O in Operator]: string } = {
  eq: '=',
  ne: '<>',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
  co: 'CONTAINS',
  sw: 'STARTS WITH',
};

const valueOf = (type: ValueType | undefined, text: string): unknown => {
  switch (type) {
    case 'text':
      return text;
    case 'time': {
      const instant = parseInstant(text);
      return instant === null ? null : toDateTime(instant);
    }
    case 'number': {
      const value = text.trim() === '' ? NaN : Number(text);
      return Number.isFinite(value) ? value : null;
    }
    case 'texts':
    case 'flag':
    case undefined:
      return null;
  }
};

/**
 * How a text compares without regard to case. Names that people chose have a look-up. All other
 * texts are words and ids of the service, in capitals where their declaration says so.
 */
const foldedComparison = (
  kind: NodeKind,
  field: string,
  value: string,
): readonly [held: string, compared: string] => {
  if (kind.properties[field]?.isInCapitals === true) return [`n.${field}`, value.toUpperCase()];
  const [place = field] = foldedPlaces(kind, field);
  return [`n.${place}`, fold(value)];
};

/**
 * Compiles a condition. Gives `null` if the value or the operator does not fit the property's type.
 */
const compileCondition = (
  { field, operator, value }: Condition,
  parameter: string,
  kind: NodeKind,
  isFolded: boolean,
): Compiled | null => {
  const type = kind.properties[field]?.type;
  const isText = type === 'text';
  const [held, compared] =
    isText && isFolded
      ? foldedComparison(kind, field, value)
      : [`n.${field}`, valueOf(type, value)];
  if (compared === null || (!isText && (operator === 'co' || operator === 'sw'))) return null;
  const comparison = `${held} ${TEXT_OPERATORS[operator]} $${parameter}`;
  return {
    // A node without the property differs from every value.
    text: operator === 'ne' ? `(n.${field} IS NULL OR ${comparison})` : comparison,
    parameter: [parameter, compared],
  };
};

/** Conditions that must all hold. */
export type Meaning = readonly Compiled[];

/**
 * All meanings of a filter, likeliest first. Each reading is tried exactly, then folded
 * (docs/rules.md: Lists).
 */
export const meaningsOf = (
  filter: Filter,
  kind: NodeKind,
): E.Either<ProblemList, readonly Meaning[]> => {
  if (filter.length === 0) return E.right([[]]);
  const meanings = filter.flatMap((reading) =>
    [false, true].flatMap((isFolded) => {
      const conditions = reading.map((condition, index) =>
        compileCondition(condition, `value_${index}`, kind, isFolded),
      );
      return conditions.includes(null) ? [] : [conditions as Meaning];
    }),
  );
  return meanings.length > 0
    ? E.right(meanings)
    : E.left(oneProblem('/filter', 'BAD_FILTER', 'compares a field with what it cannot be'));
};
