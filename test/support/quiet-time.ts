/*
 * Bounds of time that a test must hold (no request holds the main thread for more than 100 ms) are meant for
 * a quiet machine. Suites run side by side, and other programs share the caches and the threads of a core: the
 * same work then needs up to twice its processor time. So a test measures a piece of work that never changes,
 * at the same time, and counts in its measure.
 */

/** Processor milliseconds that `fixedWork` needs on a quiet machine, once compiled. */
const QUIET_MILLISECONDS = 13;

/** Texts, maps and sorting, as pages and answers need them. */
const fixedWork = (): number => {
  const places = new Map<string, number>();
  for (let at = 0; at < 12_000; at += 1) {
    const name = `person ${String((at * 7919) % 12_007)} <"&'> `.replace(/[<>&"']/g, '_');
    places.set(name, (places.get(name) ?? 0) + at);
  }
  const sorted = [...places].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([name, at]) => `<td>${name}${String(at)}</td>`).join('').length;
};

/** Processor milliseconds of this process for some work. */
export const spentOn = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const measured = { at: -Infinity, slowness: 1 };

/** How many times as long as on a quiet machine the same work takes now; at least once. */
const slowness = (): number => {
  if (performance.now() - measured.at > 1_000) {
    if (measured.at === -Infinity) for (let time = 0; time < 20; time += 1) fixedWork();
    const times = [1, 2, 3, 4, 5].map(() => spentOn(fixedWork)).sort((one, other) => one - other);
    measured.slowness = Math.max(1, (times[2] ?? 0) / QUIET_MILLISECONDS);
    measured.at = performance.now();
  }
  return measured.slowness;
};

/** What these milliseconds of a processor would be on a quiet machine. */
export const inQuiet = (milliseconds: number): number => milliseconds / slowness();
