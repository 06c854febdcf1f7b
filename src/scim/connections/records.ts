import { service, text, time } from '../../model/table';

/**
 * How the service reaches the application of a provider (docs/provisioning.md: The connection).
 *
 * It is no record of `src/contract/records`, since more than two of its fields are mapped by hand: the
 * request has secrets that are sealed apart, the seal covers `authentication` in the very text that is
 * stored, rules read the address and the attributes, and the answer shows what seals the secrets.
 */
export const ScimConnection = service('ScimConnection', {
  holds: { of: 'provider', by: 'key', days: null },
  doc: "How the service reaches the application of a provider over SCIM; its key is the provider's id.",
  properties: {
    base_url: text('Address below which the endpoints are.', 'called'),
    authentication: text('How it signs in, as JSON, without secrets.', 'called'),
    secrets: text(
      'The secrets of the sign-in, sealed with a key that is not in the graph.',
      'sealed',
    ),
    attributes: text(
      'From which properties of people the attributes of accounts come, as JSON.',
      'called',
    ),
    profile: text('How the application differs from the standard, as JSON.', 'nobody'),
    since: time('First set.'),
    changed: time('Last set.'),
  },
});
