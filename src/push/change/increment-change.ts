import type { DecodedPush } from '../../contract/decode';
import { mergeProblems } from '../../codec/payload-order';
import { Afterwards } from '../../difference/afterwards';
import { incrementDifference } from '../../difference/increment';
import { type Increment, incrementOf } from '../../increment/increment';
import { foreseenNeeds } from '../../increment/foreseen';
import { NOTHING_KNOWN } from '../../increment/working/current-rows';
import type { HeldDataSource } from '../graph/held-data-source';
import type { Template } from '../../templates/templates';
import { oneProblem, type ProblemList } from '../../problem';
import { mergeTypes, sameTypes } from '../../rows/row/payload-types';
import { RULES_VERSION } from '../../rows/row/row-hash';
import { namesAfter } from './names-after';
import type { ChangeContext, PushChange, Remembered } from './push-change';
import { pushInstant } from '../../graph/records/push-instant';
import { ALWAYS, ExpandsTooFar } from '../../rows/row/expansion';
import { ruleBroken, tooMuchHere } from './push-refusal';
import { rememberedBy } from './remembered';

type Incremental = Extract<DecodedPush<Template>, { _tag: 'Increment' }>;

const FIRST_PUSH = oneProblem(
  '/incremental_change',
  'INCREMENTAL_FIRST_PUSH',
  'the data source has had no full push yet: push everything once without incremental_change',
);

const multipliesTooFar = ({ pointer }: ExpandsTooFar, most: number): ProblemList =>
  oneProblem(
    pointer,
    'EXPANDS_TOO_FAR',
    `leads beyond the ${most} relationships to further nodes of typed permissions that an increment may come to`,
  );

// In each round the service follows references by one more step.
const MOST_ROUNDS = 1_000;

/**
 * Finds what an increment changes: loads the rows that it touches, applies it, and compares
 * (docs/rules.md: Increments).
 */
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
    warningSources: increment,
    remembered: { ...rememberedAfter(held, increment), propertyNames: named.propertyNames },
    after: new Afterwards({ digest, rows }, difference),
    // The rows that the increment does not touch still have the hashes of earlier rules.
    rulesVersion: rulesVersion ?? RULES_VERSION,
    rowsBefore: rows,
  };
};

/**
 * Adds the definitions and types of the increment to those of the full push and the increments
 * before it.
 */
const rememberedAfter = (
  held: HeldDataSource,
  increment: Increment,
): Omit<Remembered, 'propertyNames'> => {
  const [remembered, { types: existingTypes, remembersMore }] = [rememberedBy(held), held.state];
  const definitions = remembered.merge(increment.definitions);
  const types = mergeTypes(existingTypes, increment.types);
  const isMore =
    remembersMore ||
    definitions.toJSON().length > remembered.toJSON().length ||
    !sameTypes(types, existingTypes);
  return { definitions, types, isMore };
};

/**
 * Applies the increment to the rows that are loaded, and loads the rows that it still needs, until
 * it needs no more.
 */
const learned = async (
  decoded: Incremental,
  { held, resourceDepth, elements }: ChangeContext,
): Promise<Increment> => {
  const { template } = held.state.provider;
  const { payload } = decoded;
  const most = Math.min(ALWAYS, elements.most);
  const remembered = rememberedBy(held);
  const foreseen = foreseenNeeds(template, payload, remembered, resourceDepth);
  let known = await held.learn(NOTHING_KNOWN, foreseen);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let increment: Increment;
    try {
      const mostHere = Math.min(most, elements.here);
      increment = incrementOf(template, payload, remembered, known, resourceDepth, mostHere);
    } catch (error) {
      if (!(error instanceof ExpandsTooFar)) throw error;
      if (elements.here < most) throw tooMuchHere();
      throw ruleBroken(decoded, multipliesTooFar(error, most));
    }
    const { needs, hintNeeds, problems } = increment;
    // Loads the rows for hints once, and only if the service refuses the increment.
    const wanted = needs.length > 0 || problems.total === 0 ? needs : hintNeeds;
    if (wanted.length === 0) return increment;
    known = await held.learn(known, wanted);
  }
  throw new Error('the increment never learns all that it needs');
};
