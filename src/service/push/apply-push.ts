import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import { type DecodedPush, decodePayload } from '../../contract/decode';
import { parseJson } from '../../contract/json';
import type { Counts } from '../../contract/answers/pushes';
import { type Difference, isEmpty } from '../../difference/difference';
import type { DerivationWitness } from '../../graph/write/derivation-witness';
import { type PushWarnings, pushWarnings } from '../../graph/records/push-warnings';
import type { HeldDataSource } from '../../graph/push/held-data-source';
import { HalfWritten, PushUnfinished } from '../../graph/push/store';
import type { Template } from '../../templates/templates';
import type { ProblemList } from '../../problem';
import type { WarningSources } from '../../rows/row/rows';
import { type PossibleWarnings, possibleWarningsOf, warningsOf } from '../../rows/warnings';
import { changeByIncrement } from '../change/increment-change';
import { needsConfirmation, type Removal } from '../change/removal-guard';
import { meanwhile } from '../change/meanwhile';
import type { ChangeContext, PushChange } from '../change/push-change';
import { type Refused, tooMuchHere, unshaped } from '../change/push-refusal';
import type { PayloadPush } from '../receive/push-intent';
import type { PushDependencies } from '../change/push-dependencies';
import type { Stopwatch } from '../change/stopwatch';
import { changeByFullPush } from '../change/full-change';

/** What an accepted push does, and what it says (docs/rules.md: Requests). */
export interface PushEffect {
  readonly outcome: 'accepted' | 'unchanged';
  readonly put: Counts;
  readonly removed: Counts;
  readonly digest: string;
  readonly warnings: PushWarnings;
}

/** A push that stands in a transaction which is still open. */
export interface AppliedPush {
  readonly change: PushChange;
  readonly effect: PushEffect;
  /** How often the graph had been changed when its warnings were found; `null` where the payload is not remembered. */
  readonly turns: number | null;
}

/** A payload's text, and of which template it is. */
interface PushedText extends Pick<PayloadPush, 'json'> {
  readonly source: {
    readonly provider: Pick<PayloadPush['source']['provider'], 'custom_template'>;
  };
}

/** Stage 1: is it JSON, and shaped right? */
export const decodePush = (
  { source, json }: PushedText,
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
 * Stage 2, under the data source's lock: what it depends on cannot change meanwhile (docs/rules.md: Removal guard, Increments). A removal that has to be confirmed is told
 * before anything is written. Rejects with `Refused`.
 */
export const changeByPush = async (
  decoded: DecodedPush<Template>,
  {
    removalGuard,
    resourceDepth,
    names,
    elements,
    heap,
  }: Pick<PushDependencies, 'removalGuard' | 'resourceDepth' | 'names' | 'elements' | 'heap'>,
  held: HeldDataSource,
  watch: Stopwatch,
  confirmedRemoval: string | null,
  unconfirmed: (removal: Removal) => void,
): Promise<PushChange> => {
  const context: ChangeContext = { held, resourceDepth, names, elements, heap, watch };
  if (decoded._tag === 'Increment') {
    // What stands is neither what it was nor what it will be: nobody meant to change that.
    if (held.state.pending !== null) throw new PushUnfinished();
    if (held.state.halfWrittenBy !== null) throw new HalfWritten();
    return changeByIncrement(decoded, context);
  }
  // A full push reads all that stands, however little it brings.
  if (held.state.rows > elements.here) throw tooMuchHere();
  const change = await changeByFullPush(decoded, context);
  const { difference, after, standing } = change;
  const removal: Removal = {
    standing,
    removed: difference.removed.length,
    // Made only where it is asked for: it takes the hashes of all rows.
    get digest() {
      return after.digest;
    },
  };
  // An increment names each thing that it removes.
  if (needsConfirmation(removalGuard, removal, held.state, confirmedRemoval)) unconfirmed(removal);
  return change;
};

/** Writes a change, and judges what the push names. Whether it is recorded and committed is for others to decide. */
export const writeChange = async (
  decoded: DecodedPush<Template>,
  change: PushChange,
  held: HeldDataSource,
  watch: Stopwatch,
  witness?: DerivationWitness,
): Promise<AppliedPush> => {
  const { at, difference, shared, said } = change;
  if (isEmpty(difference)) return effectOf(decoded, change, held, watch, 'unchanged');
  let concerns: Promise<PossibleWarnings> | undefined;
  const meanwhile = async (): Promise<void> => {
    concerns ??= possibleWarningsMeanwhile(decoded, said);
    await concerns;
  };
  await watch.timeAsync('write', () => held.write(difference, shared, at, { witness, meanwhile }));
  return effectOf(decoded, change, held, watch, 'accepted', await concerns);
};

/** What the warnings depend on, found while Neo4j is at work. */
export const possibleWarningsMeanwhile = async (
  decoded: DecodedPush<Template>,
  said: WarningSources,
): Promise<PossibleWarnings> => {
  await meanwhile();
  return possibleWarningsOf(decoded, said);
};

/** What a push comes to that has been written. */
export const effectOf = async (
  decoded: DecodedPush<Template>,
  change: PushChange,
  held: HeldDataSource,
  watch: Stopwatch,
  outcome: PushEffect['outcome'],
  foundConcerns?: PossibleWarnings,
): Promise<AppliedPush> => {
  const { difference, said, after } = change;
  const turns = decoded._tag === 'Full' ? await held.turns() : null;
  const concerns = foundConcerns ?? watch.time('warn', () => possibleWarningsOf(decoded, said));
  const warnings = await watch.timeAsync('warn', () => warningsAfter(held, concerns));
  return {
    change,
    effect: { outcome, ...countsOf(difference), digest: after.digest, warnings },
    turns,
  };
};

/** What a difference puts and removes. */
export const countsOf = (difference: Difference): Pick<PushEffect, 'put' | 'removed'> => ({
  put: {
    nodes: difference.created.length + difference.changed.length,
    relationships: difference.linked.length + difference.relabelled.length,
  },
  removed: { nodes: difference.removed.length, relationships: difference.unlinked.length },
});

/** What the push names and nobody brought, judged after it (docs/rules.md: Problems). */
const warningsAfter = async (
  held: HeldDataSource,
  concerns: PossibleWarnings,
): Promise<PushWarnings> => {
  const { identities, cloudRoles } = concerns.awaited;
  const unmatched = new Set([
    ...(await held.unmatchedIdentities(identities)),
    ...(await held.unmatchedCloudRoles(cloudRoles)),
  ]);
  return pushWarnings(warningsOf(concerns, unmatched));
};
