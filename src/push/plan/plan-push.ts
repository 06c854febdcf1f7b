import { randomUUID } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { DecodedPush } from '../../contract/decode';
import type { AskedConfirmation, PlannedChanges } from '../../contract/answers/plan';
import { NO_CHANGES } from '../../contract/answers/questions/access-changes';
import { chosenNamesIn, withoutNames } from '../../difference/chosen-names';
import type { Difference } from '../../difference/difference';
import type { HeldDataSource } from '../graph/held-data-source';
import type { Template } from '../../templates/templates';
import {
  type LendAccess,
  type LentAccess,
  type PlannedAccess,
  plannedAccess,
} from '../../questions/changes/contract';
import type { Failure } from '../../problem';
import { changeByPush, decodePush, type PushEffect, writeChange } from '../run/apply-push';
import { DerivedChanges } from '../../graph/write/derived-changes';
import { limitExpansion } from '../change/expansion-limit';
import { confirmationAsked, type Removal } from '../change/removal-guard';
import { plannedChanges } from './planned-changes';
import { needsChunks } from '../run/chunked-push';
import { heldFailure, placedRefusal, TooLargeToPlan } from '../change/push-refusal';
import type { PayloadPush } from '../receive/push-intent';
import type { PlanSight } from '../receive/sent-push';
import type { PushDependencies } from '../change/push-dependencies';
import { Stopwatch, TimedTries } from '../change/stopwatch';

/** A push that the service runs dry. */
export type PlanRequest = PayloadPush & PlanSight;

/** What the service needs for a dry run. */
export interface PlanDependencies extends PushDependencies {
  /** How many changes each list holds at most. */
  readonly listedChanges: number;
  /** How long the plan may compare who would gain and lose what. */
  readonly compareSeconds: number;
  readonly lendAccess: LendAccess;
}

/** What the push would answer, and what it would change. */
export interface PushPlan {
  readonly effect: PushEffect;
  readonly confirmation: AskedConfirmation | null;
  readonly changes: PlannedChanges;
  readonly seconds: Readonly<Record<string, number>>;
}

/**
 * Runs a push dry (docs/rules.md: Plans). The service runs the complete push in a transaction under
 * the lock of the data source, and rolls it back. So the derived changes at shared nodes and other
 * rows are exact, and so are the warnings. The service writes and records nothing, and Neo4j gets
 * no new property name.
 */
export const planPush =
  (dependencies: PlanDependencies) =>
  (request: PlanRequest): TE.TaskEither<Failure, PushPlan> => {
    const watch = new Stopwatch(request.seconds);
    return pipe(
      TE.fromEither(decodePush(request, dependencies.resourceDepth, watch)),
      TE.flatMap((decoded) =>
        TE.tryCatch(
          async () => {
            const { custom_template: template } = request.source.provider;
            limitExpansion(decoded, template, request.json.length, dependencies.elements);
            return rehearse(dependencies, request, decoded, watch);
          },
          (error): unknown => error,
        ),
      ),
      TE.mapLeft((error) => heldFailure(placedRefusal(error, request.places))),
    );
  };

/** Neo4j stores a new property name even after a rollback, so a dry run leaves new names out. */
const withoutNewNames = async (
  difference: Difference,
  held: HeldDataSource,
): Promise<Difference> => {
  const written = chosenNamesIn(difference);
  if (written.size === 0) return difference;
  const { known } = await held.propertyNames();
  return withoutNames(difference, new Set([...written].filter((name) => !known.has(name))));
};

/** Nobody gains or loses anything by a push that changes nothing. */
const NOBODY: PlannedAccess = { total: 0, truncated: false, counts: NO_CHANGES, values: [] };

const rehearse = async (
  dependencies: PlanDependencies,
  { source, confirmedRemoval, seesOthers, listed = Infinity }: PlanRequest,
  decoded: DecodedPush<Template>,
  watch: Stopwatch,
): Promise<PushPlan> => {
  const { store, lendAccess, compareSeconds } = dependencies;
  const dataSource = source.dataSource.id;
  const tries = new TimedTries(watch);
  const most = Math.min(dependencies.listedChanges, listed);
  let lent: LentAccess | null = null;
  const release = (): void => {
    lent?.release();
    lent = null;
  };
  const begins = (): void => {
    // The try before this one may have failed at its end. A push that waits for locks must hold no copy.
    release();
    tries.begins();
  };
  const work = async (held: HeldDataSource) => {
    tries.holds();
    const bound = new DerivedChanges();
    let confirmation: AskedConfirmation | null = null;
    const asked = (removal: Removal): void => {
      confirmation = { ...removal, message: confirmationAsked(removal) };
    };
    const change = await changeByPush(decoded, dependencies, held, watch, confirmedRemoval, asked);
    if (needsChunks(change.difference, dependencies.chunks)) throw new TooLargeToPlan();
    const written = { ...change, difference: await withoutNewNames(change.difference, held) };
    const { effect } = await writeChange(decoded, written, held, watch, bound);
    const isCompared = seesOthers && effect.outcome === 'accepted';
    // Under the derivation lock nobody commits, so the copy is of the graph that the push changes.
    const after = isCompared
      ? await watch.timeAsync('access', async () => {
          lent = await lendAccess();
          return lent === null ? null : held.accessAfter(lent);
        })
      : null;
    return { change, effect, confirmation, bound, isCompared, after };
  };
  try {
    const plan = await store.dryRun(dataSource, randomUUID(), work, begins);
    const { change, effect, confirmation, bound, isCompared, after } = plan;
    const compared =
      after === null
        ? null
        : await watch.timeAsync('access', () =>
            plannedAccess(after, change.at, most, compareSeconds),
          );
    const access = seesOthers && !isCompared ? NOBODY : compared;
    const sight = { dataSource, seesOthers };
    const changes = watch.time('tell', () =>
      plannedChanges(change.difference, { bound, access }, most, sight),
    );
    return { effect, confirmation, changes, seconds: watch.seconds };
  } finally {
    release();
  }
};
