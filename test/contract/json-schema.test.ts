import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';

import { accessCredentials } from '../../src/templates/application/access-credentials';
import { localUsers } from '../../src/templates/application/local-users';
import { decodePayload } from '../../src/contract/decode';
import { resources } from '../../src/templates/application/resources';
import { users } from '../../src/templates/identity-provider/users';
import { payloadSchema } from '../../src/contract/json-schema';
import { TEMPLATES } from '../../src/templates/templates';
import { incrementSequence } from '../arbitrary/increment-sequence';
import { pushSequence, templates } from '../arbitrary/push-sequence';
import { sized } from '../support/test-size';

const ajv = addFormats(
  new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false }),
);
const validators = new Map(
  TEMPLATES.map((template) => [template, ajv.compile(payloadSchema(template))]),
);

const faults = (template: (typeof TEMPLATES)[number], payload: unknown): readonly string[] => {
  const validate = validators.get(template);
  if (validate === undefined) throw new Error(template);
  return validate(payload)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

test.each([
  ['full pushes', pushSequence],
  ['increments', incrementSequence],
] as const)('whatever shape the service takes, the schema takes: %s', (_what, sequences) => {
  let valid = 0;
  fc.assert(
    fc.property(sequences, (sequence) => {
      for (const { source, text } of sequence) {
        const template = templates[source] === 'application' ? 'application' : 'identity_provider';
        let json: unknown;
        try {
          json = JSON.parse(text);
        } catch {
          continue;
        }
        const decoded = decodePayload(template, json);
        if (decoded._tag === 'Left') continue;
        // In the fields' own spellings, which are all that a schema can name.
        expect(faults(template, JSON.parse(JSON.stringify(decoded.right.payload)))).toEqual([]);
        valid += 1;
      }
    }),
    { numRuns: sized(20, 60) },
  );
  expect(valid).toBeGreaterThan(sized(60, 200));
});

test.each([
  ['an unknown field', 'identity_provider', { usrs: [] }],
  ['a missing field', 'identity_provider', { users: [{ email: 'a' }] }],
  ['a wrong type', 'identity_provider', { users: [{ name: 1 }] }],
  ['an empty name', 'identity_provider', { users: [{ name: '' }] }],
  ['a long text', 'identity_provider', { name: 'x'.repeat(257) }],
  ['a bad tag', 'identity_provider', { users: [{ name: 'a', tags: [{ key: 'a b' }] }] }],
  ['an unknown value', 'application', { permissions: [{ name: 'a', permission_type: ['Read'] }] }],
  [
    'a credential without any id',
    'application',
    { applications: [{ name: 'a', application_type: 'b', local_access_creds: [{}] }] },
  ],
  [
    'an unknown field of an increment',
    'application',
    { incremental_change: true, applications: [{ name: 'a', operation: 'delete', colour: 'red' }] },
  ],
] as const)('the schema refuses %s', (_what, template, payload) => {
  expect(faults(template, payload)).not.toEqual([]);
});

test.each([
  ['application', 'local_user', localUsers.codec],
  ['application', 'access_credential', accessCredentials.codec],
  ['application', 'resource', resources.codec],
  ['identity_provider', 'user', users.codec],
] as const)('the schema of %s has every field of %s', (template, name, { required, optional }) => {
  const definitions = payloadSchema(template).$defs as Readonly<
    Record<string, { readonly properties: object }>
  >;
  const names = Object.keys(definitions[name]?.properties ?? {});
  expect(names).toEqual(
    expect.arrayContaining([...Object.keys(required), ...Object.keys(optional)]),
  );
});
