import { randomUUID } from 'node:crypto';

import type { HeldPermission, HeldThrough, Summary } from '../../contract/answers/questions/access';
import { grouped } from '../../difference/grouped';
import type { Instant } from '../../model/instant';
import { STAGED_ACCESS, SUMMARIES } from '../statements/change-statements';
import { CHANGING } from '../statements/change-walks';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { stage } from '../instant/stage';
import { withoutStagePrefix } from '../instant/without-stage-prefix';
import { type Fact, walk, type Walked } from '../instant/walk';
import type { ChangeBounds } from './affected';
import type { ChangedAccess } from './find-changes';
import type { Period } from './period';

/** Permissions by pair of principal and resource, each permission by its text. */
type Held = ReadonlyMap<string, ReadonlyMap<string, HeldThrough>>;

/** What principals could reach at an instant, and the staged nodes of that instant. */
interface State {
  readonly held: Held;
  readonly prefix: string;
  /** Neo4j's ids by key. */
  readonly staged: ReadonlyMap<string, string>;
}

/**
 * The facts that lead from principals to a grant or assignment on the places, and to what it gives.
 */
const pruned = ({ nodes, facts, sets }: Walked): Walked => {
  const none: ReadonlySet<string> = new Set();
  const [holding, permitted] = [sets.get('holding') ?? none, sets.get('permitted') ?? none];
  const leadingTo = grouped(facts, ({ end }) => end);
  const leading = new Set(holding);
  for (const key of leading) for (const { start } of leadingTo.get(key) ?? []) leading.add(start);
  const kept = facts.filter(({ type, start, end }: Fact): boolean => {
    if (type === 'ON' || type === 'CONTAINS' || leading.has(end)) return true;
    return type === 'OF' ? holding.has(start) : permitted.has(start);
  });
  const named = new Set(kept.flatMap(({ start, end }) => [start, end]));
  const those = [...nodes].filter(([key]) => named.has(key));
  return { nodes: new Map(those), facts: kept, sets };
};

interface Read {
  readonly pairs: readonly (readonly [principal: string, resource: string])[];
  readonly permissions: readonly (HeldPermission & {
    readonly rows: readonly { toNumber(): number }[];
  })[];
}

const heldIn = ({ pairs, permissions }: Read): Held => {
  const held = new Map<string, Map<string, HeldPermission>>();
  const names = pairs.map((pair) => JSON.stringify(pair));
  for (const { name, permission_type, rows } of permissions) {
    const permission = { name, permission_type };
    const text = JSON.stringify([name, permission_type]);
    for (const row of rows) {
      const pair = names[row.toNumber()] ?? '';
      const all = held.get(pair) ?? new Map<string, HeldPermission>();
      held.set(pair, all.set(text, permission));
    }
  }
  return held;
};

/** What principals could reach among the places at an instant. */
const stateAt = async (
  tx: Runner,
  at: Instant,
  principals: readonly string[],
  places: readonly string[],
  { facts }: Pick<ChangeBounds, 'facts'>,
): Promise<State> => {
  const prefix = `at ${randomUUID()} `;
  const asked = { principal: principals, places };
  const walked = pruned(await walk(tx, at, asked, CHANGING, facts));
  const holders = principals.filter((key) => walked.nodes.has(key));
  if (holders.length === 0) return { held: new Map(), prefix, staged: new Map() };
  const staged = await stage(tx, at, walked, prefix);
  const { records } = await tx.run<{ [F in keyof Read]: Read[F] }>(STAGED_ACCESS, {
    principals: holders.map((key) => prefix + key),
  });
  const [record] = records;
  if (record === undefined) return { held: new Map(), prefix, staged };
  const { pairs, permissions } = record.toObject();
  const held = heldIn({ pairs: withoutStagePrefix(pairs, prefix) as Read['pairs'], permissions });
  return { held, prefix, staged };
};

const summariesOf = async (
  tx: Runner,
  keys: readonly string[],
  { prefix, staged }: State,
): Promise<ReadonlyMap<string, Summary>> => {
  const ids = keys.flatMap((key) => staged.get(key) ?? []);
  const records = await new Pipeline(tx).ask<{ about: Summary }>(SUMMARIES, 'ids', ids);
  const all = records.map((record) => withoutStagePrefix(record.get('about'), prefix) as Summary);
  return new Map(all.map((about) => [about.id, about]));
};

const without = (
  all: ReadonlyMap<string, HeldThrough> | undefined,
  others: ReadonlyMap<string, HeldThrough> | undefined,
): readonly HeldThrough[] =>
  [...(all ?? [])].flatMap(([text, permission]) =>
    others?.has(text) === true ? [] : [permission],
  );

/**
 * Compares what principals could reach among places at two instants. It stages the graph of each
 * instant, so the caller rolls the transaction back. Each node is returned in its state at the
 * later of the instants at which it took part.
 */
export const compare = async (
  tx: Runner,
  { from, to }: Period,
  principals: readonly string[],
  places: readonly string[],
  bounds: Pick<ChangeBounds, 'facts'>,
): Promise<readonly ChangedAccess[]> =>
  changedBetween(
    tx,
    await stateAt(tx, from, principals, places, bounds),
    await stateAt(tx, to, principals, places, bounds),
  );

const changedBetween = async (
  tx: Runner,
  before: State,
  after: State,
): Promise<readonly ChangedAccess[]> => {
  const changed = [...new Set([...before.held.keys(), ...after.held.keys()])].flatMap((pair) => {
    const [earlier, later] = [before.held.get(pair), after.held.get(pair)];
    const [gained, lost] = [without(later, earlier), without(earlier, later)];
    const [principal, resource] = JSON.parse(pair) as [string, string];
    return gained.length + lost.length === 0 ? [] : [{ principal, resource, gained, lost }];
  });
  const keys = [...new Set(changed.flatMap(({ principal, resource }) => [principal, resource]))];
  const [then, now] = [await summariesOf(tx, keys, before), await summariesOf(tx, keys, after)];
  return changed.flatMap(({ principal, resource, gained, lost }): ChangedAccess[] => {
    const who = now.get(principal) ?? then.get(principal);
    const what = now.get(resource) ?? then.get(resource);
    return who === undefined || what === undefined
      ? []
      : [{ principal: who, resource: what, gained, lost }];
  });
};
