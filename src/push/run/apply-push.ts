import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import { type DecodedPush, decodePayload } from '../../contract/decode';
import { parsePayload } from '../../contract/json';
import type { Counts } from '../../contract/answers/pushes';
import { type Difference, isEmpty } from '../../difference/difference';
import type { DerivedChanges } from '../../graph/write/derived-changes';
import { type PushWarnings, pushWarnings } from '../../graph/records/push-warnings';
import type { HeldDataSource } from '../graph/held-data-source';
import { HalfWritten, PushUnfinished } from '../graph/store';
import type { Template } from '../../templates/templates';
import type { ProblemList } from '../../problem';
import type { WarningSources } from '../../rows/row/rows';
import { type Warning, subjectOf, titleOf } from '../../warning';
import { type PossibleWarnings, possibleWarningsOf, warningsOf } from '../../rows/warnings';
import { lookAlikes } from '../../rows/look-alikes';
import { untrustedClaims } from '../../rows/untrusted-claims';
import { changeByIncrement } from '../change/increment-change';
import { needsConfirmation, type Removal } from '../change/removal-guard';
import { meanwhile } from '../change/until-sent';
import type { ChangeContext, PushChange } from '../change/push-change';
import { returnedPeople } from './returned-people';
import { existingLookAlikes } from './existing-look-alikes';
import { type Refused, tooMuchHere, unreadCsv, unshaped } from '../change/push-refusal';
import type { PayloadPush } from '../receive/push-intent';
import type { PushDependencies } from '../change/push-dependencies';
import type { Stopwatch } from '../change/stopwatch';
import { changeByFullPush } from '../change/full-change';
import { Employee } from '../../templates/hris/employees';

/**
 * Warnings about employees whose id is that of a user of a directory, though no name is the same. They
 * are not joined (docs/rules.md: Derived relationships).
 */
const doubtfulAccounts = async (
  held: Pick<HeldDataSource, 'withoutAccounts'>,
  { created, changed }: Pick<Difference, 'created' | 'changed'>,
): Promise<readonly Warning[]> => {
  const rows = [...created, ...changed.map(({ after }) => after)]
    .map(({ row }) => row)
    .filter(({ kind, lookups }) => kind === Employee && typeof lookups.fold_only_id === 'string');
  const doubtful = await held.withoutAccounts(rows.map(({ key }) => key));
  return rows.flatMap(({ key, properties }): readonly Warning[] => {
    if (!doubtful.has(key)) return [];
    const { name } = properties;
    const subject = subjectOf('employee', typeof name === 'string' ? name : '');
    const message =
      `A directory has a user with the id ${JSON.stringify(properties.id)} and another name, so they ` +
      `are not joined: send idp_id or email (${titleOf(subject)})`;
    return [{ message, code: 'DOUBTFUL_ACCOUNT', pointer: '', subject }];
  });
};

/** The effect of an accepted push, and its warnings (docs/rules.md: Requests). */
export interface PushEffect {
  readonly outcome: 'accepted' | 'unchanged';
  readonly put: Counts;
  readonly removed: Counts;
  readonly digest: string;
  readonly warnings: PushWarnings;
}

/** A push that is written in a transaction. The transaction is still open. */
export interface AppliedPush {
  readonly change: PushChange;
  readonly effect: PushEffect;
  /**
   * The commit sequence number when the service found the warnings; `null` where the service does
   * not remember the payload.
   */
  readonly turns: number | null;
  /** The warnings that would be true again for the same payload; all of them if unset. */
  readonly lasting?: PushWarnings;
}

/** The text of a payload, with the template of its provider. */
interface PushedText extends Pick<PayloadPush, 'json' | 'faults'> {
  readonly source: {
    readonly provider: Pick<PayloadPush['source']['provider'], 'custom_template'>;
  };
}

/** Stage 1: parses the payload as JSON and checks its shape. */
export const decodePush = (
  { source, json, faults }: PushedText,
  resourceDepth: number,
  watch: Stopwatch,
): E.Either<Refused, DecodedPush<Template>> =>
  watch.time('decode', () => {
    if (faults !== undefined) return E.left(unreadCsv(faults));
    return pipe(
      parsePayload(json),
      E.flatMap((parsed): E.Either<ProblemList, DecodedPush<Template>> =>
        decodePayload(source.provider.custom_template, parsed, resourceDepth),
      ),
      E.mapLeft(unshaped),
    );
  });

