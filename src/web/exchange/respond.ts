import type { Response } from 'express';

import type { BadRequest, ErrorAnswer } from '../../contract/answers/error';
import { errorFields, type Log } from '../../log';
import { API_CODE_OF, API_CODES, type ApiCode, type Failure, type Problem } from '../../problem';
import { hearOut } from '../bodies/discard-body';
import { JsonText } from '../bodies/json-text';
import { pageBelowPath } from './below-path';
import { isHeavy, jsonInPieces } from './json-pieces';
import { requestIdOf } from './request-id';

/** How some paths report errors in another form. */
export interface ErrorForm {
  readonly mediaType: string;
  readonly status: number;
  /** JSON, or a text of the media type. */
  readonly body: object | string;
}

/** How a failure ends an answer of which the client has the beginning. */
export interface ErrorEnd {
  end(): void;
}

/** What the answer says about a failure. */
export interface FailureAnswer {
  /** Null for a method that the path does not accept. */
  readonly failure: Failure | null;
  readonly status: number;
  readonly message: string;
  /** As many as an answer lists. */
  readonly problems: readonly Problem[];
}

/** The form of an error if a path has one of its own; null: the usual one. */
export type FormOf = (res: Response, shown: FailureAnswer) => ErrorForm | ErrorEnd | null;

const RETRY_AFTER_SECONDS = 5;

/**
 * Gives `/identity_to_permissions/0/role_assignments/1/role` as
 * `identity_to_permissions.role_assignments.role` (docs/rules.md: Requests).
 */
export const dottedField = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .filter((step) => !/^\d+$/.test(step))
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

const badRequest = (problems: readonly Problem[], total: number): BadRequest => ({
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  field_violations: problems.map(({ pointer, code, message, ...place }) => ({
    field: dottedField(pointer),
    description: message,
    pointer,
    code,
    ...place,
  })),
  total,
});

const detailsOf = (failure: Failure, limit: number): readonly BadRequest[] => {
  switch (failure._tag) {
    case 'Invalid':
      return failure.total === 0
        ? []
        : [badRequest(failure.problems.slice(0, limit), failure.total)];
    case 'AlreadyExists': {
      const { field, message } = failure;
      return [badRequest([{ pointer: `/${field}`, code: 'NAME_TAKEN', message }], 1)];
    }
    case 'Unauthenticated':
    case 'PermissionDenied':
    case 'NotFound':
    case 'Conflict':
    case 'TooLarge':
    case 'Exhausted':
    case 'Unavailable':
    case 'Internal':
      return [];
  }
};

const messageOf = (failure: Failure, limit: number): string => {
  if (failure._tag !== 'Invalid') return failure.message;
  const listed = Math.min(failure.problems.length, limit);
  return failure.total > listed
    ? `${failure.message} There are ${failure.total} problems; the first ${listed} are listed.`
    : failure.message;
};

const headersOf = (failure: Failure): Readonly<Record<string, string>> => {
  switch (failure._tag) {
    case 'Unauthenticated':
      return { 'WWW-Authenticate': 'Bearer' };
    case 'Exhausted':
      return { 'Retry-After': String(failure.retryAfterSeconds ?? RETRY_AFTER_SECONDS) };
    case 'Unavailable':
      return { 'Retry-After': String(RETRY_AFTER_SECONDS) };
    case 'Invalid':
    case 'AlreadyExists':
    case 'PermissionDenied':
    case 'NotFound':
    case 'Conflict':
    case 'TooLarge':
    case 'Internal':
      return {};
  }
};

const causeOf = (failure: Failure): unknown =>
  failure._tag === 'Internal' || failure._tag === 'Unavailable' ? failure.cause : undefined;

/** The body of an error with a request's id and the present time. */
export const errorBody = (
  code: ApiCode,
  message: string,
  requestId: string,
  details: readonly BadRequest[] = [],
): ErrorAnswer => ({
  code,
  message,
  request_id: requestId,
  timestamp: new Date().toISOString(),
  details,
});

/**
 * Makes the sender of answers. Causes of failures go only to the log. An answer lists at most
 * `problemLimit` problems.
 */
export const responder = (log: Log, problemLimit: number, formOf: FormOf = () => null) => {
  const refuse = (res: Response, shown: FailureAnswer, usual: () => object): void => {
    const form = formOf(res, shown);
    if (form === null) return send(res, shown.status, usual());
    if ('end' in form) return form.end();
    if (!res.headersSent) res.type(form.mediaType);
    send(res, form.status, form.body);
  };
  const send = (res: Response, status: number, body: object | string): void => {
    // The service cannot undo an answer that has begun.
    if (res.headersSent || res.destroyed) return;
    hearOut(res);
    if (body instanceof JsonText) res.status(status).type('json').send(body.bytes());
    else if (typeof body === 'string') res.status(status).send(pageBelowPath(res.req, body));
    else res.status(status).json(body);
  };
  return {
    /**
     * A 2xx answer, always a JSON object (docs/rules.md: Requests). A large one is written in pieces, so
     * that others are answered meanwhile.
     */
    success: (res: Response, body: object): Promise<void> | void =>
      body instanceof JsonText || !isHeavy(body)
        ? send(res, 200, body)
        : jsonInPieces(body).then((bytes) => send(res, 200, new JsonText(bytes))),

    failure: (res: Response, failure: Failure): void => {
      const code = API_CODE_OF[failure._tag];
      const requestId = requestIdOf(res);
      const cause = causeOf(failure);
      if (cause !== undefined) {
        log.error(failure.message, { request_id: requestId, ...errorFields(cause) });
      }
      if (!res.headersSent) res.set(headersOf(failure));
      const message = messageOf(failure, problemLimit);
      const { status } = API_CODES[code];
      const problems = failure._tag === 'Invalid' ? failure.problems.slice(0, problemLimit) : [];
      refuse(res, { failure, status, message, problems }, () =>
        errorBody(code, message, requestId, detailsOf(failure, problemLimit)),
      );
    },

    /** Answers 405: the path is known but does not accept this method. */
    methodNotAllowed: (res: Response, allowed: string): void => {
      res.set('Allow', allowed);
      const message = `This path takes ${allowed} alone.`;
      refuse(res, { failure: null, status: 405, message, problems: [] }, () =>
        errorBody('InvalidArgument', message, requestIdOf(res)),
      );
    },
  };
};

/** Sends the answers of all endpoints: the one place that sets statuses. */
export type Respond = ReturnType<typeof responder>;
