import { type ListOrder, sizeText } from '../../model/access-narrowing';
import { byCodeUnits } from '../../model/fold';
import type { AccessGraph } from '../access-graph';
import type { EffectiveAccess, NativePermission, Permissions } from '../effective-access';
import { type Pieces, STEPS } from '../pieces';
import type { Moment } from '../instants';
import { at } from '../memory';
import { Named } from './named';
import { type Holders, PeopleOfList } from './people';
import { NO_TEXT } from '../texts';

/**
 * What the rows of a list of who can reach a resource are: all entities; all humans; or all humans,
 * and after them what belongs to no human. Rows of what can be reached are entities.
 */
export type RowForm = 'entities' | 'people' | 'people first';

/** The filters of the rows of a list. `null` means no filter; of several names any one may match. */
interface RowFilter {
  readonly label: string | null;
  /** Names of applications. */
  readonly applications: readonly string[] | null;
}

/** No filter of rows. */
export const ANY_ROW: RowFilter = { label: null, applications: null };

const ROW_FILTERS = Object.keys(ANY_ROW) as readonly (keyof RowFilter)[];

/** The filters of rows among all filters of a list. */
export const rowFilterOf = (filter: RowFilter): Readonly<Record<string, unknown>> =>
  Object.fromEntries(ROW_FILTERS.map((name) => [name, filter[name]]));

/** The filters of an access list, of its rows and of their permissions. */
export interface ListFilter extends RowFilter {
  /** Native names of permissions. */
  readonly permissions: readonly string[] | null;
  readonly permissionTypes: readonly string[] | null;
}

/** The place of a row in its list: the value by which the list is ordered, then the key. */
export interface RowPlace {
  readonly value: string;
  readonly key: string;
  /** Whether the row is a human of a list that has people first. */
  readonly isPerson: boolean;
}

/** The rows of a list that somebody wants. */
export interface WantedRows {
  readonly size: number;
  readonly order: ListOrder;
  readonly isDescending: boolean;
  /** The last row of the page before. `null` requests the first page. */
  readonly after: RowPlace | null;
  /** With how many permissions of its rows a page ends early. */
  readonly mostHeld: number;
}

/** The order of a list by name, with any number of permissions. */
export const BY_NAME = {
  order: 'name',
  isDescending: false,
  mostHeld: Infinity,
} as const satisfies Partial<WantedRows>;

/** All rows of a list, in any order. */
export interface ListedRows {
  /** The nodes of the rows; in lists of people the humans come first. */
  readonly nodes: readonly number[];
  readonly permissions: Holders;
  /** Who the humans are; `null` in a list of entities. */
  readonly people: PeopleOfList | null;
  /** How many rows are humans. */
  readonly humans: number;
}

/** A row of a page. */
export interface PagedRow {
  readonly node: number;
  readonly permissions: Permissions;
  /** Whether the row is a human. */
  readonly isPerson: boolean;
  /** The value by which the list is ordered. */
  readonly value: string;
}

/** Narrows permissions and rows to those that a question requests. */
class Narrowing {
  private readonly named: Named;
  private readonly sets = new Map<Permissions, Map<number, Permissions>>();
  private readonly types = new Map<NativePermission, readonly string[]>();
  private readonly applications = new Map<number, boolean>();

  constructor(
    private readonly graph: AccessGraph,
    private readonly filter: ListFilter,
    private readonly moment: Moment,
  ) {
    this.named = new Named(graph, moment);
  }

  /** Leaves the requested permissions on the targets of rows, and drops rows without one. */
  *permitted(rows: Holders, targetOf: (node: number) => number): Pieces<Holders> {
    const { permissions: names, permissionTypes } = this.filter;
    if (names === null && permissionTypes === null) return rows;
    const left = new Map<number, Permissions>();
    let looked = 0;
    for (const [node, permissions] of rows) {
      looked += 1;
      if (looked % STEPS === 0) yield;
      const some = this.requested(permissions, targetOf(node));
      if (some.length > 0) left.set(node, some);
    }
    return left;
  }

  /** A list of entities: of those that are requested. */
  *entities(permissions: Holders): Pieces<ListedRows> {
    const nodes: number[] = [];
    let looked = 0;
    for (const node of permissions.keys()) {
      looked += 1;
      if (looked % STEPS === 0) yield;
      if (this.isRequested(node)) nodes.push(node);
    }
    return { nodes, permissions, people: null, humans: 0 };
  }

  /** Whether a row is requested by its label and its application. */
  isRequested(node: number): boolean {
    const { label, applications } = this.filter;
    const { graph } = this;
    if (label !== null && graph.kind(node)?.labels.includes(label) !== true) return false;
    if (applications === null) return true;
    const number = graph.textNumber(graph.version(node, this.moment), 'application');
    if (number === NO_TEXT) return false;
    const known = this.applications.get(number);
    if (known !== undefined) return known;
    const isMeant = this.named.isApplication(applications, graph.texts.text(number));
    this.applications.set(number, isMeant);
    return isMeant;
  }

