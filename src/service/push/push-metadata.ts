import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { DecodedPush } from '../../contract/decode';
import type { HeldDataSource } from '../../graph/push/held-data-source';
import { sizeOf } from '../../difference/difference';
import { FailedStep, toFailure } from '../../graph/connection/failure';
import type { KnownText } from '../../graph/records/provider-record';
import type { Template } from '../../templates/templates';
import type { Failure, ProblemList } from '../../problem';
import { type AppliedPush, changeByPush, decodePush, writeChange } from './apply-push';
import {
  applyInParts,
  beginInParts,
  begunFailure,
  isLarge,
  type LargePush,
  partSize,
} from './chunked-push';
import { limitExpansion } from '../change/expansion-limit';
import { confirmationAsked } from '../change/removal-guard';
import { tooLargeForParts } from '../receive/chunks-need';
import { pushInstant } from '../change/push-instant';
import { heldFailure, Refused, TooMuchRemoved } from '../change/push-refusal';
import { recordAccepted } from './push-outcome';
import { type PushIdentity, refusedReport } from './push-report';
import type { PushIntent, PushMetadata } from '../receive/push-intent';
import type { PushDependencies } from '../change/push-dependencies';
import { knownText, sameAgain, sameContent } from './same-payload';
import { Stopwatch } from '../change/stopwatch';
import type { TakenPush } from './taken-push';

/**
 * Pushes a payload: decode, check, compare with what the data source holds, one transaction (docs/rules.md: Removal guard, Increments). A refused
 * push changes no row and is recorded with its reasons.
 */
export const pushMetadata =
  (dependencies: PushDependencies) =>
  (request: PushMetadata): TE.TaskEither<Failure, TakenPush> => {
    const watch = new Stopwatch(request.seconds);
    const text = watch.time('recognise', () => knownText(request.json, request.request ?? ''));
    const push = new Push(dependencies, request, text, watch);
    return ended(push, () => push.run(request.json));
  };

/**
 * The same of a request whose payload is not read yet, if that very request brought the data source's newest whole payload: `null` where that is not
 * so, or where it has to be read all the same.
 */
export const pushAgain =
  (dependencies: PushDependencies) =>
  (intent: PushIntent, request: string): TE.TaskEither<Failure, TakenPush | null> => {
    const { payload } = intent.source;
    if (payload?.request !== request) return TE.right(null);
    const push = new Push(dependencies, intent, payload, new Stopwatch(intent.seconds));
    return ended(push, () => push.again((known) => known.request === request));
  };

const ended = <A>(push: Push, run: () => Promise<A>): TE.TaskEither<Failure, A> =>
  pipe(
    TE.tryCatch(run, (error) => error),
    TE.orElse((error): TE.TaskEither<Failure, A> => push.fail(error)),
  );

const NO_PROBLEMS: ProblemList = { problems: [], total: 0 };

class Push {
  private readonly identity: PushIdentity;
  /** The upload that keeps its payload, once it is known to be large. */
  private keptPayload: string | undefined;
  /** Whether it is applied in parts: then it is finished or replaced, whatever happens. */
  private hasBegun = false;

  constructor(
    private readonly dependencies: PushDependencies,
    private readonly intent: PushIntent,
    private readonly text: KnownText,
    private readonly watch: Stopwatch,
  ) {
    const { source, requestId, by } = intent;
    this.identity = { id: randomUUID(), source, requestId, by };
  }

  /** The push if it brings what is known by then, or `null`; rejects with what stopped it. */
  async again(isSame: (known: KnownText) => boolean): Promise<TakenPush | null> {
    const again = await this.hold((held) => sameAgain(held, isSame));
    return again === null ? null : this.result(again);
  }

