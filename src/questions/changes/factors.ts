import neo4j from 'neo4j-driver';

import type { AccessFactor, AccessFactors } from '../../contract/answers/pushes';
import { type Instant, justBefore } from '../../model/instant';
import { affectedBy, REACH } from '../statements/change-walks';
import {
  COUNT_GAINED,
  COUNT_LOST,
  GAINED_FACTORS,
  LOST_FACTORS,
  NAMES,
  PAST_NAMES,
} from '../statements/factor-statements';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { kindOfKey, walk } from '../instant/walk';
import { unlessTooMuch, type Within } from './access-changes';
import { isPrincipal } from './affected';

/**
 * How many factors the service reports, and how many relationships it follows to find what one
 * reaches.
 */
export const MOST_FACTORS = 10;
const MOST_REACHED = 20_000;
/** If one factor was not found in this time, the service looks for no other. */
const SLOW_MS = 1_000;

type Change = AccessFactor['change'];

/** A factor before the service knows whom it reaches. */
interface Found {
  readonly change: Change;
  readonly type: string;
  readonly hub: string;
  readonly facts: number;
}

const foundBy = async (
  tx: Runner,
  change: Change,
  statement: string,
  at: unknown,
): Promise<readonly Found[]> => {
  const { records } = await tx.run<{ type: string; hub: string; facts: unknown }>(statement, {
    at,
    most: neo4j.int(MOST_FACTORS),
  });
  return records.map((record) => {
    const { type, hub, facts } = record.toObject();
    return { change, type, hub, facts: Number(facts) };
  });
};

const total = async (tx: Runner, statement: string, at: unknown): Promise<number> => {
  const { records } = await tx.run<{ facts: unknown }>(statement, { at });
  return records.reduce((sum, record) => sum + Number(record.get('facts')), 0);
};

type Reach = Pick<AccessFactor, 'principals' | 'resources'>;

/** What a factor has of which nobody knows whom it reaches. */
const UNKNOWN_REACH: Reach = { principals: null, resources: null };

/** How many principals lead to a node, and how many resources lie behind it. */
const reachOf = async (tx: Runner, { change, type, hub }: Found, at: Instant): Promise<Reach> => {
  const { start, end } = affectedBy(type);
  const asked = Object.fromEntries([...start, ...end].map((name) => [name, [hub]]));
  const then = change === 'gained' ? at : justBefore(at);
  const { sets } = await walk(tx, then, asked, REACH, MOST_REACHED);
  const who = [...(sets.get('who') ?? [])].filter(isPrincipal);
  const principals = new Set([...who, ...(sets.get('connected') ?? [])]);
  return { principals: principals.size, resources: sets.get('targets')?.size ?? 0 };
};

const namesByKey = async (
  tx: Runner,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const pipeline = new Pipeline(tx);
  type Named = { key: string; name: string };
  const past = pipeline.ask<Named>(PAST_NAMES, 'keys', [...keys]);
  const standing = pipeline.ask<Named>(NAMES, 'keys', [...keys]);
  const all = (await Promise.all([past, standing])).flat();
  return new Map(all.map((record) => [record.get('key'), record.get('name')]));
};

/**
 * The groups, roles and holders that gained or lost most, with their names, and the counts of
 * everything that was created and ended.
 */
const foundAt = async (
  tx: Runner,
  at: Instant,
): Promise<
  Omit<AccessFactors, 'values'> & { readonly found: readonly (Found & { name: string })[] }
> => {
  const moment = toDateTime(at);
  const found = [
    ...(await foundBy(tx, 'gained', GAINED_FACTORS, moment)),
    ...(await foundBy(tx, 'lost', LOST_FACTORS, moment)),
  ]
    .sort((a, b) => b.facts - a.facts)
    .slice(0, MOST_FACTORS);
  const names = await namesByKey(tx, [...new Set(found.map(({ hub }) => hub))]);
  return {
    gained: await total(tx, COUNT_GAINED, moment),
    lost: await total(tx, COUNT_LOST, moment),
    found: found.map((one) => ({ ...one, name: names.get(one.hub) ?? '' })),
  };
};

/**
 * Reports what a push at an instant did to access, if it changed too many pairs to compare: how
 * many relationships were created and ended, and the groups, roles and holders to which most of
 * them belong (docs/rules.md: Changes of access). It does not say whom they reach if Neo4j needs
 * too long to find that.
 */
export const factorsOf = async (run: Within, at: Instant): Promise<AccessFactors> => {
  const { found, ...totals } = await run((tx) => foundAt(tx, at));
  const values: AccessFactor[] = [];
  let isSlow = false;
  for (const factor of found) {
    const { change, type, hub, facts, name } = factor;
    const of = { id: hub, label: kindOfKey(hub)?.label ?? '', name };
    const begun = performance.now();
    const reached: Reach | null = isSlow
      ? null
      : await unlessTooMuch(run((tx) => reachOf(tx, factor, at)));
    isSlow ||= reached === null && performance.now() - begun > SLOW_MS;
    values.push({ change, type, relationships: facts, of, ...(reached ?? UNKNOWN_REACH) });
  }
  return { ...totals, values };
};
