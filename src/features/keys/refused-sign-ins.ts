import type * as TE from 'fp-ts/TaskEither';

import type { EventRecord } from '../../graph/records/event-record';
import type { Failure } from '../../problem';
import { serviceEvent } from '../../graph/records/event';

/** Counts refused sign-ins and reports them from time to time. */
export interface RefusedSignIns {
  readonly note: (address: string) => void;
  /** Writes one event about all sign-ins refused since the last event, if there were any. */
  readonly tell: () => TE.TaskEither<Failure, void>;
}

/** What the report depends on. */
export interface RefusedSignInsDependencies {
  readonly writeEvent: (event: EventRecord) => TE.TaskEither<Failure, void>;
}

/** How many addresses are counted one by one. All further ones are counted together. */
const MOST_ADDRESSES = 1_000;
/** How many addresses an event names: those with the most refused sign-ins. */
const TOLD_ADDRESSES = 10;

type Counts = ReadonlyMap<string, number>;

const sumOf = (counts: Counts): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

const eventOf = (counts: Counts, since: string): EventRecord => {
  const total = sumOf(counts);
  const at = new Date().toISOString();
  const [were, times] = total === 1 ? ['was', 'sign-in'] : ['were', 'sign-ins'];
  return serviceEvent(
    { at },
    {
      severity: 'WARNING',
      name: 'Sign-ins refused',
      event_type: 'SIGN_INS_REFUSED',
      message: `${total} ${times} ${were} refused since ${since}.`,
      metadata: {
        since,
        count: total,
        addresses: [...counts]
          .sort(([, one], [, other]) => other - one)
          .slice(0, TOLD_ADDRESSES)
          .map(([address, count]) => ({ address, count })),
      },
    },
  );
};

/** Counts the refused sign-ins of this process by address. */
export const refusedSignIns = ({ writeEvent }: RefusedSignInsDependencies): RefusedSignIns => {
  let counts = new Map<string, number>();
  let since = new Date().toISOString();
  const add = (address: string, count: number): void => {
    const at = counts.has(address) || counts.size < MOST_ADDRESSES ? address : 'other addresses';
    counts.set(at, (counts.get(at) ?? 0) + count);
  };
  return {
    note: (address) => add(address, 1),
    tell: () => async () => {
      const [told, from] = [counts, since];
      counts = new Map();
      since = new Date().toISOString();
      if (told.size === 0) return { _tag: 'Right', right: undefined };
      const written = await writeEvent(eventOf(told, from))();
      if (written._tag === 'Left') {
        // The event could not be written. The next one includes these sign-ins.
        for (const [address, count] of told) add(address, count);
        since = from;
      }
      return written;
    },
  };
};
