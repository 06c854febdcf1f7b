import { type Holds, number, service, text, texts, time } from '../../model/table';

/** The feature itself removes them, as soon as they end. */
const OWN: Holds = { of: 'service', by: null, days: null, isLeftOutOfBackups: true };

/** A session of a person who signed in (docs/sign-in.md: Sessions). */
export const PersonSession = service('PersonSession', {
  holds: OWN,
  doc: 'A session of a person who signed in. The service does not store its token.',
  properties: {
    id: text('UUID.', 'nobody'),
    subject: text(
      'Whose session it is: an id that is the same for all sessions of one person.',
      'people',
    ),
    name: text(
      'What people call them, or the name of the key with which they signed in.',
      'mention',
    ),
    role: text('`administrator`, `analyst` or `auditor`; absent without a role.', 'nobody'),
    key_id: text('Id of the team key with which they signed in.', 'nobody'),
    setting: text(
      'Name of the setting by which they signed in: that of a key, or `OIDC_ISSUER`.',
      'nobody',
    ),
    setting_mark: text(
      'Shows whether the settings are as they were at the sign-in; it says nothing of them.',
      'nobody',
    ),
    people: texts('Key of the node of the person, if one is certainly theirs.', 'people'),
    address: text('Address from which they signed in.', 'whereabouts'),
    id_token: text(
      'ID token of the issuer, for the sign-out there. Only with the cookie of the session can the service read it.',
      'sealed',
    ),
    since: time('When they signed in.'),
    last_seen: time('When they were last here, to about a minute.'),
    ends_at: time('When it ends at the latest.'),
  },
  unique: ['fold_hash'],
  indexes: ['subject', 'last_seen', 'ends_at', 'people', 'setting'],
  lookups: { fold_hash: text('SHA-256 of its token, in hexadecimal.', 'lookup') },
});

/** A one-time code, with which a browser signs in as the key that made it. */
export const SignInCode = service('SignInCode', {
  holds: OWN,
  doc: 'A one-time code with which a browser signs in, or an answer of an issuer that was used. Its key is the SHA-256 of the code, in hexadecimal.',
  properties: {
    key_id: text('Id of the team key that made it.', 'nobody'),
    setting: text('Name of the setting with the key that made it.', 'nobody'),
    setting_mark: text(
      'Shows whether the setting still has that key; it says nothing of it.',
      'nobody',
    ),
    request_id: text('The request that used it, if it is the answer of an issuer.', 'nobody'),
    since: time('When it was made.'),
    expires_at: time('Until when it works.'),
    used_at: time('When it was used.'),
  },
  indexes: ['expires_at', 'key_id', 'setting'],
});

/**
 * How often a key or a person signed in lately. It is the lock under which the service counts what
 * it stores of them. Its key says whose it is, as `subject` of a session does.
 */
export const SignInCount = service('SignInCount', {
  holds: OWN,
  doc: 'How often a key or a person signed in within an hour, and how many one-time codes a key made.',
  properties: {
    subject: text('Whose it is, as in a session.', 'people'),
    since: time('When the hour began.'),
    sign_ins: number('How often they signed in since then.'),
    codes: number('How many one-time codes the key made since then.'),
  },
  indexes: ['since'],
});
