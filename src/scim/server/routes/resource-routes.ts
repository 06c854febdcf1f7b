import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../../problem';
import { GROUP, type ResourceKind, USER } from '../attributes';
import type { Selection } from '../selection';
import type { Address } from '../scim-server';
import { MOST_SCIM_BYTES } from '../writing/take-write';
import type { TakePush, Writer } from '../writing/writing';
import type { SentScim, WrittenScim } from '../../../push/threads/contract';
import type { PushTarget } from '../../../push/receive/contract';
import { actOf } from '../../../web/admission/caller';
import type { Sent } from '../../../web/exchange/answer-stream';
import { receiveBody } from '../../../web/bodies/receive-body';
import { requestIdOf, secondsSinceStart } from '../../../web/exchange/request-id';
import { logPush } from '../../../push/contract';
import type { Route } from '../../../web/routing/route';
import { addressed, listResponse, selectionOf, sendScim, wantedByQuery } from './scim-exchange';
import type { Context } from '../../../context';
import type { Web } from '../../../web/routing/web';
import { pushLineOf } from '../../../push/contract';
import { serverOf } from '../contract';
import { groups, users } from '../endpoints';

const KINDS = [
  { kind: USER, endpoints: users },
  { kind: GROUP, endpoints: groups },
] as const;

const writerOf = (res: Response): Writer => ({
  ...actOf(res),
  seconds: { read: secondsSinceStart(res) },
});

const ONLY_ID: Selection = { attributes: ['id'], excluded: null };

/** Whether the client requests parts of the answer, so that it wants one. */
const asksForParts = ({ query }: Request): boolean =>
  query.attributes !== undefined || query.excludedAttributes !== undefined;

/** Reads and writes users and groups through SCIM (docs/provisioning.md: Being read through SCIM). */
export const resourceRoutes = (
  { log, handle, question }: Web,
  context: Context,
): readonly Route[] => {
  const server = serverOf(context);

  /** Takes pushes, with a line in the log for each. */
  const takingOf = (target: PushTarget, res: Response): TakePush => {
    const { done, failed } = logPush(log, target, requestIdOf(res));
    return (sent) =>
      pipe(
        pushLineOf(context).take(sent),
        TE.tapIO((result) => () => done(result)),
        TE.tapError((failure) => TE.fromIO(() => failed(failure))),
      );
  };

  /** Receives the body of a request that adds or changes a resource, and makes the change. */
  const written = (
    { target, source, base, root }: Address & { readonly target: PushTarget },
    what: Pick<SentScim, 'how' | 'kind' | 'id' | 'selection'>,
    req: Request,
    res: Response,
  ): TE.TaskEither<Failure, WrittenScim> =>
    pipe(
      receiveBody(req, res, MOST_SCIM_BYTES),
      TE.flatMap((body) =>
        server.write(
          {
            ...what,
            ...writerOf(res),
            address: { source, base, root },
            body,
            encoding: req.headers['content-encoding'],
          },
          takingOf(target, res),
          logPush(log, target, requestIdOf(res)),
        ),
      ),
    );

  const changing = (
    kind: ResourceKind,
    how: 'replace' | 'patch',
    req: Request,
    res: Response,
  ): TE.TaskEither<Failure, Sent> => {
    // A group may have many members, and a client that changed a few does not need them all.
    const isShort = how === 'patch' && kind === GROUP && !asksForParts(req);
    return pipe(
      addressed(server, req, res),
      TE.bindTo('address'),
      TE.bind('selection', () => TE.fromEither(isShort ? E.right(ONLY_ID) : selectionOf(req))),
      TE.flatMap(({ address, selection }) =>
        written(
          address,
          { how, kind: kind.name, id: String(req.params.scimId), selection },
          req,
          res,
        ),
      ),
      TE.map(({ json, ignored }) => sendScim(res, isShort ? null : json, { ignored })),
    );
  };

  return KINDS.flatMap(({ kind, endpoints }): readonly Route[] => [
    {
      ...endpoints.list,
      handler: question((req, res) =>
        pipe(
          addressed(server, req, res),
          TE.bindTo('address'),
          TE.bind('wanted', () => TE.fromEither(wantedByQuery(req))),
          TE.bind('page', ({ address, wanted }) => server.list(address, kind, wanted)),
          TE.map(({ page, wanted }) => sendScim(res, listResponse(page, wanted.startIndex))),
        ),
      ),
    },
    {
      ...endpoints.add,
      handler: handle((req, res) =>
        pipe(
          addressed(server, req, res),
          TE.bindTo('address'),
          TE.bind('selection', () => TE.fromEither(selectionOf(req))),
          TE.flatMap(({ address, selection }) =>
            written(address, { how: 'create', kind: kind.name, id: '', selection }, req, res),
          ),
          TE.map(({ json, ignored, location }) =>
            sendScim(res, json, { status: 201, location, ignored }),
          ),
        ),
      ),
    },
    {
      ...endpoints.read,
      handler: question((req, res) =>
        pipe(
          addressed(server, req, res),
          TE.bindTo('address'),
          TE.bind('selection', () => TE.fromEither(selectionOf(req))),
          TE.bind('resource', ({ address, selection }) =>
            server.read(address, kind, String(req.params.scimId), selection),
          ),
          TE.map(({ resource }) => sendScim(res, resource)),
        ),
      ),
    },
    {
      ...endpoints.replace,
      handler: handle((req, res) => changing(kind, 'replace', req, res)),
    },
    {
      ...endpoints.patch,
      handler: handle((req, res) => changing(kind, 'patch', req, res)),
    },
    {
      ...endpoints.remove,
      handler: handle((req, res) =>
        pipe(
          addressed(server, req, res),
          TE.flatMap((address) =>
            server.remove(takingOf(address.target, res))(
              address,
              kind,
              String(req.params.scimId),
              writerOf(res),
            ),
          ),
          TE.map(() => sendScim(res, null)),
        ),
      ),
    },
  ]);
};
