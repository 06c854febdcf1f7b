import fc, { type Arbitrary } from 'fast-check';
import { from, maybe, mostly, maybeText, pick, some } from './optional';
import * as pool from './pool';
import { customProperties, dynamicProperties, propertyTypes } from './property-values';
import { assumedRoleArns, namedEntity, tags } from './shared-fields';

const sourceIdentity = maybe(
  fc.record({
    identity: from([...pool.idpIds, ...pool.people, ...pool.groups, 'U2', 'Devs']),
    provider_type: from(pool.providerTypes),
  }),
);

const appAssignments = maybe(
  some(
    fc.record({
      id: from(['1', '2', '3']),
      name: maybeText(['daily', 'now and then']),
      app_id: pick,
      custom_properties: customProperties,
    }),
    2,
  ),
);

const user = fc.record({
  name: fc.oneof(
    { weight: 3, arbitrary: from(pool.people) },
    { weight: 4, arbitrary: from(pool.crowd) },
  ),
  email: maybeText(pool.emails),
  identity: maybeText(pool.idpIds),
  full_name: maybeText(['Ann Archer', 'Bob']),
  department: maybe(
    fc.oneof(from(['Sales', '']), fc.array(from(['Sales', '', 'Ops', 'Sales']), { maxLength: 3 })),
  ),
  is_active: maybe(fc.boolean()),
  is_guest: maybe(fc.boolean()),
  identity_type: maybe(from(['HUMAN', 'NONHUMAN'])),
  groups: maybe(some(fc.record({ identity: pick }), 3)),
  manager_id: maybe(fc.oneof(pick, from(['nobody', '']))),
  entities_owned: maybe(fc.oneof(some(namedEntity, 2), namedEntity)),
  source_identity: sourceIdentity,
  assumed_role_arns: assumedRoleArns,
  app_assignments: appAssignments,
  tags,
  custom_properties: customProperties,
  dynamic_properties: dynamicProperties,
});

const group = fc.record({
  name: from(pool.groups),
  identity: maybeText([...pool.idpIds, ...pool.groups]),
  full_name: maybeText(['Everybody']),
  is_security_group: maybe(fc.boolean()),
  groups: maybe(some(fc.oneof(fc.record({ identity: pick }), fc.record({ parent: pick })), 2)),
  source_identity: sourceIdentity,
  assumed_role_arns: assumedRoleArns,
  app_assignments: appAssignments,
  tags,
  custom_properties: customProperties,
  dynamic_properties: dynamicProperties,
});

const app = fc.record({
  id: from(['p1', 'P1', 'p2', 'p|3']),
  name: from(pool.apps),
  description: maybeText(['For all.']),
  assumed_role_arns: mostly(assumedRoleArns),
  tags,
  custom_properties: customProperties,
});

const domain = fc.record({
  name: from(['corp.example', 'Corp.example']),
  tags,
  custom_properties: customProperties,
  dynamic_properties: dynamicProperties,
});

/** An identity provider's payload, references still to be written; its type is one of those given. */
export function identityProviderDraft(idpTypes: readonly (string | null)[]): Arbitrary<object> {
  return fc.record({
    name: maybeText(['People', 'people']),
    idp_type: from(idpTypes),
    idp_description: maybeText(['Who is who.']),
    custom_property_definition: mostly(
      fc.record({
        domain_properties: propertyTypes,
        user_properties: propertyTypes,
        group_properties: propertyTypes,
        app_properties: propertyTypes,
        app_assignment_properties: propertyTypes,
      }),
    ),
    domains: fc.tuple(domain),
    users: some(user, 90),
    groups: some(group, 30),
    apps: some(app, 10),
    incremental_change: maybe(fc.constant(false)),
  });
}
