import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { type Declaration, Definitions } from '../check/definitions';
import { type DecodedPush, decodePayload, type PayloadOf } from '../contract/decode';
import { parseJson } from '../contract/json';
import { compareHashes, type Difference, isEmpty } from '../difference/difference';
import {
  followersOf,
  fullDifference,
  hashRows,
  keysToRead,
  standsAlready,
  withFollowers,
} from '../difference/full-push';
import { afterwards, type Holding, holdingOf } from '../difference/afterwards';
import { incrementDifference } from '../difference/increment';
import { toFailure } from '../graph/failure';
import type { Counts } from '../graph/records';
import type { DataSourceOfProvider } from '../graph/provider-record';
import {
  DataSourceBusy,
  DataSourceDeleting,
  DataSourceGone,
  type GraphStore,
  type HeldDataSource,
} from '../graph/store';
import { type Increment, increments } from '../increment/increment';
import type { Known } from '../increment/standing';
import type { Instant } from '../model/instant';
import type { Template } from '../model/nodes';
import { type Failure, invalid, oneProblem, type ProblemList } from '../problem';
import { payloadRows, type WholePayload } from '../rows/payload-rows';
import { RULES_VERSION } from '../rows/row-hash';
import type { Rows } from '../rows/rows';
import { awaitedBy, warningsOf } from '../rows/warnings';
import { pushInstant } from './push-instant';
import { acceptedReport, type PushIdentity, refusedReport } from './push-report';
import { Stopwatch } from './stopwatch';

/** A payload pushed to a data source (spec: Push envelope). */
export interface PushMetadata {
  readonly source: DataSourceOfProvider;
  /** The text of the payload. */
  readonly json: string;
  readonly requestId: string;
  /** The digest with which its sender confirms that much may be removed (graph.md 6). */
  readonly confirmedRemoval: string | null;
  /** Seconds that steps before this one took. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** What an accepted push did (api.md 2). */
export interface PushResult {
  readonly push: string;
  readonly at: string;
  readonly outcome: 'accepted' | 'unchanged';
  readonly warnings: readonly { readonly message: string }[];
  readonly put: Counts;
  readonly removed: Counts;
  readonly digest: string;
  readonly seconds: Readonly<Record<string, number>>;
}

/** What pushing needs. */
export interface PushDependencies {
  readonly store: GraphStore;
  /** Levels that resources may be nested. */
  readonly resourceDepth: number;
  readonly fuse: MassDeleteFuse;
}

/** What a full push may remove unconfirmed (graph.md 6). */
export interface MassDeleteFuse {
  /** Data sources of at least so many rows are guarded. */
  readonly rows: number;
  /** The share of its rows that may go. */
  readonly share: number;
}

/** The payload was refused: nothing of the transaction stays. */
class Refused extends Error {
  constructor(
    message: string,
    readonly problems: ProblemList,
  ) {
    super(message);
  }
}

/** More would go than may go unconfirmed. */
class TooMuchRemoved extends Error {}

const NOTHING: Counts = { nodes: 0, relationships: 0 };

const countsOf = (difference: Difference): { readonly put: Counts; readonly removed: Counts } => ({
  put: {
    nodes: difference.created.length + difference.changed.length,
    relationships: difference.linked.length + difference.relabelled.length,
  },
  removed: { nodes: difference.removed.length, relationships: difference.unlinked.length },
});

/**
 * Pushes a whole payload: decode, check, rows, compare with what the data source holds, one transaction (graph.md 6). A refused
 * push changes no row and is recorded with its reasons.
 */
export const pushMetadata =
  (dependencies: PushDependencies) =>
  (request: PushMetadata): TE.TaskEither<Failure, PushResult> => {
    const push = new Push(dependencies, request);
    return pipe(
      TE.fromEither(push.decode()),
      TE.flatMap((decoded) =>
        TE.tryCatch(
          () => push.apply(decoded),
          (error) => error,
        ),
      ),
      TE.orElse((error) => push.fail(error)),
    );
  };

type AnyPayload = PayloadOf[Template];

/** What a push leaves: how many rows its data source then holds, and their digest. */
interface After extends Holding {
  readonly rulesVersion: number;
}

/** What a push says beside its rows. */
type Said = Pick<Rows, 'mentions' | 'remarks' | 'types'> & { readonly definitions: Definitions };

type AnyPush = DecodedPush<Template>;

const FIRST_PUSH = oneProblem(
  '/incremental_change',
  'INCREMENTAL_FIRST_PUSH',
  'the data source has had no whole push yet: push everything once without incremental_change',
);

const NO_PROBLEMS: ProblemList = { problems: [], total: 0 };

// Each round follows references by one more step.
const MOST_ROUNDS = 1_000;

class Push {
  private readonly identity: PushIdentity;
  private readonly watch: Stopwatch;

  constructor(
    private readonly dependencies: PushDependencies,
    private readonly request: PushMetadata,
  ) {
    const { source, requestId, seconds } = request;
    this.identity = { id: randomUUID(), source, requestId };
    this.watch = new Stopwatch(seconds);
  }

