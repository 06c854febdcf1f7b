import {
  type Filter,
  type FilterCondition,
  FilterFault,
  type FilterOperator,
} from '../../contract/filters/filter-grammar';
import { byCodeUnits, fold, nfc } from '../../model/fold';
import type { Failure } from '../../problem';
import { compareTimes, type FilterTime, filterTime } from './filter-time';

/** An attribute that filters compare. */
export interface Compared {
  /** `any`: each value says itself what it is. */
  readonly type: 'text' | 'flag' | 'time' | 'any';
  /** Whether texts that differ only by case are different. */
  readonly isCaseExact: boolean;
  readonly values: (held: unknown) => readonly unknown[];
}

/** A list whose entries filters compare. */
export interface ComparedList {
  readonly entries: (held: unknown) => readonly unknown[];
  readonly attributes: FilteredAttributes;
}

/** The attributes that a filter may name; null: there is none of this path. */
export interface FilteredAttributes {
  readonly compared: (path: string) => Compared | null;
  /** What the path holds, whether it can be compared or has parts. */
  readonly held: (path: string) => ((held: unknown) => unknown) | null;
  readonly list: (path: string) => ComparedList | null;
}

/** How much a filter compares. */
export class Work {
  /** Values that were compared. */
  done = 0;

  /** More than `most` is a bad request, or the failure that is given. */
  constructor(
    private readonly most = Infinity,
    private readonly failure: Failure | null = null,
  ) {}

  add(values: number): void {
    this.done += values;
    if (this.done > this.most) throw new TooMuchWork(this.failure);
  }
}

/** A request compares more values than one may. */
export class TooMuchWork extends Error {
  constructor(readonly failure: Failure | null) {
    super('compares too many values; send fewer operations at once');
  }
}

/** Whether something fits a filter. */
export type Matches = (held: unknown, work?: Work) => boolean;

/** Whether a value is nothing to `pr` (RFC 7644, 3.4.2.2). */
export const isUnset = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.every(isUnset);
  return typeof value === 'object' && Object.values(value).every(isUnset);
};

/** A value as conditions see it. */
interface Seen {
  readonly value: unknown;
  readonly text: string;
  /** Undefined until a condition needs it. */
  time: FilterTime | null | undefined;
}

/** What is compared with one filter. Values are read once, however many conditions name them. */
class Row {
  private readonly seen: (readonly Seen[] | undefined)[] = [];

  constructor(
    readonly held: unknown,
    readonly work: Work,
  ) {}

  values(column: number, read: (held: unknown) => readonly Seen[]): readonly Seen[] {
    const known = this.seen[column] ?? (this.seen[column] = read(this.held));
    this.work.add(1 + known.length);
    return known;
  }
}

type Test = (row: Row) => boolean;

const timeIn = (seen: Seen): FilterTime | null =>
  seen.time === undefined
    ? (seen.time = typeof seen.value === 'string' ? filterTime(seen.value) : null)
    : seen.time;

/** The length of a date. */
const DATE = '2026-01-31'.length;

type Ordering = 'gt' | 'ge' | 'lt' | 'le';

const isOrdering = (operator: FilterOperator): operator is Ordering =>
  ['gt', 'ge', 'lt', 'le'].includes(operator);

type Part = 'co' | 'sw' | 'ew';

const isPart = (operator: FilterOperator): operator is Part =>
  ['co', 'sw', 'ew'].includes(operator);

type Comparison = Exclude<FilterOperator, 'pr'>;

/** Whether an order (below zero: the held value is less) fits an operator. */
const ORDERED: Readonly<Record<Exclude<Comparison, Part>, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

const TEXTS: Readonly<Record<Part, (held: string, wanted: string) => boolean>> = {
  co: (held, wanted) => held.includes(wanted),
  sw: (held, wanted) => held.startsWith(wanted),
  ew: (held, wanted) => held.endsWith(wanted),
};

const flagOf = (value: unknown): boolean | null => {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' || text === 'false' ? text === 'true' : null;
};

/** What one condition makes of a value. */
type Fits = (seen: Seen) => boolean;

/** Checks that an attribute can be compared so. Throws `FilterFault`. */
const checkComparison = (condition: FilterCondition, { type }: Compared): void => {
  const { operator, value, valueAt, property } = condition;
  const name = JSON.stringify(property);
  if (type === 'flag' && flagOf(value) === null) {
    throw new FilterFault(valueAt, `${name} is compared with true or false`);
  }
  if (type === 'flag' && operator !== 'eq' && operator !== 'ne') {
    throw new FilterFault(condition.at, `${name} is compared by eq and ne alone`);
  }
  if (typeof value === 'boolean' && isOrdering(operator)) {
    throw new FilterFault(valueAt, 'true and false have no order');
  }
  if (type === 'time' && !isPart(operator) && filterTime(String(value)) === null) {
    const message = `${name} is compared with a time like "2026-01-31T09:30:00Z"`;
    throw new FilterFault(valueAt, message);
  }
};

