import * as E from 'fp-ts/Either';

import { badFilter, type SearchFilter } from '../../contract/filters/search-filter';
import { fold, nfc } from '../../model/fold';
import { FOLDED_CUSTOM, FOLDED_PROVIDER, foldedPlaces } from '../../model/folded-texts';
import { parseInstant } from '../../model/instant';
import { isStoredName } from '../../model/property-name';
import type { NodeKind, Property } from '../../model/table';
import type { ProblemList } from '../../problem';
import { entityKinds, entityProperties } from '../../templates/graph/searched';
import { toDateTime } from '../../neo4j/values';
import type { FilterCondition } from '../../contract/filters/filter-grammar';

/**
 * A filter as a Cypher condition on nodes `n` of a kind. `true` and `false` mean that the kind
 * decides by itself.
 */
export interface Meaning {
  readonly on: (kind: NodeKind) => string | boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The Cypher operators of comparisons. */
const COMPARED: Readonly<Record<Exclude<FilterCondition['operator'], 'pr' | 'ne'>, string>> = {
  eq: '=',
  co: 'CONTAINS',
  sw: 'STARTS WITH',
  ew: 'ENDS WITH',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
};

// Look-up properties of paths hold no longer texts.
const LONGEST_LOOKUP = 256;

/** For each property, the look-up properties of which at least one holds its folded value. */
const LOOKUPS: Readonly<Record<string, readonly string[]>> = {
  name: ['fold_name'],
  email: ['fold_email'],
  identity: ['fold_id'],
  id: ['fold_id', 'fold_other_id'],
  unique_id: ['fold_id', 'fold_other_id'],
  path: ['fold_path'],
  source_identity: ['fold_source_identity'],
};

/** These compare exactly, never folded (docs/rules.md: Searches). */
const EXACT: ReadonlySet<string> = new Set(['key', 'arn', 'data_source']);

/** Labels whose texts are stored folded (docs/rules.md: Shared nodes). */
const FOLDED: ReadonlySet<string> = new Set(['Identity', 'ExternalEntity']);

/** Where a kind holds a text folded. The service itself adds `provider` to each row. */
const foldedTextOf = (kind: NodeKind, property: string): string => {
  const places =
    property === 'provider' ? [FOLDED_PROVIDER, property] : foldedPlaces(kind, property);
  const held = places.map((place) => `n.${place}`);
  return held.length === 1 ? `n.${property}` : `coalesce(${held.join(', ')})`;
};

/** These operators always ignore case. */
const IN_ANY_CASE: ReadonlySet<string> = new Set(['co', 'sw', 'ew']);

class Compiler {
  readonly parameters: Record<string, unknown> = {};

  constructor(private readonly isFolded: boolean) {}

  /** Compiles a filter, or its negation (`isDenied`), for a kind. */
  compile(filter: SearchFilter, kind: NodeKind, isDenied = false): string | boolean {
    switch (filter.kind) {
      case 'not':
        return this.compile(filter.part, kind, !isDenied);
      case 'and':
      case 'or': {
        const parts = filter.parts.map((part) => this.compile(part, kind, isDenied));
        return joined((filter.kind === 'and') !== isDenied ? 'AND' : 'OR', parts);
      }
      case 'condition': {
        const text = this.condition(filter, kind);
        if (!isDenied) return text;
        // A comparison with an absent property is null in Cypher. A search treats it as false.
        return typeof text === 'boolean' ? !text : `NOT coalesce(${text}, false)`;
      }
    }
  }

  private condition(condition: FilterCondition, kind: NodeKind): string | boolean {
    const { operator } = condition;
    const property = nfc(condition.property);
    const isCustom = isStoredName(property);
    const declared = isCustom ? null : entityProperties(kind).get(property);
    if (declared === undefined || (isCustom && !kind.custom)) return operator === 'ne';
    const held = isCustom ? `n[${this.parameter(property)}]` : `n.${property}`;
    if (operator === 'pr') return `${held} IS NOT NULL`;
    if (operator === 'ne') {
      const equal = this.compared({ ...condition, property, operator: 'eq' }, held, declared, kind);
      return `NOT coalesce(${equal}, false)`;
    }
    return this.compared({ ...condition, property, operator }, held, declared, kind);
  }

