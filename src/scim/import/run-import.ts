import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';

import type { ImportAnswer, LastImport } from '../connections/endpoints';
import type { Provider } from '../../contract/records/provider';
import { FailedStep, toFailure } from '../../neo4j/failure';
import type { Actor } from '../../graph/records/event-record';
import type { ImportProgress, StoredImport } from './import-records';
import type { DataSourceOfProvider } from '../../graph/records/provider-record';
import { API_CODE_OF, type Failure } from '../../problem';
import { openApplication } from '../client/application';
import type { ExchangeLimits } from '../client/requests/exchange';
import { ScimFault } from '../client/scim-fault';
import type { PlanResult } from '../../push/plan/contract';
import { openConnection } from '../connections/set-connection';
import { problemOf } from '../connections/test-connection';
import type { AcceptedPush } from '../../push/run/contract';
import type { SentFile } from '../../push/receive/contract';
import type { ImportDependencies } from './dependencies';
import { importEvent } from './import-event';
import { storedImport } from './import-settings';
import { isLeftOutBy } from '../reading/leave-out';
import { mustReadWhole, readAll, type Reading, readSince } from '../reading/read-application';
import { LeftOut } from '../reading/resource-text';
import { doublingPause } from '../../background';

/** The longest pause after failures, unless the timetable itself has longer ones. */
const LONGEST_SECONDS = 3600;
/** After what may pass, an import is tried again so soon. */
const SOON_SECONDS = 60;

/** Faults that the application may no longer have at the next try. */
const PASSING: ReadonlySet<string> = new Set(['UNREACHABLE', 'CUT', 'TOO_SLOW', 'BUSY']);

/** Whether the fault may pass. */
const mayWait = (code: string): boolean => PASSING.has(code);

/**
 * After how many seconds the next import is due; null: by call only. Each failure in a row doubles the
 * pause, and chance spreads it, so that many imports do not come back at once.
 */
export const nextPause = (
  every: number | null,
  failures: number,
  passes: boolean,
  random: number,
): number | null => {
  if (every === null || failures === 0) return every;
  const first = passes ? Math.min(SOON_SECONDS, every) : every;
  const longest = Math.max(every, LONGEST_SECONDS);
  const pause = doublingPause(first, failures, longest);
  return Math.round(pause * (0.9 + random / 5));
};

/** Who requests an import, and how. */
export interface ImportRequest {
  readonly provider: Provider;
  readonly requestId: string;
  /** The key that requests it; unset: the timetable. */
  readonly by?: Actor;
  readonly isDryRun: boolean;
  /** Whether the application is read completely in any case. */
  readonly isWhole: boolean;
  readonly confirmedRemoval: string | null;
  /** Whether the caller may see what the push would derive elsewhere. */
  readonly seesOthers: boolean;
  /** Aborted when the service stops, or when nobody waits for a dry run any more. */
  readonly stopping?: AbortSignal;
}

/** What an import did. The lists of the push or plan are JSON already. */
export interface ImportResult {
  readonly answer: Omit<ImportAnswer, 'push' | 'plan'>;
  readonly push: AcceptedPush | null;
  readonly plan: PlanResult | null;
}

/** An import counts as interrupted after this many seconds without a sign of life. */
const LEASE_SECONDS = 60;
const RENEW_MS = 15_000;

/** A reading may last longer than an action on one account. */
const LIMITS: Partial<ExchangeLimits> = { actionSeconds: 6 * 3600, pages: 100_000 };

const BUSY: Failure = {
  _tag: 'Conflict',
  message: 'An import of this provider runs already.',
};

const LOST: Failure = {
  _tag: 'Conflict',
  message: 'The import was interrupted, and another one has taken its place.',
};

const right = async <A>(task: TE.TaskEither<Failure, A>): Promise<A> => {
  const done = await task();
  if (E.isRight(done)) return done.right;
  throw new FailedStep(done.left);
};

/** Holds the import of a provider, and says from time to time that it still runs. */
class Lease {
  private readonly lost = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly renew: () => Promise<boolean>) {
    this.timer = setInterval(() => {
      // Neo4j may be away for a while. Then the next sign of life finds out.
      renew().then(
        (isOurs) => (isOurs ? undefined : this.lost.abort()),
        () => undefined,
      );
    }, RENEW_MS);
    this.timer.unref();
  }

  /** Throws if another import has replaced this one. */
  readonly check = (): void => {
    if (this.lost.signal.aborted) throw new FailedStep(LOST);
  };

  /** Fails if another import has replaced this one by now. */
  readonly confirm = async (): Promise<void> => {
    if (!(await this.renew())) throw new FailedStep(LOST);
  };

  end(): void {
    clearInterval(this.timer);
  }
}

