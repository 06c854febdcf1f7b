import { flag, text, time } from '../fields';
import { ids, localKind } from './local-kind';

/** Keys, tokens and the like, which accounts and agents use. */
export const accessCredentials = localKind({
  list: 'local_access_creds',
  word: 'access credential',
  label: 'AccessCredential',
  colour: '#A3B82E',
  also: ['Principal'],
  doc: 'A credential (key, token) of a user or agent of an application.',
  definition: 'local_access_creds',
  identityType: 'local_access_creds',
  rules: { oneOf: { fields: ['id', 'unique_id', 'name'], missing: 'id' } },
  fields: {
    name: text('Name.', 'title'),
    ...ids,
    is_active: flag('Is active.'),
    can_expire: flag('Can expire.'),
    created_at: time('Created.'),
    expires_at: time('Expires.'),
    last_used_at: time('Last used.'),
  },
});
export const AccessCredential = accessCredentials.node;
