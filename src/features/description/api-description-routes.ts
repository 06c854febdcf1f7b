import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { type PayloadSchema, payloadSchema } from '../../contract/json-schema';
import { TEMPLATES } from '../../templates/templates';
import type { Failure } from '../../problem';
import type { Handle } from '../../web/exchange/handle';
import { takesNone } from '../../web/lists/list-query';
import { addressBelowPath } from '../../web/exchange/below-path';
import { route, type Route } from '../../web/routing/route';
import { type ApiDescription, endpoints } from './endpoints';
import { openApiDocument } from './openapi';

const NO_TEMPLATE: Failure = {
  _tag: 'NotFound',
  message: `There is a schema for each of these templates alone: ${TEMPLATES.join(', ')}.`,
};

/**
 * `/openapi.json` and `/schemas/{template}.json` describe the API, without a key (docs/rules.md:
 * Requests). `routes` gives all routes of the service, these among them.
 */
export const apiDescriptionRoutes = (
  handle: Handle,
  routes: () => readonly Route[],
): readonly Route[] => {
  const schemas = new Map<string, PayloadSchema>(
    TEMPLATES.map((template) => [template, payloadSchema(template)]),
  );
  let document: ApiDescription | undefined;
  return [
    route({
      ...endpoints.description,
      handler: handle((req) =>
        pipe(
          TE.fromEither(takesNone(req)),
          TE.map(() => ({
            ...(document ??= openApiDocument(routes())),
            servers: [{ url: addressBelowPath(req, '/') }],
          })),
        ),
      ),
    }),
    route({
      ...endpoints.schema,
      handler: handle((req) =>
        pipe(
          TE.fromEither(takesNone(req)),
          TE.flatMap(() => {
            const schema = schemas.get(String(req.params.template));
            return schema === undefined ? TE.left(NO_TEMPLATE) : TE.right(schema);
          }),
        ),
      ),
    }),
  ];
};
