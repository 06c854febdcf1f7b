import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { nullable } from '../../codec/exact';
import { flag } from '../../codec/scalars';
import { anyText, enumeration, Text, text } from '../../codec/text';
import { DELETION } from '../../model/service-nodes';
import { flag as storedFlag, text as storedText, texts, time } from '../../model/table';
import { CustomTemplate, RegisteredName } from '../registration';
import { changesOf, made, needed, optional } from './field';
import { record, type WantedOf } from './record';
import { asFlag, asText, asTexts } from './stored';

/** The schema definition of a provider that was registered without one. */
export const NO_SCHEMA_DEFINITION = Buffer.from('{}').toString('base64');

const changeable = {
  external_lifecycle_management_type: optional(
    nullable(text),
    '`SCIM`, in any case, if its application has SCIM endpoints; other texts change nothing.',
    null,
    asText('called'),
  ),
  provisioning: optional(
    flag,
    'Whether the service may change accounts in its application. `true` needs a key with `admin`.',
    false,
    asFlag,
  ),
};

/**
 * A system that pushes (docs/rules.md: Requests). It is here and not in the registry, since `graph` reads providers
 * and the client knows them.
 */
export const providerRecord = record({
  name: 'provider',
  label: 'Provider',
  holds: { of: 'provider', by: null, days: null },
  doc: 'A registered provider.',
  unique: ['name'],
  lookups: { fold_name: storedText('Folded name, by which lists look for it.', 'lookup') },
  indexes: ['fold_name', 'state', 'has_trusts'],
  requests: { isOpen: true, name: 'register provider request' },
  fields: {
    id: made(anyText, 'Its id.', asText('nobody')),
    name: needed(RegisteredName, 'Its name, unique among providers.', asText('called')),
    custom_template: needed(
      CustomTemplate,
      'The template of the payloads of its data sources.',
      asText('nobody'),
    ),
    state: made(
      enumeration('provider state', ['ENABLED', 'DISABLED', 'DELETING']),
      '`DELETING` while its graph is removed.',
      asText('nobody'),
    ),
    application_types: made(
      list(anyText),
      'Types of applications that pushes brought.',
      asTexts('called'),
    ),
    resource_types: made(
      list(anyText),
      'Types of resources that pushes brought.',
      asTexts('called'),
    ),
    idp_types: made(
      list(anyText),
      'Types of identity providers that pushes brought.',
      asTexts('called'),
    ),
    ...changeable,
    schema_definition_json: optional(
      new Text('schema definition', {
        most: 1024 * 1024,
        measure: 'bytes',
        mayBeEmpty: true,
        mayHaveLines: true,
      }),
      'Base64 of JSON, as the registration brought it.',
      NO_SCHEMA_DEFINITION,
      asText('called'),
    ),
  },
  hidden: {
    ...DELETION,
    property_names: texts(
      'Names of custom and dynamic properties that its deleted data sources brought.',
      'called',
    ),
    has_trusts: storedFlag(
      'Whether an administrator says what it may claim; absent if nobody does.',
    ),
    trusted_domains: texts('Domains of email addresses that it may claim.', 'called'),
    trusted_only: storedFlag('Whether it may claim nothing else.'),
    trusted_providers: texts(
      'Names of the providers that it means when it names people; absent: all.',
      'called',
    ),
    since: time('Registered.'),
  },
});

/** A request to register a provider. An empty text means the same as an absent field. */
export const RegisterProviderRequest = providerRecord.request;

/** A request to change a provider. Absent fields do not change. */
export const ChangeProviderRequest = changesOf(
  'change provider request',
  changeable,
  Object.fromEntries(
    Object.keys(providerRecord.fields)
      .filter((field) => !(field in changeable))
      .map((field) => [field, 'it cannot be changed, so leave it out']),
  ),
);
export type ChangeProviderRequest = t.TypeOf<typeof ChangeProviderRequest>;

/** A provider as clients see it. */
export type Provider = t.TypeOf<typeof providerRecord.answer>;

/** What the registration of a provider says of it. */
export type WantedProvider = WantedOf<typeof providerRecord.fields>;
