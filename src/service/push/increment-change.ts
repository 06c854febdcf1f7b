import type { Definitions } from '../../check/definitions';
import type { DecodedPush } from '../../contract/decode';
import { mergeProblems } from '../../contract/payload-order';
import { Afterwards } from '../../difference/afterwards';
import { incrementDifference } from '../../difference/increment';
import { type Increment, increments } from '../../increment/increment';
import { foreseenNeeds } from '../../increment/foreseen';
import { type Known, type Need, NOTHING_KNOWN } from '../../increment/standing';
import type { HeldDataSource } from '../../graph/push/held-data-source';
import type { Template } from '../../model/nodes';
import { oneProblem } from '../../problem';
import { mergeTypes, sameTypes } from '../../rows/payload-types';
import { RULES_VERSION } from '../../rows/row-hash';
import { namesAfter } from './names-after';
import type { ChangeContext, PushChange, Remembered } from './push-change';
import { pushInstant } from './push-instant';
import { ruleBroken } from './push-refusal';
import { rememberedBy } from './remembered';

type Incremental = Extract<DecodedPush<Template>, { _tag: 'Increment' }>;

const FIRST_PUSH = oneProblem(
  '/incremental_change',
  'INCREMENTAL_FIRST_PUSH',
  'the data source has had no whole push yet: push everything once without incremental_change',
);

// Each round follows references by one more step.
const MOST_ROUNDS = 1_000;

/** What an increment changes: loads what it touches, applies it, compares (graph.md 7). */
export const changeByIncrement = async (
  decoded: Incremental,
  context: ChangeContext,
): Promise<PushChange> => {
  const { held, watch } = context;
  const { digest, rows, rulesVersion, lastPushAt } = held.state;
  if (digest === null) throw ruleBroken(decoded, FIRST_PUSH);
  const at = pushInstant(lastPushAt);
  const increment = await watch.timeAsync('check', () => learned(decoded, context));
  const named = await watch.timeAsync('check', () => namesAfter(decoded, context));
  const broken = mergeProblems(decoded.payload, [increment.problems, named.problems]);
  if (broken.total > 0) throw ruleBroken(decoded, broken);
  const difference = watch.time('difference', () => incrementDifference(increment.rows));
  return {
    at,
    difference,
    shared: increment.shared,
    said: increment,
    remembered: { ...rememberedAfter(held, increment), propertyNames: named.propertyNames },
    after: new Afterwards({ digest, rows }, difference),
    // Rows that it does not touch keep the hashes that other rules made.
    rulesVersion: rulesVersion ?? RULES_VERSION,
    standing: rows,
  };
};

/** What it declares and which types it brings are added to what whole push and increments before it have left. */
const rememberedAfter = (
  held: HeldDataSource,
  increment: Increment,
): Omit<Remembered, 'propertyNames'> => {
  const [standing, { types: standingTypes, remembersMore }] = [rememberedBy(held), held.state];
  const definitions = standing.merge(increment.definitions);
  const types = mergeTypes(standingTypes, increment.types);
  const isMore =
    remembersMore ||
    definitions.toJSON().length > standing.toJSON().length ||
    !sameTypes(types, standingTypes);
  return { definitions, types, isMore };
};

/** Applies the increment to what is known, and finds out what it needs besides, until it needs nothing. */
const learned = async (
  { payload }: Incremental,
  { held, resourceDepth }: ChangeContext,
): Promise<Increment> => {
  const apply = increments[held.state.provider.template] as (
    payload: unknown,
    remembered: Definitions,
    known: Known,
    levels: number,
  ) => Increment;
  const remembered = rememberedBy(held);
  const foreseen = foreseenNeeds[held.state.provider.template] as (
    payload: unknown,
    remembered: Definitions,
    levels: number,
  ) => readonly Need[];
  let known = await held.learn(NOTHING_KNOWN, foreseen(payload, remembered, resourceDepth));
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const increment = apply(payload, remembered, known, resourceDepth);
    if (increment.needs.length === 0) return increment;
    known = await held.learn(known, increment.needs);
  }
  throw new Error('the increment never learns all that it needs');
};
