import { v7 as timeOrderedUuid } from 'uuid';
import neo4j from 'neo4j-driver';

import type { Instant } from '../../../model/instant';
import { Pipeline } from '../../../neo4j/pipeline';
import type { Runner } from '../../../neo4j/transaction';
import type { StoredAction } from '../graph/records';
import { toAction } from '../graph/stored';
import { ASK_FOR_RUN, DROP_ORDERS, PLAN_ACTIONS, READ_ORDERS } from '../statements';

/** A member that a review orders to remove from a group of an application. */
export interface OrderedRemoval {
  readonly provider: string;
  readonly review: string;
  readonly item: number;
  /** The key of the account's node. */
  readonly holder: string;
  /** The ids of account and group in the application. */
  readonly account: string;
  readonly group: string;
  /** What somebody was shown (`membershipDigest`). */
  readonly wanted: string;
}

/** Plans removals as actions, and asks for runs. Gives the id of the action of each item. */
export const placeOrders = async (
  tx: Runner,
  orders: readonly OrderedRemoval[],
  at: Instant,
): Promise<ReadonlyMap<number, string>> => {
  const ids = new Map<number, string>();
  const rows = orders.map(({ provider, review, item, holder, account, group, wanted }) => {
    const id = timeOrderedUuid();
    ids.set(item, id);
    return {
      id,
      provider,
      policy: '',
      review,
      item: neo4j.int(item),
      kind: 'remove_members',
      people: [holder],
      account,
      group,
      wanted,
      status: 'PLANNED',
      why: 'A review revoked the membership.',
    };
  });
  const pipeline = new Pipeline(tx);
  await pipeline.send(PLAN_ACTIONS, 'rows', rows, { at: at.utc });
  await pipeline.drain();
  for (const provider of new Set(orders.map((order) => order.provider))) {
    await tx.run(ASK_FOR_RUN, { provider });
  }
  return ids;
};

/** Drops orders that are not done. */
export const dropOrders = async (
  tx: Runner,
  ids: readonly string[],
  at: Instant,
): Promise<void> => {
  const pipeline = new Pipeline(tx);
  await pipeline.send(DROP_ORDERS, 'keys', ids, { at: at.utc });
  await pipeline.drain();
};

/** Orders by their ids, as far as they are stored. */
export const readOrders = async (
  tx: Runner,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<StoredAction, 'status' | 'outcome' | 'problem'>>> => {
  const records = await new Pipeline(tx).ask<{ action: Readonly<Record<string, unknown>> }>(
    READ_ORDERS,
    'keys',
    ids,
  );
  const actions = records.map((record) => toAction(record.get('action')));
  return new Map(actions.map((action) => [action.id, action]));
};
