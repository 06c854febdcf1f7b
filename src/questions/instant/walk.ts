import type { Instant } from '../../model/instant';
import { kindOfKey } from '../../templates/graph/kind-of-key';
import {
  NODES_BY_KEY,
  pastFacts,
  existingFacts,
  existingFactsBeyond,
  type Step,
} from '../statements/instant-statements';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';

type Said = Readonly<Record<string, unknown>>;

/** A relationship at an instant. */
export interface Fact {
  readonly type: string;
  /** The keys of its ends. */
  readonly start: string;
  readonly end: string;
  /** The property that distinguishes it from others of its type between the same nodes. */
  readonly apart: unknown;
  /** Neo4j's id, if it exists now; its properties, if it ended. */
  readonly held: { readonly id: string } | { readonly properties: PastFact };
}

/** What a walk found. */
export interface Walked {
  /** Neo4j's id of each node by its key; `null` if the node does not exist now. */
  readonly nodes: ReadonlyMap<string, string | null>;
  readonly facts: readonly Fact[];
  /** The keys of each set. */
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The keys of the nodes at which a walk begins, by set. */
export type Asked = Readonly<Record<string, string | readonly string[]>>;

/** The walk found more relationships than the service holds in memory. */
export class WalkTooLong extends Error {}

/** An existing relationship, from the node that is near to the one that the step finds. */
interface Existing {
  readonly near: string;
  readonly near_id: string;
  readonly far: string;
  readonly far_id: string;
  readonly type: string;
  readonly id: string;
  readonly apart: unknown;
}

/** Whether the walk includes a fact with these ends. */
type Keeps = (start: string, end: string) => boolean;
const ALL: Keeps = () => true;

/**
 * Whether Neo4j could still read the ends of a fact. It finds a node first and reads its properties
 * later, so what somebody erases between the two has none. An erased fact is no fact.
 */
const isThere = (...ends: readonly unknown[]): boolean =>
  ends.every((end) => typeof end === 'string');

/** From how many nodes at most Neo4j walks on by itself. More of them share most of the way. */
const FEW = 10;

/** A text that distinguishes a relationship from all others. */
export const nameOfFact = ({ type, start, end, apart }: Omit<Fact, 'held'>): string =>
  JSON.stringify([type, start, end, apart]);

/** Properties of a relationship that ended. */
export type PastFact = Said & Readonly<Record<'type' | 'start' | 'end', string>>;

class Walk {
  private readonly ids = new Map<string, string | null>();
  private readonly facts = new Map<string, Fact>();
  private readonly sets = new Map<string, Set<string>>();
  private readonly pipeline: Pipeline;
  private readonly at: unknown;

  constructor(
    tx: Runner,
    at: Instant,
    private readonly most: number,
  ) {
    this.pipeline = new Pipeline(tx);
    this.at = toDateTime(at);
  }

  get walked(): Walked {
    return { nodes: this.ids, facts: [...this.facts.values()], sets: this.sets };
  }

  async start(asked: Asked): Promise<void> {
    const keys = new Set<string>();
    for (const [name, given] of Object.entries(asked)) {
      for (const key of [given].flat()) {
        this.set(name).add(key);
        keys.add(key);
      }
    }
    await this.findIds([...keys]);
  }

  async take(step: Step): Promise<void> {
    if (step.within !== undefined) return this.takeWithin(step, step.within);
    const into = this.set(step.into);
    let near: readonly string[] = [...this.set(step.from)];
    if (step.repeats === true) {
      near = near.filter((key) => !into.has(key));
      near.forEach((key) => into.add(key));
    }
    while (near.length > 0) {
      // If a step repeats from a few nodes, Neo4j itself walks on along existing relationships.
      const isBeyond = step.repeats === true && near.length <= FEW;
      const standing = this.standing(near, step, { isBeyond });
      // Neo4j reads what exists before what ended. So the walk misses no fact that ends in between.
      // Both are awaited together, because either may fail first.
      const past = isBeyond
        ? standing.then((beyond) => this.past([...near, ...beyond], step))
        : this.past(near, step);
      const [stands, ended] = await Promise.all([standing, past]);
      const found = [...stands, ...ended].filter((key) => !into.has(key));
      found.forEach((key) => into.add(key));
      await this.findIds(found.filter((key) => !this.ids.has(key)));
      if (step.repeats !== true) return;
      near = isBeyond ? found.filter((key) => !stands.has(key)) : found;
    }
  }

