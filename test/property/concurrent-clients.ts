import fc from 'fast-check';

import { incrementSequence } from '../arbitrary/increment-sequence';
import type { Push } from '../arbitrary/push-sequence';
import { streamOf, type Stream } from './comparison';
import { Busy, push, type Answer, type Client } from './service-driver';
import type { Tally } from './tally';

/** A push that was accepted, and where. */
export interface Taken {
  readonly stream: Stream;
  readonly payload: object;
  readonly answer: Extract<Answer, { accepted: true }>;
}

/** Who pushes what where, all of it decided before anything is sent. */
export interface Crowd {
  /** The processes of the service; a client asks now this one, now that. */
  readonly processes: readonly Client[];
  /** Sets of four data sources: a sequence goes to one of them, and several clients to the same. */
  readonly sets: readonly (readonly Stream[])[];
  readonly clients: number;
  /** How many pushes each client sends. */
  readonly pushes: number;
  readonly seed: number;
}

interface Errand {
  readonly sent: Push;
  readonly stream: Stream;
  readonly process: Client;
}

/** All clients push at once; gives what was accepted. */
export async function pushAtOnce(crowd: Crowd, tally: Tally): Promise<readonly Taken[]> {
  const errands = Array.from({ length: crowd.clients }, (_, client) => errandsOf(crowd, client));
  const taken = await tally.time('pushes', () =>
    Promise.all(errands.map((mine) => carryOut(mine, tally))),
  );
  return taken.flat();
}

/** Whole random sequences, each to a set of data sources, until they are as many pushes as the client sends. */
function errandsOf({ processes, sets, pushes, seed, clients }: Crowd, client: number): Errand[] {
  const errands: Errand[] = [];
  for (let turn = 0; errands.length < pushes; turn += 1) {
    const [sequence = []] = fc.sample(incrementSequence, {
      numRuns: 1,
      seed: (seed * clients + client) * 1_000 + turn,
    });
    const set = sets[(client + turn) % sets.length] ?? [];
    for (const [at, sent] of sequence.entries()) {
      const process = processes[(client + at) % processes.length];
      if (process === undefined) throw new Error('There is no process.');
      errands.push({ sent, stream: streamOf(set, sent), process });
    }
  }
  return errands.slice(0, pushes);
}

async function carryOut(errands: readonly Errand[], tally: Tally): Promise<readonly Taken[]> {
  const taken: Taken[] = [];
  for (const { sent, stream, process } of errands) {
    const answer = await pushUntilHeard(process, stream, sent, tally);
    if (!answer.accepted) {
      tally.count('pushes', 'refused');
      continue;
    }
    if (sent.payload === null) throw new Error(`Accepted, though its shape is wrong: ${sent.text}`);
    const isIncrement = /"incremental_change":true/i.test(sent.text);
    tally.count('pushes', answer.unchanged ? 'unchanged' : 'changed');
    tally.count('pushes', isIncrement ? 'increments accepted' : 'full pushes accepted');
    taken.push({ stream, payload: sent.payload, answer });
  }
  return taken;
}

/** A busy data source is asked again, as a client would; any other failure ends the test. */
async function pushUntilHeard(
  process: Client,
  { registered }: Stream,
  { text }: Push,
  tally: Tally,
): Promise<Answer> {
  for (;;) {
    try {
      return await push(process, registered, text);
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      tally.count('busy', 'answered 409 and asked again');
    }
  }
}
