import { flag, number, service, text, time } from '../../model/table';
import { leased } from '../lease';

/**
 * How the application of a provider is imported (docs/provisioning.md: Importing an application).
 *
 * It is no record of `src/contract/records`, since more than two of its fields are mapped by hand: the
 * request names a data source, which the service may create, and the answer shows its id; rules read
 * two intervals and a filter; and the answer says that an import runs, but not which one.
 */
export const ScimImport = service('ScimImport', {
  holds: { of: 'provider', by: 'key', days: null },
  doc: "How the application of a provider is imported over SCIM, and how far the import has come; its key is the provider's id.",
  properties: {
    data_source: text('Id of the data source to which it is pushed.', 'nobody'),
    every_seconds: number('How often it is imported; absent: by call only.'),
    whole_every_seconds: number('How often it is read completely.'),
    leave_out: text('The filter of accounts that are left out.', 'mention'),
    accounts_since: text(
      'The instant after which changes of accounts are requested, as JSON.',
      'nobody',
    ),
    groups_since: text(
      'The instant after which changes of groups are requested, as JSON.',
      'nobody',
    ),
    finds_changes: flag('Whether the application finds what changed by its time.'),
    misses_changes: flag('Whether a complete reading found what readings of changes had missed.'),
    whole_at: time('When it was last read completely.'),
    next_at: time('When it is imported next.'),
    failures: number('Imports that failed since the last that did not.'),
    last: text('How the last import ended, as JSON.', 'mention'),
    ...leased,
    since: time('First set.'),
    changed: time('Last set.'),
  },
  indexes: ['next_at'],
});
