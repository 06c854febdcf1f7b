import { actionEvent } from '../../actions/action-event';
import { changeMembersOf } from '../../client/members';
import { ScimFault } from '../../client/scim-fault';
import type { StoredAction } from '../graph/records';
import { type Ended, execute, onApplication, type Running } from '../running/execute';
import { inLanes } from '../running/lanes';
import { keeperOf, readIn, shownDigest } from './membership';

const ended = (account: string, outcome: string, events: Ended['events']): Ended => ({
  left: [],
  fault: null,
  outcome,
  account,
  records: [],
  events,
});

/** Removes the member that a review ordered to remove, if it is still the one that somebody was shown. */
const removal = async (running: Running, action: StoredAction): Promise<Ended> =>
  onApplication(running, async (application) => {
    const [account, group] = [action.account ?? '', action.group ?? ''];
    const found = await readIn(application, { account, group });
    if (shownDigest(application.exchange.base, found) !== action.wanted) {
      const message = 'The application describes the account or the group otherwise than before.';
      throw new ScimFault('NOT_AS_SHOWN', message);
    }
    const policy = keeperOf(running.managed.values(), found);
    if (policy !== null) {
      throw new ScimFault('NOT_AS_SHOWN', `Policy ${policy} puts the account into the group.`);
    }
    const [result] = await changeMembersOf(application, found.group, 'remove', [found.account]);
    if (result === undefined) throw new Error('nothing became of the member');
    if ('fault' in result) throw result.fault;
    const { provider, runId } = running;
    const outcome = { user: null, ...result, ignored: [], problem: null };
    const how = { action: action.kind, group };
    const event = actionEvent({ provider, act: { requestId: runId } }, how, outcome);
    return ended(account, result.outcome, [event]);
  });

/** Carries out the orders of reviews that are due, each only if it is still open when its turn comes. */
export const sendOrders = async (
  running: Running,
  orders: readonly StoredAction[],
  isStopping: () => boolean,
): Promise<void> => {
  const { dependencies } = running;
  await inLanes(
    orders,
    dependencies.atOnce,
    ({ id, group }) => group ?? id,
    async (order) => {
      if (isStopping() || !(await dependencies.records.isOpenOrder(order.id))) return;
      await execute(running, order, removal);
    },
  );
};
