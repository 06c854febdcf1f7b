import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../context';
import { filtered } from '../../contract/filter';
import { LIST_TOKEN_PLACES, pageOf } from '../../contract/page';
import type { Failure } from '../../problem';
import { actOf, callerOf } from '../../web/admission/caller';
import { addressBase } from '../../web/exchange/public-address';
import { type ListFields, listQuery, queryOf, takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Web } from '../../web/routing/web';
import { oneTimeCodesOf, sessionsOf } from './contract';
import { endpoints, SESSION_ORDERS, type SessionAnswer } from './endpoints';
import { whyNoRole } from './key-role';
import { roleOfKey } from '../../web/admission/visitor';
import type { Session } from './graph/session-records';

const SESSION_FIELDS: ListFields = {
  filtered: [
    'id',
    'name',
    'subject',
    'role',
    'key_id',
    'address',
    'created_at',
    'last_seen_at',
    'ends_at',
  ],
  ordered: SESSION_ORDERS,
  usual: { field: 'last_seen_at', isDescending: true },
  tokenPlaces: LIST_TOKEN_PLACES,
};

const toAnswer = (session: Session): SessionAnswer => ({
  id: session.id,
  name: session.name,
  subject: session.subject,
  role: session.role,
  key_id: session.keyId,
  person: session.person,
  address: session.address,
  created_at: session.since,
  last_seen_at: session.lastSeen,
  ends_at: session.endsAt,
});

const NO_SESSION: Failure = { _tag: 'NotFound', message: 'There is no session with this id.' };

/** What programs do with sessions: list them, end them, and make codes for browsers. */
export const sessionRoutes = ({ handle, signIns }: Web, context: Context): readonly Route[] => {
  const sessions = sessionsOf(context);
  return [
    route({
      ...endpoints.listSessions,
      handler: handle((req) =>
        pipe(
          TE.fromEither(queryOf(endpoints.listSessions.query, req)),
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
      ...endpoints.endSession,
      handler: handle((req, res) =>
        pipe(
          TE.fromEither(takesNone(req)),
          TE.flatMap(() => sessions.end(String(req.params.sessionId), actOf(res))),
          TE.flatMap((isEnded) => (isEnded ? TE.right({}) : TE.left(NO_SESSION))),
        ),
      ),
    }),
    route({
      ...endpoints.makeCode,
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
              url: `${addressBase(req)}${endpoints.codePage.path}?code=${code}`,
              expires_at: expiresAt,
            },
          })),
        );
      }),
    }),
  ];
};
