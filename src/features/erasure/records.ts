import { service, text, time } from '../../model/table';

/**
 * What the service stores of an erased person, so that it notices a push that names the person
 * again (docs/rules.md: Erasing a person). It stores no name.
 */
export const ErasedName = service('ErasedName', {
  holds: { of: 'service', by: null, days: null },
  doc: 'A name, email or id of an erased person, which cannot be read: its key is the SHA-256 of the salt of `ErasedNames` and of the folded name, in hexadecimal.',
  properties: { since: time('When it was erased.') },
});

/** The salt that is used for all erased names. */
export const ErasedNames = service('ErasedNames', {
  holds: { of: 'service', by: null, days: null },
  doc: 'One node, once a person was erased.',
  properties: { salt: text('Random, in hexadecimal; the same for all erased names.', 'nobody') },
});
