import { payloadSchema } from '../../contract/json-schema';
import { TEMPLATES } from '../../templates/templates';
import type { Failure } from '../../problem';
import { takingNone } from '../exchange/list-query';
import type { Respond } from '../exchange/respond';
import type { Route } from '../routing/route';
import { openApiDocument } from './openapi';

const NO_TEMPLATE: Failure = {
  _tag: 'NotFound',
  message: `There is a schema for each of these templates alone: ${TEMPLATES.join(', ')}.`,
};

/**
 * `/openapi.json` and `/schemas/{template}.json`: how to speak to the service, told without a key (docs/rules.md: Requests). `routes` gives all routes of the
 * service, these among them.
 */
export const apiDescriptionRoutes = (
  respond: Respond,
  routes: () => readonly Route[],
): readonly Route[] => {
  const schemas = new Map<string, object>(
    TEMPLATES.map((template) => [template, payloadSchema(template)]),
  );
  let document: object | undefined;
  return [
    {
      method: 'get',
      path: '/openapi.json',
      access: 'open',
      summary: 'This interface in OpenAPI 3.1.',
      answer: 'object',
      handler: takingNone(respond, (_req, res) => {
        document ??= openApiDocument(routes());
        respond.success(res, document);
      }),
    },
    {
      method: 'get',
      path: '/schemas/:template.json',
      access: 'open',
      summary: "JSON Schema of a template's payloads.",
      answer: 'object',
      handler: takingNone(respond, (req, res) => {
        const schema = schemas.get(String(req.params.template));
        if (schema === undefined) respond.failure(res, NO_TEMPLATE);
        else respond.success(res, schema);
      }),
    },
  ];
};
