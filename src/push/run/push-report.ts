import { counted } from '../../codec/quote';
import type { EventRecord } from '../../graph/records/event-record';
import { NO_COUNTS, type PushRecord } from '../../graph/records/push-record';
import { NO_WARNINGS } from '../../graph/records/push-warnings';
import type { DataSourceOfProvider } from '../../graph/records/provider-record';
import type { Instant } from '../../model/instant';
import type { Problem, ProblemList } from '../../problem';
import type { PushEffect } from './apply-push';
import type { Actor } from '../../graph/records/event-record';
import { confirmationOf } from '../change/confirmation';
import { dataSourceEvent } from '../../graph/records/event';
import { events } from '../events';

/** How many warnings or problems an event lists. The record of the push holds more. */
const EVENT_LINES = 20;

/** A problem as records and events say it: without the text of the payload around its place. */
const recorded = ({ near: _near, ...problem }: Problem): Problem => problem;

/** What all records and events of one push share. */
export interface PushIdentity {
  readonly id: string;
  readonly source: EventSource;
  readonly requestId: string;
  /** The owner of the key that pushed; unset: the service itself, which imports an application. */
  readonly by?: Actor | undefined;
  /** The digest with which the sender confirms a large removal. */
  readonly confirmedRemoval?: string | null;
}

/** What records and events say of a data source. */
export interface EventSource {
  readonly provider: Pick<DataSourceOfProvider['provider'], 'id'>;
  readonly dataSource: Pick<DataSourceOfProvider['dataSource'], 'id' | 'name'>;
}

/** The record of a push and its events (docs/rules.md: Events). */
export interface PushReport {
  readonly record: PushRecord;
  readonly events: readonly EventRecord[];
}

type Seconds = Readonly<Record<string, number>>;

type EventText = Omit<Parameters<typeof dataSourceEvent>[2], 'name'>;

const eventOf =
  ({ id, source, requestId, by, confirmedRemoval = null }: PushIdentity, at: Instant) =>
  (text: EventText): EventRecord =>
    dataSourceEvent(
      source,
      { at: at.utc, requestId, by },
      {
        name: 'OAA push',
        ...text,
        metadata: { push_id: id, ...confirmationOf(confirmedRemoval), ...text.metadata },
      },
    );

const recordOf = (
  { id, source, requestId, by }: PushIdentity,
  at: Instant,
  seconds: Seconds,
): Pick<PushRecord, 'id' | 'dataSourceId' | 'at' | 'seconds' | 'requestId' | 'by'> => ({
  id,
  dataSourceId: source.dataSource.id,
  at: at.utc,
  seconds,
  requestId,
  by,
});

/**
 * The report of an accepted push. The push changed the graph, or had nothing to change. Its
 * warnings are an event of their own. A chunked push ends later than its `at`.
 */
export const acceptedReport = (
  push: PushIdentity,
  at: Instant,
  effect: PushEffect,
  seconds: Seconds,
  { replaced = null, reportedAt = at }: { replaced?: string | null; reportedAt?: Instant } = {},
): PushReport => {
  const event = eventOf(push, reportedAt);
  const name = JSON.stringify(push.source.dataSource.name);
  const { outcome, warnings } = effect;
  return {
    record: { ...recordOf(push, at, seconds), ...effect, problems: [], problemCount: 0 },
    events: [
      ...(replaced === null ? [] : [replacedEvent(push, reportedAt, replaced)]),
      outcome === 'accepted'
        ? event({
            severity: 'INFO',
            event_type: events.PUSH_ACCEPTED,
            message: `A push to data source ${name} is in the graph.`,
          })
        : event({
            severity: 'INFO',
            event_type: events.PUSH_UNCHANGED,
            message: `A push to data source ${name} changed nothing.`,
          }),
      ...(warnings.count === 0
        ? []
        : [
            event({
              severity: 'WARNING',
              event_type: events.PUSH_WARNED,
              message: `A push to data source ${name} has ${counted(warnings.count, 'warning')}.`,
              metadata: {
                warnings: warnings.listed.slice(0, EVENT_LINES),
                warning_count: warnings.count,
              },
            }),
          ]),
    ],
  };
};

/**
 * The report of a chunked push that begins. Its data source is PENDING until the push is finished
 * or replaced (docs/rules.md: Chunked pushes).
 */
export const begunReport = (
  push: PushIdentity,
  at: Instant,
  { put, removed }: Pick<PushEffect, 'put' | 'removed'>,
  replaced: string | null,
  seconds: Seconds,
): PushReport => {
  const event = eventOf(push, at);
  const name = JSON.stringify(push.source.dataSource.name);
  return {
    record: {
      ...recordOf(push, at, seconds),
      outcome: 'pending',
      put,
      removed,
      warnings: NO_WARNINGS,
      problems: [],
      problemCount: 0,
    },
    events: [
      ...(replaced === null ? [] : [replacedEvent(push, at, replaced)]),
      event({
        severity: 'INFO',
        event_type: events.PUSH_BEGUN,
        message: `A push to data source ${name} is large: the service applies it in several transactions.`,
      }),
    ],
  };
};

