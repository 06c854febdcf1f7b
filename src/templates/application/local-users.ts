import { choice, flag, identities, neededText, references, text, time } from '../fields';
import type { EntityOf } from '../kind';
import { types } from '../relationship-type';
import { AccessCredential } from './access-credentials';
import { ids, localKind } from './local-kind';
import { LocalGroup } from './local-groups';

export const localUsers = localKind({
  list: 'local_users',
  word: 'local user',
  label: 'LocalUser',
  colour: '#2E9E6B',
  also: ['Principal'],
  doc: 'An account in an application. Its id is `unique_id`, else `id`, else `name`, as in all local kinds.',
  definition: 'local_user',
  identityType: 'local_user',
  fields: {
    name: neededText('Name.', 'id'),
    ...ids,
    email: text('Email.', 'address'),
    user_type: choice('user type', ['human', 'service_account'], '`human` or `service_account`.'),
    is_active: flag('May sign in.'),
    created_at: time('Created.'),
    last_login_at: time('Last sign-in.'),
    password_last_changed_at: time('Password last changed.'),
    deactivated_at: time('Deactivated.'),
    identities,
    groups: references(types.MEMBER_OF, LocalGroup, 'Groups that it is a direct member of.'),
    access_creds: references(types.HAS_CREDENTIAL, AccessCredential, 'Credentials that it has.'),
  },
});
export const LocalUser = localUsers.node;
export type LocalUserEntity = EntityOf<typeof localUsers>;
