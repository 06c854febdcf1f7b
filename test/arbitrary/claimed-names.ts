import fc, { type Arbitrary } from 'fast-check';

import type { Push } from './push-sequence';

/*
 * Small payloads whose people, employees and accounts nearly all have the same few names, so that almost every push
 * joins something across data sources.
 */

const names = ['ann', 'bob', 'ann@corp.example', 'Ann@Sub.Corp.example', 'bob@other.example'];
const name = fc.constantFrom(...names);
const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 3 });

const source_identity = maybe(
  fc.record({ identity: name, provider_type: fc.constantFrom('any', 'okta') }),
);
const entities_owned = maybe(fc.constant([{ node_type: 'page', id: 'home' }]));

const directory: Arbitrary<object> = fc.record({
  idp_type: fc.constantFrom('okta', 'custom'),
  domains: fc.constant([{ name: 'corp' }]),
  users: fc.uniqueArray(
    fc.record({ name, identity: name, email: maybe(name), source_identity, entities_owned }),
    { maxLength: 3, selector: ({ identity }) => identity.toLowerCase() },
  ),
  groups: fc.array(fc.record({ name, source_identity, entities_owned }), { maxLength: 1 }),
});

const staff: Arbitrary<object> = fc
  .uniqueArray(fc.record({ id: name, idp_id: maybe(name), email: maybe(name), name }), {
    maxLength: 3,
    selector: ({ id }: { id: string }) => id.toLowerCase(),
  })
  .map((employees) => ({
    name: 'HR',
    hris_type: 'x',
    system: { id: 's', name: 's' },
    employees: employees.map((one) => ({
      employee_number: '1',
      first_name: 'A',
      last_name: 'B',
      is_active: true,
      employment_status: 'ACTIVE',
      ...one,
    })),
  }));

const application: Arbitrary<object> = fc.subarray(names, { minLength: 1 }).map((identities) => ({
  applications: [
    {
      name: 'crm',
      application_type: 'crm',
      local_users: [{ name: 'account', identities }],
      resources: [{ name: 'home', resource_type: 'page' }],
    },
  ],
}));

const payloads = [directory, directory, application, application, staff];

/** Pushes to the five data sources of a sequence, in any order. */
export const claimedNames: Arbitrary<readonly Push[]> = fc.array(
  fc.nat({ max: 4 }).chain((source) =>
    (payloads[source] ?? directory).map((payload): Push => {
      const text = JSON.stringify(payload);
      return { source, text, payload: JSON.parse(text) as object, shapeProblems: [] };
    }),
  ),
  { minLength: 6, maxLength: 9, size: 'max' },
);
