import { type Difference, isUnproven } from '../../difference/difference';
import type { SharedNode } from '../../rows/row/row';
import { LOCK_BINDING, TAKE_TURN, TELL_ACCESS } from '../statements/data-source-statements';
import { WrittenAccess } from './access-changes';
import { DerivationKinds } from './derivation-kinds';
import { type DerivationWitness, NO_WITNESS } from './derivation-witness';
import { Deriver } from './deriving';
import { endSessionsOfLeavers } from './person-sessions';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { type PushStamp, Writer } from './writing';

/** What a caller may watch or do while the push writes a diff. */
export interface WriteOptions {
  readonly witness?: DerivationWitness | undefined;
  /** Runs once most of the diff is on its way to Neo4j, while Neo4j works on it. */
  readonly meanwhile?: (() => Promise<void>) | undefined;
  /**
   * Whether the diff is one of several of a push or deletion: rows that it leaves may still refer to
   * rows that it removes.
   */
  readonly isPart?: boolean;
  /** Whether the history stores none of the facts that the diff ends (docs/rules.md: History). */
  readonly erases?: boolean;
}

/**
 * Writes a diff, then derives relationships under the derivation lock (docs/rules.md: Derived
 * relationships, Full pushes). Gives the commit sequence number of the push.
 */
export const writeDifference = async (
  tx: Runner,
  words: PushStamp,
  push: string,
  difference: Difference,
  shared: ReadonlyMap<string, SharedNode>,
  { witness: watching = NO_WITNESS, meanwhile, isPart = false }: WriteOptions = {},
): Promise<number> => {
  const pipeline = new Pipeline(tx);
  const witness = new WrittenAccess(words.dataSource, watching);
  const writer = new Writer(pipeline, words);
  const linked = await writer.putNew(difference);
  // From here on the push touches what other pushes may touch, so only one push runs at a time
  // (docs/rules.md: Shared nodes). Neo4j runs the statements in their order, so the push sends each
  // without waiting for the answer to the one before.
  const turned = awaitedLater(takeCommitNumber(pipeline, push));
  const existing = awaitedLater(DerivationKinds.read(pipeline));
  await writer.putStanding(difference, linked);
  const creating = awaitedLater(writer.putShared(difference.linked, shared));
  await writer.linkShared(difference);
  // Most of the diff is on its way, and Neo4j works on it.
  witness.difference(difference);
  const [created] = await Promise.all([creating, meanwhile?.()]);
  for (const { kind, key } of created) witness.shared('created', kind, key);
  const kinds = await (
    await existing
  ).with(pipeline, [
    ...difference.created.map(({ row }) => row.kind),
    ...difference.changed.filter(isUnproven).map(({ after }) => after.row.kind),
    ...difference.proven.map(({ row }) => row.kind),
    ...created.map(({ kind }) => kind),
  ]);
  const deriver = new Deriver(pipeline, words, difference, created, kinds, witness);
  await deriver.release();
  await writer.removeOwn(difference, isPart);
  await deriver.bind();
  await deriver.removeOrphans();
  await endSessionsOfLeavers(pipeline, words.dataSource, difference);
  const turn = await turned;
  await pipeline.one(TELL_ACCESS, accessOf(turn, words, witness));
  await pipeline.drain();
  return turn;
};

/**
 * Keeps an early failure from becoming an unhandled rejection. The caller awaits the promise later.
 */
const awaitedLater = <A>(promise: Promise<A>): Promise<A> => {
  promise.catch(() => undefined);
  return promise;
};

const accessOf = (
  turn: number,
  { at }: Pick<PushStamp, 'at'>,
  { packed }: Pick<WrittenAccess, 'packed'>,
): Readonly<Record<string, unknown>> => ({
  key: String(turn),
  at: toDateTime(at),
  changes: packed,
});

/**
 * Writes new rows before relationships are derived from them. Pushes to other data sources touch
 * none of these rows, so this takes the derivation lock last.
 */
export const writeBeforeDerivation = async (
  tx: Runner,
  words: PushStamp,
  push: string,
  difference: Difference,
): Promise<void> => {
  const pipeline = new Pipeline(tx);
  await new Writer(pipeline, words).putNew(difference);
  await pipeline.drain();
  const written = new WrittenAccess(words.dataSource, NO_WITNESS);
  written.difference(difference);
  const turn = await takeCommitNumber(pipeline, push);
  await pipeline.one(TELL_ACCESS, accessOf(turn, words, written));
};

/** Takes the derivation lock and the next commit sequence number, for a commit without changes of access. */
export const takeNumberOfRecord = async (
  tx: Runner,
  push: string,
  at: PushStamp['at'],
): Promise<number> => {
  const pipeline = new Pipeline(tx);
  const turn = await takeCommitNumber(pipeline, push);
  await pipeline.one(TELL_ACCESS, accessOf(turn, { at }, { packed: '' }));
  return turn;
};

/** Takes the derivation lock and the next commit sequence number. */
const takeCommitNumber = async (pipeline: Pipeline, push: string): Promise<number> => {
  const [, [record]] = await Promise.all([
    pipeline.one(LOCK_BINDING, { push }),
    pipeline.one<{ turn: number }>(TAKE_TURN),
  ]);
  return Number(record?.get('turn'));
};
