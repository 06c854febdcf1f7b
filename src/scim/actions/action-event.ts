import type { ActionResult } from '../connections/endpoints';
import type { EventRecord } from '../../graph/records/event-record';
import { type Occasion, providerEvent } from '../../graph/records/event';
import type { Acting } from '../connections/reaching';
import { events } from './events';

const DONE = {
  created: [events.ACCOUNT_CREATED, 'was created'],
  adopted: [events.ACCOUNT_ADOPTED, 'was adopted'],
  updated: [events.ACCOUNT_UPDATED, 'was updated'],
  unchanged: [events.ACCOUNT_UNCHANGED, 'was as it should be'],
  disabled: [events.ACCOUNT_DISABLED, 'was disabled'],
  deleted: [events.ACCOUNT_DELETED, 'was deleted'],
  absent: [events.ACCOUNT_UNCHANGED, 'did not exist'],
  added: [events.MEMBER_ADDED, 'was added to the group'],
  removed: [events.MEMBER_REMOVED, 'was removed from the group'],
  failed: [events.PROVISIONING_FAILED, 'could not be changed as asked'],
} as const;

/** An action as its events report it. */
export interface NamedAction {
  readonly action: string;
  /** The group that it changed. */
  readonly group?: string;
}

/** Makes the event of an action on one account (docs/rules.md: Events). */
export const actionEvent = (
  { provider, act }: Pick<Acting, 'provider'> & { readonly act: Omit<Occasion, 'at'> },
  { action, group }: NamedAction,
  result: ActionResult,
): EventRecord => {
  const { user, account, outcome, confirmed, ignored, problem } = result;
  const [event_type, done] = DONE[outcome];
  const whose = user === null ? '' : ` of ${JSON.stringify(user)}`;
  const why = problem === null ? '' : `: ${problem.message}`;
  return providerEvent(
    provider,
    { at: new Date().toISOString(), ...act },
    {
      severity: outcome === 'failed' ? 'ERROR' : 'INFO',
      name: 'Account in application',
      event_type,
      message: `The account${whose} in the application of provider ${JSON.stringify(provider.name)} ${done}${why}`,
      metadata: {
        action,
        user,
        account,
        outcome,
        confirmed,
        ignored,
        ...(group === undefined ? {} : { group }),
        ...(problem === null ? {} : { problem }),
      },
    },
  );
};
