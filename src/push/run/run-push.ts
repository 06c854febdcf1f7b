import { hash, randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { DecodedPush } from '../../contract/decode';
import type { HeldDataSource } from '../graph/held-data-source';
import { sizeOf } from '../../difference/difference';
import { FailedStep, toFailure } from '../../neo4j/failure';
import type { Template } from '../../templates/templates';
import type { Failure, ProblemList } from '../../problem';
import { type AppliedPush, changeByPush, decodePush, writeChange } from './apply-push';
import {
  applyInChunks,
  startChunkedPush,
  begunFailure,
  needsChunks,
  type ChunkedPush,
  chunkSize,
} from './chunked-push';
import { limitExpansion } from '../change/expansion-limit';
import { confirmationAsked } from '../change/removal-guard';
import { tooLargeForChunks } from '../receive/needed-heap';
import { pushInstant } from '../../graph/records/push-instant';
import {
  heldFailure,
  Overtaken,
  placedRefusal,
  Refused,
  TooMuchRemoved,
} from '../change/push-refusal';
import { recordAccepted } from './push-outcome';
import { type PushIdentity, refusedReport } from './push-report';
import type { PayloadPush } from '../receive/push-intent';
import { uploadEnded } from '../receive/unknown-upload';
import type { PushDependencies } from '../change/push-dependencies';
import { sameAgain } from './same-payload';
import { Stopwatch, TimedTries } from '../change/stopwatch';
import type { AcceptedPush } from './accepted-push';

/**
 * Pushes a payload: decodes it, checks it, compares it with the current rows, and writes the
 * diff in one transaction or in chunks (docs/rules.md: Removal guard, Increments). A refused
 * push changes no row. The service records it with the reasons.
 */
export const runPush =
  (dependencies: PushDependencies) =>
  (request: PayloadPush): TE.TaskEither<Failure, AcceptedPush> => {
    const watch = new Stopwatch(request.seconds);
    const sha256 = watch.time('recognise', () => hash('sha256', request.json, 'hex'));
    const push = new Push(dependencies, request, sha256, watch);
    return pipe(
      TE.tryCatch(
        () => push.run(request),
        (error) => error,
      ),
      TE.orElse((error): TE.TaskEither<Failure, AcceptedPush> => push.fail(error)),
    );
  };

const NO_PROBLEMS: ProblemList = { problems: [], total: 0 };

class Push {
  private readonly identity: PushIdentity;
  /** The id under which the service stores the payload of a chunked push. */
  private keptPayload: string | undefined;
  /** Whether the chunked push has begun. From then on it is finished or replaced. */
  private hasBegun = false;

  constructor(
    private readonly dependencies: PushDependencies,
    private readonly intent: Omit<PayloadPush, 'json'>,
    /** SHA-256 of the payload's text. */
    private readonly sha256: string,
    private readonly watch: Stopwatch,
  ) {
    const { source, requestId, by, confirmedRemoval } = intent;
    this.identity = { id: randomUUID(), source, requestId, by, confirmedRemoval };
  }

  /** Runs the push from its payload to the commit. Rejects with the error that stopped it. */
  async run({ json, faults }: Pick<PayloadPush, 'json' | 'faults'>): Promise<AcceptedPush> {
    const { intent, dependencies, watch, sha256 } = this;
    const { source } = intent;
    if (source.payloadSha256 === sha256) {
      const again = await this.hold((held) => sameAgain(held, sha256));
      if (again !== null) return this.result(again);
    }
    const decoded = decodePush(
      { source, json, ...(faults && { faults }) },
      dependencies.resourceDepth,
      watch,
    );
    if (E.isLeft(decoded)) throw decoded.left;
    const template = source.provider.custom_template;
    limitExpansion(decoded.right, template, json.length, dependencies.elements);
    const applied = await this.hold((held) => this.apply(decoded.right, held, json));
    if ('effect' in applied) return this.result(applied);
    this.hasBegun = true;
    return this.result(await applyInChunks(dependencies, applied));
  }

  /** Turns the error that stopped the push into a failure. Records a refusal first. */
  fail(cause: unknown): TE.TaskEither<Failure, never> {
    const error = placedRefusal(cause, this.intent.places);
    const failure = this.hasBegun ? begunFailure(error) : heldFailure(error);
    if (error instanceof Refused) return this.recordRefusal(error.problems, failure);
    if (error instanceof TooMuchRemoved) return this.recordRefusal(NO_PROBLEMS, failure);
    return TE.left(failure);
  }

  private async apply(
    decoded: DecodedPush<Template>,
    held: HeldDataSource,
    json: string,
  ): Promise<AppliedPush | ChunkedPush> {
    const { dependencies, watch, intent } = this;
    const { onDigest } = intent;
    if (onDigest !== undefined && onDigest !== held.state.digest) throw new Overtaken();
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
    if (decoded._tag !== 'Full' || !needsChunks(change.difference, dependencies.chunks)) {
      return writeChange(decoded, change, held, watch);
    }
    const { chunks, heap } = dependencies;
    const size = sizeOf(change.difference);
    const tooLarge = tooLargeForChunks(heap, size, chunkSize(chunks));
    if (tooLarge !== null) throw new FailedStep(tooLarge);
    this.keptPayload ??= await dependencies.chunkedPushes.keepPayload(held.state.id, json);
    const { identity, sha256 } = this;
    const large = { identity, decoded, sha256, change, watch, upload: intent.upload };
    return startChunkedPush(held, large, this.keptPayload);
  }

  /**
   * Does the work under the lock of the data source, records its result, and commits both. If the
   * work gives `null`, nothing changes.
   */
  private async hold<A extends AppliedPush | ChunkedPush | null>(
    apply: (held: HeldDataSource) => Promise<A>,
  ): Promise<A> {
    const { id, source } = this.identity;
    const { upload } = this.intent;
    const tries = new TimedTries(this.watch);
    const work = async (held: HeldDataSource): Promise<A> => {
      tries.holds();
      // Of requests that complete one upload at once, the first one pushes it.
      if (upload !== undefined && !(await held.isUploadOpen(upload.id))) {
        throw new FailedStep(uploadEnded);
      }
      const done = await apply(held);
      if (done !== null && 'effect' in done) {
        if (upload !== undefined) await held.endUpload(upload.id);
        await this.watch.timeAsync('record', () =>
          recordAccepted(held, this.identity, this.sha256, done, this.watch.seconds),
        );
      }
      tries.commits();
      return done;
    };
    const { store } = this.dependencies;
    const applied = await store.hold(source.dataSource.id, id, work, tries.begins);
    tries.done();
    return applied;
  }

  private result({ change, effect }: AppliedPush): AcceptedPush {
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