const STOPPING = (): FailedStep =>
  new FailedStep({ _tag: 'Unavailable', message: 'The import was stopped.' });

/** Fails as soon as the import is stopped. */
const unlessStopping = <A>(signal: AbortSignal | undefined, work: Promise<A>): Promise<A> =>
  signal === undefined
    ? work
    : new Promise((done, failed) => {
        const stop = (): void => failed(STOPPING());
        if (signal.aborted) stop();
        signal.addEventListener('abort', stop, { once: true });
        work.then(done, failed).finally(() => signal.removeEventListener('abort', stop));
      });

/** What a dry run needs: it may run at the same time as others. */
const NO_LEASE: Pick<Lease, 'check' | 'confirm'> = {
  check: () => undefined,
  confirm: () => Promise.resolve(),
};

/**
 * Whether a push brings something new. Where a group is gone, the rows of its members change with it,
 * since a membership belongs to the member's row.
 */
const bringsNews = ({ put, removed }: Pick<AcceptedPush, 'put' | 'removed'>): boolean =>
  put.relationships > 0 || (put.nodes > 0 && removed.nodes === 0);

/** One import, from the settings to the record of how it ended. */
class Import {
  private reading: Reading | null = null;
  private readonly left = new LeftOut();
  private readonly startedAt = performance.now();
  private requests: () => number = () => 0;

  constructor(
    private readonly dependencies: ImportDependencies,
    private readonly request: ImportRequest,
    private readonly state: StoredImport,
    private readonly lease: Pick<Lease, 'check' | 'confirm'>,
  ) {}

  private readonly now = (): number => this.dependencies.provisioning.clock.now();

  /** How the application was read, or would have been. */
  get isWhole(): boolean {
    return this.request.isWhole || mustReadWhole(this.state, this.now());
  }

  /** How far the import is after its push. */
  progressAfter(push: AcceptedPush | null): ImportProgress | null {
    if (this.reading === null) return null;
    const { isKnown, progress } = this.reading;
    // The application has new resources, but none with a newer time than before. So its times are not reliable.
    return isKnown && push !== null && bringsNews(push)
      ? { ...progress, finds_changes: false, misses_changes: true, accounts_since: null }
      : progress;
  }

  get read(): Reading | null {
    return this.reading;
  }

  private async readApplication(source: DataSourceOfProvider): Promise<Reading> {
    const { provisioning, existing, payloadBytes } = this.dependencies;
    const { provider, stopping } = this.request;
    const { transport, clock, limits } = provisioning;
    const stoppable = {
      ...provisioning,
      limits: { ...limits, ...LIMITS },
      transport: (asked: Parameters<typeof transport>[0]) =>
        unlessStopping(stopping, transport(asked)),
      clock: {
        ...clock,
        now: () => clock.now(),
        random: () => clock.random(),
        sleep: (milliseconds: number) => unlessStopping(stopping, clock.sleep(milliseconds)),
      },
    };
    const { exchange } = await right(
      openConnection(stoppable, provider, { isDryRun: true, hidesSecrets: false }),
    );
    this.requests = () => exchange.requestCount;
    this.left.hide = (text) => exchange.hide(text);
    const of = {
      application: await openApplication(exchange),
      name: source.dataSource.name,
      type: provider.name,
      left: this.left,
      leavesOut: isLeftOutBy(this.state.leave_out),
      leavesSomeOut: this.state.leave_out !== null,
      payloadBytes,
      goOn: this.lease.check,
      existing: existing(source.dataSource.id, source.dataSource.name),
    };
    const isFirst = source.dataSource.last_push === null;
    return this.isWhole || isFirst
      ? readAll(of, this.state, this.now)
      : readSince(of, this.state, existing(source.dataSource.id, of.name), this.now);
  }

  private answer(problem: ScimFault | null): ImportResult['answer'] {
    const { reading, left } = this;
    return {
      dry_run: this.request.isDryRun,
      reading: reading?.reading ?? (this.isWhole ? 'whole' : 'changes'),
      requests: this.requests(),
      seconds: Math.round(performance.now() - this.startedAt) / 1000,
      read:
        reading === null
          ? null
          : {
              accounts: reading.accounts,
              groups: reading.groups,
              memberships: reading.memberships,
              left_out: reading.left_out,
              unknown_members: reading.unknown_members,
              remarks: left.remarks,
              remark_count: left.count,
            },
      problem:
        problem === null ? null : { ...problemOf(problem), message: left.hide(problem.message) },
    };
  }

  private sent(source: DataSourceOfProvider, payload: Buffer): SentFile {
    const { requestId, by, confirmedRemoval } = this.request;
    return {
      source,
      requestId,
      confirmedRemoval,
      seconds: {},
      holds: 'file',
      isCsv: false,
      ...(by === undefined ? {} : { by }),
      body: [Uint8Array.from(payload)],
      encoding: 'gzip',
    };
  }