  /** Stage 1: is it JSON, and shaped right? */
  decode(): E.Either<Refused, AnyPush> {
    const { source, json } = this.request;
    return this.watch.time('decode', () =>
      pipe(
        parseJson(json),
        E.flatMap((parsed): E.Either<ProblemList, AnyPush> =>
          decodePayload(source.provider.custom_template, parsed, this.dependencies.resourceDepth),
        ),
        E.mapLeft((problems) => new Refused(unshaped(problems), problems)),
      ),
    );
  }

  /** Stage 2 and the write, under the data source's lock: what they depend on cannot change meanwhile. */
  async apply(decoded: AnyPush): Promise<PushResult> {
    const { id, source } = this.identity;
    let ended = this.watch.begin('lock');
    const result = await this.dependencies.store.hold(source.dataSource.id, id, async (held) => {
      ended();
      const done = await this.applyHeld(decoded, held);
      ended = this.watch.begin('commit');
      return done;
    });
    ended();
    return { ...result, seconds: this.watch.seconds };
  }

  private applyHeld(decoded: AnyPush, held: HeldDataSource): Promise<Omit<PushResult, 'seconds'>> {
    return decoded._tag === 'Whole'
      ? this.applyWhole(decoded, held)
      : this.applyIncrement(decoded, held);
  }

  /** Loads what the increment touches, applies it, compares, writes (graph.md 7). */
  private async applyIncrement(
    decoded: Extract<AnyPush, { _tag: 'Increment' }>,
    held: HeldDataSource,
  ): Promise<Omit<PushResult, 'seconds'>> {
    const { digest, rows, rulesVersion } = held.state;
    if (digest === null) throw this.refused(decoded, FIRST_PUSH);
    const at = pushInstant(held.state.lastPushAt);
    const increment = await this.watch.timeAsync('check', () => this.learned(decoded, held));
    if (increment.problems.total > 0) throw this.refused(decoded, increment.problems);
    const difference = this.watch.time('difference', () => incrementDifference(increment.rows));
    if (!isEmpty(difference)) {
      await this.watch.timeAsync('write', () => held.write(difference, increment.shared, at));
    }
    const after = {
      ...afterwards({ digest, rows }, difference),
      // Rows that it does not touch keep the hashes that other rules made.
      rulesVersion: rulesVersion ?? RULES_VERSION,
    };
    return this.record(held, decoded.payload, increment, at, difference, after);
  }

  /** Applies the increment to what is known, and finds out what it needs besides, until it needs nothing. */
  private async learned(
    { payload }: Extract<AnyPush, { _tag: 'Increment' }>,
    held: HeldDataSource,
  ): Promise<Increment> {
    const { template } = held.state.provider;
    const apply = increments[template] as (
      payload: unknown,
      remembered: Definitions,
      known: Known,
      levels: number,
    ) => Increment;
    let known: Known = { rows: new Map(), found: new Map() };
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const increment = apply(payload, rememberedBy(held), known, this.dependencies.resourceDepth);
      if (increment.needs.length === 0) return increment;
      known = await held.learn(known, increment.needs);
    }
    throw new Error('the increment never learns all that it needs');
  }

  private async applyWhole(
    decoded: Extract<AnyPush, { _tag: 'Whole' }>,
    held: HeldDataSource,
  ): Promise<Omit<PushResult, 'seconds'>> {
    const whole = this.check(decoded, held);
    const at = pushInstant(held.state.lastPushAt);
    const wanted = this.watch.time('rows', () => hashRows(whole.rows.rows));
    const { digest, rulesVersion } = held.state;
    if (digest !== null && standsAlready(wanted, digest, rulesVersion)) {
      const stands = { digest, rows: wanted.length, rulesVersion: RULES_VERSION };
      return this.record(held, decoded.payload, { ...whole.rows, ...whole }, at, null, stands);
    }
    const { difference, standing } = await this.watch.timeAsync('difference', async () => {
      const hashes = await held.hashes();
      const comparison = compareHashes(wanted, hashes, held.state.rulesVersion);
      const settled = fullDifference(comparison, await held.rows(keysToRead(comparison)));
      const followers = followersOf(wanted, comparison, settled);
      const read = await held.rows(followers.map(({ key }) => key));
      return { difference: withFollowers(settled, followers, read), standing: hashes };
    });
    const after = { ...afterwards(holdingOf(standing), difference), rulesVersion: RULES_VERSION };
    this.requireConfirmed(held, standing.size, difference.removed.length, after.digest);
    if (!isEmpty(difference)) {
      await this.watch.timeAsync('write', () => held.write(difference, whole.rows.shared, at));
    }
    return this.record(held, decoded.payload, { ...whole.rows, ...whole }, at, difference, after);
  }

