import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { isOutage } from '../../graph/connection/failure';
import type { EventFeed } from '../../graph/records/event-feed';
import { errorFields, type Log } from '../../log';

/** Whoever looks out for events, until its reader leaves or the process stops. */
export interface Watcher {
  /** The newest place once it is beyond another one; `null` when it is not within some time, or the watcher has ended. */
  readonly beyond: (place: number, seconds: number) => Promise<number | null>;
  readonly ended: AbortSignal;
  readonly end: () => void;
}

/** Looks for new events, once for all streams of the process, and only while there are any. */
export interface EventWatch {
  /** Another watcher; `null` when there are as many as there may be. */
  open(): Watcher | null;
  /** How many there are. */
  readonly count: () => number;
  /** Ends all of them, and lets no more come. */
  stop(): Promise<void>;
}

/** How the watch is kept. */
export interface WatchOptions {
  readonly everySeconds: number;
  /** How many watchers there may be. */
  readonly most: number;
}

/** The watch of a process over the feed. */
export const watchEvents = (
  feed: Pick<EventFeed, 'newest'>,
  { everySeconds, most }: WatchOptions,
  log: Log,
): EventWatch => {
  const watchers = new Set<Watcher>();
  const looked = new EventEmitter().setMaxListeners(0);
  const stopping = new AbortController();
  let newest = 0;
  let polling: Promise<void> | null = null;

  const poll = async (): Promise<void> => {
    while (watchers.size > 0) {
      try {
        newest = await feed.newest();
        looked.emit('looked');
      } catch (error) {
        // The log tells of an outage once, for all work.
        if (!isOutage(error)) {
          log.warn('cannot look for events, which is tried again', errorFields(error));
        }
      }
      await sleep(everySeconds * 1000, undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
    }
    polling = null;
  };

  const newWatcher = (): Watcher => {
    const ending = new AbortController();
    const ended = ending.signal;
    const watcher: Watcher = {
      ended,
      end: () => {
        watchers.delete(watcher);
        ending.abort();
      },
      beyond: async (place, seconds) => {
        const signal = AbortSignal.any([ended, AbortSignal.timeout(Math.ceil(seconds * 1000))]);
        try {
          while (newest <= place) await once(looked, 'looked', { signal });
        } catch {
          return null;
        }
        return ended.aborted ? null : newest;
      },
    };
    return watcher;
  };

  return {
    open: () => {
      if (stopping.signal.aborted || watchers.size >= most) return null;
      const watcher = newWatcher();
      watchers.add(watcher);
      polling ??= poll();
      return watcher;
    },
    count: () => watchers.size,
    stop: async () => {
      stopping.abort();
      for (const watcher of [...watchers]) watcher.end();
      await polling;
    },
  };
};
