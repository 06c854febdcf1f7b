import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../context';
import { Done } from '../../contract/answers/page';
import {
  type SessionAnswer,
  SessionPage,
  SignInCodeValue,
} from '../../contract/answers/sign-in/sessions';
import { filtered } from '../../contract/filter';
import { LIST_TOKEN_PLACES, pageOf } from '../../contract/page';
import {
  NoParameters,
  SESSION_ORDERS,
  SessionsParameters,
} from '../../contract/parameters/question-parameters';
import type { Failure } from '../../problem';
import { actOf, callerOf } from '../../web/admission/caller';
import { addressBase } from '../../web/exchange/public-address';
import { type ListFields, listQuery, queryOf, takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Web } from '../../web/routing/web';
import { oneTimeCodesOf, sessionsOf } from './contract';
import { roleOfKey, whyNoRole } from './key-role';
import type { Session } from './graph/session-records';
import { CODE_PAGE } from './sign-in-pages';

const SESSIONS = '/api/preview/sessions';

const SESSION_FIELDS: ListFields = {
  filtered: [
    ...['id', 'name', 'subject', 'role', 'key_id', 'address'],
    ...['created_at', 'last_seen_at', 'ends_at'],
  ],
  ordered: SESSION_ORDERS,
  usual: { field: 'last_seen_at', isDescending: true },
  tokenPlaces: LIST_TOKEN_PLACES,
};

const toAnswer = (session: Session): SessionAnswer => ({
  ...{ id: session.id, name: session.name, subject: session.subject, role: session.role },
  ...{ key_id: session.keyId, person: session.person, address: session.address },
  ...{ created_at: session.since, last_seen_at: session.lastSeen, ends_at: session.endsAt },
});

const NO_SESSION: Failure = { _tag: 'NotFound', message: 'There is no session with this id.' };

/** What programs do with sessions: list them, end them, and make codes for browsers. */
export const sessionRoutes = ({ handle, signIns }: Web, context: Context): readonly Route[] => {
  const sessions = sessionsOf(context);
  return [
    route({
      method: 'get',
      path: SESSIONS,
      access: { scopes: ['admin'], limitedKeys: 'never' },
      summary: 'Lists the sessions of people.',
      more: 'sign-in#sessions',
      answer: SessionPage,
      query: SessionsParameters,
      handler: handle((req) =>
        pipe(
          TE.fromEither(queryOf(SessionsParameters, req)),
          TE.flatMap(() => TE.fromEither(listQuery(req, SESSION_FIELDS))),
          TE.bindTo('wanted'),
          TE.bind('all', () => sessions.list()),
          TE.map(({ all, wanted: { filter, page } }) =>
            pageOf(filtered(all.map(toAnswer), filter), page),
          ),
        ),
      ),
    }),
    route({
      method: 'delete',
      path: `${SESSIONS}/:sessionId`,
      access: { scopes: ['admin'], limitedKeys: 'never' },
      summary: 'Ends a session of a person.',
      more: 'sign-in#sessions',
      answer: Done,
      query: NoParameters,
      handler: handle((req, res) =>
        pipe(
          TE.fromEither(takesNone(req)),
          TE.flatMap(() => sessions.end(String(req.params.sessionId), actOf(res))),
          TE.flatMap((isEnded) => (isEnded ? TE.right({}) : TE.left(NO_SESSION))),
        ),
      ),
    }),
    route({
      method: 'post',
      path: '/api/preview/sign-in-codes',
      // A browser that uses the code sees what all providers pushed.
      access: { scopes: ['read'], limitedKeys: 'never' },
      summary: 'Makes a one-time code with which a browser signs in as the key.',
      more: 'sign-in#one-time-codes',
      answer: SignInCodeValue,
      query: NoParameters,
      handler: handle((req, res) => {
        const caller = callerOf(res);
        return pipe(
          TE.fromEither(takesNone(req)),
          TE.filterOrElse(
            () => roleOfKey(caller) !== null,
            (): Failure => ({ _tag: 'PermissionDenied', message: whyNoRole(caller) }),
          ),
          TE.flatMap(() => oneTimeCodesOf(context).make(caller, signIns.ownerKeys)),
          TE.map(({ code, expiresAt }) => ({
            value: {
              code,
              url: `${addressBase(req)}${CODE_PAGE}?code=${code}`,
              expires_at: expiresAt,
            },
          })),
        );
      }),
    }),
  ];
};
