import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import { type DecodedPush, decodePayload } from '../contract/decode';
import { parseJson } from '../contract/json';
import { type Difference, isEmpty } from '../difference/difference';
import type { BindingWitness } from '../graph/binding-witness';
import type { Counts } from '../graph/records';
import type { HeldDataSource } from '../graph/store';
import type { Template } from '../model/nodes';
import type { ProblemList } from '../problem';
import { awaitedBy, warningsOf } from '../rows/warnings';
import { changeByIncrement } from './increment-change';
import { needsConfirmation, type Removal } from './mass-delete-fuse';
import type { ChangeContext, PushChange, Said } from './push-change';
import { type Refused, unshaped } from './push-refusal';
import type { PushDependencies, PushMetadata } from './push-request';
import type { Stopwatch } from './stopwatch';
import { changeByWhole } from './whole-change';

/** What an accepted push does, and what it says (api.md 2). */
export interface PushEffect {
  readonly outcome: 'accepted' | 'unchanged';
  readonly put: Counts;
  readonly removed: Counts;
  readonly digest: string;
  readonly warnings: readonly string[];
}

/** A push that stands in a transaction which is still open. */
export interface AppliedPush {
  readonly change: PushChange;
  readonly effect: PushEffect;
  /** How often the graph had been changed when its warnings were found; `null` where the payload is not to be remembered. */
  readonly turns: number | null;
}

/** What happens on the way to it. */
export interface ApplyHooks {
  /** Told of a removal that has to be confirmed, before anything is written; what it throws stops the push. */
  readonly unconfirmed: (removal: Removal) => void;
  /** Told of what follows from the push at shared nodes and other rows; nobody, if there is none. */
  readonly witness?: BindingWitness;
}

/** Stage 1: is it JSON, and shaped right? */
export const decodePush = (
  { source, json }: Pick<PushMetadata, 'source' | 'json'>,
  resourceDepth: number,
  watch: Stopwatch,
): E.Either<Refused, DecodedPush<Template>> =>
  watch.time('decode', () =>
    pipe(
      parseJson(json),
      E.flatMap((parsed): E.Either<ProblemList, DecodedPush<Template>> =>
        decodePayload(source.provider.custom_template, parsed, resourceDepth),
      ),
      E.mapLeft(unshaped),
    ),
  );

/**
 * Stage 2 and the write, under the data source's lock: what they depend on cannot change meanwhile (graph.md 6 and 7). Whether it
 * is recorded and committed is for others to decide; rejects with `Refused`.
 */
export const applyPush = async (
  decoded: DecodedPush<Template>,
  { fuse, resourceDepth }: Pick<PushDependencies, 'fuse' | 'resourceDepth'>,
  held: HeldDataSource,
  watch: Stopwatch,
  confirmedRemoval: string | null,
  { unconfirmed, witness }: ApplyHooks,
): Promise<AppliedPush> => {
  const change = await changeByPush(decoded, { held, resourceDepth, watch });
  const { at, difference, shared, said, after, standing } = change;
  const removal = { standing, removed: difference.removed.length, digest: after.digest };
  const isWhole = decoded._tag === 'Whole';
  // An increment names each thing that it removes.
  if (isWhole && needsConfirmation(fuse, removal, held.state, confirmedRemoval)) {
    unconfirmed(removal);
  }
  if (!isEmpty(difference)) {
    await watch.timeAsync('write', () => held.write(difference, shared, at, witness));
  }
  const turns = isWhole ? await held.turns() : null;
  const warnings = await watch.timeAsync('warn', () => warn(held, decoded.payload, said));
  const outcome = isEmpty(difference) ? 'unchanged' : 'accepted';
  return {
    change,
    effect: { outcome, ...countsOf(difference), digest: after.digest, warnings },
    turns,
  };
};

const changeByPush = (
  decoded: DecodedPush<Template>,
  context: ChangeContext,
): Promise<PushChange> =>
  decoded._tag === 'Whole' ? changeByWhole(decoded, context) : changeByIncrement(decoded, context);

/** What a difference puts and removes. */
export const countsOf = (difference: Difference): Pick<PushEffect, 'put' | 'removed'> => ({
  put: {
    nodes: difference.created.length + difference.changed.length,
    relationships: difference.linked.length + difference.relabelled.length,
  },
  removed: { nodes: difference.removed.length, relationships: difference.unlinked.length },
});

/** What the push names and nobody brought, judged after it (graph.md 8). */
const warn = async (
  held: HeldDataSource,
  payload: unknown,
  said: Said,
): Promise<readonly string[]> => {
  const { identities, cloudRoles } = awaitedBy(said);
  const unmatched = new Set([
    ...(await held.unmatchedIdentities(identities)),
    ...(await held.unmatchedCloudRoles(cloudRoles)),
  ]);
  return warningsOf(payload, said, unmatched);
};
