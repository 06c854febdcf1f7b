import { randomUUID } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { DecodedPush } from '../contract/decode';
import type { HeldDataSource } from '../graph/store';
import { toFailure } from '../graph/failure';
import type { Template } from '../model/nodes';
import type { Failure, ProblemList } from '../problem';
import { type AppliedPush, applyPush, decodePush, type PushEffect } from './apply-push';
import { confirmationAsked } from './mass-delete-fuse';
import { pushInstant } from './push-instant';
import { heldFailure, Refused, TooMuchRemoved } from './push-refusal';
import { acceptedReport, type PushIdentity, refusedReport } from './push-report';
import type { PushDependencies, PushMetadata } from './push-request';
import { rememberedBy } from './remembered';
import { Stopwatch } from './stopwatch';

/** What an accepted push did (api.md 2). */
export interface PushResult extends Omit<PushEffect, 'warnings'> {
  readonly push: string;
  readonly at: string;
  readonly warnings: readonly { readonly message: string }[];
  readonly seconds: Readonly<Record<string, number>>;
}

/**
 * Pushes a payload: decode, check, compare with what the data source holds, one transaction (graph.md 6 and 7). A refused
 * push changes no row and is recorded with its reasons.
 */
export const pushMetadata =
  (dependencies: PushDependencies) =>
  (request: PushMetadata): TE.TaskEither<Failure, PushResult> => {
    const push = new Push(dependencies, request);
    return pipe(
      TE.fromEither(decodePush(request, dependencies.resourceDepth, push.watch)),
      TE.flatMap((decoded) =>
        TE.tryCatch(
          () => push.commit(decoded),
          (error) => error,
        ),
      ),
      TE.orElse((error) => push.fail(error)),
    );
  };

const NO_PROBLEMS: ProblemList = { problems: [], total: 0 };

class Push {
  readonly watch: Stopwatch;
  private readonly identity: PushIdentity;

  constructor(
    private readonly dependencies: PushDependencies,
    private readonly request: PushMetadata,
  ) {
    const { source, requestId, seconds } = request;
    this.identity = { id: randomUUID(), source, requestId };
    this.watch = new Stopwatch(seconds);
  }

  /** Applies it, records it, and commits both. */
  async commit(decoded: DecodedPush<Template>): Promise<PushResult> {
    const { id, source } = this.identity;
    const { store } = this.dependencies;
    let ended = this.watch.begin('lock');
    const { change, effect } = await store.hold(source.dataSource.id, id, async (held) => {
      ended();
      const applied = await this.apply(decoded, held);
      await this.watch.timeAsync('record', () => this.record(held, applied));
      ended = this.watch.begin('commit');
      return applied;
    });
    ended();
    return {
      ...effect,
      push: id,
      at: change.at.utc,
      warnings: effect.warnings.map((message) => ({ message })),
      seconds: this.watch.seconds,
    };
  }

  /** Turns what stopped the push into a failure; a refusal is recorded first. */
  fail(error: unknown): TE.TaskEither<Failure, PushResult> {
    const failure = heldFailure(error);
    if (error instanceof Refused) return this.recordRefusal(error.problems, failure);
    if (error instanceof TooMuchRemoved) return this.recordRefusal(NO_PROBLEMS, failure);
    return TE.left(failure);
  }

  private apply(decoded: DecodedPush<Template>, held: HeldDataSource): Promise<AppliedPush> {
    const { confirmedRemoval } = this.request;
    return applyPush(decoded, this.dependencies, held, this.watch, confirmedRemoval, {
      unconfirmed: (removal) => {
        throw new TooMuchRemoved(confirmationAsked(removal));
      },
    });
  }

  private record(held: HeldDataSource, { change, effect }: AppliedPush): Promise<void> {
    const { at, after, said } = change;
    const report = acceptedReport(this.identity, at, effect, this.watch.seconds);
    const outcome = {
      ...after,
      definitions: JSON.stringify(rememberedBy(held).merge(said.definitions)),
      types: said.types,
    };
    return held.record(report.record, outcome, report.events);
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
