import * as E from 'fp-ts/Either';

import { isLoopback } from '../../settings/addresses';
import { fixed } from '../../settings/constant';
import { settingsOf } from '../../settings/declared';
import {
  anyText,
  matching,
  optional,
  type SettingProblem,
  texts,
  whole,
  withDefault,
} from '../../settings/setting';

/** The address of an issuer, exactly as its tokens spell it. */
const issuer = (text: string): E.Either<string, string> => {
  const expected =
    'an address such as https://login.example.org; http only of this machine, such as http://127.0.0.1:8081';
  if (!/^https?:\/\/[^?#\s\\]+$/.test(text) || !URL.canParse(text)) return E.left(expected);
  const { protocol, hostname, username, password } = new URL(text);
  const isSafe = protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
  return isSafe && username === '' && password === '' ? E.right(text) : E.left(expected);
};

/** The settings of sessions of people, and of the issuer with which they sign in. */
export const settings = settingsOf(
  {
    sessions: {
      idleMinutes: withDefault(
        'SESSION_IDLE_MINUTES',
        '60',
        whole(1, 1440),
        'A session of a person ends when nobody has used it for so many minutes.',
      ),
      hours: withDefault(
        'SESSION_HOURS',
        '12',
        whole(1, 720),
        'A session of a person ends so many hours after the sign-in.',
      ),
    },
    issuer: {
      address: optional(
        'OIDC_ISSUER',
        issuer,
        'Address of the OpenID Connect issuer with which people sign in, exactly as it calls itself, such as `https://login.example.org`. It needs `PUBLIC_URL`, `OIDC_CLIENT_ID` and a secret. Unset: people sign in with keys.',
      ),
      clientId: optional('OIDC_CLIENT_ID', anyText, 'Id of this service at the issuer.'),
      clientSecret: optional(
        'OIDC_CLIENT_SECRET',
        anyText,
        'Secret of this service at the issuer. Unset: `OIDC_CLIENT_SECRET_FILE`.',
        true,
      ),
      clientSecretFile: optional(
        'OIDC_CLIENT_SECRET_FILE',
        anyText,
        'File of that secret, which the service reads for each sign-in.',
      ),
      scopes: withDefault(
        'OIDC_SCOPES',
        'openid profile email',
        matching(
          /^(?=(.* )?openid( |$))[\x21-\x7e]+( [\x21-\x7e]+)*$/,
          'scopes with spaces between, `openid` among them',
        ),
        'Scopes that the service requests. Some issuers need one more for the claim of roles.',
      ),
      rolesClaim: withDefault(
        'OIDC_ROLES_CLAIM',
        'groups',
        anyText,
        'Claim of the ID token that decides about roles; `realm_access.roles` means a claim within a claim.',
      ),
      admins: optional(
        'OIDC_ADMINS',
        texts,
        'Values of that claim, separated by commas, whose holders are administrators.',
      ),
      auditors: optional('OIDC_AUDITORS', texts, 'The same for auditors.'),
      analysts: optional('OIDC_ANALYSTS', texts, 'The same for analysts.'),
      dataSource: optional(
        'OIDC_IDENTITY_PROVIDER',
        anyText,
        'Id or name of the data source of an identity provider whose users sign in. Unset: nobody is linked to a person of the graph.',
      ),
      personClaim: withDefault(
        'OIDC_PERSON_CLAIM',
        'email',
        anyText,
        'Claim that equals the id or the email of such a user. An email counts only if the issuer has verified it.',
      ),
    },
  },
  {
    sessions: {
      mostOfPerson: fixed(
        'LIMIT_SESSIONS_OF_PERSON',
        20,
        'How many sessions one person, or one key, may have at once. A further sign-in ends the oldest.',
        'Somebody has a few browsers; more sessions are left over.',
      ),
      signInsOfPerson: fixed(
        'LIMIT_SIGN_INS_OF_PERSON',
        30,
        'How often one person, or one key, may sign in within an hour. The service answers more with 429.',
        'Each sign-in is an event; somebody who signs in every two minutes is a program.',
      ),
      codesOfKey: fixed(
        'LIMIT_CODES_OF_KEY',
        30,
        'How many one-time codes one key may make within an hour. The service answers more with 429.',
        'As many as it may sign in with.',
      ),
      removeSeconds: fixed(
        'SESSIONS_REMOVE_SECONDS',
        600,
        'How often the service removes sessions and one-time codes that have ended.',
        'An ended session admits nobody in any case; this only frees its space.',
      ),
    },
  },
  ({ issuer: { address, ...set }, http: { publicUrl } }) => {
    const { clientId, clientSecret, clientSecretFile, ...others } = set;
    const { admins, auditors, analysts, dataSource } = others;
    const missing = (variable: string, without: string): SettingProblem => ({
      variable,
      message: `is missing, but ${without} is set`,
    });
    if (address === undefined) {
      const needIt = {
        OIDC_CLIENT_ID: clientId,
        OIDC_CLIENT_SECRET: clientSecret,
        OIDC_CLIENT_SECRET_FILE: clientSecretFile,
        OIDC_IDENTITY_PROVIDER: dataSource,
        OIDC_ADMINS: admins,
        OIDC_AUDITORS: auditors,
        OIDC_ANALYSTS: analysts,
      };
      return Object.entries(needIt)
        .filter(([, value]) => value !== undefined)
        .slice(0, 1)
        .map(([variable]) => missing('OIDC_ISSUER', variable));
    }
    const problems: SettingProblem[] = [];
    if (clientId === undefined) problems.push(missing('OIDC_CLIENT_ID', 'OIDC_ISSUER'));
    if (clientSecret !== undefined && clientSecretFile !== undefined) {
      const message = 'is set together with OIDC_CLIENT_SECRET_FILE: set only one of them';
      problems.push({ variable: 'OIDC_CLIENT_SECRET', message });
    }
    if (clientSecret === undefined && clientSecretFile === undefined) {
      problems.push(missing('OIDC_CLIENT_SECRET', 'OIDC_ISSUER'));
    }
    if (publicUrl === undefined) problems.push(missing('PUBLIC_URL', 'OIDC_ISSUER'));
    return problems;
  },
);