const fitting = (condition: FilterCondition, operator: Comparison, compared: Compared): Fits => {
  checkComparison(condition, compared);
  const { value, spelled } = condition;
  const { type, isCaseExact } = compared;
  const wanted = isCaseExact ? nfc(spelled) : fold(spelled);
  if (isPart(operator)) {
    const fits = TEXTS[operator];
    return ({ text }) => fits(text, wanted);
  }
  const fits = ORDERED[operator];
  const byText: Fits = ({ text }) => fits(byCodeUnits(text, wanted));
  if (type === 'text') return byText;
  const flag = flagOf(value);
  const byFlag: Fits = (seen) => fits(flagOf(seen.value) === flag ? 0 : 1);
  if (type === 'flag') return byFlag;
  // A date may be a text. What has a time of day is compared as a time, whatever the attribute is.
  const isLong = (text: string): boolean => type === 'time' || text.length > DATE;
  const time = isLong(spelled) ? filterTime(spelled) : null;
  const byTime: Fits = (seen) => {
    const held = time === null || !isLong(seen.text) ? null : timeIn(seen);
    return held === null || time === null ? byText(seen) : fits(compareTimes(held, time));
  };
  if (type === 'time') return byTime;
  return (seen) => {
    if (typeof seen.value === 'boolean') {
      // Flags have no order, and equal no text but their own.
      return !isOrdering(operator) && (flag === null ? operator === 'ne' : byFlag(seen));
    }
    if (typeof seen.value === 'number' && typeof value === 'number') {
      return fits(seen.value - value);
    }
    return byTime(seen);
  };
};

/** Compiles a filter for the attributes that it may name. */
class Compiler {
  private readonly columns = new Map<string, number>();

  constructor(private readonly attributes: FilteredAttributes) {}

  test(filter: Filter): Test {
    switch (filter.kind) {
      case 'and': {
        const all = filter.parts.map((part) => this.test(part));
        return (row) => all.every((test) => test(row));
      }
      case 'or': {
        const all = filter.parts.map((part) => this.test(part));
        return (row) => all.some((test) => test(row));
      }
      case 'not': {
        const test = this.test(filter.part);
        return (row) => !test(row);
      }
      case 'entry': {
        const list = this.attributes.list(filter.list);
        if (list === null) {
          const name = JSON.stringify(filter.list);
          throw new FilterFault(filter.at, `${name} is no attribute with parts`);
        }
        const fits = compileFilter(filter.filter, list.attributes);
        return ({ held, work }) => {
          const entries = list.entries(held);
          work.add(1 + entries.length);
          return entries.some((entry) => fits(entry, work));
        };
      }
      case 'condition':
        return this.condition(filter);
    }
  }

  private condition(condition: FilterCondition): Test {
    const { operator, property, value, at, valueAt } = condition;
    if (operator === 'pr' || value === null) {
      const held = this.attributes.held(property);
      if (held === null) throw unknown(property, at);
      if (operator !== 'pr' && operator !== 'eq' && operator !== 'ne') {
        throw new FilterFault(valueAt, 'null is compared by eq and ne alone');
      }
      const isWanted = operator !== 'eq';
      return (row) => {
        row.work.add(1);
        return isUnset(held(row.held)) !== isWanted;
      };
    }
    const compared = this.attributes.compared(property);
    if (compared === null) throw unknown(property, at);
    const fits = fitting(condition, operator, compared);
    const column = this.column(property);
    const spell = (each: unknown): string =>
      compared.isCaseExact ? nfc(String(each)) : fold(String(each));
    const read = (held: unknown): readonly Seen[] =>
      compared
        .values(held)
        .filter((each) => each !== null && each !== undefined && typeof each !== 'object')
        .map((each) => ({ value: each, text: spell(each), time: undefined }));
    return (row) => {
      const values = row.values(column, read);
      // What is absent is other than everything.
      return operator === 'ne' && values.length === 0 ? true : values.some(fits);
    };
  }

  private column(property: string): number {
    const path = property.toLowerCase();
    const column = this.columns.get(path) ?? this.columns.size;
    this.columns.set(path, column);
    return column;
  }
}

const unknown = (path: string, at: number): FilterFault =>
  new FilterFault(at, `${JSON.stringify(path)} is no attribute that can be compared`);

/**
 * The meaning of a filter for the place of these attributes (docs/provisioning.md: Filters). Throws
 * `FilterFault` if it names what cannot be.
 */
export const compileFilter = (filter: Filter, attributes: FilteredAttributes): Matches => {
  const test = new Compiler(attributes).test(filter);
  return (held, work = new Work()) => test(new Row(held, work));
};

/** Whether a filter looks at an attribute. */
export const looksAt = (filter: Filter, name: string): boolean => {
  const names = (path: string): boolean =>
    path.toLowerCase().split(/[.:]/).includes(name.toLowerCase());
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.some((part) => looksAt(part, name));
    case 'not':
      return looksAt(filter.part, name);
    case 'entry':
      return names(filter.list);
    case 'condition':
      return names(filter.property);
  }
};
