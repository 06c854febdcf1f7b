import type { TaskEither } from 'fp-ts/TaskEither';

import type { RestoredGraph } from './endpoints';
import { type KeyAct, writeEvent } from '../../graph/records/event-record';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, LATEST, type Runner } from '../../neo4j/transaction';
import { fromGraph, utcOf } from '../../neo4j/values';
import type { Failure } from '../../problem';
import type { RevokedKey } from './restore-events';
import { started } from './restore-events';
import { END_PAUSE, READ_RESTORED } from './statements';

const read = async (tx: Runner): Promise<RestoredGraph> => {
  const [record] = (
    await tx.run<{ restored: unknown; paused: unknown; keys: RevokedKey[] }>(READ_RESTORED)
  ).records;
  const { restored, paused } = fromGraph({
    restored: record?.get('restored'),
    paused: record?.get('paused'),
  });
  return {
    restored_at: utcOf(restored),
    paused_since: utcOf(paused),
    revoked_keys: record?.get('keys') ?? [],
  };
};

/** Whether the graph was restored, what waits since, and which keys are still revoked. */
export const readRestored = (graph: Graph): TaskEither<Failure, RestoredGraph> =>
  inTransaction(graph, LATEST, read);

/** Starts policies and timed imports after a restore. If they do not wait, it changes nothing. */
export const startWork = (graph: Graph, act: KeyAct): TaskEither<Failure, RestoredGraph> =>
  inTransaction(graph, { mode: 'write' }, async (tx) => {
    const { records } = await tx.run(END_PAUSE);
    if (records.length > 0) await writeEvent(tx, started(act));
    return read(tx);
  });