/**
 * Stage 2: finds the change under the lock of the data source, so that its inputs cannot change in
 * between (docs/rules.md: Removal guard, Increments). Calls `unconfirmed` before anything is
 * written if the sender has to confirm the removal. Rejects with `Refused`.
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
    // An unfinished push has left the rows half changed, and the increment was not made for those.
    if (held.state.pending !== null) throw new PushUnfinished();
    if (held.state.halfWrittenBy !== null) throw new HalfWritten();
    return changeByIncrement(decoded, context);
  }
  // A full push reads all current rows, even if its payload is small.
  if (held.state.rows > elements.here) throw tooMuchHere();
  const change = await changeByFullPush(decoded, context);
  const { difference, after, rowsBefore } = change;
  const removal: Removal = {
    standing: rowsBefore,
    removed: difference.removed.length,
    // Computed only when needed, because it needs the hashes of all rows.
    get digest() {
      return after.digest;
    },
  };
  // Increments never come here: an increment names each entity that it removes.
  if (needsConfirmation(removalGuard, removal, held.state, confirmedRemoval)) unconfirmed(removal);
  return change;
};

/** Writes a change and finds its warnings. The caller records and commits it. */
export const writeChange = async (
  decoded: DecodedPush<Template>,
  change: PushChange,
  held: HeldDataSource,
  watch: Stopwatch,
  witness?: DerivedChanges,
): Promise<AppliedPush> => {
  const { at, difference, shared, warningSources } = change;
  if (isEmpty(difference)) return effectOf(decoded, change, held, watch, 'unchanged');
  let concerns: Promise<PossibleWarnings> | undefined;
  const meanwhile = async (): Promise<void> => {
    concerns ??= possibleWarningsMeanwhile(decoded, warningSources);
    await concerns;
  };
  await watch.timeAsync('write', () => held.write(difference, shared, at, { witness, meanwhile }));
  return effectOf(decoded, change, held, watch, 'accepted', await concerns);
};

/** Finds what the warnings depend on while Neo4j works. */
export const possibleWarningsMeanwhile = async (
  decoded: DecodedPush<Template>,
  sources: WarningSources,
): Promise<PossibleWarnings> => {
  await meanwhile();
  return possibleWarningsOf(decoded, sources);
};

/** The effect of a push that is written, with its warnings. */
export const effectOf = async (
  decoded: DecodedPush<Template>,
  change: PushChange,
  held: HeldDataSource,
  watch: Stopwatch,
  outcome: PushEffect['outcome'],
  foundConcerns?: PossibleWarnings,
): Promise<AppliedPush> => {
  const { difference, warningSources, after } = change;
  const isWhole = decoded._tag === 'Full';
  const turns = isWhole ? await held.turns() : null;
  const concerns =
    foundConcerns ?? watch.time('warn', () => possibleWarningsOf(decoded, warningSources));
  const { template, name } = held.state.provider;
  const [found, trusts, returned, doubtful, alike] = await watch.timeAsync('warn', () =>
    Promise.all([
      warningsAfter(held, concerns),
      held.trusts(),
      returnedPeople(held, difference),
      doubtfulAccounts(held, difference),
      isWhole ? [] : existingLookAlikes(held, difference),
    ]),
  );
  const lasting = watch.time('warn', () => [
    ...found,
    ...untrustedClaims(decoded, template, name, trusts),
    // A full push shows all that its data source holds.
    ...(isWhole ? lookAlikes(decoded, template) : []),
  ]);
  const passing = [...returned, ...doubtful, ...alike];
  const warnings = pushWarnings([...lasting, ...passing]);
  return {
    change,
    effect: { outcome, ...countsOf(difference), digest: after.digest, warnings },
    turns,
    ...(passing.length > 0 && { lasting: pushWarnings(lasting) }),
  };
};

/** Counts what a diff puts and removes. */
export const countsOf = (difference: Difference): Pick<PushEffect, 'put' | 'removed'> => ({
  put: {
    nodes: difference.created.length + difference.changed.length,
    relationships: difference.linked.length + difference.relabelled.length,
  },
  removed: { nodes: difference.removed.length, relationships: difference.unlinked.length },
});

/**
 * Finds the warnings about entities that the push names and no push has brought. The service
 * queries the graph after the push is written (docs/rules.md: Problems).
 */
const warningsAfter = async (
  held: HeldDataSource,
  concerns: PossibleWarnings,
): Promise<readonly Warning[]> => {
  const { identities, cloudRoles } = concerns.awaited;
  const unmatched = new Set([
    ...(await held.unmatchedIdentities(identities)),
    ...(await held.unmatchedCloudRoles(cloudRoles)),
  ]);
  return warningsOf(concerns, unmatched);
};
