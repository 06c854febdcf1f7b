import { type Difference, isUnproven } from '../../difference/difference';
import type { SharedNode } from '../../rows/row/row';
import { LOCK_BINDING, TAKE_TURN } from '../../translate/records/data-source-statements';
import { DerivationKinds } from './derivation-kinds';
import { type DerivationWitness, NO_WITNESS } from './derivation-witness';
import { Deriver } from './deriving';
import { Pipeline } from '../connection/pipeline';
import type { Runner } from '../connection/transaction';
import { type PushStamp, Writer } from './writing';

/** What may be told of, and done, while a difference is written. */
export interface WriteOptions {
  readonly witness?: DerivationWitness | undefined;
  /** Runs once most of it is on its way, as long as Neo4j is at work on that. */
  readonly meanwhile?: (() => Promise<void>) | undefined;
}

/** Writes a difference, then what is derived from it, under the derivation lock (docs/rules.md: Derived relationships, Full pushes); gives its place among the changes of the graph. */
export const writeDifference = async (
  tx: Runner,
  words: PushStamp,
  push: string,
  difference: Difference,
  shared: ReadonlyMap<string, SharedNode>,
  { witness = NO_WITNESS, meanwhile }: WriteOptions = {},
): Promise<number> => {
  const pipeline = new Pipeline(tx);
  const writer = new Writer(pipeline, words);
  const linked = await writer.putNew(difference);
  // From here on is touched what others may touch: one push at a time (docs/rules.md: Shared nodes). Neo4j takes statements in their order; nobody need wait for an answer to send the next.
  const turned = awaitedLater(takeCommitNumber(pipeline, push));
  const standing = awaitedLater(DerivationKinds.read(pipeline));
  await writer.putStanding(difference, linked);
  const creating = awaitedLater(writer.putShared(difference.linked, shared));
  await writer.linkShared(difference);
  const [created] = await Promise.all([creating, meanwhile?.()]);
  for (const { kind, key } of created) witness.shared('created', kind, key);
  const kinds = await (
    await standing
  ).with(pipeline, [
    ...difference.created.map(({ row }) => row.kind),
    ...difference.changed.filter(isUnproven).map(({ after }) => after.row.kind),
    ...difference.proven.map(({ row }) => row.kind),
    ...created.map(({ kind }) => kind),
  ]);
  const deriver = new Deriver(pipeline, words, difference, created, kinds, witness);
  await deriver.release();
  await writer.removeOwn(difference);
  await deriver.bind();
  await deriver.removeOrphans();
  await pipeline.drain();
  return turned;
};

/** What fails before somebody waits for it is no unhandled rejection. */
const awaitedLater = <A>(promise: Promise<A>): Promise<A> => {
  promise.catch(() => undefined);
  return promise;
};

/** Writes new rows that nobody has bound yet: pushes to other data sources touch none of them. */
export const writeBeforeDerivation = async (
  tx: Runner,
  words: PushStamp,
  difference: Difference,
): Promise<void> => {
  const pipeline = new Pipeline(tx);
  await new Writer(pipeline, words).putNew(difference);
  await pipeline.drain();
};

/** Takes the derivation lock, and the next place among the changes of the graph. */
export const takeCommitNumber = async (pipeline: Pipeline, push: string): Promise<number> => {
  const [, [record]] = await Promise.all([
    pipeline.one(LOCK_BINDING, { push }),
    pipeline.one<{ turn: number }>(TAKE_TURN),
  ]);
  return Number(record?.get('turn'));
};
