import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { type Declaration, Definitions } from '../check/definitions';
import { type Decoded, decodePayload, type PayloadOf } from '../contract/decode';
import { parseJson } from '../contract/json';
import { compareHashes, type Difference, isEmpty } from '../difference/difference';
import {
  afterwards,
  followersOf,
  fullDifference,
  hashRows,
  keysToRead,
  standsAlready,
  withFollowers,
} from '../difference/full-push';
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
import type { Instant } from '../model/instant';
import type { Template } from '../model/nodes';
import { type Failure, invalid, type ProblemList } from '../problem';
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
interface After {
  readonly digest: string;
  readonly rows: number;
}

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
  decode(): E.Either<Refused, Decoded<AnyPayload>> {
    const { source, json } = this.request;
    return this.watch.time('decode', () =>
      pipe(
        parseJson(json),
        E.flatMap((parsed): E.Either<ProblemList, Decoded<AnyPayload>> =>
          decodePayload(source.provider.custom_template, parsed, this.dependencies.resourceDepth),
        ),
        E.mapLeft((problems) => new Refused(unshaped(problems), problems)),
      ),
    );
  }

  /** Stage 2 and the write, under the data source's lock: what they depend on cannot change meanwhile. */
  async apply(decoded: Decoded<AnyPayload>): Promise<PushResult> {
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

  private async applyHeld(
    decoded: Decoded<AnyPayload>,
    held: HeldDataSource,
  ): Promise<Omit<PushResult, 'seconds'>> {
    const whole = this.check(decoded, held);
    const at = pushInstant(held.state.lastPushAt);
    const wanted = this.watch.time('rows', () => hashRows(whole.rows.rows));
    const { digest, rulesVersion } = held.state;
    if (digest !== null && standsAlready(wanted, digest, rulesVersion)) {
      return this.record(held, decoded, whole, at, null, { digest, rows: wanted.length });
    }
    const { difference, standing } = await this.watch.timeAsync('difference', async () => {
      const hashes = await held.hashes();
      const comparison = compareHashes(wanted, hashes, held.state.rulesVersion);
      const settled = fullDifference(comparison, await held.rows(keysToRead(comparison)));
      const followers = followersOf(wanted, comparison, settled);
      const read = await held.rows(followers.map(({ key }) => key));
      return { difference: withFollowers(settled, followers, read), standing: hashes };
    });
    if (!isEmpty(difference)) {
      await this.watch.timeAsync('write', () => held.write(difference, whole.rows.shared, at));
    }
    return this.record(held, decoded, whole, at, difference, afterwards(standing, difference));
  }

  /** Turns what stopped the push into a failure; a refusal is recorded first. */
  fail(error: unknown): TE.TaskEither<Failure, PushResult> {
    if (error instanceof Refused) {
      const report = refusedReport(
        this.identity,
        pushInstant(null),
        error.message,
        error.problems,
        this.watch.seconds,
      );
      return pipe(
        TE.tryCatch(
          () => this.dependencies.store.recordRefusal(report.record, report.event),
          toFailure,
        ),
        TE.flatMap(() => TE.left(invalid(error.message, error.problems))),
      );
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

  private check(decoded: Decoded<AnyPayload>, held: HeldDataSource): WholePayload {
    const whole = this.watch.time('check', () =>
      rowsOf(held.state.provider.template, decoded.payload, rememberedBy(held)),
    );
    const { problems, total } = whole.problems;
    if (total === 0) return whole;
    throw new Refused('The payload breaks the rules below; nothing was written.', {
      problems: problems.map((problem) => ({
        ...problem,
        pointer: decoded.pointerAsSent(problem.pointer),
      })),
      total,
    });
  }

  private async record(
    held: HeldDataSource,
    { payload }: Decoded<AnyPayload>,
    { rows, definitions }: WholePayload,
    at: Instant,
    difference: Difference | null,
    after: After,
  ): Promise<Omit<PushResult, 'seconds'>> {
    const warnings = await this.watch.timeAsync('warn', () => this.warn(held, payload, rows));
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
      rulesVersion: RULES_VERSION,
      definitions: JSON.stringify(rememberedBy(held).merge(definitions)),
      types: rows.types,
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
    payload: AnyPayload,
    rows: Rows,
  ): Promise<readonly string[]> {
    const { identities, cloudRoles } = awaitedBy(rows);
    const unmatched = new Set([
      ...(await held.unmatchedIdentities(identities)),
      ...(await held.unmatchedCloudRoles(cloudRoles)),
    ]);
    return warningsOf(payload, rows, unmatched);
  }
}

// What stage 1 found, in a sentence.
const unshaped = ({ problems: [first] }: ProblemList): string => {
  if (first?.code === 'NOT_JSON') return 'The payload is not JSON; nothing was written.';
  if (first?.code === 'INCREMENTAL_UNSUPPORTED') {
    return 'Incremental pushes are not supported yet; nothing was written.';
  }
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
