import { LRUCache } from 'lru-cache';

import type { AccessGraph } from '../../access/access-graph';
import type { Pieces } from '../../access/comparison/pieces';
import type { EffectiveAccess, NativePermission } from '../../access/effective-access';
import {
  type ListedRows,
  type PagedRow,
  pageOf,
  reachedRows,
  reachingRows,
  typesIn,
} from '../../access/lists/lists';
import type { Moment } from '../../access/instants';
import type { HeldPermission, HeldThrough } from '../../contract/answers/questions/access';
import { byCodeUnits } from '../../model/fold';
import { MOST_NAMED, through } from '../humans/named-accounts';
import type { Asked } from '../memory/asked-in-memory';
import { type AccessRow, type Listed, mostHeld, type WantedAccess } from './access-lists';

/** A page of an access list. */
export interface ListPage {
  readonly total: number;
  /** How many of all rows are people; `null` in a list of entities. */
  readonly people: number | null;
  /** How many of these no employee and no user leads to. */
  readonly withoutUser: number | null;
  readonly rows: readonly AccessRow[];
  readonly hasMore: boolean;
}

// The thread that answers writes a page at once. So many values are some 8 MB of an answer.
const MOST_VALUES_OF_PAGE = 100_000;

/** How many values a row has. */
const weightOf = ({ permissions, accounts = [] }: AccessRow): number =>
  permissions.reduce(
    (sum, held) => sum + 1 + (held.accounts?.length ?? 0),
    10 + 10 * accounts.length,
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

/** How many rows the lists have in all that are remembered, and for how long. */
const MOST_REMEMBERED = 500_000;
const REMEMBERED_MS = 60_000;

/** The lists that were computed lately, so that the next page need not compute its list again. */
export class ListPages {
  private readonly known = new WeakMap<AccessGraph, LRUCache<string, ListedRows>>();

  /** The page of what a principal can reach; of a human it names the `accounts` that have it. */
  *reached(
    asked: Asked,
    who: number,
    accounts: readonly number[] | null,
    listed: Listed,
    wanted: WantedAccess,
  ): Pieces<ListPage> {
    const { access, graph, moment } = asked.then;
    const all = yield* this.rows(asked, ['of', who, listed], () =>
      reachedRows(access, who, listed, moment),
    );
    const page = yield* pageOf(graph, all, { ...wanted, mostHeld: mostHeld(accounts) }, moment);
    const told = new Told();
    const heldOn = accounts === null ? null : yield* holdersOn(access, accounts, page.rows, moment);
    const rowOf = ({ node, permissions, value }: PagedRow): AccessRow => ({
      about: asked.summary(node),
      permissions: permissions.map((permission): HeldThrough => {
        if (heldOn === null) return told.of(permission);
        const holders = heldOn.get(node)?.get(permission) ?? [];
        const share = Math.max(1, Math.floor(MOST_NAMED / permissions.length));
        const named = holders.slice(0, share).map((holder) => graph.key(holder));
        return { ...told.of(permission), ...through(named, holders.length) };
      }),
      value,
    });
    return yield* cut(all, page, rowOf);
  }

  /** The page of who can reach a resource or application. */
  *reaching(asked: Asked, target: number, listed: Listed, wanted: WantedAccess): Pieces<ListPage> {
    const { access, graph, moment } = asked.then;
    const all = yield* this.rows(asked, ['to', target, listed], () =>
      reachingRows(access, target, listed, moment),
    );
    const page = yield* pageOf(graph, all, { ...wanted, mostHeld: mostHeld(null) }, moment);
    const told = new Told();
    const { people } = all;
    return yield* cut(all, page, ({ node, permissions, value, isPerson }) => ({
      about: asked.summary(node),
      permissions: permissions.map((permission) => told.of(permission)),
      value,
      ...(people === null ? {} : drawn(asked, isPerson ? people.accountsOf(node) : [], isPerson)),
    }));
  }

  private *rows(
    { then: { graph, moment } }: Asked,
    list: readonly unknown[],
    find: () => Pieces<ListedRows>,
  ): Pieces<ListedRows> {
    const known =
      this.known.get(graph) ?? new LRUCache({ maxSize: MOST_REMEMBERED, ttl: REMEMBERED_MS });
    this.known.set(graph, known);
    const name = JSON.stringify([graph.changes, moment, list]);
    const before = known.get(name);
    if (before !== undefined) return before;
    const rows = yield* find();
    known.set(name, rows, { size: rows.permissions.size + 1 });
    return rows;
  }
}

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
): Pieces<ListPage> {
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
  const scopes = access.scopesOf([...held.keys()], moment);
  const inOrder = [...accounts].sort((a, b) => byCodeUnits(graph.key(a), graph.key(b)));
  for (const account of inOrder) {
    yield;
    for (const [node, permissions] of access.onPlaces(account, scopes, moment)) {
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