  private compared(
    { operator, property, value }: FilterCondition & { readonly operator: keyof typeof COMPARED },
    held: string,
    declared: Property | null | undefined,
    kind: NodeKind,
  ): string {
    const sign = COMPARED[operator];
    if (declared?.type === 'text')
      return this.comparedText(property, operator, String(value), kind);
    if (declared?.type === 'texts') {
      const texts = this.comparesFolded(operator) ? foldedTextOf(kind, property) : held;
      return `any(each IN ${texts} WHERE ${this.comparedWith('each', operator, String(value))})`;
    }
    if (declared?.type === 'time') return `${held} ${sign} ${this.time(String(value))}`;
    if (declared !== null && declared !== undefined)
      return `${held} ${sign} ${this.parameter(value)}`;
    return this.comparedCustom(property, operator, value, held);
  }

  /**
   * Compares a custom or dynamic property. Its type is unknown here, so this compares with all types
   * that the value may have. A list matches if one of its entries does.
   */
  private comparedCustom(
    property: string,
    operator: keyof typeof COMPARED,
    value: FilterCondition['value'],
    held: string,
  ): string {
    const sign = COMPARED[operator];
    const each = `[] + ${held}`;
    if (typeof value !== 'string') {
      return `any(each IN ${each} WHERE each ${sign} ${this.parameter(value)})`;
    }
    const instant = IN_ANY_CASE.has(operator) ? null : parseInstant(value);
    const times = instant === null ? '' : ` OR each ${sign} ${this.parameter(toDateTime(instant))}`;
    if (!this.comparesFolded(operator)) {
      // These texts are stored as sent, so the same text may be composed or decomposed Unicode.
      const forms = [...new Set([value, nfc(value), value.normalize('NFD')])];
      const same = operator === 'eq' ? `each IN ${this.parameter(forms)}` : null;
      return `any(each IN ${each} WHERE ${same ?? `each ${sign} ${this.parameter(nfc(value))}`}${times})`;
    }
    const start = this.parameter(`${property}=`);
    const texts = `[text IN n.${FOLDED_CUSTOM} WHERE text STARTS WITH ${start} | substring(text, size(${start}))]`;
    const isDifferent = `any(text IN n.${FOLDED_CUSTOM} WHERE text STARTS WITH ${start})`;
    const plain = `each IS :: STRING NOT NULL AND each ${sign} ${this.parameter(fold(value))}`;
    const others = `NOT each IS :: STRING NOT NULL AND toStringOrNull(each) ${sign} ${this.parameter(value)}`;
    return `any(each IN CASE WHEN ${isDifferent} THEN ${texts} ELSE ${each} END WHERE (${plain}) OR (${others})${times})`;
  }

  private comparesFolded(operator: keyof typeof COMPARED): boolean {
    return this.isFolded || IN_ANY_CASE.has(operator);
  }

  private comparedText(
    property: string,
    operator: keyof typeof COMPARED,
    value: string,
    kind: NodeKind,
  ): string {
    const sign = COMPARED[operator];
    if (EXACT.has(property)) return `n.${property} ${sign} ${this.parameter(nfc(value))}`;
    if (FOLDED.has(kind.label)) return `n.${property} ${sign} ${this.parameter(fold(value))}`;
    const plain = this.comparedWith(
      this.comparesFolded(operator) ? foldedTextOf(kind, property) : `n.${property}`,
      operator,
      value,
    );
    const sought = fold(value);
    const lookups = (LOOKUPS[property] ?? []).filter((lookup) => kind.indexes.includes(lookup));
    const isLookedUp = operator === 'eq' || operator === 'sw';
    if (!isLookedUp || lookups.length === 0 || Buffer.byteLength(sought) > LONGEST_LOOKUP)
      return plain;
    const parameter = this.parameter(sought);
    const found = lookups.map((lookup) => `n.${lookup} ${sign} ${parameter}`).join(' OR ');
    return `(${found}) AND ${plain}`;
  }