  /** Whether a permission on a target is requested. */
  isCounted(permission: NativePermission, target: number): boolean {
    const { permissions: names } = this.filter;
    return (
      this.isOfType(permission) &&
      (names === null || this.named.isPermission(names, permission.name, target))
    );
  }

  private requested(permissions: Permissions, target: number): Permissions {
    const { permissions: names } = this.filter;
    // What a name means depends on the data source of the target.
    const place = names === null ? 0 : target;
    const known = this.sets.get(permissions) ?? new Map<number, Permissions>();
    this.sets.set(permissions, known);
    const some =
      known.get(place) ?? permissions.filter((permission) => this.isCounted(permission, target));
    known.set(place, some);
    return some;
  }

  private isOfType(permission: NativePermission): boolean {
    const { permissionTypes } = this.filter;
    if (permissionTypes === null) return true;
    const types = this.types.get(permission) ?? typesIn(permission);
    this.types.set(permission, types);
    return types.some((type) => permissionTypes.includes(type));
  }
}

/** Whether a list counts a permission on a target. */
export const countedIn = (
  graph: AccessGraph,
  filter: ListFilter,
  moment: Moment,
): ((permission: NativePermission, target: number) => boolean) => {
  const narrowing = new Narrowing(graph, filter, moment);
  return (permission, target) => narrowing.isCounted(permission, target);
};

/** The canonical types of a permission. */
export const typesIn = ({ types }: NativePermission): readonly string[] =>
  JSON.parse(types) as readonly string[];

/** Everything that a principal can reach; `all` is that without a filter. */
export function* reachedRows(
  access: EffectiveAccess,
  who: number,
  filter: ListFilter,
  moment: Moment,
  all: Pieces<Holders> = access.reachedInPieces(who, moment),
): Pieces<ListedRows> {
  const narrowing = new Narrowing(access.graph, filter, moment);
  return yield* narrowing.entities(yield* narrowing.permitted(yield* all, (node) => node));
}

/**
 * All who can reach a resource or application; with `contents`, it or something in it. `all` is that
 * without a filter.
 */
export function* reachingRows(
  access: EffectiveAccess,
  target: number,
  {
    form,
    contents,
    ...filter
  }: ListFilter & {
    readonly form: RowForm;
    readonly contents: boolean;
  },
  moment: Moment,
  all: Pieces<Holders> = access.reaching(target, contents, moment),
): Pieces<ListedRows> {
  const narrowing = new Narrowing(access.graph, filter, moment);
  const permissions = yield* narrowing.permitted(yield* all, () => target);
  if (form === 'entities') return yield* narrowing.entities(permissions);
  const people = yield* PeopleOfList.of(access, permissions, moment);
  const humans =
    form === 'people first'
      ? people.humans
      : people.humans.filter((node) => narrowing.isRequested(node));
  return {
    nodes: form === 'people' ? humans : [...humans, ...people.others],
    permissions,
    people,
    humans: humans.length,
  };
}

/** Compares rows by the numbers of their texts. */
interface Ordering {
  readonly numberOf: (node: number, place: number) => number;
  readonly compare: (a: number, b: number) => number;
  /** Compares the number of a row with a value. */
  readonly comparedWith: (value: string) => (number: number) => number;
  readonly valueOf: (number: number) => string;
}

/** Orders the rows of the largest application first. */
function* byLargestApplication(
  graph: AccessGraph,
  nodes: readonly number[],
  moment: Moment,
): Pieces<Ordering> {
  // Applications of several data sources may have one name, and a key begins with its data source.
  const sources = new Map<string, Map<number, number>>();
  const applications: { readonly name: number; rows: number }[] = [];
  const applicationAt = new Int32Array(nodes.length);
  for (const [place, node] of nodes.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    const [source = ''] = graph.key(node).split('|', 1);
    const name = graph.textNumber(graph.version(node, moment), 'application');
    const ofSource = sources.get(source) ?? new Map<number, number>();
    sources.set(source, ofSource);
    const number = ofSource.get(name) ?? applications.push({ name, rows: 0 }) - 1;
    ofSource.set(name, number);
    applicationAt[place] = number;
    (applications[number] as { rows: number }).rows += 1;
  }
  const texts: Buffer[] = [];
  for (const { name, rows } of applications) {
    if (texts.length % STEPS === STEPS - 1) yield;
    texts.push(Buffer.from(sizeText(rows, graph.texts.textOr(name, ''))));
  }
  const textOf = (number: number): Buffer => texts[number] as Buffer;
  return {
    numberOf: (_, place) => at(applicationAt, place),
    compare: (a, b) => (a === b ? 0 : Buffer.compare(textOf(a), textOf(b))),
    comparedWith: (value) => {
      const bytes = Buffer.from(value);
      return (number) => Buffer.compare(textOf(number), bytes);
    },
    valueOf: (number) => textOf(number).toString(),
  };
}

