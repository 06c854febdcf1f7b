import fc, { type Arbitrary } from 'fast-check';
import { from, maybe, mostly, maybeText, pick, some } from './optional';
import * as pool from './pool';
import { customProperties, propertyTypes } from './property-values';
import { namedEntity, owners, tags } from './shared-fields';

const common = { tags, owners, custom_properties: customProperties };
const references = (most: number): Arbitrary<number[] | null | undefined> =>
  maybe(some(pick, most));
const time = maybe(from(pool.times));
const ids = { id: maybeText(pool.localIds), unique_id: maybeText(pool.localIds) };
const identities = maybe(
  some(from([...pool.people, ...pool.emails, ...pool.groups, 'EVE@corp.example', 'Ghost', '']), 3),
);

const localUser = fc.record({
  name: from(pool.people),
  ...ids,
  email: maybeText(pool.emails),
  identities,
  groups: references(2),
  access_creds: references(2),
  is_active: maybe(fc.boolean()),
  created_at: time,
  last_login_at: time,
  password_last_changed_at: time,
  deactivated_at: time,
  user_type: maybe(from(['human', 'service_account'])),
  ...common,
});

const localGroup = fc.record({
  name: from(pool.groups),
  ...ids,
  identities,
  groups: references(2),
  created_at: time,
  ...common,
});

const localRole = fc.record({
  name: from(pool.roles),
  id: maybeText([...pool.localIds, ...pool.arns, ...pool.arns]),
  unique_id: maybeText(pool.localIds),
  permissions: references(6),
  roles: references(2),
  ...common,
});

const localAgent = fc.record({
  name: from(pool.agents),
  ...ids,
  ai_platform: maybeText(['Cloud']),
  ai_agent_publisher: maybeText(['Acme']),
  is_active: maybe(fc.boolean()),
  created_at: time,
  groups: references(2),
  access_creds: references(2),
  models: references(2),
  ...common,
});

const localModel = fc.record({
  name: from(pool.models),
  ...ids,
  ai_platform: maybeText(['Cloud']),
  ai_model_publisher: maybeText(['Acme']),
  ai_model_family: maybeText(['gp']),
  ai_model_series: maybeText(['1']),
  created_at: time,
  ...common,
});

const credential = fc
  .record({
    ...ids,
    name: maybeText(pool.credentials),
    is_active: maybe(fc.boolean()),
    created_at: time,
    expires_at: time,
    last_used_at: time,
    can_expire: maybe(fc.boolean()),
    ...common,
  })
  // One of the three is required (docs/rules.md: Required fields).
  .map((sent) => (sent.name || sent.id || sent.unique_id ? sent : { ...sent, id: 'k-9' }));

/** A resource with sub-resources `deep` levels down; types with ids have one. */
function resource(deep: number): Arbitrary<object> {
  const inside = deep === 0 ? fc.constant(undefined) : maybe(some(resource(deep - 1), 3));
  return fc
    .record({
      name: from(pool.resources),
      id: from(pool.resourceIds),
      hasId: fc.boolean(),
      typeWithId: from(pool.resourceTypes.withIds),
      typeWithoutId: from(pool.resourceTypes.withoutIds),
      description: maybeText(['What is kept here.']),
      connections: maybe(some(namedEntity, 2)),
      sub_resources: inside,
      ...common,
    })
    .map(({ hasId, id, typeWithId, typeWithoutId, ...sent }) =>
      hasId
        ? { ...sent, id, resource_type: typeWithId }
        : { ...sent, resource_type: typeWithoutId },
    );
}

const application = fc.record({
  application_type: from(pool.applicationTypes),
  description: maybeText(['Customers.']),
  local_users: mostly(some(localUser, 14)),
  local_groups: mostly(some(localGroup, 10)),
  local_roles: mostly(some(localRole, 10)),
  local_agents: mostly(some(localAgent, 4)),
  local_models: mostly(some(localModel, 3)),
  local_access_creds: mostly(some(credential, 8)),
  resources: mostly(some(resource(4), 7)),
  ...common,
});

const permission = fc.record({
  name: from(pool.permissions),
  permission_type: maybe(some(from(pool.canonicalTypes), 3)),
  application_type: fc.oneof(
    { weight: 3, arbitrary: from([null, undefined]) },
    { weight: 1, arbitrary: some(from([...pool.applicationTypes, 'SAAS']), 3) },
  ),
  apply_to_sub_resources: maybe(fc.boolean()),
  resource_types: fc.oneof(
    { weight: 3, arbitrary: from([null, undefined]) },
    {
      weight: 2,
      arbitrary: some(from([...pool.resourceTypes.withIds, ...pool.resourceTypes.withoutIds]), 3),
    },
  ),
});

const scope = {
  application: pick,
  resources: references(3),
  apply_to_application: maybe(fc.boolean()),
};

/** An entry: of a federated identity, or of a local one, found by number in its first element's application. */
const entry = fc.record({
  identity: from([...pool.people, ...pool.emails, ...pool.groups, 'Ghost', 'DAN']),
  local: pick,
  identity_type: maybe(
    from([
      'idp',
      'local_user',
      'local_group',
      'local_role',
      'local_role',
      'local_access_creds',
      'local_agent',
    ]),
  ),
  application_permissions: mostly(some(fc.record({ permission: pick, ...scope }), 3)),
  role_assignments: mostly(
    some(fc.record({ role: pick, ...scope, custom_properties: customProperties }), 3),
  ),
});

const definition = fc.record({
  application_type: from(pool.applicationTypes),
  application_properties: propertyTypes,
  local_user_properties: propertyTypes,
  local_group_properties: propertyTypes,
  local_role_properties: propertyTypes,
  role_assignment_properties: propertyTypes,
  local_access_creds_properties: propertyTypes,
  local_agent_properties: propertyTypes,
  local_model_properties: propertyTypes,
  resources: maybe(
    some(
      fc.record({
        resource_type: from([...pool.resourceTypes.withIds, ...pool.resourceTypes.withoutIds]),
        properties: propertyTypes,
      }),
      6,
    ),
  ),
});

/** An application payload of one to three applications, references still to be written. */
export const applicationDraft: Arbitrary<object> = fc
  .record({
    custom_property_definition: mostly(fc.record({ applications: mostly(some(definition, 8)) })),
    names: fc.shuffledSubarray(pool.applications, { minLength: 1, maxLength: 2 }),
    contents: fc.tuple(application, application),
    permissions: mostly(some(permission, 12)),
    identity_to_permissions: mostly(some(entry, 40)),
    incremental_change: maybe(fc.constant(false)),
  })
  .map(({ names, contents, ...payload }) => ({
    ...payload,
    // Two applications of one name would make one of the entities inside them, too.
    applications: names.map((name, at) => ({ name, ...contents[at] })),
  }));