  private comparedWith(held: string, operator: keyof typeof COMPARED, value: string): string {
    const sought = this.comparesFolded(operator) ? fold(value) : nfc(value);
    return `${held} ${COMPARED[operator]} ${this.parameter(sought)}`;
  }

  private time(value: string): string {
    const instant = parseInstant(value);
    if (instant === null) throw new Error(`${value} is no time`);
    return this.parameter(toDateTime(instant));
  }

  /** Adds a parameter, and gives its name. Equal values share one parameter. */
  private parameter(value: unknown): string {
    const spelled = JSON.stringify(value);
    const known = Object.entries(this.parameters).find(
      ([, each]) => JSON.stringify(each) === spelled,
    );
    const name = known?.[0] ?? `value_${Object.keys(this.parameters).length}`;
    this.parameters[name] = value;
    return `$${name}`;
  }
}

const joined = (word: 'AND' | 'OR', parts: readonly (string | boolean)[]): string | boolean => {
  const decisive = word === 'OR';
  if (parts.includes(decisive)) return decisive;
  const texts = parts.filter((part) => typeof part === 'string');
  return texts.length === 0 ? !decisive : texts.map((text) => `(${text})`).join(` ${word} `);
};

const conditionsIn = (filter: SearchFilter): readonly FilterCondition[] => {
  switch (filter.kind) {
    case 'condition':
      return [filter];
    case 'not':
      return conditionsIn(filter.part);
    case 'and':
    case 'or':
      return filter.parts.flatMap(conditionsIn);
  }
};

const NO_TEXTS = new Set(['co', 'sw', 'ew']);

/** Checks a condition as far as it is wrong on every kind of node. */
const wrongIn = ({
  property,
  operator,
  value,
  at,
  valueAt,
}: FilterCondition): ProblemList | null => {
  if (isStoredName(nfc(property))) return null;
  const declared = entityKinds
    .map((kind) => entityProperties(kind).get(property))
    .find((each) => each !== undefined);
  if (declared === undefined)
    return badFilter(at, `nothing has a property ${JSON.stringify(property)}`);
  if (operator === 'pr') return null;
  const isFlag = declared.type === 'flag';
  if (isFlag && (typeof value !== 'boolean' || !['eq', 'ne'].includes(operator))) {
    return badFilter(valueAt, `${property} is eq or ne true or false`);
  }
  const isTime = declared.type === 'time';
  if (isTime && (NO_TEXTS.has(operator) || parseInstant(String(value)) === null)) {
    return badFilter(valueAt, `${property} is compared with a time like "2024-01-31T09:30:00Z"`);
  }
  return null;
};

/**
 * The meanings of a filter for these kinds, likeliest first: `eq` and `ne` compare exactly, and
 * only if that finds nothing, folded. `co`, `sw` and `ew` ignore case in both (docs/rules.md:
 * Lists, Searches).
 */
export const searchMeanings = (
  filter: SearchFilter | null,
  kinds: readonly NodeKind[],
): E.Either<ProblemList, readonly Meaning[]> => {
  if (filter === null) return E.right([{ on: () => true, parameters: {} }]);
  const wrong = conditionsIn(filter)
    .map(wrongIn)
    .find((problem) => problem !== null);
  if (wrong !== undefined) return E.left(wrong);
  return E.right(
    [false, true].map((isFolded) => {
      const compiler = new Compiler(isFolded);
      const texts = new Map(kinds.map((kind) => [kind, compiler.compile(filter, kind)]));
      return { on: (kind) => texts.get(kind) ?? false, parameters: compiler.parameters };
    }),
  );
};