const orderingBy = (
  graph: AccessGraph,
  order: Exclude<ListOrder, 'largest_application'>,
  moment: Moment,
): Ordering => {
  const { texts } = graph;
  if (order === 'label') {
    const labels = [...new Set(graph.kinds.map(({ label }) => label))].sort();
    const ranks = new Map(labels.map((label, rank) => [label, rank]));
    return {
      numberOf: (node) => ranks.get(graph.kind(node)?.label ?? '') ?? 0,
      compare: (a, b) => a - b,
      comparedWith: (value) => (number) => byCodeUnits(labels[number] ?? '', value),
      valueOf: (number) => labels[number] ?? '',
    };
  }
  return {
    numberOf: (node) =>
      order === 'key' ? graph.keyText(node) : graph.textNumber(graph.version(node, moment), order),
    compare: (a, b) => texts.compare(a, b),
    comparedWith: (value) => texts.comparedWith(value),
    valueOf: (number) => texts.textOr(number, ''),
  };
};

/** The rows of a page, and whether the list has rows after them. */
export function* pageOf(
  graph: AccessGraph,
  { nodes, permissions, people, humans }: ListedRows,
  { size, order, isDescending, after, mostHeld }: WantedRows,
  moment: Moment,
): Pieces<{ readonly rows: readonly PagedRow[]; readonly hasMore: boolean }> {
  const ordering =
    order === 'largest_application'
      ? yield* byLargestApplication(graph, nodes, moment)
      : orderingBy(graph, order, moment);
  const sign = isDescending ? -1 : 1;
  const numbers = new Int32Array(nodes.length);
  const keys = new Int32Array(nodes.length);
  for (const [place, node] of nodes.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    numbers[place] = ordering.numberOf(node, place);
    keys[place] = graph.keyText(node);
  }
  const before = (a: number, b: number): number =>
    sign *
    (ordering.compare(at(numbers, a), at(numbers, b)) ||
      graph.texts.compare(at(keys, a), at(keys, b)));
  const [byValue, byKey] = [
    ordering.comparedWith(after?.value ?? ''),
    graph.texts.comparedWith(after?.key ?? ''),
  ];
  const isBehind = (place: number, isPerson: boolean): boolean => {
    if (after === null) return true;
    if (isPerson !== after.isPerson) return after.isPerson;
    return sign * (byValue(at(numbers, place)) || byKey(at(keys, place))) > 0;
  };
  const rows: PagedRow[] = [];
  let [held, left] = [0, 0];
  const parts: readonly (readonly [from: number, to: number, isPerson: boolean])[] = [
    [0, humans, true],
    [humans, nodes.length, false],
  ];
  for (const [from, to, isPerson] of parts) {
    const wanted: number[] = [];
    for (let place = from; place < to; place += 1) {
      if (place % STEPS === STEPS - 1) yield;
      if (isBehind(place, isPerson && people !== null)) wanted.push(place);
    }
    left += wanted.length;
    for (const place of yield* firstOf(wanted, size - rows.length, before)) {
      if (held >= mostHeld) break;
      const node = nodes[place] as number;
      const given = permissions.get(node) ?? [];
      const value = ordering.valueOf(at(numbers, place));
      rows.push({ node, permissions: given, isPerson, value });
      held += given.length;
    }
  }
  return { rows, hasMore: rows.length < left };
}

/** The place of the last of some rows, after which the next page begins. */
export const placeAfter = (graph: AccessGraph, rows: readonly PagedRow[]): RowPlace | null => {
  const last = rows.at(-1);
  if (last === undefined) return null;
  const { node, value, isPerson } = last;
  return { value, key: graph.key(node), isPerson };
};

/** All items are sorted if they are at most so many times as many as are wanted. */
const FEW = 4;

/** The first `most` items in an order. If they are few of all, the others are not sorted. */
export function* firstOf(
  items: readonly number[],
  most: number,
  compare: (a: number, b: number) => number,
): Pieces<readonly number[]> {
  if (most <= 0) return [];
  if (items.length <= most * FEW) return [...items].sort(compare).slice(0, most);
  // The last of the first items is at the top of a heap.
  const heap = items.slice(0, most);
  const sink = (from: number): void => {
    for (let place = from; ;) {
      let last = place;
      for (let child = 2 * place + 1; child <= 2 * place + 2 && child < most; child += 1) {
        if (compare(heap[child] as number, heap[last] as number) > 0) last = child;
      }
      if (last === place) return;
      const moved = heap[place] as number;
      heap[place] = heap[last] as number;
      heap[last] = moved;
      place = last;
    }
  };
  for (let place = most >>> 1; place >= 0; place -= 1) sink(place);
  for (let each = most; each < items.length; each += 1) {
    if (each % STEPS === STEPS - 1) yield;
    const item = items[each] as number;
    if (compare(item, heap[0] as number) >= 0) continue;
    heap[0] = item;
    sink(0);
  }
  return heap.sort(compare);
}