  /** The mass-delete fuse: what was left out by mistake must not take a data source's graph along (graph.md 6). */
  private requireConfirmed(
    { state }: HeldDataSource,
    standing: number,
    removed: number,
    digest: string,
  ): void {
    const { rows, share } = this.dependencies.fuse;
    if (standing < rows || removed <= standing * share) return;
    if (state.isRemovalAllowed || this.request.confirmedRemoval === digest) return;
    throw new TooMuchRemoved(
      `The push would remove ${removed} of the ${standing} rows that the data source holds; nothing was written. ` +
        `If that is meant, send it again with the header Grantgraph-Confirm-Removal: ${digest}, or call :allow-removal on the data source first, which lets its next push within an hour through.`,
    );
  }

  /** Turns what stopped the push into a failure; a refusal is recorded first. */
  fail(error: unknown): TE.TaskEither<Failure, PushResult> {
    if (error instanceof Refused) {
      return this.recordRefusal(
        error.message,
        error.problems,
        invalid(error.message, error.problems),
      );
    }
    if (error instanceof TooMuchRemoved) {
      const { message } = error;
      return this.recordRefusal(message, NO_PROBLEMS, { _tag: 'Conflict', message });
    }
    if (error instanceof DataSourceBusy) {
      return TE.left({
        _tag: 'Conflict',
        message: 'Another push to this data source is running; try again later.',
      });
    }
    if (error instanceof DataSourceDeleting) {
      return TE.left({ _tag: 'Conflict', message: 'The data source is being deleted.' });
    }
    if (error instanceof DataSourceGone) {
      return TE.left({
        _tag: 'NotFound',
        message: 'There is no data source with this id below this provider.',
      });
    }
    return TE.left(toFailure(error));
  }

  private recordRefusal(
    message: string,
    problems: ProblemList,
    failure: Failure,
  ): TE.TaskEither<Failure, never> {
    const at = pushInstant(null);
    const report = refusedReport(this.identity, at, message, problems, this.watch.seconds);
    return pipe(
      TE.tryCatch(
        () => this.dependencies.store.recordRefusal(report.record, report.event),
        toFailure,
      ),
      TE.flatMap(() => TE.left(failure)),
    );
  }

  private check(decoded: Extract<AnyPush, { _tag: 'Whole' }>, held: HeldDataSource): WholePayload {
    const whole = this.watch.time('check', () =>
      rowsOf(held.state.provider.template, decoded.payload, rememberedBy(held)),
    );
    if (whole.problems.total === 0) return whole;
    throw this.refused(decoded, whole.problems);
  }

  private refused(
    { pointerAsSent }: Pick<AnyPush, 'pointerAsSent'>,
    { problems, total }: ProblemList,
  ): Refused {
    return new Refused('The payload breaks the rules below; nothing was written.', {
      problems: problems.map((problem) => ({
        ...problem,
        pointer: pointerAsSent(problem.pointer),
      })),
      total,
    });
  }

  private async record(
    held: HeldDataSource,
    payload: unknown,
    said: Said,
    at: Instant,
    difference: Difference | null,
    after: After,
  ): Promise<Omit<PushResult, 'seconds'>> {
    const warnings = await this.watch.timeAsync('warn', () => this.warn(held, payload, said));
    const isUnchanged = difference === null || isEmpty(difference);
    const counts = isUnchanged ? { put: NOTHING, removed: NOTHING } : countsOf(difference);
    const outcome = isUnchanged ? 'unchanged' : 'accepted';
    const { digest } = after;
    const report = acceptedReport(
      this.identity,
      at,
      { outcome, digest, ...counts, warnings },
      this.watch.seconds,
    );
    const outcomeOfSource = {
      ...after,
      definitions: JSON.stringify(rememberedBy(held).merge(said.definitions)),
      types: said.types,
    };
    await this.watch.timeAsync('record', () =>
      held.record(report.record, outcomeOfSource, report.events),
    );
    return {
      push: this.identity.id,
      at: at.utc,
      outcome,
      warnings: warnings.map((message) => ({ message })),
      ...counts,
      digest,
    };
  }

  /** What the push names and nobody brought, judged after it (graph.md 8). */
  private async warn(
    held: HeldDataSource,
    payload: unknown,
    said: Said,
  ): Promise<readonly string[]> {
    const { identities, cloudRoles } = awaitedBy(said);
    const unmatched = new Set([
      ...(await held.unmatchedIdentities(identities)),
      ...(await held.unmatchedCloudRoles(cloudRoles)),
    ]);
    return warningsOf(payload, said, unmatched);
  }
}

// What stage 1 found, in a sentence.
const unshaped = ({ problems: [first] }: ProblemList): string => {
  if (first?.code === 'NOT_JSON') return 'The payload is not JSON; nothing was written.';
  return 'The payload is not shaped right; names and references are checked once it is. Nothing was written.';
};

const rememberedBy = ({ state }: HeldDataSource): Definitions =>
  state.definitions === null
    ? Definitions.none
    : new Definitions(JSON.parse(state.definitions) as readonly Declaration[]);

// The data source's template chose the codec, so the payload is of that template.
const rowsOf = (template: Template, payload: AnyPayload, remembered: Definitions): WholePayload =>
  template === 'application'
    ? payloadRows.application(payload, remembered)
    : payloadRows.identity_provider(payload, remembered);
