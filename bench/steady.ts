import { bigPayload } from './big-payload';
import { changeOf } from './changes';
import { load, machine, memory, peakMemory } from './machine';
import type { Options } from './options';
import { Random } from './random';
import type { RoundTools } from './round';

/** The most memory of the last tenth of the pushes, relative to that of the second tenth. */
const MOST_GROWTH = 1.1;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Pushes again and again, and measures the memory of the service after each push. Two payloads come
 * by turns, each of them twice, so every second push brings the same bytes as the one before.
 */
export const measureSteady = async (
  { service, connector, neo4jPid }: RoundTools,
  { elements, bytes, pushes, seed, heap }: Options,
  say: (text: string) => void,
): Promise<void> => {
  const source = await connector.register('Steady', 'application');
  const payload = bigPayload(elements, bytes, seed);
  const other = changeOf(payload, elements / 100, 'other', new Random(seed)).whole;
  const bodies = [await connector.prepare(source, payload), await connector.prepare(source, other)];
  say(
    `${pushes} pushes of ${bodies.map((body) => (body.payloadBytes / 1e6).toFixed(1)).join(' and ')} MB by turns, each twice; ` +
      `${machine().processors} processors, Node ${machine().node}, Neo4j heap ${neo4jPid === null ? 'its own' : heap}, load ${load()}`,
  );
  const tenth = Math.floor(pushes / 10);
  const tenths: number[] = [];
  let held: number[] = [];
  let unchanged = 0;
  for (let push = 0; push < 10 * tenth; push += 1) {
    const body = bodies[Math.floor(push / 2) % 2];
    if (body === undefined) throw new Error('There is no body.');
    if ((await connector.push(body)).isUnchanged) unchanged += 1;
    held.push((await memory(service.pid)) ?? 0);
    if (held.length < tenth) continue;
    tenths.push(mean(held));
    held = [];
    say(
      `${push + 1} pushes, ${unchanged} of them unchanged: ${tenths.at(-1)?.toFixed(0)} MiB on average; load ${load()}`,
    );
  }
  const ratio = (tenths.at(-1) ?? 0) / (tenths[1] ?? 0);
  say(
    `The last tenth against the second: ${ratio.toFixed(2)} (asked: at most ${MOST_GROWTH}) ${ratio <= MOST_GROWTH ? 'reached' : 'MISSED'}; ` +
      `peak: service ${(await peakMemory(service.pid)) ?? '?'} MiB, Neo4j ${(await peakMemory(neo4jPid)) ?? '?'} MiB`,
  );
};
