import type { Policy } from './records';
import type { Provider } from '../../contract/records/provider';
import type { EventRecord } from '../../graph/records/event-record';
import type { ManagedAccount, StoredAction } from './graph/records';
import type { ScimFault } from '../client/scim-fault';
import { type Occasion, providerEvent } from '../../graph/records/event';
import type { Guarded } from './planning/guard';
import { quoted } from '../../codec/quote';
import { events } from './events';

type About = Pick<Provider, 'id' | 'name'>;
/** A policy was set. */
export const policySetEvent = (
  provider: About,
  occasion: Occasion,
  { id, name, state }: Pick<Policy, 'id' | 'name' | 'state'>,
): EventRecord =>
  providerEvent(provider, occasion, {
    severity: 'INFO',
    name: 'Policy set',
    event_type: events.POLICY_SET,
    message: `Policy ${quoted(name)} of provider ${quoted(provider.name)} is set: ${state}.`,
    metadata: { policy: id, state },
  });

/** A policy was removed. */
export const policyRemovedEvent = (
  provider: About,
  occasion: Occasion,
  policy: string,
): EventRecord =>
  providerEvent(provider, occasion, {
    severity: 'INFO',
    name: 'Policy removed',
    event_type: events.POLICY_REMOVED,
    message: `A policy of provider ${quoted(provider.name)} is removed; its accounts stay.`,
    metadata: { policy },
  });

/** The guard stopped a plan. */
export const awaitingEvent = (
  provider: About,
  occasion: Occasion,
  { stopped, token, people, joiners }: Guarded,
): EventRecord =>
  providerEvent(provider, occasion, {
    severity: 'WARNING',
    name: 'Plan awaits confirmation',
    event_type: events.PLAN_AWAITS_CONFIRMATION,
    message: `The plan for the application of provider ${quoted(provider.name)} would take away the accounts of ${people} people and give ${joiners} people accounts, so it waits for a confirmation.`,
    metadata: { token, policies: stopped },
  });

/** Somebody confirmed a plan. */
export const confirmedEvent = (provider: About, occasion: Occasion, token: string): EventRecord =>
  providerEvent(provider, occasion, {
    severity: 'WARNING',
    name: 'Plan confirmed',
    event_type: events.PLAN_CONFIRMED,
    message: `The plan for the application of provider ${quoted(provider.name)} is confirmed.`,
    metadata: { token },
  });

/** Policies in report-only would do something else than before. */
export const reportEvent = (
  provider: About,
  occasion: Occasion,
  counts: Readonly<Record<string, number>>,
): EventRecord =>
  providerEvent(provider, occasion, {
    severity: 'INFO',
    name: 'Policies report',
    event_type: events.POLICY_REPORT,
    message: `Policies of provider ${quoted(provider.name)} that only report would now do other things.`,
    metadata: { counts },
  });

/** The application differs from what policies wrote. */
export const driftEvent = (
  provider: About,
  occasion: Occasion,
  counts: Readonly<Record<string, number>>,
): EventRecord =>
  providerEvent(provider, occasion, {
    severity: 'WARNING',
    name: 'Application drifted',
    event_type: events.APPLICATION_DRIFTED,
    message: `The application of provider ${quoted(provider.name)} differs from what policies wrote there.`,
    metadata: { counts },
  });

/** A complete run failed. */
export const runFailedEvent = (
  provider: About,
  occasion: Occasion,
  problem: { readonly code: string; readonly message: string },
): EventRecord =>
  providerEvent(provider, occasion, {
    severity: 'ERROR',
    name: 'Policies could not be applied',
    event_type: events.POLICY_RUN_FAILED,
    message: `Policies of provider ${quoted(provider.name)} could not be applied: ${problem.message}`,
    metadata: { problem },
  });

/** An action is given up. */
export const deadEvent = (
  provider: About,
  occasion: Occasion,
  { id, kind, policy, people, group }: StoredAction,
  { code, message }: Pick<ScimFault, 'code' | 'message'>,
): EventRecord =>
  providerEvent(provider, occasion, {
    severity: 'ERROR',
    name: 'Action given up',
    event_type: events.POLICY_ACTION_DEAD,
    message: `An action in the application of provider ${quoted(provider.name)} is given up: ${message}`,
    metadata: { action: id, kind, policy, people, group, problem: { code, message } },
  });

/** Members of a group changed. */
export const membersEvent = (
  provider: About,
  occasion: Occasion,
  { id, kind, policy, group }: StoredAction,
  people: readonly string[],
): EventRecord =>
  providerEvent(provider, occasion, {
    severity: 'INFO',
    name: 'Members in application',
    event_type: kind === 'add_members' ? events.MEMBERS_ADDED : events.MEMBERS_REMOVED,
    message: `${people.length} people were ${kind === 'add_members' ? 'added to' : 'removed from'} group ${quoted(group ?? '')} in the application of provider ${quoted(provider.name)}.`,
    metadata: { action: id, policy, group, people },
  });

/** Actions will be tried again. */
export const retriedEvent = (provider: About, occasion: Occasion): EventRecord =>
  providerEvent(provider, occasion, {
    severity: 'INFO',
    name: 'Actions tried again',
    event_type: events.POLICY_ACTIONS_RETRIED,
    message: `Actions of policies of provider ${quoted(provider.name)} will be tried again.`,
  });

/** Somebody released the account that a policy managed for a person. */
export const releasedEvent = (
  provider: About,
  occasion: Occasion,
  { person, account, policy }: Pick<ManagedAccount, 'person' | 'account' | 'policy'>,
): EventRecord =>
  providerEvent(provider, occasion, {
    severity: 'WARNING',
    name: 'Account released',
    event_type: events.POLICY_ACCOUNT_RELEASED,
    message: `A policy of provider ${quoted(provider.name)} no longer manages the account of ${quoted(person)}; it stays as it is.`,
    metadata: { user: person, account, policy },
  });
