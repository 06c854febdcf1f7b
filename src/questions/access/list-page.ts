import { LRUCache } from 'lru-cache';

import type { AccessGraph } from '../../access/access-graph';
import { type Pieces, STEPS } from '../../access/pieces';
import type { EffectiveAccess, NativePermission } from '../../access/effective-access';
import {
  ANY_ROW,
  type ListedRows,
  type PagedRow,
  pageOf,
  reachedRows,
  reachingRows,
  typesIn,
} from '../../access/lists/lists';
import { hasEmployees, marked, type Marking, NEW_NANOSECONDS } from '../../access/lists/marked';
import { narrowedTo, setsHeld, together, withEveryType } from '../../access/lists/narrowed';
import type { Moment } from '../../access/instants';
import type { Holders } from '../../access/lists/people';
import type { HeldPermission, HeldThrough } from '../../contract/answers/questions/access';
import {
  CHIPS_OF_TYPES,
  type Mark,
  MARKS,
  MARKS_OF_REACHED,
  PRIVILEGED_TYPES,
  typesMeant,
} from '../../model/access-narrowing';
import { byCodeUnits } from '../../model/fold';
import { JOINS } from '../../access/relationship-types';
import { typesOf } from '../../access/walk';
import { MOST_VALUES_OF_PAGE, reachedDetails, reachingDetails, weightOfWay } from './row-details';
import { MOST_NAMED, through } from '../humans/named-accounts';
import type { Asked } from '../memory/asked-in-memory';
import { type AccessRow, type Listed, mostHeld, type WantedAccess } from './access-lists';

/** How many rows each chip of a page leaves, by its name. */
type CountsOfList = Readonly<Record<string, number>>;

/** A page of an access list. */
export interface ListPage {
  readonly total: number;
  /** How many of all rows are people; `null` in a list of entities. */
  readonly people: number | null;
  /** How many of these no employee and no user leads to. */
  readonly withoutUser: number | null;
  readonly rows: readonly AccessRow[];
  readonly hasMore: boolean;
  /** How many rows each mark and kind of permission leaves of the list without these. */
  readonly counts: CountsOfList | null;
}

/** How many values a row has, with those of its details. */
export const weightOf = ({ permissions, accounts = [], marks = [], way }: AccessRow): number =>
  permissions.reduce(
    (sum, held) => sum + 1 + (held.accounts?.length ?? 0),
    10 + 10 * accounts.length + marks.length + weightOfWay(way),
  );

/** Permissions as answers list them. Most rows have nearly the same ones. */
class Told {
  private readonly known = new Map<NativePermission, HeldPermission>();

  of(permission: NativePermission): HeldPermission {
    const known = this.known.get(permission) ?? {
      name: permission.name,
      permission_type: typesIn(permission),
    };
    this.known.set(permission, known);
    return known;
  }
}

/** What a list has rows for, whatever it says of them. */
type Base = Omit<Listed, 'marks' | 'everyType' | 'details' | 'counts'>;

/** What narrows the rows of a list: each has all of these marks, and a permission of each set of types. */
type Narrowed = Pick<Listed, 'marks' | 'everyType'>;

/** A list that is narrowed to a permission of each set of types counts the permissions of all sets. */
const countedBy = (base: Base, everyType: Listed['everyType']): Base => ({
  ...base,
  permissionTypes: everyType.length === 0 ? null : [...new Set(everyType.flat())],
});

/** The sets of canonical types of which the rows of a list have permissions. */
const setsOf = ({ permissionTypes }: Base, everyType: Listed['everyType']): Listed['everyType'] => {
  if (everyType.length > 0) return everyType;
  return permissionTypes === null ? [] : [permissionTypes];
};

/** The rows with a mark, by the types that a list counts and the mark: one answer needs them several times. */
type KnownMarks = Map<string, ReadonlySet<number>>;

const THEIRS = typesOf(JOINS);

/** The graph at a moment. */
type Then = Asked['then'];

/** How many rows the lists have in all that are remembered, and for how long. */
const MOST_REMEMBERED = 500_000;
const REMEMBERED_MS = 60_000;

/** The lists that were computed lately, so that the next page need not compute its list again. */
export class ListPages {
  private readonly known = new WeakMap<AccessGraph, LRUCache<string, object>>();

