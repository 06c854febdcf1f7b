import fc, { type Arbitrary } from 'fast-check';
import { from, maybe, maybeText, some } from './optional';
import * as pool from './pool';

/** Tags, at times with the name of the derived one (docs/rules.md: Derived relationships). */
export const tags = maybe(
  some(
    fc.record({
      key: from(['level', 'Level', 'caf\u00e9', 'SYSTEM_resource_managers']),
      value: maybeText(['high', 'HIGH', 'ann', 'a_b, c@d.e-f', 'u1']),
    }),
    3,
  ),
);

/** ARNs of cloud roles in both shapes (docs/rules.md: Identity provider payloads). */
export const assumedRoleArns = maybe(
  fc.oneof(
    some(fc.record({ identity: from(pool.arns) }), 2),
    fc.record({ identity: maybe(some(from(pool.arns), 2)) }),
  ),
);

/** A resource type in one of the forms that name it (docs/rules.md: Derived relationships). */
const typeForm: Arbitrary<(type: string) => string> = fc.oneof(
  { weight: 3, arbitrary: fc.constant((type: string) => type) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(from(pool.applicationTypes), from(['Resource', 'SubResource', 'subresource']))
      .map(
        ([application, end]) =>
          (type: string) =>
            `OAA.${application}.${type}.${end}`,
      ),
  },
);

/** What `entities_owned` and `connections` may name: things of either application, and nothing. */
export const namedEntity: Arbitrary<{ node_type: string; id: string }> = fc.oneof(
  fc.record({
    node_type: fc
      .tuple(from([...pool.resourceTypes.withIds, ...pool.resourceTypes.withoutIds]), typeForm)
      .map(([type, form]) => form(type)),
    id: from([
      ...pool.resources,
      ...pool.resourceIds,
      'a.b',
      'A.A.b',
      'r1.a',
      'R1.c',
      'a.c.b',
      'b.a',
    ]),
  }),
  fc.record({
    node_type: from(['Application', 'APPLICATION', ...pool.applicationTypes]),
    id: from([...pool.applications, 'Hub.One']),
  }),
  fc.record({
    node_type: from([
      'LocalUser',
      'localgroup',
      'LocalRole',
      'LocalAgent',
      'AccessCredential',
      'IdpUser',
      'IdpGroup',
    ]),
    id: from([
      ...pool.people,
      ...pool.groups,
      ...pool.roles,
      ...pool.localIds,
      ...pool.agents,
      ...pool.credentials,
    ]),
  }),
  fc.record({ node_type: from(['AwsIamRole', 'Folder']), id: from(pool.arns) }),
);

/** Who may own an entity of an application: identities, known or not (docs/rules.md: Application payloads). */
export const owners = maybe(
  some(
    fc.record({
      external_id: from([...pool.people, ...pool.emails, ...pool.groups, 'Ghost']),
      owner_type: maybeText(['PRIMARY', 'delegate']),
      primary: maybe(fc.boolean()),
    }),
    2,
  ),
);
