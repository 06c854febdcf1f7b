/**
 * What a key that is limited to providers sees of an event about one of them. `nothing`: the event
 * reports what others push, or something of the service. Otherwise: the fields of `metadata` that
 * it sees, and whether it sees the `error`. It always sees the message, and callers may filter by
 * it. So the message must report only things that belong to the provider (docs/security.md: What a
 * key that is limited to providers can infer).
 */
export type LimitedView =
  'nothing' | { readonly metadata: readonly string[]; readonly error: boolean };

const shown = (...metadata: readonly string[]): LimitedView => ({ metadata, error: false });
const withError = (...metadata: readonly string[]): LimitedView => ({ metadata, error: true });

/** All types of events, each with what a limited key sees of it (docs/rules.md: Events). */
export const EVENT_TYPES = {
  PROVIDER_REGISTERED: shown(),
  PROVIDER_CHANGED: shown('changes'),
  // Trusts name other providers, and the relationships that they change belong to others.
  TRUSTS_SET: 'nothing',
  PROVIDER_DELETED: shown('rows', 'confirmed_removal', 'erased_history'),
  DATASOURCE_CREATED: shown(),
  DATASOURCE_DELETED: shown('rows', 'confirmed_removal', 'erased_history', 'ended_at'),
  DATASOURCE_VERIFIED: shown('findings', 'next_full_push', 'rows_gone'),
  DELETION_REFUSED: shown('confirmed_removal'),
  REMOVAL_ALLOWED: shown('until'),

  PUSH_ACCEPTED: shown('push_id', 'confirmed_removal'),
  PUSH_UNCHANGED: shown('push_id', 'confirmed_removal'),
  PUSH_WARNED: shown('push_id', 'confirmed_removal', 'warnings', 'warning_count'),
  PUSH_BEGUN: shown('push_id', 'confirmed_removal'),
  PUSH_PROGRESS: shown('push_id', 'confirmed_removal', 'done', 'total'),
  PUSH_RESUMED: shown('push_id', 'confirmed_removal'),
  PUSH_REPLACED: shown('push_id', 'confirmed_removal', 'replaced_push_id'),
  PUSH_REFUSED: withError('push_id', 'confirmed_removal'),
  PUSH_FAILED: withError('push_id', 'confirmed_removal'),
  // The pushes of other providers decide who gained access, and to what.
  ACCESS_CHANGED: 'nothing',

  // Only administrators see the address of an application, and how the service signs in.
  SCIM_CONNECTION_SET: shown(),
  SCIM_CONNECTION_REMOVED: shown(),
  SCIM_IMPORT_SET: shown('data_source', 'every_seconds', 'whole_every_seconds'),
  SCIM_IMPORT_REMOVED: shown(),
  SCIM_IMPORTED: shown('outcome', 'reading', 'push_id', 'read'),
  // The error may name the address.
  SCIM_IMPORT_FAILED: 'nothing',

  // Accounts are made for the people of other providers.
  ACCOUNT_CREATED: 'nothing',
  ACCOUNT_ADOPTED: 'nothing',
  ACCOUNT_UPDATED: 'nothing',
  ACCOUNT_UNCHANGED: 'nothing',
  ACCOUNT_DISABLED: 'nothing',
  ACCOUNT_DELETED: 'nothing',
  MEMBER_ADDED: 'nothing',
  MEMBER_REMOVED: 'nothing',
  MEMBERS_ADDED: 'nothing',
  MEMBERS_REMOVED: 'nothing',
  PROVISIONING_FAILED: 'nothing',

  // Policies look at the people of all directories.
  POLICY_SET: 'nothing',
  POLICY_REMOVED: 'nothing',
  POLICY_REPORT: 'nothing',
  POLICY_RUN_FAILED: 'nothing',
  POLICY_ACTION_DEAD: 'nothing',
  POLICY_ACTIONS_RETRIED: 'nothing',
  POLICY_ACCOUNT_RELEASED: 'nothing',
  PLAN_AWAITS_CONFIRMATION: 'nothing',
  PLAN_CONFIRMED: 'nothing',
  APPLICATION_DRIFTED: 'nothing',

  // Reviews are about the people and the resources of all providers.
  REVIEW_OPENED: 'nothing',
  REVIEW_DECIDED: 'nothing',
  REVIEW_REMINDED: 'nothing',
  REVIEW_CLOSED: 'nothing',
  REVIEW_DUE_AGAIN: 'nothing',
  REVIEW_APPOINTED: 'nothing',
  REVIEW_CANCELLED: 'nothing',
  REVIEW_REVOKES_SENT: 'nothing',
  REVIEW_REMEDIATED: 'nothing',
  REVIEW_ACCESS_RETURNED: 'nothing',
  REVIEW_MAIL_NOT_SENT: 'nothing',

  TEAM_KEY_CREATED: 'nothing',
  TEAM_KEY_CHANGED: 'nothing',
  TEAM_KEY_ROTATED: 'nothing',
  TEAM_KEY_REVOKED: 'nothing',
  TEAM_KEY_REINSTATED: 'nothing',
  TEAM_KEY_DELETED: 'nothing',
  PERSON_SIGNED_IN: 'nothing',
  PERSON_SIGNED_OUT: 'nothing',
  SESSION_ENDED: 'nothing',
  DATA_EXPORTED: 'nothing',
  QUESTION_OVERDUE: 'nothing',
  PERSON_ERASED: 'nothing',
  GRAPH_RESTORED: 'nothing',
  ACCESS_MEMORY_TOO_SMALL: 'nothing',
  ACCESS_MEMORY_DIFFERED: 'nothing',
  RESTORED_WORK_STARTED: 'nothing',
  SECRETS_RESEALED: 'nothing',

  // Earlier versions wrote these; today the log has them.
  SIGN_INS_REFUSED: 'nothing',
  SIGN_IN_REFUSED: 'nothing',
  SIGN_IN_REPLAYED: 'nothing',
} as const satisfies Readonly<Record<string, LimitedView>>;

/** The type of an event. A new one must say above what a limited key sees of it. */
export type EventType = keyof typeof EVENT_TYPES;

const VIEWS: Readonly<Record<string, LimitedView>> = EVENT_TYPES;

/** What a limited key sees of events of a type. It sees nothing of an unknown type. */
export const limitedViewOf = (type: string): LimitedView =>
  Object.hasOwn(VIEWS, type) ? (VIEWS[type] ?? 'nothing') : 'nothing';

/** The types of which a limited key sees at least a part. */
export const TYPES_FOR_LIMITED: readonly string[] = Object.keys(VIEWS).filter(
  (type) => limitedViewOf(type) !== 'nothing',
);
