import type * as t from 'io-ts';

import { exact, has, nullable } from '../../codec/exact';
import { struct } from '../../codec/struct';
import { anyText, Text, time } from '../../codec/text';
import { countedPageOf, Done, valueOf } from '../../contract/answers/page';
import { textOrNull } from '../../contract/answers/values';
import {
  NoParameters,
  oneText,
  orderText,
  pageParameters,
} from '../../contract/parameters/query-parameters';
import { Role } from '../../contract/team-key';
import type { Access, Endpoints } from '../../web/routing/route';

/** Addresses of pages, keys and codes are longer than names. */
const longText = new Text('long text', { most: 4096, measure: 'bytes', mayBeEmpty: true });

export const KeyForm = struct('sign-in form', { key: longText }, { to: anyText });
export const CodeForm = struct('code form', { code: longText }, {});

/** Fields by which sessions of people may be ordered. */
export const SESSION_ORDERS = ['name', 'created_at', 'last_seen_at'] as const;

/** A session of a person who signed in (docs/sign-in.md: Sessions). */
const SessionAnswer = exact('session', {
  id: has(anyText, 'A UUID.'),
  name: has(anyText, 'The name of the person, or of the key with which they signed in.'),
  subject: has(anyText, 'The same for all sessions of one person.'),
  role: has(nullable(Role), 'Null: they see only their own access.'),
  key_id: has(textOrNull, 'The id of the team key with which they signed in.'),
  person: has(textOrNull, 'The key of their node in the graph, if one is certainly theirs.'),
  address: has(textOrNull, 'The address from which they signed in.'),
  created_at: has(time, 'When they signed in.'),
  last_seen_at: has(time, 'When they were last here, to about a minute.'),
  ends_at: has(time, 'When it ends at the latest.'),
});
export type SessionAnswer = t.TypeOf<typeof SessionAnswer>;

/** A page of sessions. */
const SessionPage = countedPageOf('page of sessions', SessionAnswer);

/** A one-time code with which a browser signs in. */
const SignInCodeAnswer = exact('one-time code', {
  code: has(anyText, 'The code. Only this answer shows it.'),
  url: has(anyText, 'The page on which a browser uses it.'),
  expires_at: has(time, 'Until when it works.'),
});

/** A one-time code, as clients expect it. */
const SignInCodeValue = valueOf('one-time code value', SignInCodeAnswer);

const SIGN_IN = '/sign-in';
const CODE = `${SIGN_IN}/code` as const;
const ISSUER = `${SIGN_IN}/issuer` as const;
const SESSIONS = '/api/preview/sessions';

const PAGE = { mediaTypes: ['text/html'] } as const;
/** Pages and forms with which people sign in, who have no session yet. */
const OPEN = { access: 'open', isForBrowsers: true, answer: PAGE } as const;
const SIGNED_IN = { access: { people: 'signed in' }, answer: PAGE } as const;

const ADMINISTERS: Access = { scopes: ['admin'], limitedKeys: 'never' };

/** The endpoints with which people sign in and out, without their handlers. */
export const endpoints = {
  signInPage: {
    ...OPEN,
    method: 'get',
    path: SIGN_IN,
    summary: 'The page on which people sign in.',
    more: 'sign-in#with-a-key',
    query: struct('sign-in parameters', {}, { to: anyText }),
  },
  signInWithKey: {
    ...OPEN,
    method: 'post',
    path: SIGN_IN,
    summary: 'Signs a person in with a key.',
    more: 'sign-in#with-a-key',
    form: KeyForm,
  },
  codePage: {
    ...OPEN,
    method: 'get',
    path: CODE,
    summary: 'The page of a one-time code; only its button uses the code.',
    more: 'sign-in#one-time-codes',
    query: struct('code parameters', {}, { code: longText }),
  },
  signInWithCode: {
    ...OPEN,
    method: 'post',
    path: CODE,
    summary: 'Signs a person in with a one-time code.',
    more: 'sign-in#one-time-codes',
    form: CodeForm,
  },
  goToIssuer: {
    ...OPEN,
    method: 'get',
    path: ISSUER,
    summary: 'Leads to the issuer with which people sign in.',
    more: 'sign-in#with-an-issuer',
  },
  comeFromIssuer: {
    ...OPEN,
    method: 'get',
    path: `${ISSUER}/callback`,
    summary: 'Signs in a person whom the issuer leads back.',
    more: 'sign-in#with-an-issuer',
    signsIn: true,
  },
  sessionPage: {
    ...SIGNED_IN,
    method: 'get',
    path: '/session',
    summary: 'Says who is signed in.',
    query: NoParameters,
  },
  signOut: {
    ...SIGNED_IN,
    method: 'post',
    path: '/sign-out',
    summary: 'Ends the session of the person.',
    form: struct('empty form', {}, {}),
  },
  listSessions: {
    access: ADMINISTERS,
    method: 'get',
    path: SESSIONS,
    summary: 'Lists the sessions of people.',
    more: 'sign-in#sessions',
    query: struct(
      'the query of sessions',
      {},
      { filter: oneText, order_by: orderText(SESSION_ORDERS), ...pageParameters },
    ),
    answer: SessionPage,
  },
  endSession: {
    access: ADMINISTERS,
    method: 'delete',
    path: `${SESSIONS}/:sessionId`,
    summary: 'Ends a session of a person.',
    more: 'sign-in#sessions',
    query: NoParameters,
    answer: Done,
  },
  makeCode: {
    // A browser that uses the code sees what all providers pushed.
    access: { scopes: ['read'], limitedKeys: 'never' },
    method: 'post',
    path: '/api/preview/sign-in-codes',
    summary: 'Makes a one-time code with which a browser signs in as the key.',
    more: 'sign-in#one-time-codes',
    query: NoParameters,
    answer: SignInCodeValue,
  },
} as const satisfies Endpoints;
