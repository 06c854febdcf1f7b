import { type EventRecord, writeEvent } from '../../graph/records/event-record';
import { serviceEvent } from '../../graph/records/event';
import type { Graph } from '../../neo4j/driver';
import { runTransaction } from '../../neo4j/transaction';
import { LARGEST_PROVIDER } from '../statements/access-feed-statements';
import type { AccessMemory } from './access-memory';
import type { HeldState } from './held-graph';
import { events } from './events';

/** What watches the access graph of a process. */
export interface MemoryWatch {
  readonly memory: () => AccessMemory;
  /** The connections with which it writes events. */
  readonly graph: Graph;
}

const write = (graph: Graph, event: EventRecord): Promise<void> =>
  runTransaction(graph, { mode: 'write' }, (tx) => writeEvent(tx, event));

/** How long Neo4j may count who pushed most of the graph. */
const COUNTING_SECONDS = 60;

/** The provider of which most rows and past facts are. */
interface Largest {
  readonly provider: string;
  readonly name: string;
  readonly rows: number;
  readonly past: number;
}

/** Who pushed most of the graph; `null` if nobody did, or Neo4j does not say so in time. */
const largest = (graph: Graph): Promise<Largest | null> =>
  runTransaction(graph, { mode: 'read', timeoutSeconds: COUNTING_SECONDS }, async (tx) => {
    const { records } = await tx.run<Record<keyof Largest, unknown>>(LARGEST_PROVIDER);
    const [record] = records;
    if (record === undefined) return null;
    return {
      provider: String(record.get('provider')),
      name: String(record.get('name')),
      rows: Number(record.get('rows')),
      past: Number(record.get('past')),
    };
  }).catch(() => null);

const inWords = (most: Largest | null): string =>
  most === null
    ? ''
    : ` Most of it comes from the provider ${most.name}: ${most.rows} rows and ${most.past} past facts.`;

const tooLarge = (
  { mostBytes, nodes, relationships }: HeldState,
  most: Largest | null,
): EventRecord =>
  serviceEvent(
    { at: new Date().toISOString() },
    {
      severity: 'ERROR',
      name: 'Memory for the graph of access is too small',
      event_type: events.ACCESS_MEMORY_TOO_SMALL,
      message: `The service answers no question about access: the graph needs more than ${mostBytes} bytes. Set ACCESS_MEMORY, or MEMORY. It still takes pushes.${inWords(most)}`,
      metadata: {
        bytes: mostBytes,
        nodes,
        relationships,
        largest_provider: most?.provider ?? null,
      },
    },
  );

const differed = (types: readonly string[]): EventRecord =>
  serviceEvent(
    { at: new Date().toISOString() },
    {
      severity: 'WARNING',
      name: 'The graph of access in memory differed',
      event_type: events.ACCESS_MEMORY_DIFFERED,
      message: `What the service held in memory was not what Neo4j holds: ${types.join(', ')}. It loads everything again. Somebody may have changed the graph by hand.`,
      metadata: { types },
    },
  );

/** Catches up with what was committed, and reports once if the memory is too small. */
export const followCommits = ({ memory, graph }: MemoryWatch): (() => Promise<void>) => {
  let isReported = false;
  return async () => {
    await memory().follow();
    const state = memory().state();
    const isTooLarge = state.phase === 'too large';
    if (isTooLarge && !isReported) await write(graph, tooLarge(state, await largest(graph)));
    isReported = isTooLarge;
  };
};

/**
 * Compares the memory with Neo4j, and reports a difference (docs/architecture.md: Access in memory).
 * Nothing happens before the graph is loaded.
 */
export const compareMemory = async ({ memory, graph }: MemoryWatch): Promise<void> => {
  if (memory().state().phase !== 'ready') return;
  const types = await memory().compare();
  if (types !== null && types.length > 0) await write(graph, differed(types));
};
