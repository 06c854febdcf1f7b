import { heapNeeded } from '../src/push/receive/needed-heap';
import { type MemoryGroup, memoryGroup } from './cgroup';
import { Connector, type DataSource } from './connector';
import { load, machine, peakMemory } from './machine';
import { bytesOf, type Options } from './options';
import { otherConstants } from './other-constants';
import { type Answer, PatientClient } from './patient-client';
import { type Shape, SHAPES } from './payload-shapes';
import type { ServiceProcess, ToldSizes } from './service-process';

const MEBIBYTE = 1024 ** 2;
/** How many pushes come at once. */
const AT_ONCE = 5;
/** A payload larger than the largest one by this factor is too large. */
const TOO_MUCH = 1.1;
const PART_BYTES = 4 * MEBIBYTE;

type Say = (text: string) => void;

interface Tools {
  readonly startService: (
    settings: Readonly<Record<string, string>>,
    starter: readonly string[],
  ) => Promise<ServiceProcess>;
}

/** A service with limited memory, and its clients. */
interface Limited {
  readonly service: ServiceProcess;
  readonly group: MemoryGroup;
  readonly connector: Connector;
  readonly client: PatientClient;
  readonly sizes: ToldSizes;
  readonly say: Say;
}

const megabytes = (json: string): string => `${(Buffer.byteLength(json) / 1e6).toFixed(1)} MB`;

/** A payload, and the number of bytes with which its shape was called. */
interface Largest {
  readonly json: string;
  readonly asked: number;
}

/** The largest payload of a shape that the service accepts by its own limits. */
const largest = ({ json }: Shape, { push_thread_memory, json_bytes }: ToldSizes): Largest => {
  const heap = bytesOf(push_thread_memory);
  const sample = json(MEBIBYTE, 0);
  const fits = (text: string): boolean =>
    heapNeeded(text) <= heap && Buffer.byteLength(text) <= json_bytes;
  // A shape may give a little more or less than the bytes with which it is called.
  const most = Math.min(json_bytes / Buffer.byteLength(sample), heap / heapNeeded(sample));
  let asked = 1.05 * most * MEBIBYTE;
  for (;;) {
    const text = json(asked, 0);
    if (fits(text)) return { json: text, asked };
    asked *= 0.99;
  }
};

const envelope = ({ provider, id }: DataSource, json: string): Buffer =>
  Buffer.from(JSON.stringify({ id: provider, data_source_id: id, json_data: json }));

const inWords = ({ status, seconds, text }: Answer): string => {
  const said = status === 200 ? '' : ` ${text.slice(0, 600)}`;
  return `${status ?? 'NO ANSWER'} in ${seconds.toFixed(1)} s${said}`;
};

const memoryInWords = async ({ service, group }: Limited): Promise<string> =>
  `most by now: the process ${(await peakMemory(service.pid)) ?? '?'} MiB, the group ${Math.round(group.mostBytes() / MEBIBYTE)} MiB`;

/**
 * Pushes the largest payload of a shape, then one of the same size with every entity changed, then
 * one that is too large.
 */
const pushShape = async (limited: Limited, name: string, shape: Shape): Promise<void> => {
  const { connector, client, sizes, say } = limited;
  const source = await connector.register(`${name} ${performance.now()}`, shape.template);
  const { json, asked } = largest(shape, sizes);
  say(
    `  ${name}, ${megabytes(json)}: ${inWords(await client.push(source, envelope(source, json)))}`,
  );
  const changed = shape.json(asked * 0.98, 1);
  say(`    changed: ${inWords(await client.push(source, envelope(source, changed)))}`);
  say(`    ${await memoryInWords(limited)}`);
  const more = shape.json(asked * TOO_MUCH, 0);
  say(`    ${megabytes(more)}: ${inWords(await client.push(source, envelope(source, more)))}`);
};

/** Pushes the largest payload from several clients at once, each with its own key. */
const pushAtOnce = async (limited: Limited, name: string, shape: Shape): Promise<void> => {
  const { connector, client, sizes, say } = limited;
  const { json } = largest(shape, sizes);
  const prepared: { readonly client: PatientClient; readonly source: DataSource }[] = [];
  for (let number = 1; number <= AT_ONCE; number += 1) {
    const own = `${name} ${number} ${performance.now()}`;
    prepared.push({
      client: await client.teamKey(own),
      source: await connector.register(own, shape.template),
    });
  }
  const answers = await Promise.all(
    prepared.map(({ client: own, source }) => own.push(source, envelope(source, json))),
  );
  say(`  ${name}, ${megabytes(json)}, ${AT_ONCE} at once:`);
  for (const answer of answers) say(`    ${inWords(answer)}`);
  say(`    ${await memoryInWords(limited)}`);
};

/** Pushes the largest payload as a multipart upload, then one that is too large. */
const pushInParts = async (limited: Limited, name: string, shape: Shape): Promise<void> => {
  const { connector, client, sizes, say } = limited;
  const { json, asked } = largest(shape, sizes);
  const source = await connector.register(`${name} in parts ${performance.now()}`, shape.template);
  const partBytes = Math.min(PART_BYTES, Math.floor(sizes.body_bytes / 2));
  const push = (text: string): Promise<Answer> => client.pushParts(source, text, partBytes);
  say(`  ${name}, ${megabytes(json)}, in parts: ${inWords(await push(json))}`);
  const more = shape.json(asked * TOO_MUCH, 0);
  say(`    ${megabytes(more)}: ${inWords(await push(more))}`);
  say(`    data source: ${(await connector.state(source)).status}`);
  say(`    ${await memoryInWords(limited)}`);
};

const measureLimit = async (
  { startService }: Tools,
  limit: string,
  { shapes, transactionRows }: Pick<Options, 'shapes' | 'transactionRows'>,
  say: Say,
): Promise<void> => {
  const group = memoryGroup(`grantgraph-bench-${process.pid}-${limit}`, bytesOf(limit));
  const settings = {
    LIMIT_REMOVAL_SHARE: '1',
    ...otherConstants({ LIMIT_TRANSACTION_ROWS: transactionRows }),
  };
  const service = await startService(settings, group.command);
  try {
    const { sizes } = service;
    if (sizes === undefined) throw new Error('The service has told no sizes.');
    say(`${limit}: the service reads ${JSON.stringify(sizes)}`);
    const limited: Limited = {
      service,
      group,
      sizes,
      say,
      connector: new Connector(service),
      client: new PatientClient(service.address, service.apiKey),
    };
    const chosen = shapes.map((name) => [name, SHAPES[name] as Shape] as const);
    for (const [name, shape] of chosen) await pushShape(limited, name, shape);
    const [first] = chosen;
    if (first !== undefined) await pushInParts(limited, ...first);
    for (const [name, shape] of chosen.slice(0, 2)) await pushAtOnce(limited, name, shape);
    say(
      `  the service ${service.isAlive() ? 'runs' : 'HAS ENDED'}, ${group.kills()} processes killed, load ${load()}`,
    );
  } finally {
    await service.stop();
    group.remove();
  }
};

/**
 * Checks that a service with limited memory accepts the largest payload of each shape and refuses
 * larger ones (docs/security.md: Bodies, uploads and memory).
 */
export const measureContainer = async (
  tools: Tools,
  { limits, ...options }: Options,
  say: Say,
): Promise<void> => {
  say(`Node ${machine().node}, ${machine().processors} processors, load ${load()}`);
  for (const limit of limits) await measureLimit(tools, limit, options, say);
};
