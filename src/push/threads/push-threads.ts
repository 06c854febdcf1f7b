import { join } from 'node:path';

import type * as TE from 'fp-ts/TaskEither';

import type { Graph, GraphAddress } from '../../neo4j/driver';
import type { TakenOver } from '../graph/chunked-pushes';
import type { Log } from '../../log';
import type { LendAccess } from '../../questions/changes/contract';
import type { Failure } from '../../problem';
import type { PlanResult } from '../plan/plan-result';
import type { AcceptedPush } from '../run/accepted-push';
import type { SentBody } from '../../web/bodies/sent-body';
import type { SentPlan, SentPush } from '../receive/sent-push';
import type { PushSettings } from './compose-push';
import type { SentScim, ThreadWrite } from './sent-scim';
import { type ThreadOptions, type ThreadPool, threadPool } from './thread-pool';
import { keyOf } from '../../web/admission/turns';

/** Threads that run large pushes. Each thread has its own connections to Neo4j. */
export interface PushThreads extends Pick<ThreadPool, 'load' | 'stop'> {
  /**
   * Runs a push in a thread. The thread takes over its bytes. The push waits if no thread is free.
   */
  take(push: SentPush): TE.TaskEither<Failure, AcceptedPush>;
  /** Runs a push dry in a thread, in the same way. */
  plan(push: SentPlan): TE.TaskEither<Failure, PlanResult>;
  /** Reads, checks and plans a write through SCIM in a thread, and pushes it there. */
  write(sent: SentScim): TE.TaskEither<Failure, ThreadWrite>;
  /** Resumes an interrupted chunked push in a thread. */
  finish(taken: TakenOver): TE.TaskEither<Failure, void>;
}

/** What a thread needs to run pushes. */
export interface ThreadSettings extends PushSettings {
  readonly graph: GraphAddress;
}

const FULL: Failure = {
  _tag: 'Exhausted',
  message: 'Too many large pushes are waiting; try again later.',
  retryAfterSeconds: 60,
};

const KEY_FULL: Failure = {
  _tag: 'Exhausted',
  message: 'The key has as many large pushes waiting as one key may have; try again later.',
  retryAfterSeconds: 60,
};

/** Resuming an interrupted push is work of the service itself. */
const OF_SERVICE = keyOf();

const buffersOf = (sent: SentPush): readonly ArrayBuffer[] =>
  sent.holds === 'upload' ? [] : buffersIn(sent);

const buffersIn = ({ body }: Pick<SentBody, 'body'>): readonly ArrayBuffer[] =>
  body.map(({ buffer }) => buffer);

/** Starts the pool of push threads. */
export const pushThreads = (
  graph: Graph,
  settings: ThreadSettings,
  options: ThreadOptions,
  log: Log,
  lendAccess: LendAccess,
): PushThreads => {
  const file = join(__dirname, '..', '..', 'start', 'push-thread.js');
  const words = { kind: 'push', full: FULL, keyFull: KEY_FULL };
  const { run, load, stop } = threadPool(graph, file, settings, options, log, words, lendAccess);
  return {
    take: (push) =>
      run(keyOf(push.by), 'take', push, buffersOf(push), { request_id: push.requestId }),
    plan: (push) =>
      run(keyOf(push.by), 'plan', push, buffersOf(push), { request_id: push.requestId }),
    write: (sent) =>
      run(keyOf(sent.by), 'write', sent, buffersIn(sent), { request_id: sent.requestId }),
    finish: (taken) =>
      run(OF_SERVICE, 'finish', taken, [], { request_id: taken.record.request_id }),
    load,
    stop,
  };
};
