import { applicationPayload } from './application-payload';
import { countsOf, fingerprint } from './contents';
import { load, machine, peakMemory } from './machine';
import type { Options } from './options';
import { Random } from './random';
import { reordered } from './reordered';
import type { RoundTools } from './round';
import { runYardstickInParts, yardstickOf } from './yardstick';

const WARM_UP = 50_000;

/** A heap as the settings spell it, in bytes. */
const bytesOf = (heap: string): number => {
  const [, digits, unit = ''] = /^(\d+)([kmg]?)$/i.exec(heap) ?? [];
  return Number(digits) * 1024 ** ' kmg'.indexOf(unit.toLowerCase() || ' ');
};

/** The settings of a service that takes such pushes; the Neo4j of the bench is none that it has started itself. */
export const partsSettings = ({
  heap,
  writers,
}: Pick<Options, 'heap' | 'writers'>): Record<string, string> => ({
  LIMIT_BODY_BYTES: '500m',
  LIMIT_JSON_BYTES: '500m',
  LIMIT_TRANSACTION_ROWS: String(Math.floor(bytesOf(heap) / 8192)),
  PUSH_WRITERS: String(writers),
});

/** Times a first push that is applied in parts, the same content in another order, and the same written by hand with a commit for each 10,000 rows. */
export const measureParts = async (
  { service, connector, graph, driver, database, neo4jPid }: RoundTools,
  { elements, seed, heap, writers }: Options,
  say: (text: string) => void,
): Promise<void> => {
  const warm = await connector.register('Warm-up', 'application');
  await connector.push(await connector.prepare(warm, applicationPayload(WARM_UP, seed + 1)));
  await graph.clear();

  const payload = applicationPayload(elements, seed);
  const source = await connector.register('Large', 'application');
  const push = await connector.prepare(source, payload);
  say(
    `${(push.payloadBytes / 1e6).toFixed(1)} MB of JSON, ${(push.body.length / 1e6).toFixed(1)} MB gzipped; ${machine().processors} processors, ` +
      `Node ${machine().node}, Neo4j heap ${neo4jPid === null ? 'its own' : heap}, ${writers} writers, load ${load()}`,
  );
  const tell = async (name: string, prepared: typeof push) => {
    const answer = await connector.push(prepared);
    const steps = Object.entries(await service.steps(answer.push));
    say(
      `${name}: ${answer.seconds.toFixed(2)} s, ${answer.isUnchanged ? 'unchanged' : 'accepted'}; ` +
        steps.map(([step, seconds]) => `${step} ${seconds.toFixed(2)}`).join(', '),
    );
    return answer;
  };
  const first = await tell('First push', push);
  const memory = `Peak memory: service ${(await peakMemory(service.pid)) ?? '?'} MiB, Neo4j ${(await peakMemory(neo4jPid)) ?? '?'} MiB`;
  const other = reordered(payload, new Random(seed));
  const again = await tell('The same in another order', await connector.prepare(source, other));
  if (!again.isUnchanged || again.digest !== first.digest) {
    throw new Error('The same content in another order changed something.');
  }
  const contents = await graph.read();
  const counts = countsOf(contents);
  const expected = fingerprint(contents);
  const yardstick = yardstickOf(contents);
  await graph.clear();
  const byHand = await runYardstickInParts(driver, database, yardstick, writers);
  if (fingerprint(await graph.read()) !== expected) {
    throw new Error('The yardstick did not write the very same.');
  }
  const rate = (seconds: number): number =>
    Math.round((counts.nodes + counts.relationships) / seconds);
  const { nodes, relationships } = byHand.steps;
  say(
    `By hand: ${byHand.seconds.toFixed(2)} s; nodes ${nodes.toFixed(2)}, relationships ${relationships.toFixed(2)}`,
  );
  say(
    `${counts.nodes} nodes and ${counts.relationships} relationships: ${rate(first.seconds)}/s, by hand ${rate(byHand.seconds)}/s; ` +
      `by hand / first push ${(byHand.seconds / first.seconds).toFixed(2)} (asked: at least 0.75)`,
  );
  say(`${memory} (asked: service at most 1536); load ${load()}`);
};
