import { derivedFrom } from './derived';
import { relationshipId, type Graph, type Node } from './graph';
import { fold } from './text';
import type { Trusts } from './trusts';

/** Moments of a history: each is the graph of one push, until the next one. */
export type Moments = ReadonlySet<number>;

/** An entity in all its moments. */
export interface Being {
  readonly key: string;
  readonly label: string;
  readonly at: ReadonlyMap<number, Node>;
}

/** A relationship between people, accounts and identities for as long as it lasted. */
export interface Tie {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly moments: Moments;
  /** Whether trusts of today would let it be (docs/rules.md: Trusts). */
  readonly isBelieved: boolean;
}

/** How a name is used (docs/rules.md: Erasing a person, Names). */
export interface Called {
  /** In the one spelling that is compared. */
  readonly name: string;
  readonly how: 'login' | 'id' | 'display' | 'address';
}

const CALLED: Readonly<Record<string, Readonly<Record<string, Called['how']>>>> = {
  IdpUser: { name: 'login', identity: 'login', email: 'address', full_name: 'display' },
  IdpGroup: { name: 'login', identity: 'login', full_name: 'display' },
  Employee: {
    id: 'id',
    employee_number: 'id',
    username: 'id',
    idp_id: 'id',
    email: 'address',
    personal_email: 'address',
    name: 'display',
    preferred_name: 'display',
    display_full_name: 'display',
    canonical_name: 'display',
  },
  LocalUser: { name: 'id', id: 'id', unique_id: 'id', email: 'address' },
  Identity: { name: 'login' },
};

const TIES = new Set(['HAS_ACCOUNT', 'SOURCE_IDENTITY_OF', 'KNOWN_AS', 'IDENTITY_OF']);

/** A text in the one spelling in which names are compared: folded, without signs that nobody sees. */
export function comparable(text: string): string {
  const seen = fold(
    [...text].filter((sign) => !/[\u00ad\u200b-\u200d\u2060\ufeff]/.test(sign)).join(''),
  );
  return seen.split(/\s+/).filter(Boolean).join(' ');
}

/** The names of a node. A name with an @ is an address, unless people only call somebody so. */
export function calledAs({ label, properties }: Node): readonly Called[] {
  return Object.entries(CALLED[label] ?? {}).flatMap(([property, how]): readonly Called[] => {
    const value = properties[property];
    const name = typeof value === 'string' ? comparable(value) : '';
    if (name === '') return [];
    return [{ name, how: how !== 'display' && name.includes('@') ? 'address' : how }];
  });
}

/** The addresses of a node. */
export function addressesOf(node: Node): readonly string[] {
  return calledAs(node)
    .filter(({ name, how }) => how === 'address' && name.includes('@'))
    .map(({ name }) => name);
}

/** Whether two sets of moments have one in common. */
export function meet(a: Moments, b: Moments): boolean {
  return [...a].some((moment) => b.has(moment));
}

/** All that ever was, moment by moment. */
export class ThroughTime {
  /** The last moment. */
  readonly now: number;
  readonly beings: ReadonlyMap<string, Being>;
  readonly ties: readonly Tie[];

  constructor(
    private readonly graphs: readonly Graph[],
    trusts: Trusts,
  ) {
    this.now = graphs.length - 1;
    const beings = new Map<string, { key: string; label: string; at: Map<number, Node> }>();
    for (const [moment, { nodes }] of graphs.entries()) {
      for (const node of nodes) {
        const { key, label } = node;
        const being = beings.get(key) ?? { key, label, at: new Map<number, Node>() };
        being.at.set(moment, node);
        beings.set(key, being);
      }
    }
    this.beings = beings;
    this.ties = tiesOf(graphs, trusts);
  }

  /** An entity; one that never was has no moments. */
  being(key: string): Being {
    return this.beings.get(key) ?? { key, label: key.split('|')[0] ?? '', at: new Map() };
  }

  isNow(key: string): boolean {
    return this.being(key).at.has(this.now);
  }

  /** The data sources of all rows that are or were next to a shared node. */
  sourcesAt(key: string): readonly string[] {
    const rows = this.graphs.flatMap(({ relationships }) =>
      relationships.flatMap(({ from, to }) =>
        from.key === key ? [to.key] : to.key === key ? [from.key] : [],
      ),
    );
    const spaces = new Set(rows.map((row) => row.split('|')[0] ?? ''));
    return [...spaces].filter((space) => /^[0-9a-f-]{36}$/.test(space));
  }

  /** Since when an entity has been there without a gap, until now. */
  lately(key: string): Moments {
    const { at } = this.being(key);
    const since = runs(new Set(at.keys())).find((run) => run.has(this.now));
    return since ?? new Set();
  }
}

/** Moments that follow each other, apart from others. */
export function runs(moments: Moments): readonly Moments[] {
  const found: Set<number>[] = [];
  for (const moment of [...moments].toSorted((a, b) => a - b)) {
    const last = found.at(-1);
    if (last?.has(moment - 1) === true) last.add(moment);
    else found.push(new Set([moment]));
  }
  return found;
}

function tiesOf(graphs: readonly Graph[], trusts: Trusts): readonly Tie[] {
  const all = new Map<string, { ends: Pick<Tie, 'type' | 'from' | 'to'>; moments: Set<number> }>();
  const believed = new Map<string, Set<number>>();
  for (const [moment, graph] of graphs.entries()) {
    const today = trusts.size === 0 ? graph : derivedFrom(graph, trusts);
    for (const one of today.relationships) {
      const id = relationshipId(one);
      believed.set(id, (believed.get(id) ?? new Set()).add(moment));
    }
    for (const one of graph.relationships.filter(({ type }) => TIES.has(type))) {
      const id = relationshipId(one);
      const ends = { type: one.type, from: one.from.key, to: one.to.key };
      const known = all.get(id) ?? { ends, moments: new Set<number>() };
      known.moments.add(moment);
      all.set(id, known);
    }
  }
  return [...all].flatMap(([id, { ends, moments }]) =>
    runs(moments).map((run): Tie => ({
      ...ends,
      moments: run,
      isBelieved: ends.type === 'IDENTITY_OF' || meet(run, believed.get(id) ?? new Set()),
    })),
  );
}
