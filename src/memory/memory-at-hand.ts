import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

import * as E from 'fp-ts/Either';

import type { Config } from '../config';
import { oncePerContext } from '../context';
import type { LogFields } from '../log';
import { bytes } from '../settings/setting';
import { inUnits, memoryPlan, type MemorySizes, memoryTaken } from './memory-plan';

/**
 * Memory that the embedded Neo4j needs in addition to its heap, for its page cache and for Java
 * itself.
 */
const NEO4J_BESIDE_HEAP = 1024 ** 3;
/** Heap that the answering thread needs in addition to the pushes that run in it. */
const ANSWERING_HEAP = 128 * 1024 ** 2;
/** The service plans with at least this much memory. */
const LEAST = 256 * 1024 ** 2;

type Sized = Pick<Config, 'memory' | 'neo4j' | 'embedded' | 'push' | 'limits'>;

/** The sizes that the service plans with, and a warning if they exceed its memory. */
export interface PlannedMemory {
  readonly memory: number;
  readonly threads: number;
  readonly sizes: MemorySizes;
  readonly warning: { readonly message: string; readonly fields: LogFields } | null;
}

/** The memory limit of this process's container, or else the memory of the machine. */
const given = (): number => {
  const limit = process.constrainedMemory();
  // Without a limit the system reports 0, or more than the machine has.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
};

/**
 * The memory that the service may use. Without the setting it is the memory of the container or
 * machine, less what the embedded Neo4j uses.
 */
export const memoryAtHand = (
  { memory, neo4j, embedded }: Omit<Sized, 'push' | 'limits'>,
  all: number = given(),
): number => {
  if (memory.bytes !== undefined) return memory.bytes;
  if (neo4j.uri !== undefined) return all;
  const heap = bytes(1, Number.MAX_SAFE_INTEGER)(embedded.heap);
  return Math.max(LEAST, all - (E.isRight(heap) ? heap.right : 0) - NEO4J_BESIDE_HEAP);
};

/**
 * Heap that pushes can have in the answering thread. V8 sets its limit at the start of the process.
 */
const heapHere = (): number => getHeapStatistics().heap_size_limit - ANSWERING_HEAP;

/** Sizes that follow from the memory at hand (docs/security.md: Bodies, uploads and memory). */
export const plannedMemory = (
  config: Sized,
  memory = memoryAtHand(config),
  mostHere = heapHere(),
): PlannedMemory => {
  const { push, limits } = config;
  const threads = Math.max(1, push.threads);
  const { bodyBytes, bodiesBytes, jsonBytes } = limits;
  const set = { threadMemory: push.threadMemory, bodyBytes, bodiesBytes, jsonBytes };
  const fitting = memoryPlan(memory, threads, set);
  const isTooMuchHere =
    push.threads === 0 && push.threadMemory === undefined && fitting.threadMemory > mostHere;
  const sizes = isTooMuchHere
    ? memoryPlan(memory, threads, { ...set, threadMemory: mostHere })
    : fitting;
  const taken = memoryTaken(sizes, threads);
  if (taken <= memory) return { memory, threads, sizes, warning: null };
  const message = `the service may take more memory than there is: give it more${
    threads > 1 ? ', or lower PUSH_THREADS' : ''
  }`;
  const fields = { memory: inUnits(memory), needed: inUnits(taken) };
  return { memory, threads, sizes, warning: { message, fields } };
};

/** The sizes that the service plans with; it logs them once. */
export const plannedMemoryOf = oncePerContext(({ config, log }): PlannedMemory => {
  const planned = plannedMemory(config);
  const { threadMemory, bodyBytes, bodiesBytes, jsonBytes } = planned.sizes;
  if (planned.warning !== null) log.warn(planned.warning.message, planned.warning.fields);
  log.info('memory', {
    memory: inUnits(planned.memory),
    push_thread_memory: inUnits(threadMemory),
    body_bytes: bodyBytes,
    bodies_bytes: bodiesBytes,
    json_bytes: jsonBytes,
  });
  return planned;
});