  /** The page of what a principal can reach; of a human it names the `accounts` that have it. */
  *reached(
    asked: Asked,
    who: number,
    accounts: readonly number[] | null,
    listed: Listed,
    wanted: WantedAccess,
  ): Pieces<ListPage> {
    const { access, graph, moment } = asked.then;
    const { marks, everyType, details, counts: isCounting, ...base } = listed;
    const listOf = (some: Base) => this.reachedList(asked.then, who, some);
    const narrowed = (some: Base, to: Narrowed) => this.narrowedReached(asked, who, some, to);
    const all = yield* narrowed(base, { marks, everyType });
    const page = yield* pageOf(graph, all, { ...wanted, mostHeld: mostHeld(accounts) }, moment);
    const answered = new Told();
    const heldOn = accounts === null ? null : yield* holdersOn(access, accounts, page.rows, moment);
    const ways = details
      ? yield* reachedDetails(
          asked,
          who,
          base,
          privilegedIn(yield* listOf(withAllHeld(base))),
          page.rows,
        )
      : null;
    const rowOf = ({ node, permissions, value }: PagedRow): AccessRow => ({
      about: asked.summary(node),
      permissions: permissions.map((permission): HeldThrough => {
        if (heldOn === null) return answered.of(permission);
        const holders = heldOn.get(node)?.get(permission) ?? [];
        const share = Math.max(1, Math.floor(MOST_NAMED / permissions.length));
        const named = holders.slice(0, share).map((holder) => graph.key(holder));
        return { ...answered.of(permission), ...through(named, holders.length) };
      }),
      value,
      ...ways?.get(node),
    });
    const counts = isCounting ? yield* countsOf(listed, MARKS_OF_REACHED, narrowed) : null;
    return { ...(yield* cut(all, page, rowOf)), counts };
  }

  /** The page of who can reach a resource or application. */
  *reaching(asked: Asked, target: number, listed: Listed, wanted: WantedAccess): Pieces<ListPage> {
    const { graph, moment } = asked.then;
    const { marks, everyType, details, counts: isCounting, ...base } = listed;
    const listOf = (some: Base) => this.reachingList(asked.then, target, some);
    const known: KnownMarks = new Map();
    const narrowed = (some: Base, to: Narrowed) =>
      this.narrowedReaching(asked, target, some, to, known);
    const all = yield* narrowed(base, { marks, everyType });
    const page = yield* pageOf(graph, all, { ...wanted, mostHeld: mostHeld(null) }, moment);
    const answered = new Told();
    const { people } = all;
    const detailsOf = details
      ? yield* reachingDetails(
          asked,
          {
            target,
            listed: base,
            isPrivileged: privilegedIn(yield* listOf(withAllHeld(base))),
            marking: this.marking(asked, target, base, everyType),
            among: yield* listOf(base),
          },
          page.rows,
        )
      : null;
    const counts = isCounting
      ? yield* countsOf(listed, people === null ? [] : MARKS, narrowed)
      : null;
    const rows = yield* cut(all, page, ({ node, permissions, value, isPerson }) => ({
      about: asked.summary(node),
      permissions: permissions.map((permission) => answered.of(permission)),
      value,
      ...(people === null ? {} : drawn(asked, isPerson ? people.accountsOf(node) : [], isPerson)),
      ...detailsOf?.get(node),
    }));
    return { ...rows, counts };
  }

  /** The rows of what a principal can reach that have all that a list is narrowed to. */
  private *narrowedReached(
    asked: Asked,
    who: number,
    base: Base,
    { marks, everyType }: Narrowed,
  ): Pieces<ListedRows> {
    const list = yield* this.reachedList(asked.then, who, base);
    const wanted = yield* rowsOfEveryType(list, everyType);
    // Other marks are of people.
    return marks.includes('new')
      ? yield* this.newlyReached(asked, who, base, everyType, wanted)
      : wanted;
  }

  /** The rows of who can reach something that have all that a list is narrowed to. */
  private *narrowedReaching(
    asked: Asked,
    target: number,
    base: Base,
    { marks, everyType }: Narrowed,
    known: KnownMarks,
  ): Pieces<ListedRows> {
    const list = yield* this.reachingList(asked.then, target, base);
    let wanted = yield* rowsOfEveryType(list, everyType);
    const marking = this.marking(asked, target, base, everyType);
    for (const mark of marks) {
      const name = JSON.stringify([base.permissionTypes, everyType, mark]);
      const those =
        known.get(name) ??
        new Set((yield* this.markedOf(asked, target, base, marking, list, mark)).nodes);
      known.set(name, those);
      wanted = yield* narrowedTo(wanted, (node) => those.has(node));
    }
    return wanted;
  }

