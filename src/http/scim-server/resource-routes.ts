import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import {
  ScimBody,
  ScimGroup,
  ScimGroups,
  ScimPatch,
  ScimUser,
  ScimUsers,
} from '../../contract/answers/provisioning/scim';
import type { Log } from '../../log';
import type { Failure } from '../../problem';
import { GROUP, type ResourceKind, USER } from '../../service/scim-server/attributes';
import type { Selection } from '../../service/scim-server/selection';
import type { Writer } from '../../service/scim-server/writing';
import type { PushTarget, UseCases } from '../../service/use-cases';
import { actOf } from '../admission/caller';
import type { Sent } from '../exchange/answer-stream';
import type { Handle } from '../exchange/handle';
import { requestIdOf, secondsSinceStart } from '../exchange/request-id';
import { logPush } from '../push/push-answer';
import type { Route } from '../routing/route';
import {
  addressed,
  bodyOf,
  listResponse,
  SCIM_ROUTE,
  selectionOf,
  sendScim,
  SOURCE,
  wantedByQuery,
} from './scim-exchange';
import { SCIM_JSON } from './scim-error';

/** What these routes need. */
export interface ResourceRouteDeps {
  readonly log: Log;
  readonly handle: Handle;
  /** Handles questions; a key may run a limited number of them at once. */
  readonly question: Handle;
  readonly useCases: Pick<UseCases, 'scimServer' | 'takePush'>;
}

const KINDS = [
  { kind: USER, one: ScimUser, list: ScimUsers, word: 'user' },
  { kind: GROUP, one: ScimGroup, list: ScimGroups, word: 'group' },
] as const;

const writerOf = (res: Response): Writer => ({
  ...actOf(res),
  seconds: { read: secondsSinceStart(res) },
});

const ONLY_ID: Selection = { attributes: ['id'], excluded: null };

/** Whether the client asks for parts of the answer, so that it wants one. */
const asksForParts = ({ query }: Request): boolean =>
  query.attributes !== undefined || query.excludedAttributes !== undefined;

/** Reads and writes users and groups through SCIM (docs/provisioning.md: Being read through SCIM). */
export const resourceRoutes = (deps: ResourceRouteDeps): readonly Route[] => {
  const { log, handle, question, useCases } = deps;

  /** What writes, with a line in the log for each push. */
  const writesOf = (target: PushTarget, res: Response) => {
    const { done, failed } = logPush(log, target, requestIdOf(res));
    return useCases.scimServer.writes((sent) =>
      pipe(
        useCases.takePush(sent),
        TE.tapIO((result) => () => done(result)),
        TE.tapError((failure) => TE.fromIO(() => failed(failure))),
      ),
    );
  };

  const common = (method: Route['method'], path: string, summary: string) => ({
    ...{ ...SCIM_ROUTE, method, path: `${SOURCE}${path}`, summary },
    more: 'provisioning#being-read-through-scim',
  });

  const changing = (
    kind: ResourceKind,
    how: 'replace' | 'patch',
    req: Request,
    res: Response,
  ): TE.TaskEither<Failure, Sent> => {
    // A group may have many members, and whoever changed a few does not need them all.
    const isShort = how === 'patch' && kind === GROUP && !asksForParts(req);
    return pipe(
      addressed(useCases, req, res),
      TE.bindTo('address'),
      TE.bind('selection', () => TE.fromEither(isShort ? E.right(ONLY_ID) : selectionOf(req))),
      TE.bind('body', () => bodyOf(req, res)),
      TE.bind('written', ({ address, selection, body }) => {
        const write = writesOf(address.target, res)[how];
        return write(address, kind, String(req.params.scimId), body, writerOf(res), selection);
      }),
      TE.map(({ written: { resource, ignored } }) =>
        sendScim(res, isShort ? null : resource, { ignored }),
      ),
    );
  };

  return KINDS.flatMap(({ kind, one, list, word }): readonly Route[] => {
    const all = `/${kind.endpoint}`;
    const single = `${all}/:scimId`;
    const answer = { mediaTypes: [SCIM_JSON], json: one } as const;
    return [
      {
        ...common('get', all, `Lists the ${word}s of a data source through SCIM.`),
        answer: { mediaTypes: [SCIM_JSON], json: list },
        handler: question((req, res) =>
          pipe(
            addressed(useCases, req, res),
            TE.bindTo('address'),
            TE.bind('wanted', () => TE.fromEither(wantedByQuery(req))),
            TE.bind('page', ({ address, wanted }) =>
              useCases.scimServer.list(address, kind, wanted),
            ),
            TE.map(({ page, wanted }) => sendScim(res, listResponse(page, wanted.startIndex))),
          ),
        ),
      },
      {
        ...common('post', all, `Adds a ${word} through SCIM.`),
        body: [ScimBody],
        answer: { ...answer, status: 201 },
        handler: handle((req, res) =>
          pipe(
            addressed(useCases, req, res),
            TE.bindTo('address'),
            TE.bind('selection', () => TE.fromEither(selectionOf(req))),
            TE.bind('body', () => bodyOf(req, res)),
            TE.bind('written', ({ address, selection, body }) =>
              writesOf(address.target, res).create(address, kind, body, writerOf(res), selection),
            ),
            TE.map(({ written: { resource, ignored, location } }) =>
              sendScim(res, resource, { status: 201, location, ignored }),
            ),
          ),
        ),
      },
      {
        ...common('get', single, `Reads a ${word} through SCIM.`),
        answer,
        handler: handle((req, res) =>
          pipe(
            addressed(useCases, req, res),
            TE.bindTo('address'),
            TE.bind('selection', () => TE.fromEither(selectionOf(req))),
            TE.bind('resource', ({ address, selection }) =>
              useCases.scimServer.read(address, kind, String(req.params.scimId), selection),
            ),
            TE.map(({ resource }) => sendScim(res, resource)),
          ),
        ),
      },
      {
        ...common('put', single, `Replaces a ${word} through SCIM.`),
        body: [ScimBody],
        answer,
        handler: handle((req, res) => changing(kind, 'replace', req, res)),
      },
      {
        ...common('patch', single, `Changes a ${word} through SCIM.`),
        body: [ScimPatch],
        answer: kind === GROUP ? { ...answer, mayBeEmpty: true } : answer,
        handler: handle((req, res) => changing(kind, 'patch', req, res)),
      },
      {
        ...common('delete', single, `Removes a ${word} through SCIM.`),
        answer: { ...answer, status: 204 },
        handler: handle((req, res) =>
          pipe(
            addressed(useCases, req, res),
            TE.flatMap((address) =>
              writesOf(address.target, res).remove(
                ...([address, kind, String(req.params.scimId), writerOf(res)] as const),
              ),
            ),
            TE.map(() => sendScim(res, null)),
          ),
        ),
      },
    ];
  });
};
