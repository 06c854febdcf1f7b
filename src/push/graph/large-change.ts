import type { AccessFactor, AccessFactors } from '../../contract/answers/pushes';
import type { Difference, Link } from '../../difference/difference';
import type { NodeKind } from '../../model/table';
import type { PropertyValues, SharedNode } from '../../rows/row/row';
import { ACCESS_TYPES } from '../../access/relationship-types';
import { HUBS } from '../../questions/statements/contract';
import { LARGE_CHANGE, MOST_FACTORS } from '../../questions/changes/contract';
import { kindOfKey } from '../../questions/instant/contract';
import { graphKey } from '../../graph/write/current-rows';
import type { DerivedChange } from '../../graph/write/derived-changes';

type Change = AccessFactor['change'];

/** Where a factor is: a node of the data source by its local key, or another one by its key. */
interface Hub {
  readonly key: string;
  /** The local key, where the node is a row of the data source. */
  readonly row: string | null;
}

interface Tallied extends Pick<AccessFactor, 'change' | 'type'> {
  readonly hub: Hub;
  facts: number;
}

const isOfAccess: ReadonlySet<string> = new Set(ACCESS_TYPES);

/**
 * Counts relationships of access that are created and ended, by the group, role or holder to which
 * they belong.
 */
class Tally {
  readonly totals: Record<Change, number> = { gained: 0, lost: 0 };
  private readonly factors = new Map<string, Tallied>();

  constructor(private readonly dataSource: string) {}

  get most(): readonly Tallied[] {
    return [...this.factors.values()]
      .sort((a, b) => b.facts - a.facts || (a.type + a.hub.key < b.type + b.hub.key ? -1 : 1))
      .slice(0, MOST_FACTORS);
  }

  links(change: Change, links: readonly Link[]): void {
    // The holder of a grant or an assignment has what it is on.
    const holders = new Map<string, Hub>();
    for (const link of links) {
      if (link.stated.kind.type === 'HOLDS')
        holders.set(this.end(link, 'to').key, this.end(link, 'from'));
    }
    for (const link of links) {
      const { type } = link.stated.kind;
      if (!isOfAccess.has(type)) continue;
      this.totals[change] += 1;
      const at = HUBS[type];
      if (at === 'holder') this.add(change, type, holders.get(this.end(link, 'from').key));
      else if (at !== undefined)
        this.add(change, type, this.end(link, at === 'start' ? 'from' : 'to'));
    }
  }

  derived({ change: told, type, from, to }: DerivedChange): void {
    if (!isOfAccess.has(type)) return;
    const change = told === 'created' ? 'gained' : 'lost';
    this.totals[change] += 1;
    const at = HUBS[type];
    if (at !== undefined) this.add(change, type, { key: at === 'start' ? from : to, row: null });
  }

  private add(change: Change, type: string, hub: Hub | undefined): void {
    if (hub === undefined) return;
    const name = `${change} ${type} ${hub.key}`;
    const tallied = this.factors.get(name);
    if (tallied === undefined) this.factors.set(name, { change, type, hub, facts: 1 });
    else tallied.facts += 1;
  }

  private end({ row, stated }: Link, end: 'from' | 'to'): Hub {
    const local = stated.kind.owner === end ? row : stated.other;
    const kind: NodeKind = stated.kind[end];
    return {
      key: graphKey(this.dataSource, kind, local),
      row: kind.keeper === 'row' ? local : null,
    };
  }
}

/** The name of a node, as lists of access show it. */
const nameIn = ({ name, arn, id, unique_id }: PropertyValues): string => {
  const first = [name, arn, id, unique_id].find((value) => typeof value === 'string');
  return typeof first === 'string' ? first : '';
};

/** The names of those rows that a difference holds, by local key. */
const namesOf = (
  { created, changed, removed }: Difference,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  const rows = [created, removed, changed.map(({ after }) => after)];
  for (const { row } of rows.flat()) {
    if (wanted.has(row.key)) names.set(row.key, nameIn(row.properties));
  }
  return names;
};

/**
 * Reports what a push did to access from the difference that it writes, if that is too much to be
 * counted: how many relationships were created and ended, and the groups, roles and holders to
 * which most of them belong (docs/rules.md: Changes of access). It reads nothing from the graph, so
 * it says neither whom they reach nor the names of rows that do not change. `null` if the service
 * may count the changes later.
 */
export const largeChange = (
  dataSource: string,
  difference: Difference,
  shared: ReadonlyMap<string, SharedNode>,
  derived: readonly DerivedChange[],
): AccessFactors | null => {
  const { linked, unlinked } = difference;
  if (linked.length + unlinked.length + derived.length <= LARGE_CHANGE) return null;
  const tally = new Tally(dataSource);
  tally.links('gained', linked);
  tally.links('lost', unlinked);
  derived.forEach((change) => tally.derived(change));
  const { gained, lost } = tally.totals;
  if (gained + lost <= LARGE_CHANGE) return null;
  const { most } = tally;
  const names = namesOf(difference, new Set(most.flatMap(({ hub }) => hub.row ?? [])));
  const nameOf = ({ key, row }: Hub): string =>
    (row === null ? undefined : names.get(row)) ?? nameIn(shared.get(key)?.properties ?? {});
  return {
    ...{ gained, lost },
    values: most.map(({ change, type, hub, facts }) => ({
      ...{ change, type, relationships: facts },
      of: { id: hub.key, label: kindOfKey(hub.key)?.label ?? '', name: nameOf(hub) },
      ...{ principals: null, resources: null },
    })),
  };
};
