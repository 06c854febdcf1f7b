import {
  type AccessGraph,
  type Lasting,
  type NodeRow,
  type RelationshipRow,
} from '../access-graph';
import { type VersionValues, valuesOfVersion } from './versions';
import { NEVER } from '../instants';
import { at } from '../memory';
import { HELD_TYPES } from '../relationship-types';

// Tests run where each look at a global costs as much as a hundred steps.
const { imul } = Math;

/** How many rows there are of a label or type, and a sum of their hashes in any order. */
export interface Sum {
  readonly count: number;
  readonly sum: number;
}

/** The sums by label and type. */
export type AccessDigest = ReadonlyMap<string, Sum>;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const hashOf = (text: string): number => {
  let hash = FNV_OFFSET;
  for (let place = 0; place < text.length; place += 1) {
    hash = imul(hash ^ text.charCodeAt(place), FNV_PRIME);
  }
  return hash;
};

const mixed = (hash: number, more: number): number =>
  imul(imul(hash, FNV_PRIME) ^ more, 0x85ebca6b) ^ (hash >>> 13);

const hashOfTime = (time: bigint | null): number => hashOf(String(time));

/** How many rows one step looks at. */
const ROWS_OF_STEP = 500;

/** Counts rows, and sums up their hashes. Facts that ended before `since` do not count. */
export class AccessSums {
  /** How many facts did not count, since they ended too long ago. */
  old = 0;
  private readonly sums = new Map<string, { count: number; sum: number }>();

  constructor(
    private readonly since: bigint | null,
    /** Whether nodes with a label are shared: they follow from relationships, and do not count. */
    private readonly isShared: (label: string) => boolean,
  ) {}

  /** The digest of the rows that were added so far. */
  get digest(): AccessDigest {
    return this.sums;
  }

  addNode({ key, label, facts, since, until }: NodeRow): void {
    this.addVersion(key, label, { ...valuesOfVersion(facts), since, until });
  }

  addVersion(key: string, label: string, { texts, ...version }: VersionValues & Lasting): void {
    if (this.isShared(label) || !this.counts(version.until)) return;
    const { since, until, flags, deactivated_at } = version;
    const all = [key, since, until, flags, deactivated_at, ...Object.values(texts)];
    this.add(label, hashOf(all.map(String).join('\n')));
  }

  addRelationship({ type, from, to, since, until }: RelationshipRow): void {
    if (!this.counts(until)) return;
    this.numbers(type, [hashOf(from), hashOf(to), hashOfTime(since), hashOfTime(until)]);
  }

  numbers(type: string, hashes: readonly number[]): void {
    this.add(type, hashes.reduce(mixed, 0));
  }

  /** Whether the digest has a fact that ended at this instant, or has not ended (`null`). */
  counts(until: bigint | null): boolean {
    const isOld = until !== null && this.since !== null && until < this.since;
    if (isOld) this.old += 1;
    return !isOld;
  }

  private add(name: string, hash: number): void {
    const sum = this.sums.get(name) ?? { count: 0, sum: 0 };
    this.sums.set(name, sum);
    sum.count += 1;
    sum.sum = (sum.sum + hash) | 0;
  }
}

/**
 * Sums up an access graph in steps, between which the caller may answer questions. The graph must not
 * change until the last step.
 */
export function* digestInSteps(
  graph: AccessGraph,
  isShared: (label: string) => boolean,
  since: bigint | null,
): Generator<void, AccessSums> {
  const sums = new AccessSums(since, isShared);
  const keys = new Int32Array(graph.nodeCount);
  for (let node = 0; node < keys.length; node += 1) {
    const key = graph.key(node);
    keys[node] = hashOf(key);
    const label = graph.kind(node)?.label ?? null;
    if (label !== null) {
      for (const version of graph.versionsOf(node)) sums.addVersion(key, label, version);
    }
    if (node % ROWS_OF_STEP === ROWS_OF_STEP - 1) yield;
  }
  const { from, to, type, since: sinces, until: untils } = graph.adjacency;
  const times = new Map<number, number>();
  const timeOf = (number: number): number => {
    const known = times.get(number) ?? hashOfTime(graph.instants.nanosOf(number));
    times.set(number, known);
    return known;
  };
  for (let place = 0; place < graph.placeCount; place += 1) {
    const name = HELD_TYPES[at(type, place)];
    const until = at(untils, place);
    const ended = until === NEVER ? null : graph.instants.nanosOf(until);
    if (name !== undefined && sums.counts(ended)) {
      const ends = [at(keys, at(from, place)), at(keys, at(to, place))];
      sums.numbers(name, [...ends, timeOf(at(sinces, place)), timeOf(until)]);
    }
    if (place % (20 * ROWS_OF_STEP) === 20 * ROWS_OF_STEP - 1) yield;
  }
  return sums;
}

/** The labels and types of which two digests differ, in order. */
export const differing = (one: AccessDigest, other: AccessDigest): readonly string[] =>
  [...new Set([...one.keys(), ...other.keys()])]
    .filter((name) => {
      const [a, b] = [one.get(name), other.get(name)];
      return a?.count !== b?.count || a?.sum !== b?.sum;
    })
    .sort();
