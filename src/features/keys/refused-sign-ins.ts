import type { Log } from '../../log';

/** How many addresses are counted one by one. All further ones are counted together. */
const MOST_ADDRESSES = 1_000;
/** How many addresses a line names: those with the most refused sign-ins. */
const TOLD_ADDRESSES = 10;

/**
 * Counts the refused sign-ins of this process by address, and reports them from time to time. The log has
 * them, and not the graph: nobody who has not signed in writes to it (docs/security.md: Sign-in of people).
 */
export const refusedSignIns = (log: Log) => {
  let counts = new Map<string, number>();
  let since = new Date().toISOString();
  return {
    note: (address: string): void => {
      const at = counts.has(address) || counts.size < MOST_ADDRESSES ? address : 'other addresses';
      counts.set(at, (counts.get(at) ?? 0) + 1);
    },
    /** Writes one line about all sign-ins refused since the last line, if there were any. */
    report: (): void => {
      const [reported, from] = [counts, since];
      counts = new Map();
      since = new Date().toISOString();
      if (reported.size === 0) return;
      log.warn('sign-ins were refused', {
        since: from,
        count: [...reported.values()].reduce((sum, count) => sum + count, 0),
        addresses: [...reported]
          .sort(([, one], [, other]) => other - one)
          .slice(0, TOLD_ADDRESSES)
          .map(([address, count]) => `${address} (${count})`)
          .join(', '),
      });
    },
  };
};