  /** The rows of a list of who can reach something that have a mark. */
  private markedOf(
    asked: Asked,
    target: number,
    base: Base,
    marking: Marking,
    list: ListedRows,
    mark: Mark,
  ): Pieces<ListedRows> {
    // Whether somebody is inactive, or new, depends on the time, so these are computed each time.
    return mark === 'inactive' || mark === 'new'
      ? marked(marking, list, mark)
      : this.remembered(
          asked.then,
          ['to', target, base, mark],
          () => marked(marking, list, mark),
          // Its permissions are those of the list.
          ({ nodes }) => nodes.length,
        );
  }

  /** What decides about the marks of the rows of a list of who can reach something. */
  private marking(
    asked: Asked,
    target: number,
    base: Base,
    everyType: Listed['everyType'],
  ): Marking {
    const { access, graph, moment } = asked.then;
    const { clock } = asked;
    const week = graph.instants.moment(clock - NEW_NANOSECONDS);
    const before = { ...base, ...ANY_ROW, form: 'entities' as const };
    const rowsBefore = () => this.reachingList({ ...asked.then, moment: week }, target, before);
    const lookForEmployees = function* () {
      return { has: yield* hasEmployees(access, moment) };
    };
    const employees = () => this.remembered(asked.then, ['employees'], lookForEmployees, () => 0);
    return {
      access,
      moment,
      clock,
      *before() {
        const held = setsHeld((yield* rowsBefore()).permissions, everyType);
        return (nodes) => nodes.map(held).reduce(together).every(Boolean);
      },
      *hasEmployees() {
        return (yield* employees()).has;
      },
    };
  }

  /** The rows that somebody, with all that is theirs together, could not reach seven days before. */
  private *newlyReached(
    { then, clock }: Asked,
    who: number,
    base: Base,
    everyType: Listed['everyType'],
    rows: ListedRows,
  ): Pieces<ListedRows> {
    const { access, graph, moment } = then;
    const week = graph.instants.moment(clock - NEW_NANOSECONDS);
    const reached = new Map<number, readonly boolean[]>();
    for (const each of access.walk.from([who], THEIRS, moment)) {
      const before = yield* this.reachedList({ ...then, moment: week }, each, base);
      const held = setsHeld(before.permissions, everyType);
      for (const [place, node] of before.nodes.entries()) {
        if (place % STEPS === STEPS - 1) yield;
        const others = reached.get(node);
        reached.set(node, others === undefined ? held(node) : together(others, held(node)));
      }
    }
    return yield* narrowedTo(rows, (node) => reached.get(node)?.every(Boolean) !== true);
  }

  /** What a principal can reach. All lists of it begin with the same walk. */
  private reachedList(then: Then, who: number, base: Base): Pieces<ListedRows> {
    const { access, moment } = then;
    const walk = () => access.reachedInPieces(who, moment);
    const all = this.remembered(then, ['of', who], walk, sizeOf);
    return this.remembered(
      then,
      ['of', who, base],
      () => reachedRows(access, who, base, moment, all),
      rowsOf,
    );
  }

  /** Who can reach something. All lists of it begin with the same walk. */
  private reachingList(then: Then, target: number, base: Base): Pieces<ListedRows> {
    const { access, moment } = then;
    const { contents } = base;
    const walk = () => access.reaching(target, contents, moment);
    const all = this.remembered(then, ['to', target, contents], walk, sizeOf);
    return this.remembered(
      then,
      ['to', target, base],
      () => reachingRows(access, target, base, moment, all),
      rowsOf,
    );
  }

  /** What was found under a name lately, or is found now. Each name has values of one type. */
  private *remembered<A extends object>(
    { graph, moment }: Then,
    about: readonly unknown[],
    find: () => Pieces<A>,
    size: (found: A) => number,
  ): Pieces<A> {
    const known =
      this.known.get(graph) ?? new LRUCache({ maxSize: MOST_REMEMBERED, ttl: REMEMBERED_MS });
    this.known.set(graph, known);
    const name = JSON.stringify([graph.changes, moment, about]);
    const before = known.get(name);
    if (before !== undefined) return before as A;
    const found = yield* find();
    known.set(name, found, { size: size(found) + 1 });
    return found;
  }
}

/** How many entities a walk found. */
const sizeOf = ({ size }: Holders): number => size;

