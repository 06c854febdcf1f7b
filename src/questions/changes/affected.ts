import neo4j from 'neo4j-driver';

import { BEGUN_FACTS, CHANGED_NODES, ENDED_FACTS } from '../statements/change-statements';
import { affectedBy, affectedByNode, AFFECTED } from '../statements/change-walks';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { kindOfKey } from '../../templates/graph/kind-of-key';
import { walk } from '../instant/walk';
import type { Period } from './period';

/** Whose access may have changed, and to what. Each is a list of keys. */
export interface Affected {
  readonly principals: readonly string[];
  readonly targets: readonly string[];
  /** The targets, and all that contains them. */
  readonly places: readonly string[];
}

/** More facts changed in a period than the service compares. */
export class TooManyChanges extends Error {}

/** How much a comparison may look at. Beyond that the service gives up before it begins. */
export interface ChangeBounds {
  /** How many relationships and nodes that changed the service follows. */
  readonly changed: number;
  /** How many relationships of an instant the service holds at once. */
  readonly facts: number;
  /** How many pairs of a principal and a resource it compares. */
  readonly pairs: number;
}

interface FactEnds {
  readonly type: string;
  readonly start: string;
  readonly end: string;
}

/** The sets from which the walk to the affected things begins. */
class Beginnings {
  private readonly sets = new Map<string, Set<string>>();
  private size = 0;

  constructor(private readonly most: number) {}

  add(names: readonly string[], key: string): void {
    for (const name of names) {
      const set = this.sets.get(name) ?? new Set();
      this.sets.set(name, set.add(key));
    }
  }

  count(more: number): void {
    this.size += more;
    if (this.size > this.most) throw new TooManyChanges();
  }

  get isEmpty(): boolean {
    return this.sets.size === 0;
  }

  get asked(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries([...this.sets].map(([name, keys]) => [name, [...keys]]));
  }
}

/** Finds the facts of access that existed at only one of the two instants. */
const beginnings = async (tx: Runner, { from, to }: Period, most: number): Promise<Beginnings> => {
  const parameters = {
    ...{ from: toDateTime(from), to: toDateTime(to) },
    most: neo4j.int(most + 1),
  };
  const found = new Beginnings(most);
  const facts = [BEGUN_FACTS, ENDED_FACTS].map(async (statement) => {
    const { records } = await tx.run<{ [F in keyof FactEnds]: string }>(statement, parameters);
    found.count(records.length);
    for (const record of records) {
      const { type, start, end } = record.toObject();
      const into = affectedBy(type);
      found.add(into.start, start);
      found.add(into.end, end);
    }
  });
  const changed = tx.run<{ label: string; key: string }>(CHANGED_NODES, parameters);
  const [{ records }] = await Promise.all([changed, ...facts]);
  found.count(records.length);
  for (const record of records) found.add(affectedByNode(record.get('label')), record.get('key'));
  return found;
};

/** Whether a key is that of a principal. */
export const isPrincipal = (key: string): boolean =>
  kindOfKey(key)?.also.includes('Principal') === true;

/**
 * Finds the principals and resources between which access may have changed from one instant to the
 * other. It may find more than what has changed, never less. Rejects with `TooManyChanges` or `WalkTooLong`.
 */
export const affectedIn = async (
  tx: Runner,
  period: Period,
  bounds: ChangeBounds,
): Promise<Affected> => {
  const found = await beginnings(tx, period, bounds.changed);
  if (found.isEmpty) return { principals: [], targets: [], places: [] };
  const principals = new Set<string>();
  const targets = new Set<string>();
  const places = new Set<string>();
  for (const at of [period.from, period.to]) {
    const { sets } = await walk(tx, at, found.asked, AFFECTED, bounds.facts);
    for (const key of sets.get('who') ?? []) if (isPrincipal(key)) principals.add(key);
    for (const key of sets.get('connected') ?? []) principals.add(key);
    for (const key of sets.get('targets') ?? []) targets.add(key);
    for (const key of sets.get('places') ?? []) places.add(key);
  }
  return {
    principals: [...principals].sort(),
    targets: [...targets],
    places: [...places],
  };
};
