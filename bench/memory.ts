import { load, machine, peakMemory } from './machine';
import type { Options } from './options';
import { otherConstants } from './other-constants';
import { SHAPES } from './payload-shapes';
import { Connector } from './connector';
import type { ServiceProcess } from './service-process';

const MEBIBYTE = 1024 ** 2;
/** How exactly the bench finds the least memory: to this factor. */
const STEP = 1.1;

/** Whether pushes pass with some settings, and the most memory that the process held. */
interface Tried {
  readonly passes: boolean;
  readonly peakMib: number;
  readonly seconds: number;
}

type Start = (settings: Readonly<Record<string, string>>) => Promise<ServiceProcess>;

const values = (json: string): number => json.match(/[,:[{]/g)?.length ?? 0;

const tryShape = async (
  start: Start,
  name: string,
  { bytes, transactionRows }: Pick<Options, 'bytes' | 'transactionRows'>,
  memoryMib: number,
): Promise<Tried> => {
  const shape = SHAPES[name] as (typeof SHAPES)[string];
  const service = await start({
    LIMIT_REMOVAL_SHARE: '1',
    ...otherConstants({
      PUSH_THREAD_MEMORY: memoryMib * MEBIBYTE,
      PUSH_THREAD_BYTES: 1024,
      LIMIT_BODY_BYTES: 500 * MEBIBYTE,
      LIMIT_JSON_BYTES: 500 * MEBIBYTE,
      LIMIT_TRANSACTION_ROWS: transactionRows,
    }),
  });
  const begun = performance.now();
  try {
    const connector = new Connector(service);
    const source = await connector.register(`${name} ${begun}`, shape.template);
    let passes = true;
    // The second push changes every entity, so the service holds both the current and the desired
    // rows.
    for (const turn of [0, 1]) {
      const push = await connector.prepareText(source, shape.json(bytes, turn));
      const status = await connector.statusOf(push);
      if (status === 413) passes = false;
      if (status !== 200) break;
    }
    const seconds = (performance.now() - begun) / 1000;
    return { passes, seconds, peakMib: (await peakMemory(service.pid)) ?? 0 };
  } finally {
    await service.stop();
  }
};

/**
 * Finds the least heap of a push thread (PUSH_THREAD_MEMORY) with which payloads of each shape
 * pass.
 */
export const measureMemory = async (
  { startService }: { readonly startService: Start },
  { shapes, ...options }: Options,
  say: (text: string) => void,
): Promise<void> => {
  const { bytes } = options;
  say(`${(bytes / 1e6).toFixed(1)} MB of JSON; Node ${machine().node}, load ${load()}`);
  for (const name of shapes) {
    const json = SHAPES[name]?.json(bytes, 1) ?? '';
    let [fails, passes] = [0, Infinity];
    let peak: Tried | undefined;
    for (let memoryMib = 128; passes / Math.max(fails, 1) > STEP;) {
      const tried = await tryShape(startService, name, options, memoryMib);
      say(
        `  ${name} ${memoryMib}m: ${tried.passes ? 'passes' : '413'} in ${tried.seconds.toFixed(1)} s, peak ${tried.peakMib} MiB`,
      );
      if (tried.passes) [passes, peak] = [memoryMib, tried];
      else fails = memoryMib;
      if (memoryMib === 64) break;
      memoryMib =
        passes === Infinity
          ? memoryMib * 2
          : Math.max(64, Math.round(fails === 0 ? memoryMib / 2 : Math.sqrt(fails * passes)));
    }
    const length = Buffer.byteLength(json);
    say(
      `${name}: ${(length / 1e6).toFixed(1)} MB, ${values(json)} values; passes with ${passes} MiB: ` +
        `${((passes * MEBIBYTE) / length).toFixed(1)} bytes for each of its text, ${((passes * MEBIBYTE) / values(json)).toFixed(0)} for each value; peak of the process ${peak?.peakMib ?? '?'} MiB`,
    );
  }
};
