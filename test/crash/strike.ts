import { setTimeout as sleep } from 'node:timers/promises';

import type { Moment } from './bolt-connection';
import { expectNoMemoryDiffered } from '../property/same-memory';
import { plainInstant } from '../property/stored-graph';
import { DELETION, type PushKind } from './push-kinds';
import { expectCounted, expectStored, type Recorded, type Existing } from './standing';
import type { Answered, Stage } from './stage';

/** Who is killed, or what breaks between the two. */
export const VICTIMS = ['service', 'Neo4j', 'connections'] as const;
export type Victim = (typeof VICTIMS)[number];

/** What a crash left behind: the graph of before the push, of after it, or a data source that says that it is not done with. */
export type Left = 'before' | 'after' | 'resumes';

/** A crash at one moment of a push. */
export interface Struck {
  readonly left: Left;
  /** How the push ended when it was sent again. */
  readonly retried: string;
}

/** Somebody has gone on by then with a push that was interrupted. */
const FINISHED_MILLISECONDS = 180_000;

const UNFINISHED = ['DELETING', 'PENDING'];

/** How each of them fails, and comes back. */
const KILLED_AND_STARTED: Readonly<Record<Victim, (stage: Stage) => Promise<void>>> = {
  service: async (stage) => {
    await stage.killService();
    await stage.startServiceAgain();
  },
  Neo4j: async (stage) => {
    await stage.killNeo4j();
    await stage.startNeo4jAgain();
  },
  connections: async (stage) => {
    // The service connects again once, and at once: it must not meet a moment at which nobody listens.
    stage.proxy.drop();
    await stage.ready();
  },
};

/**
 * Makes a push and kills somebody (or breaks the connections) at one of its moments, then starts that one again: what stands must be what stood before or what the push
 * makes of it, and the same push again must succeed. `null` when the push ended before such a moment came.
 */
export const strike = async (
  stage: Stage,
  standing: Existing,
  kind: PushKind,
  victim: Victim,
  isThere: (moment: Moment) => boolean,
): Promise<Struck | null> => {
  const recorded = await standing.recorded(stage);
  const attempt = kind.begin(stage, standing.registered);
  const reached = stage.proxy.stopAt(isThere).then(() => null);
  const sent = attempt();
  const ended = await Promise.race([reached, sent]);
  if (ended !== null) {
    stage.proxy.disarm();
    expectEnd(kind, ended, kind.end);
    await settle(stage, standing, kind, ended);
    return null;
  }
  await KILLED_AND_STARTED[victim](stage);
  const answered = await sent;
  const left = await whatIsLeft(stage, standing, kind, recorded);
  expectAnswerOf(stage, victim, answered, left);
  if (left === 'resumes' && kind.goesOn === true) await finished(stage, standing, kind);

  const retried = await attempt();
  expectEnd(kind, retried, endAfter(kind, left));
  await settle(stage, standing, kind, retried);
  if (kind.end !== 'deleted') await expectCounted(stage, standing);
  return { left, retried: retried.status === 404 ? 'gone' : endAfter(kind, left) };
};

/** Waits until somebody has gone on with a push and finished it: what stands then is what it makes of the graph, whoever wrote it. */
async function finished(stage: Stage, standing: Existing, { payload }: PushKind): Promise<void> {
  if (payload === null) throw new Error('Such a push has a payload.');
  const deadline = performance.now() + FINISHED_MILLISECONDS;
  for (;;) {
    const { status, at } = await standing.recorded(stage);
    if (status === 'SUCCESS') {
      await expectStored(stage, standing.mirrorWith(payload, at ?? ''));
      await expectSound(stage, standing);
      standing.take(payload, at ?? '');
      return;
    }
    if (performance.now() > deadline) throw new Error(`Not finished:\n${stage.service.printed()}`);
    await sleep(200);
  }
}

/** Makes a push that nobody disturbs. */
export const undisturbed = (stage: Stage, standing: Existing, kind: PushKind): Promise<unknown> =>
  strike(stage, standing, kind, 'service', () => false);

/** Deletes what was pushed; what comes next comes to a new data source. */
export const afresh = async (stage: Stage, standing: Existing): Promise<Existing> => {
  await undisturbed(stage, standing, DELETION);
  return standing.next(stage);
};

/** Compares what stands with what stood before and with what the push makes of it. */
async function whatIsLeft(
  stage: Stage,
  standing: Existing,
  kind: PushKind,
  before: Recorded,
): Promise<Left> {
  const now = await standing.recorded(stage);
  if (now.status === null) {
    expect(kind.end).toBe('deleted');
    await expectStored(stage, await standing.mirrorWithout(stage));
    return 'after';
  }
  if (UNFINISHED.includes(now.status) && now.status !== before.status) return 'resumes';
  const isAfter = now.pushes > before.pushes;
  expect(now.pushes).toBe(before.pushes + (isAfter ? 1 : 0));
  expect(now.lastPush !== before.lastPush).toBe(isAfter && kind.payload !== null);
  const isTaken = isAfter && kind.payload !== null;
  const expected = isTaken ? standing.mirrorWith(kind.payload, now.at ?? '') : standing.mirror();
  await expectStored(stage, expected);
  await expectSound(stage, standing);
  if (isTaken) standing.take(kind.payload, now.at ?? '');
  return isAfter ? 'after' : 'before';
}

/** The service itself finds nothing that is not as its pushes left it: hashes, digests, what is derived. */
async function expectSound(stage: Stage, { registered }: Existing): Promise<void> {
  const answer = await stage.send('POST', registered.path.replace(/:push$/, ':verify'), {});
  expect([answer.status, answer.body.sound]).toEqual([200, true]);
  await expectNoMemoryDiffered(stage.driver);
}

/** Nobody is told of a success that is none; who hears of a failure may have succeeded. */
function expectAnswerOf(
  stage: Stage,
  victim: Victim,
  { status, body }: Answered,
  left: Left,
): void {
  if (victim === 'service') expect(status).toBe(0);
  else if (status === 200) expect(left).not.toBe('before');
  else if (status !== 400 && status !== 503)
    throw new Error(`${status} ${JSON.stringify(body)}\n${stage.service.printed()}`);
}

function endAfter({ end, goesOn }: PushKind, left: Left): PushKind['end'] {
  const isDone = left === 'after' || (left === 'resumes' && goesOn === true);
  return end === 'changed' && isDone ? 'unchanged' : end;
}

function expectEnd({ name }: PushKind, { status, body }: Answered, end: PushKind['end']): void {
  const told = { name, status, unchanged: body.unchanged };
  switch (end) {
    case 'changed':
      expect(told).toEqual({ name, status: 200, unchanged: false });
      break;
    case 'unchanged':
      expect(told).toEqual({ name, status: 200, unchanged: true });
      break;
    case 'refused':
      expect(told.status).toBe(400);
      break;
    case 'deleted':
      expect([200, 404]).toContain(told.status);
      break;
  }
}

/** What a push that ended leaves. */
async function settle(
  stage: Stage,
  standing: Existing,
  kind: PushKind,
  { body }: Answered,
): Promise<void> {
  if (kind.end === 'deleted') await standing.forget(stage);
  else if (kind.payload !== null) standing.take(kind.payload, plainInstant(String(body.at)));
  await expectStored(stage, standing.mirror());
}