  /** Reads the application and pushes it. Throws `FailedStep` if it could not be pushed. */
  async run(): Promise<ImportResult> {
    const { registry, takePush, takePlan } = this.dependencies;
    const { provider, isDryRun, seesOthers } = this.request;
    const source = await right(registry.findDataSource(provider.id, this.state.data_source));
    try {
      this.reading = await this.readApplication(source);
    } catch (error) {
      if (!(error instanceof ScimFault)) throw error;
      return { answer: this.answer(error), push: null, plan: null };
    }
    const { payload } = this.reading;
    const answer = this.answer(null);
    if (payload === null) return { answer, push: null, plan: null };
    await this.lease.confirm();
    const sent = this.sent(source, payload);
    return isDryRun
      ? { answer, push: null, plan: await right(takePlan({ ...sent, seesOthers })) }
      : { answer, push: await right(takePush(sent)), plan: null };
  }
}

const codeOf = (failure: Failure): NonNullable<LastImport['problem']> => ({
  code: API_CODE_OF[failure._tag],
  message:
    failure._tag === 'Invalid'
      ? [
          failure.message,
          ...failure.problems.slice(0, 3).map(({ pointer, message }) => `${pointer}: ${message}`),
        ].join(' ')
      : failure.message,
});

const lastOf = (
  result: E.Either<Failure, ImportResult>,
  reading: LastImport['reading'],
): LastImport => {
  const at = new Date().toISOString();
  const failed = (problem: LastImport['problem']): LastImport => ({
    at,
    outcome: 'failed',
    reading,
    push_id: null,
    problem,
  });
  if (E.isLeft(result)) return failed(codeOf(result.left));
  const { push, answer } = result.right;
  return answer.problem === null
    ? {
        at,
        outcome: push?.outcome ?? 'unchanged',
        reading,
        push_id: push?.push ?? null,
        problem: null,
      }
    : failed(answer.problem);
};

const passes = (result: E.Either<Failure, ImportResult>): boolean => {
  if (E.isLeft(result)) return ['Exhausted', 'Unavailable', 'Internal'].includes(result.left._tag);
  return mayWait(result.right.answer.problem?.code ?? '');
};

/** Imports the application of a provider (docs/provisioning.md: Importing an application). */
export const runImport =
  (dependencies: ImportDependencies) =>
  (request: ImportRequest): TE.TaskEither<Failure, ImportResult> => {
    const { imports } = dependencies;
    const { provider, requestId, by, isDryRun } = request;
    const dryRun = async (): Promise<ImportResult> => {
      const state = await right(storedImport(dependencies, provider));
      return new Import(dependencies, request, state, NO_LEASE).run();
    };
    const wetRun = async (): Promise<ImportResult> => {
      await right(storedImport(dependencies, provider));
      const holder = randomUUID();
      const state = await imports.claim(provider.id, holder, LEASE_SECONDS);
      if (state === null) throw new FailedStep(BUSY);
      const lease = new Lease(() => imports.renew(provider.id, holder, LEASE_SECONDS));
      const running = new Import(dependencies, request, state, lease);
      const isWhole = running.isWhole;
      const result = await TE.tryCatch(() => running.run(), toFailure)();
      lease.end();
      if (E.isLeft(result) && request.stopping?.aborted === true) {
        // The service stops, so another process goes on at once.
        const { failures, last, changed } = state;
        const left = { failures, last, settingsOf: changed, nextSeconds: 0 };
        await imports.end(provider.id, holder, { ...left, progress: null, event: null });
        throw new FailedStep(result.left);
      }
      const reading = running.read?.reading ?? (isWhole ? 'whole' : 'changes');
      const last = lastOf(result, reading);
      const failures = last.problem === null ? 0 : state.failures + 1;
      const occasion = { at: last.at, requestId, by };
      // The timetable reports nothing if it finds nothing new.
      const isQuiet = by === undefined && last.problem === null && last.push_id === null;
      const isOurs = await imports.end(provider.id, holder, {
        settingsOf: state.changed,
        failures,
        last: JSON.stringify(last),
        nextSeconds: nextPause(
          state.every_seconds,
          failures,
          passes(result),
          dependencies.provisioning.clock.random(),
        ),
        progress: E.isRight(result) ? running.progressAfter(result.right.push) : null,
        event: isQuiet ? null : importEvent(provider, occasion, last, running.read, failures),
      });
      if (E.isLeft(result)) throw new FailedStep(result.left);
      if (!isOurs) throw new FailedStep(LOST);
      return result.right;
    };
    return TE.tryCatch(isDryRun ? dryRun : wetRun, toFailure);
  };