  /** Takes the facts between two sets, from the end of which there are fewer nodes. */
  private async takeWithin(step: Step, within: string): Promise<void> {
    const [from, to] = [this.set(step.from), this.set(within)];
    const isBack = to.size < from.size;
    const [near, far] = isBack ? [to, from] : [from, to];
    const towards = isBack === (step.towards === 'end') ? 'start' : 'end';
    const into = this.set(step.into);
    const keeps = (start: string, end: string): boolean => {
      const [nearKey, farKey] = towards === 'end' ? [start, end] : [end, start];
      if (!far.has(farKey)) return false;
      into.add(isBack ? farKey : nearKey);
      return true;
    };
    const keys = [...near];
    const taken: Step = { ...step, towards };
    await Promise.all([this.standing(keys, taken, { keeps }), this.past(keys, taken, keeps)]);
  }

  private set(name: string): Set<string> {
    const set = this.sets.get(name) ?? new Set();
    this.sets.set(name, set);
    return set;
  }

  /**
   * The nodes at the other ends of existing relationships. The walk includes the facts whose ends
   * pass `keeps`.
   */
  private async standing(
    near: readonly string[],
    step: Step,
    { keeps = ALL, isBeyond = false }: { readonly keeps?: Keeps; readonly isBeyond?: boolean },
  ): Promise<ReadonlySet<string>> {
    const isForward = step.towards === 'end';
    const far = new Set<string>();
    await this.pipeline.each<{ [F in keyof Existing]: Existing[F] }>(
      isBeyond ? existingFactsBeyond(step) : existingFacts(step),
      'ids',
      near.flatMap((key) => this.ids.get(key) ?? []),
      (records) => {
        for (const record of records) {
          const found = record.toObject();
          const [start, end] = isForward ? [found.near, found.far] : [found.far, found.near];
          if (!isThere(start, end) || !keeps(start, end)) continue;
          this.ids.set(found.far, found.far_id);
          far.add(found.far);
          const { type, apart, id } = found;
          this.add({ type, start, end, apart, held: { id } });
        }
      },
      { at: this.at },
    );
    return far;
  }

  /** The nodes at the other ends of relationships that ended. */
  private async past(
    near: readonly string[],
    step: Step,
    keeps: Keeps = ALL,
  ): Promise<ReadonlySet<string>> {
    const far = new Set<string>();
    await this.pipeline.each<{ fact: PastFact; apart: unknown }>(
      pastFacts(step),
      'keys',
      near,
      (records) => {
        for (const record of records) {
          const properties = record.get('fact');
          const { type, start, end } = properties;
          if (!isThere(start, end) || !keeps(start, end)) continue;
          far.add(step.towards === 'end' ? end : start);
          this.add({ type, start, end, apart: record.get('apart'), held: { properties } });
        }
      },
      { at: this.at },
    );
    return far;
  }

  /** Adds a fact. If a version covers the instant, it counts, and the present state does not. */
  private add(fact: Fact): void {
    const name = nameOfFact(fact);
    const isVersion = 'properties' in fact.held;
    if (isVersion || !this.facts.has(name)) this.facts.set(name, fact);
    if (this.facts.size > this.most) throw new WalkTooLong();
  }

  private async findIds(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.ids.set(key, null);
    const entities = keys.filter((key) => kindOfKey(key) !== null);
    await this.pipeline.each<{ key: string; id: string }>(
      NODES_BY_KEY,
      'keys',
      entities,
      (records) => {
        for (const record of records) this.ids.set(record.get('key'), record.get('id'));
      },
    );
  }
}

/**
 * Finds the facts at an instant that a walk passes, from what exists and what ended. `asked` has
 * the nodes at which it begins, each in its set (docs/rules.md: History). Throws `WalkTooLong` if
 * there are more facts than `most`.
 */
export const walk = async (
  tx: Runner,
  at: Instant,
  asked: Asked,
  steps: readonly Step[],
  most: number,
): Promise<Walked> => {
  const walking = new Walk(tx, at, most);
  await walking.start(asked);
  for (const step of steps) await walking.take(step);
  return walking.walked;
};
