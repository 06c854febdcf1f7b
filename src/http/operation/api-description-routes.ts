import { Router } from 'express';

import { payloadSchema, TEMPLATES } from '../../contract/json-schema';
import type { Failure } from '../../problem';
import type { Respond } from '../exchange/respond';
import { openApiDocument } from './openapi';

const NO_TEMPLATE: Failure = {
  _tag: 'NotFound',
  message: `There is a schema for each of these templates alone: ${TEMPLATES.join(', ')}.`,
};

/** `/openapi.json` and `/schemas/{template}.json`: how to speak to the service, told without a key (api.md 7). */
export const apiDescriptionRoutes = (respond: Respond): Router => {
  const document = openApiDocument();
  const schemas = new Map<string, object>(
    TEMPLATES.map((template) => [template, payloadSchema(template)]),
  );
  const router = Router();
  router
    .route('/openapi.json')
    .get((_req, res) => respond.success(res, document))
    .all((_req, res) => respond.methodNotAllowed(res, 'GET'));
  router
    .route('/schemas/:template.json')
    .get((req, res) => {
      const schema = schemas.get(String(req.params.template));
      if (schema === undefined) respond.failure(res, NO_TEMPLATE);
      else respond.success(res, schema);
    })
    .all((_req, res) => respond.methodNotAllowed(res, 'GET'));
  return router;
};
