import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { isOutage } from '../../neo4j/failure';
import type { EventFeed } from './event-feed';
import { errorFields, type Log } from '../../log';

/** One stream's wait for new events. It ends when its reader leaves or the process stops. */
export interface Watcher {
  /**
   * Resolves with the newest place when that is beyond `place`. Resolves with `null` after
   * `seconds`, or if the watcher has ended.
   */
  readonly beyond: (place: number, seconds: number) => Promise<number | null>;
  readonly ended: AbortSignal;
  readonly end: () => void;
}

/** How often the watch polls. */
export interface WatchOptions {
  readonly everySeconds: number;
  /** The most watchers at once. */
  readonly most: number;
  /** The most watchers of one key at once. */
  readonly mostOfOwner: number;
}

/** Watches the feed for this process. */
export const watchEvents = (
  feed: Pick<EventFeed, 'newest'>,
  { everySeconds, most, mostOfOwner }: WatchOptions,
  log: Log,
) => {
  const watchers = new Map<Watcher, string>();
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
        // The outage log reports an outage once for all work.
        if (!isOutage(error)) {
          log.warn('the service could not look for new events and tries again', errorFields(error));
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
    /** Opens a watcher of a key. Says why not if too many watchers are open already. */
    open: (owner: string): Watcher | 'owner busy' | 'all busy' => {
      if (stopping.signal.aborted || watchers.size >= most) return 'all busy';
      const own = [...watchers.values()].filter((other) => other === owner).length;
      if (own >= mostOfOwner) return 'owner busy';
      const watcher = newWatcher();
      watchers.set(watcher, owner);
      polling ??= poll();
      return watcher;
    },
    /** How many watchers are open. */
    count: (): number => watchers.size,
    /** Ends all watchers and opens no more. */
    stop: async (): Promise<void> => {
      stopping.abort();
      for (const watcher of [...watchers.keys()]) watcher.end();
      await polling;
    },
  };
};

/** Polls for new events, once for all streams of the process, and only while there are streams. */
export type EventWatch = ReturnType<typeof watchEvents>;
