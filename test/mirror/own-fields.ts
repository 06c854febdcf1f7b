import type { Label, Value, Values } from './graph';
import { instantOf } from './instant';
import { given } from './text';

interface Fields {
  readonly texts: readonly string[];
  readonly flags?: readonly string[];
  readonly times?: readonly string[];
}

const local = ['name', 'id', 'unique_id'];

/** The fields that each kind stores as they are (docs/rules.md: Own properties). */
const fieldsOf: ReadonlyMap<Label, Fields> = new Map<Label, Fields>([
  ['IdpDomain', { texts: ['name'] }],
  [
    'IdpUser',
    {
      texts: ['name', 'email', 'identity', 'full_name', 'manager_id', 'identity_type'],
      flags: ['is_active', 'is_guest'],
    },
  ],
  ['IdpGroup', { texts: ['name', 'identity', 'full_name'], flags: ['is_security_group'] }],
  ['IdpApp', { texts: ['id', 'name', 'description'] }],
  ['HrisSystem', { texts: ['id', 'name', 'url'] }],
  ['HrisGroup', { texts: ['id', 'name', 'group_type'] }],
  [
    'Employee',
    {
      texts: [
        'id',
        'name',
        'employee_number',
        'first_name',
        'last_name',
        'employment_status',
        'company',
        'preferred_name',
        'display_full_name',
        'canonical_name',
        'username',
        'email',
        'idp_id',
        'personal_email',
        'home_location',
        'work_location',
        'job_title',
        'primary_time_zone',
      ],
      flags: ['is_active'],
      times: ['start_date', 'termination_date'],
    },
  ],
  ['Application', { texts: ['name', 'description'] }],
  [
    'LocalUser',
    {
      texts: [...local, 'email', 'user_type'],
      flags: ['is_active'],
      times: ['created_at', 'last_login_at', 'password_last_changed_at', 'deactivated_at'],
    },
  ],
  ['LocalGroup', { texts: local, times: ['created_at'] }],
  ['LocalRole', { texts: local }],
  [
    'LocalAgent',
    {
      texts: [...local, 'ai_platform', 'ai_agent_publisher'],
      flags: ['is_active'],
      times: ['created_at'],
    },
  ],
  [
    'LocalModel',
    {
      texts: [...local, 'ai_platform', 'ai_model_publisher', 'ai_model_family', 'ai_model_series'],
      times: ['created_at'],
    },
  ],
  [
    'AccessCredential',
    {
      texts: local,
      flags: ['is_active', 'can_expire'],
      times: ['created_at', 'expires_at', 'last_used_at'],
    },
  ],
  ['Resource', { texts: ['name', 'id', 'resource_type', 'description'] }],
  ['Permission', { texts: ['name'], flags: ['apply_to_sub_resources'] }],
]);

/** An entity's own plain fields in their stored form, unset ones left out (docs/rules.md: Own properties). */
export function ownFields(kind: Label, sent: object): Values {
  const fields = fieldsOf.get(kind);
  const value = (name: string): unknown =>
    Object.hasOwn(sent, name) ? (sent as Record<string, unknown>)[name] : null;
  const texts = (fields?.texts ?? []).map((name) => [name, given(value(name) as string | null)]);
  const flags = (fields?.flags ?? []).map((name) => [name, value(name) ?? null]);
  const times = (fields?.times ?? []).map((name) => [name, instantOf(value(name))]);
  return withoutUnset(Object.fromEntries([...texts, ...flags, ...times]) as UnsetOr);
}

type UnsetOr = Readonly<Record<string, Value | null>>;

/** Values without the unset ones: null is the absence of a property (docs/rules.md: Values). */
export function withoutUnset(values: UnsetOr): Values {
  const set = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(set) as Values;
}
