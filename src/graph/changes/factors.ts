import neo4j from 'neo4j-driver';

import type { AccessFactor, AccessFactors } from '../../contract/answers/pushes';
import { grouped } from '../../difference/grouped';
import { type Instant, justBefore } from '../../model/instant';
import { affectedBy, REACH } from '../../translate/questions/change-walks';
import {
  COUNT_GAINED,
  COUNT_LOST,
  GAINED_FACTORS,
  LOST_FACTORS,
  namesOf,
  PAST_NAMES,
} from '../../translate/questions/factor-statements';
import { Pipeline } from '../connection/pipeline';
import type { Runner } from '../connection/transaction';
import { toDateTime } from '../connection/values';
import { kindOfKey, walk, WalkTooLong } from '../instant/walk';
import { isPrincipal } from './affected';

/** How many factors the service tells, and how many relationships it follows to find what one reaches. */
const MOST_FACTORS = 10;
const MOST_REACHED = 100_000;

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

/** How many principals lead to a node, and how many resources lie behind it. */
const reachOf = async (
  tx: Runner,
  { change, type, hub }: Found,
  at: Instant,
): Promise<Pick<AccessFactor, 'principals' | 'resources'>> => {
  const { start, end } = affectedBy(type);
  const asked = Object.fromEntries([...start, ...end].map((name) => [name, [hub]]));
  try {
    const then = change === 'gained' ? at : justBefore(at);
    const { sets } = await walk(tx, then, asked, REACH, MOST_REACHED);
    const who = [...(sets.get('who') ?? [])].filter(isPrincipal);
    const principals = new Set([...who, ...(sets.get('connected') ?? [])]);
    return { principals: principals.size, resources: sets.get('targets')?.size ?? 0 };
  } catch (error) {
    if (error instanceof WalkTooLong) return { principals: null, resources: null };
    throw error;
  }
};

const namesByKey = async (
  tx: Runner,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const pipeline = new Pipeline(tx);
  type Named = { key: string; name: string };
  const past = pipeline.ask<Named>(PAST_NAMES, 'keys', [...keys]);
  const standing = [...grouped(keys, kindOfKey)].map(async ([kind, some]) =>
    kind === null ? [] : pipeline.ask<Named>(namesOf(kind.label), 'keys', some),
  );
  const all = [await past, ...(await Promise.all(standing))].flat();
  return new Map(all.map((record) => [record.get('key'), record.get('name')]));
};

/**
 * Tells what a push at an instant did to access, where its pairs are too many to be compared: how
 * many relationships came and went, and the groups, roles and holders to which most of them belong
 * (docs/rules.md: Changes of access).
 */
export const factorsOf = async (tx: Runner, at: Instant): Promise<AccessFactors> => {
  const moment = toDateTime(at);
  const found = [
    ...(await foundBy(tx, 'gained', GAINED_FACTORS, moment)),
    ...(await foundBy(tx, 'lost', LOST_FACTORS, moment)),
  ]
    .sort((a, b) => b.facts - a.facts)
    .slice(0, MOST_FACTORS);
  const names = await namesByKey(tx, [...new Set(found.map(({ hub }) => hub))]);
  const values: AccessFactor[] = [];
  for (const factor of found) {
    const { change, type, hub, facts } = factor;
    values.push({
      ...{ change, type, relationships: facts },
      of: { id: hub, label: kindOfKey(hub)?.label ?? '', name: names.get(hub) ?? '' },
      ...(await reachOf(tx, factor, at)),
    });
  }
  return {
    gained: await total(tx, COUNT_GAINED, moment),
    lost: await total(tx, COUNT_LOST, moment),
    values,
  };
};
