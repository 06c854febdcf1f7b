import { setTimeout as sleep } from 'node:timers/promises';

import { bigPayload } from './big-payload';
import { load, machine, peakMemory } from './machine';
import type { Options } from './options';
import { type Probe, quantile, startProbe } from './probe';
import type { RoundTools } from './round';

/** The limit for the 99th percentile of small requests during a large push. */
const MOST_P99_MS = 100;
const QUIET_MS = 5000;

const inWords = ({ took, failed }: Probe): readonly string[] => [
  ...Object.entries(took).map(
    ([path, all]) =>
      `  ${path.padEnd(26)} ${String(all.length).padStart(6)} answers, ms: p50 ${quantile(all, 0.5).toFixed(1)}, ` +
      `p99 ${quantile(all, 0.99).toFixed(1)}, most ${quantile(all, 1).toFixed(1)}`,
  ),
  ...(failed > 0 ? [`  ${failed} FAILED`] : []),
];

const verdict = ({ took, failed }: Probe): string => {
  const p99 = Math.max(...Object.values(took).map((all) => quantile(all, 0.99)));
  return `p99 ${p99.toFixed(1)} ms (asked: at most ${MOST_P99_MS}) ${p99 <= MOST_P99_MS && failed === 0 ? 'reached' : 'MISSED'}`;
};

/**
 * Measures small requests of another process: while nothing else happens, during a large first
 * push, and while the same payload comes again.
 */
export const measureBig = async (
  { service, connector, neo4jPid }: RoundTools,
  { elements, bytes, seed, heap }: Options,
  say: (text: string) => void,
): Promise<void> => {
  const source = await connector.register('Large', 'application');
  const payload = bigPayload(elements, bytes, seed);
  const [plain, gzipped] = [
    await connector.prepare(source, payload, false),
    await connector.prepare(source, payload),
  ];
  say(
    `${(plain.payloadBytes / 1e6).toFixed(1)} MB of JSON, a body of ${(plain.body.length / 1e6).toFixed(1)} MB, ` +
      `${(gzipped.body.length / 1e6).toFixed(1)} MB gzipped; ${machine().processors} processors, Node ${machine().node}, ` +
      `Neo4j heap ${neo4jPid === null ? 'its own' : heap}, load ${load()}`,
  );

  // A fresh service and a fresh Neo4j are slow.
  const warm = startProbe(service);
  await sleep(QUIET_MS);
  await warm();
  const quiet = startProbe(service);
  await sleep(QUIET_MS);
  say('Nothing else happens');
  inWords(await quiet()).forEach(say);

  for (const [name, push] of [
    ['A first push, plain', plain],
    ['The same again, gzipped', gzipped],
  ] as const) {
    const probe = startProbe(service);
    const [pushed] = await Promise.allSettled([connector.push(push)]);
    const probed = await probe();
    if (pushed.status === 'rejected') throw pushed.reason;
    const answer = pushed.value;
    const steps = Object.entries(await service.steps(answer.push));
    say(
      `${name}: ${answer.seconds.toFixed(1)} s, ${answer.warnings} warnings, ${answer.isUnchanged ? 'unchanged' : 'accepted'}; ` +
        steps.map(([step, seconds]) => `${step} ${seconds.toFixed(2)}`).join(', '),
    );
    inWords(probed).forEach(say);
    say(`  ${verdict(probed)}`);
  }
  say(
    `Peak memory: service ${(await peakMemory(service.pid)) ?? '?'} MiB, Neo4j ${(await peakMemory(neo4jPid)) ?? '?'} MiB; load ${load()}`,
  );
};
