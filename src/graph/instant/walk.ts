import type { Instant } from '../../model/instant';
import { allRowKinds } from '../../templates/templates';
import { sharedKinds } from '../../templates/graph/nodes';
import type { NodeKind } from '../../model/table';
import {
  nodesByKey,
  pastFacts,
  standingFacts,
  type Step,
} from '../../translate/questions/instant-statements';
import type { Runner } from '../connection/transaction';
import { toDateTime } from '../connection/values';

type Said = Readonly<Record<string, unknown>>;

/** A relationship at an instant. */
export interface Fact {
  readonly type: string;
  /** The keys of its ends. */
  readonly start: string;
  readonly end: string;
  /** Neo4j's id, if it stands now; its properties, if it ended. */
  readonly held: { readonly id: string } | { readonly properties: Said };
}

/** What a walk found. */
export interface Walked {
  /** Neo4j's id of each node by its key; `null` if the node does not stand now. */
  readonly nodes: ReadonlyMap<string, string | null>;
  readonly facts: readonly Fact[];
}

/** The walk found more relationships than the service holds in memory. */
export class WalkTooLong extends Error {}

const MOST_FACTS = 500_000;
const AT_ONCE = 5_000;

const kindsByLabel: ReadonlyMap<string, NodeKind> = new Map(
  [...allRowKinds.map(({ node }) => node), ...sharedKinds].map((kind) => [kind.label, kind]),
);

/** The kind of the node with this key (docs/rules.md: Keys); `null` if it is no key. */
export const kindOfKey = (key: string): NodeKind | null => {
  const [first = '', second = ''] = key.split('|', 2);
  const shared = kindsByLabel.get(first);
  return shared?.keeper === 'shared' ? shared : (kindsByLabel.get(second) ?? null);
};

/** Groups keys by something that they have in common. Leaves out those without it. */
const grouped = <G>(
  keys: Iterable<string>,
  groupOf: (key: string) => G | null,
): ReadonlyMap<G, string[]> => {
  const groups = new Map<G, string[]>();
  for (const key of keys) {
    const group = groupOf(key);
    if (group === null) continue;
    const others = groups.get(group);
    if (others === undefined) groups.set(group, [key]);
    else others.push(key);
  }
  return groups;
};

/** Cuts a list into pieces that one statement takes. */
export const inPieces = <A>(all: readonly A[]): readonly (readonly A[])[] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, at) =>
    all.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );

interface Standing {
  readonly near: string;
  readonly near_id: string;
  readonly far: string;
  readonly far_id: string;
  readonly type: string;
  readonly id: string;
  readonly apart: unknown;
}

class Walk {
  private readonly ids = new Map<string, string | null>();
  private readonly facts = new Map<string, Fact>();
  private readonly sets = new Map<string, Set<string>>();
  private readonly at: unknown;

  constructor(
    private readonly tx: Runner,
    at: Instant,
  ) {
    this.at = toDateTime(at);
  }

  get walked(): Walked {
    return { nodes: this.ids, facts: [...this.facts.values()] };
  }

  async start(asked: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, key] of Object.entries(asked)) this.set(name).add(key);
    await this.findIds(Object.values(asked));
  }

  async take(step: Step): Promise<void> {
    const into = this.set(step.into);
    let near: readonly string[] = [...this.set(step.from)];
    if (step.repeats === true) {
      near = near.filter((key) => !into.has(key));
      near.forEach((key) => into.add(key));
    }
    while (near.length > 0) {
      const found = [...(await this.neighbours(near, step))].filter((key) => !into.has(key));
      found.forEach((key) => into.add(key));
      await this.findIds(found.filter((key) => !this.ids.has(key)));
      near = step.repeats === true ? found : [];
    }
  }

  private set(name: string): Set<string> {
    const set = this.sets.get(name) ?? new Set();
    this.sets.set(name, set);
    return set;
  }

  /**
   * The nodes at the other ends. It reads what stands before what ended. So it misses no fact that
   * ends meanwhile.
   */
  private async neighbours(near: readonly string[], step: Step): Promise<ReadonlySet<string>> {
    const far = new Set<string>();
    const ids = near.flatMap((key) => this.ids.get(key) ?? []);
    for (const some of inPieces(ids)) {
      const { records } = await this.tx.run<{ [F in keyof Standing]: Standing[F] }>(
        standingFacts(step),
        { ids: some, at: this.at },
      );
      for (const record of records) {
        const found = record.toObject();
        this.ids.set(found.far, found.far_id);
        far.add(found.far);
        const { type, apart } = found;
        const [start, end] = step.towards === 'end' ? ends(found) : ends(found).reverse();
        this.add({ type, start, end, held: { id: found.id } } as Fact, apart);
      }
    }
    for (const some of inPieces(near)) {
      const { records } = await this.tx.run<{ fact: Said; apart: unknown }>(pastFacts(step), {
        keys: some,
        at: this.at,
      });
      for (const record of records) {
        const properties = record.get('fact');
        const { type, start, end } = properties as Readonly<Record<string, string>>;
        far.add((step.towards === 'end' ? end : start) ?? '');
        this.add({ type, start, end, held: { properties } } as Fact, record.get('apart'));
      }
    }
    return far;
  }

  /** Adds a fact. A version that covers the instant counts, and not what stands now. */
  private add(fact: Fact, apart: unknown): void {
    const id = JSON.stringify([fact.type, fact.start, fact.end, apart]);
    const isVersion = 'properties' in fact.held;
    if (isVersion || !this.facts.has(id)) this.facts.set(id, fact);
    if (this.facts.size > MOST_FACTS) throw new WalkTooLong();
  }

  private async findIds(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.ids.set(key, null);
    for (const [{ label }, some] of grouped(keys, kindOfKey)) {
      for (const piece of inPieces(some)) {
        const { records } = await this.tx.run<{ key: string; id: string }>(nodesByKey(label), {
          keys: piece,
        });
        for (const record of records) this.ids.set(record.get('key'), record.get('id'));
      }
    }
  }
}

const ends = ({ near, far }: Standing): [string, string] => [near, far];

/**
 * Finds the facts at an instant that a walk passes, from what stands and what ended. `asked` gives
 * the nodes at which it begins, each in its set (docs/rules.md: History). Throws `WalkTooLong`.
 */
export const walk = async (
  tx: Runner,
  at: Instant,
  asked: Readonly<Record<string, string>>,
  steps: readonly Step[],
): Promise<Walked> => {
  const walking = new Walk(tx, at);
  await walking.start(asked);
  for (const step of steps) await walking.take(step);
  return walking.walked;
};
