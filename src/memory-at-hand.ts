import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

import * as E from 'fp-ts/Either';

import type { Config } from './config';
import type { LogFields } from './log';
import { bytes } from './settings/setting';
import { inUnits, memoryPlan, type MemorySizes, memoryTaken } from './service/receive/memory-plan';

/** What the embedded Neo4j takes beside its heap: its pages, and Java itself. */
const NEO4J_BESIDE_HEAP = 1024 ** 3;
/** Heap that the thread that answers needs beside the pushes that run in it. */
const ANSWERING_HEAP = 128 * 1024 ** 2;
/** Less is never planned with. */
const LEAST = 256 * 1024 ** 2;

const SETTINGS: { readonly [S in keyof MemorySizes]: string } = {
  threadMemory: 'PUSH_THREAD_MEMORY',
  bodyBytes: 'LIMIT_BODY_BYTES',
  bodiesBytes: 'LIMIT_BODIES_BYTES',
  jsonBytes: 'LIMIT_JSON_BYTES',
};

type Sized = Pick<Config, 'memory' | 'neo4j' | 'embedded' | 'push' | 'limits'>;

/** The sizes of a service, and a warning where they do not fit into its memory. */
export interface PlannedMemory {
  readonly memory: number;
  readonly threads: number;
  readonly sizes: MemorySizes;
  readonly warning: { readonly message: string; readonly fields: LogFields } | null;
}

/** The limit of this process's container, else the memory of the machine. */
const given = (): number => {
  const limit = process.constrainedMemory();
  // Without a limit the system tells none, or more than there is.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
};

/** The memory that the service may take: what the setting says, else what is given, without what the embedded Neo4j takes of it. */
export const memoryAtHand = (
  { memory, neo4j, embedded }: Omit<Sized, 'push' | 'limits'>,
  all: number = given(),
): number => {
  if (memory.bytes !== undefined) return memory.bytes;
  if (neo4j.uri !== undefined) return all;
  const heap = bytes(1, Number.MAX_SAFE_INTEGER)(embedded.heap);
  return Math.max(LEAST, all - (E.isRight(heap) ? heap.right : 0) - NEO4J_BESIDE_HEAP);
};

/** What V8 lets the thread that answers hold: where pushes run in it, they cannot take more. */
const heapHere = (): number => getHeapStatistics().heap_size_limit - ANSWERING_HEAP;

/** Sizes that follow from the memory at hand where no setting tells them (docs/security.md: Bodies, uploads and memory). */
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
  const names = (Object.keys(SETTINGS) as (keyof MemorySizes)[])
    .filter((name) => set[name] !== undefined)
    .map((name) => SETTINGS[name]);
  const message =
    'the settings may take more memory than there is: lower them, or give the service more';
  const fields = {
    memory: inUnits(memory),
    needed: inUnits(taken),
    settings: [...names, ...(push.threads > 1 ? ['PUSH_THREADS'] : [])],
  };
  return { memory, threads, sizes, warning: { message, fields } };
};