/** The event of a push that replaces an unfinished chunked push. */
export const replacedEvent = (push: PushIdentity, at: Instant, replaced: string): EventRecord =>
  eventOf(
    push,
    at,
  )({
    severity: 'WARNING',
    event_type: events.PUSH_REPLACED,
    message: `A push to data source ${JSON.stringify(push.source.dataSource.name)} replaces one that was not finished.`,
    metadata: { replaced_push_id: replaced },
  });

/** The event that reports the progress of a chunked push. */
export const progressEvent = (
  push: PushIdentity,
  at: Instant,
  done: number,
  total: number,
): EventRecord =>
  eventOf(
    push,
    at,
  )({
    severity: 'INFO',
    event_type: events.PUSH_PROGRESS,
    message: `Of a push to data source ${JSON.stringify(push.source.dataSource.name)} ${Math.floor((100 * done) / total)} % are written.`,
    metadata: { done, total },
  });

/** The event of a chunked push that the service resumes. */
export const resumedEvent = (push: PushIdentity, at: Instant): EventRecord =>
  eventOf(
    push,
    at,
  )({
    severity: 'WARNING',
    event_type: events.PUSH_RESUMED,
    message: `A push to data source ${JSON.stringify(push.source.dataSource.name)} was interrupted; the service resumes it.`,
  });

/**
 * The report of a refused push, with the reasons. The push changed no row (docs/rules.md: Removal
 * guard).
 */
export const refusedReport = (
  push: PushIdentity,
  at: Instant,
  message: string,
  { problems, total }: ProblemList,
  seconds: Seconds,
): { readonly record: PushRecord; readonly event: EventRecord } => ({
  record: {
    ...recordOf(push, at, seconds),
    outcome: 'refused',
    put: NO_COUNTS,
    removed: NO_COUNTS,
    warnings: NO_WARNINGS,
    problems: problems.map(recorded),
    problemCount: total,
  },
  event: eventOf(
    push,
    at,
  )({
    severity: 'ERROR',
    event_type: events.PUSH_REFUSED,
    message: `A push to data source ${JSON.stringify(push.source.dataSource.name)} is refused: ${total === 0 ? 'it would remove too much' : counted(total, 'problem')}.`,
    error: {
      // Without a problem, the removal guard refused the push.
      reason: total === 0 ? 'FailedPrecondition' : 'InvalidArgument',
      message,
      metadata: { problems: problems.slice(0, EVENT_LINES).map(recorded), problem_count: total },
      resolution:
        total === 0
          ? 'Confirm the removal as the message says, or push what was left out.'
          : 'Mend what the problems name, and push again.',
      request_id: push.requestId,
    },
  }),
});

/** Why the service gave up a chunked push. */
export interface WhyFailed extends ProblemList {
  /** `refused` if the payload is at fault, `failed` if the service could not apply it. */
  readonly outcome: 'refused' | 'failed';
  readonly message: string;
}

/**
 * The report of a chunked push that the service gave up. The written chunks stay until another full
 * push (docs/operating.md: A chunked push that cannot be finished).
 */
export const failedReport = (
  push: PushIdentity,
  at: Instant,
  reportedAt: Instant,
  { outcome, message, problems, total }: WhyFailed,
  { put, removed }: Pick<PushEffect, 'put' | 'removed'>,
  seconds: Seconds,
): { readonly record: PushRecord; readonly event: EventRecord } => {
  const name = JSON.stringify(push.source.dataSource.name);
  const written = `${put.nodes} nodes and ${put.relationships} relationships put, ${removed.nodes} nodes and ${removed.relationships} relationships removed`;
  return {
    record: {
      ...recordOf(push, at, seconds),
      outcome,
      put,
      removed,
      problems: problems.map(recorded),
      warnings: NO_WARNINGS,
      problemCount: total,
    },
    event: eventOf(
      push,
      reportedAt,
    )({
      severity: 'ERROR',
      event_type: outcome === 'refused' ? events.PUSH_REFUSED : events.PUSH_FAILED,
      message: `The service gives up a chunked push to data source ${name}: ${written} so far.`,
      error: {
        reason: outcome === 'refused' ? 'InvalidArgument' : 'Unavailable',
        message,
        metadata: { problems: problems.slice(0, EVENT_LINES).map(recorded), problem_count: total },
        resolution:
          'Send a full push: it replaces what this one left. The payload from before takes it back.',
        request_id: push.requestId,
      },
    }),
  };
};