/** How many rows a list has. */
const rowsOf = ({ permissions }: ListedRows): number => permissions.size;

/** The rows that have a permission of each set of canonical types. */
function* rowsOfEveryType(rows: ListedRows, everyType: Listed['everyType']): Pieces<ListedRows> {
  return everyType.length < 2
    ? rows
    : yield* narrowedTo(rows, withEveryType(rows.permissions, everyType));
}

/** The same list with all permissions of its rows. */
const withAllHeld = (base: Base): Base => ({ ...base, permissions: null, permissionTypes: null });

/** Whether a row of a list has a privileged permission. */
const privilegedIn = ({ permissions }: ListedRows): ((node: number) => boolean) =>
  withEveryType(permissions, [PRIVILEGED_TYPES]);

/**
 * How many rows each chip would leave in addition to what a list is narrowed to. `all` and `people` are
 * of the list without marks and types.
 */
function* countsOf(
  { marks, everyType, details: _details, counts: _counts, ...base }: Listed,
  marksOfChips: readonly Mark[],
  narrowed: (base: Base, to: Narrowed) => Pieces<ListedRows>,
): Pieces<CountsOfList> {
  const sets = setsOf(base, everyType);
  const all = yield* narrowed(countedBy(base, []), { marks: [], everyType: [] });
  const counts: Record<string, number> = {
    all: all.nodes.length,
    ...(all.people === null ? {} : { people: all.humans }),
  };
  for (const [name, type] of Object.entries(CHIPS_OF_TYPES)) {
    const types = typesMeant([type]);
    const added = sets.some((set) => isSameSet(set, types)) ? sets : [...sets, types];
    const rows = yield* narrowed(countedBy(base, added), { marks, everyType: added });
    counts[name] = rows.nodes.length;
  }
  for (const mark of marksOfChips) {
    const added = [...new Set([...marks, mark])];
    const rows = yield* narrowed(base, { marks: added, everyType });
    counts[mark] = rows.nodes.length;
  }
  return counts;
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each));

/** What a list says about the identities and accounts of a human. */
const drawn = (
  asked: Asked,
  nodes: readonly number[],
  person: boolean,
): Pick<AccessRow, 'drawn_together' | 'accounts' | 'person'> => {
  const accounts = nodes.map((node) => {
    const { id, label, name, application, domain, provider } = asked.summary(node);
    return { id, label, name, application, domain, provider };
  });
  return { drawn_together: accounts.map(({ id }) => id), accounts, person };
};

/** How many rows are made at once. */
const ROWS = 256;

/** Makes the rows of a page, as many as it may have. */
function* cut(
  { nodes, humans, people }: ListedRows,
  page: { readonly rows: readonly PagedRow[]; readonly hasMore: boolean },
  rowOf: (row: PagedRow) => AccessRow,
): Pieces<Omit<ListPage, 'counts'>> {
  const rows: AccessRow[] = [];
  let values = 0;
  for (const row of page.rows) {
    if (values >= MOST_VALUES_OF_PAGE) break;
    if (rows.length % ROWS === ROWS - 1) yield;
    const made = rowOf(row);
    values += weightOf(made);
    rows.push(made);
  }
  return {
    total: nodes.length,
    people: people === null ? null : humans,
    withoutUser:
      people && nodes.slice(0, humans).filter((node) => people.isWithoutUser(node)).length,
    rows,
    hasMore: page.hasMore || rows.length < page.rows.length,
  };
}

/** Which of some accounts have which permissions on the nodes of rows, in the order of their keys. */
function* holdersOn(
  access: EffectiveAccess,
  accounts: readonly number[],
  rows: readonly PagedRow[],
  moment: Moment,
): Pieces<ReadonlyMap<number, ReadonlyMap<NativePermission, readonly number[]>>> {
  const { graph } = access;
  const held = new Map(rows.map(({ node }) => [node, new Map<NativePermission, number[]>()]));
  const scopes = yield* access.scopesOf([...held.keys()], moment);
  const inOrder = [...accounts].sort((a, b) => byCodeUnits(graph.key(a), graph.key(b)));
  for (const account of inOrder) {
    yield;
    for (const [node, permissions] of yield* access.onPlaces(account, scopes, moment)) {
      const onNode = held.get(node);
      for (const permission of permissions) {
        const holders = onNode?.get(permission);
        if (holders === undefined) onNode?.set(permission, [account]);
        else holders.push(account);
      }
    }
  }
  return held;
}
