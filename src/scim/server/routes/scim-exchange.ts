import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { badField, type Failure } from '../../../problem';
import { LIST_RESPONSE, PAGE } from '../discovery';
import type { Address, ResourcePage, WantedList } from '../scim-server';
import type { Selection } from '../selection';
import type { PushTarget } from '../../../push/receive/contract';
import { callerOf } from '../../../web/admission/caller';
import { Sent } from '../../../web/exchange/answer-stream';
import { readJson } from '../../../web/bodies/body';
import { addressBase } from '../../../web/exchange/public-address';
import { hearOut } from '../../../web/bodies/discard-body';
import { parameterOf } from '../../../web/lists/list-query';
import type { serverOf } from '../contract';
import { SCIM_JSON, SCIM_ROOT } from '../endpoints';

/** Attributes that were sent and that the service does not store. */
const IGNORED = 'Grantgraph-Ignored-Attributes';

/** The address below which the resources of a data source are, with `PUBLIC_URL` or as a path. */
const rootOf = (req: Request): string =>
  `${addressBase(req)}${SCIM_ROOT}/${encodeURIComponent(String(req.params.dataSourceId))}/`;

/**
 * What addresses in bodies begin with. Without `PUBLIC_URL` they are relative to the root of the
 * endpoints, as RFC 7643 (2.3.7) reads them; clients put them behind the root that they know.
 */
const baseOf = (req: Request): string => (addressBase(req) === '' ? '' : rootOf(req));

/** The data source that a request is about. */
export const addressed = (
  server: Pick<ReturnType<typeof serverOf>, 'source'>,
  req: Request,
  res: Response,
): TE.TaskEither<Failure, Address & { readonly target: PushTarget }> => {
  const source = String(req.params.dataSourceId);
  return pipe(
    server.source(source, callerOf(res).providers),
    TE.map((target) => ({ source, base: baseOf(req), root: rootOf(req), target })),
  );
};

/** The body of a search as an object. */
export const bodyOf = (
  req: Request,
  res: Response,
): TE.TaskEither<Failure, Readonly<Record<string, unknown>>> =>
  pipe(
    readJson(req, res),
    TE.flatMapEither((body) =>
      typeof body === 'object' && body !== null && !Array.isArray(body)
        ? E.right(body as Readonly<Record<string, unknown>>)
        : E.left(badField('', 'WRONG_TYPE', 'expected an object')),
    ),
  );

const listOf = (value: unknown): readonly string[] | null => {
  const texts = Array.isArray(value)
    ? value.map(String)
    : typeof value === 'string'
      ? value.split(',')
      : [];
  const paths = texts.map((path) => path.trim()).filter((path) => path !== '');
  return paths.length === 0 ? null : paths;
};

const selectionFrom = (attributes: unknown, excluded: unknown): E.Either<Failure, Selection> => {
  const selection = { attributes: listOf(attributes), excluded: listOf(excluded) };
  const message = 'cannot be given together with attributes';
  return selection.attributes !== null && selection.excluded !== null
    ? E.left(badField('/excludedAttributes', 'BAD_PARAMETER', message))
    : E.right(selection);
};

/** The attributes that the query of a request names. */
export const selectionOf = (req: Request): E.Either<Failure, Selection> =>
  selectionFrom(parameterOf(req, 'attributes'), parameterOf(req, 'excludedAttributes'));

const numberFrom = (
  name: string,
  value: unknown,
  usual: number,
  least: number,
): E.Either<Failure, number> => {
  if (value === undefined || value === null || value === '') return E.right(usual);
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number)
    ? // Smaller numbers mean the least (RFC 7644, 3.4.2.4).
      E.right(Math.max(least, number))
    : E.left(badField(`/${name}`, 'BAD_PARAMETER', 'expected a whole number'));
};

const filterFrom = (value: unknown): E.Either<Failure, string | null> => {
  if (value === undefined || value === null || value === '') return E.right(null);
  return typeof value === 'string'
    ? E.right(value)
    : E.left(badField('/filter', 'BAD_FILTER', 'expected a text'));
};

/** The list that a client requests, by a query or by the body of a search. */
const wantedFrom = (field: (name: string) => unknown): E.Either<Failure, WantedList> =>
  pipe(
    E.Do,
    E.bind('selection', () => selectionFrom(field('attributes'), field('excludedAttributes'))),
    E.bind('filter', () => filterFrom(field('filter'))),
    E.bind('startIndex', () => numberFrom('startIndex', field('startIndex'), 1, 1)),
    E.bind('count', () => numberFrom('count', field('count'), PAGE.usual, 0)),
    E.map(({ selection, ...wanted }) => ({ ...selection, ...wanted })),
  );

/** The list that the query of a request names. */
export const wantedByQuery = (req: Request): E.Either<Failure, WantedList> =>
  wantedFrom((name) => parameterOf(req, name));

/** The list that the body of a search names (RFC 7644, 3.4.3). */
export const wantedByBody = (
  body: Readonly<Record<string, unknown>>,
): E.Either<Failure, WantedList> =>
  wantedFrom(
    (name) => Object.entries(body).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1],
  );

/** A page as SCIM has it. */
export const listResponse = ({ total, resources }: ResourcePage, startIndex: number): object => ({
  schemas: [LIST_RESPONSE],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** How an answer of SCIM goes out. */
interface Sending {
  readonly status?: 200 | 201;
  readonly location?: unknown;
  readonly ignored?: readonly string[];
}

/** Names as a header may hold them. */
const inHeader = (names: readonly string[]): string =>
  names
    .slice(0, 50)
    .map((name) => encodeURI(name.slice(0, 200)))
    .join(', ');

/** Sends an answer of SCIM; null: without content. */
export const sendScim = (
  res: Response,
  body: object | Uint8Array<ArrayBuffer> | null,
  { status = 200, location, ignored = [] }: Sending = {},
): Sent => {
  if (res.headersSent || res.destroyed) return new Sent();
  hearOut(res);
  if (ignored.length > 0) res.set(IGNORED, inHeader(ignored));
  if (typeof location === 'string') res.set('Location', location);
  // Clients made with SCIM-SDK look for the media type of every answer, also of an empty one.
  if (body === null) res.status(204).type(SCIM_JSON).end();
  else {
    const isJson = body instanceof Uint8Array;
    res.status(status).type(SCIM_JSON);
    res.send(isJson ? Buffer.from(body.buffer) : JSON.stringify(body));
  }
  return new Sent();
};