  /** The push from its payload to the commit; rejects with what stopped it. */
  async run(json: string): Promise<TakenPush> {
    const { intent, dependencies, watch, text } = this;
    const { source } = intent;
    if (source.payload?.sha256 === text.sha256) {
      const again = await this.again((known) => known.sha256 === text.sha256);
      if (again !== null) return again;
    }
    const decoded = decodePush({ source, json }, dependencies.resourceDepth, watch);
    if (E.isLeft(decoded)) throw decoded.left;
    const template = source.provider.custom_template;
    limitExpansion(decoded.right, template, json.length, dependencies.elements);
    const applied = await this.hold((held) => this.apply(decoded.right, held, json));
    if ('effect' in applied) return this.result(applied);
    this.hasBegun = true;
    return this.result(await applyInParts(dependencies, applied));
  }

  /** Turns what stopped the push into a failure; a refusal is recorded first. */
  fail(error: unknown): TE.TaskEither<Failure, never> {
    const failure = this.hasBegun ? begunFailure(error) : heldFailure(error);
    if (error instanceof Refused) return this.recordRefusal(error.problems, failure);
    if (error instanceof TooMuchRemoved) return this.recordRefusal(NO_PROBLEMS, failure);
    return TE.left(failure);
  }

  private async apply(
    decoded: DecodedPush<Template>,
    held: HeldDataSource,
    json: string,
  ): Promise<AppliedPush | LargePush> {
    const { dependencies, watch, intent } = this;
    const again = await this.sameSaid(decoded, held);
    if (again !== null) return again;
    const change = await changeByPush(
      decoded,
      dependencies,
      held,
      watch,
      intent.confirmedRemoval,
      (removal) => {
        throw new TooMuchRemoved(confirmationAsked(removal));
      },
    );
    if (decoded._tag !== 'Whole' || !isLarge(change.difference, dependencies.parts)) {
      return writeChange(decoded, change, held, watch);
    }
    const { parts, heap } = dependencies;
    const size = sizeOf(change.difference);
    const tooLarge = tooLargeForParts(heap, size, parts.writers * partSize(parts));
    if (tooLarge !== null) throw new FailedStep(tooLarge);
    this.keptPayload ??= await dependencies.large.keepPayload(held.state.id, json);
    const { identity, text } = this;
    const large = { identity, decoded, text, change, watch };
    return beginInParts(dependencies, held, large, this.keptPayload);
  }

  /** What is only in another order is as long as before: nothing else is looked at for it. */
  private async sameSaid(
    decoded: DecodedPush<Template>,
    held: HeldDataSource,
  ): Promise<AppliedPush | null> {
    const { intent, text, watch } = this;
    if (decoded._tag !== 'Whole' || intent.source.payload?.characters !== text.characters) {
      return null;
    }
    return sameContent(held, text, decoded, watch);
  }

  /** Does the work under the data source's lock, records what it comes to, and commits both; `null` leaves all as it is. */
  private async hold<A extends AppliedPush | LargePush | null>(
    work: (held: HeldDataSource) => Promise<A>,
  ): Promise<A> {
    const { id, source } = this.identity;
    let ended = this.watch.begin('lock');
    const applied = await this.dependencies.store.hold(source.dataSource.id, id, async (held) => {
      ended();
      const done = await work(held);
      if (done !== null && 'effect' in done) {
        await this.watch.timeAsync('record', () =>
          recordAccepted(held, this.identity, this.text, done, this.watch.seconds),
        );
      }
      ended = this.watch.begin('commit');
      return done;
    });
    ended();
    return applied;
  }

  private result({ change, effect }: AppliedPush): TakenPush {
    return {
      ...effect,
      push: this.identity.id,
      at: change.at.utc,
      seconds: this.watch.seconds,
    };
  }

  private recordRefusal(problems: ProblemList, failure: Failure): TE.TaskEither<Failure, never> {
    const at = pushInstant(null);
    const { identity, watch } = this;
    const report = refusedReport(identity, at, failure.message, problems, watch.seconds);
    return pipe(
      TE.tryCatch(
        () => this.dependencies.store.recordRefusal(report.record, report.event),
        toFailure,
      ),
      TE.flatMap(() => TE.left(failure)),
    );
  }
}
