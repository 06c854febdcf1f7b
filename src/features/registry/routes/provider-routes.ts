import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Done } from '../../../contract/answers/page';
import { ProviderPage, ProviderValue, TemplateList } from '../../../contract/answers/registry';
import { CustomTemplate } from '../../../contract/envelopes';
import { LIST_TOKEN_PLACES } from '../../../contract/page';
import {
  DeletionParameters,
  ListParameters,
} from '../../../contract/parameters/question-parameters';
import {
  ChangeProviderRequest,
  NO_SCHEMA_DEFINITION,
  providerRecord,
  RegisterProviderRequest,
} from '../../../contract/records/provider';
import type { Rules } from '../../../contract/records/record';
import { addressedProvider } from '../../../web/exchange/addressed';
import { actOf, callerOf } from '../../../web/admission/caller';
import { LONG_TEXT_BODY } from '../../../web/bodies/body-bounds';
import { decodeBody } from '../../../web/bodies/decode-body';
import { CONFIRM_REMOVAL } from '../../../contract/parameters/confirm-removal';
import { confirmedRemoval } from '../../../web/admission/confirmed-removal';
import { erasesHistory, type ListFields, listQuery } from '../../../web/lists/list-query';
import { route, type Route } from '../../../web/routing/route';
import type { Context } from '../../../context';
import type { Web } from '../../../web/routing/web';
import type { ProviderChanges } from '../../../graph/records/provider-record';
import { providersOf, registryOf } from '../contract';

const PROVIDER_FIELDS: ListFields = {
  filtered: [
    'id',
    'name',
    'state',
    'custom_template',
    'application_types',
    'resource_types',
    'idp_types',
    'external_lifecycle_management_type',
    'provisioning',
  ],
  ordered: ['name', 'state', 'custom_template'],
  usual: { field: 'name', isDescending: false },
  tokenPlaces: LIST_TOKEN_PLACES,
};

/** An empty text means the same as an absent field. */
const EMPTY_IS_UNSET: Rules<typeof providerRecord.fields> = {
  external_lifecycle_management_type: (text) => E.right(text || null),
  schema_definition_json: (text) => E.right(text || NO_SCHEMA_DEFINITION),
};

const changesOf = ({
  provisioning,
  external_lifecycle_management_type: lifecycle,
}: ChangeProviderRequest): ProviderChanges => ({
  ...(typeof provisioning === 'boolean' ? { provisioning } : {}),
  ...(lifecycle === undefined ? {} : { external_lifecycle_management_type: lifecycle || null }),
});

/** Registers, lists, changes and deletes providers (docs/rules.md: Requests, Lists). */
export const providerRoutes = ({ handle, question }: Web, context: Context): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/v1/providers/custom/templates',
    access: { scopes: ['read'], orScope: 'push', limitedKeys: 'shown in part' },
    summary: 'The templates that can be registered.',
    answer: TemplateList,
    handler: handle(() => TE.right({ values: CustomTemplate.values.map((name) => ({ name })) })),
  }),
  route({
    method: 'get',
    path: '/api/v1/providers/custom',
    access: { scopes: ['read'], orScope: 'push', limitedKeys: 'shown in part' },
    summary: 'Lists providers.',
    answer: ProviderPage,
    query: ListParameters,
    handler: question((req, res) =>
      pipe(
        TE.fromEither(listQuery(req, PROVIDER_FIELDS)),
        TE.flatMap((wanted) => registryOf(context).listProviders(wanted, callerOf(res).providers)),
      ),
    ),
  }),
  route({
    method: 'post',
    path: '/api/v1/providers/custom',
    access: { scopes: ['push'], flagScopes: { provisioning: 'admin' }, limitedKeys: 'never' },
    summary: 'Registers a provider.',
    answer: ProviderValue,
    body: [RegisterProviderRequest],
    bodyBounds: LONG_TEXT_BODY,
    handler: handle((req, res) =>
      pipe(
        decodeBody(RegisterProviderRequest, req, res),
        TE.flatMap((body) =>
          pipe(
            TE.fromEither(providerRecord.wanted(body, EMPTY_IS_UNSET)),
            TE.flatMap((wanted) => registryOf(context).registerProvider({ wanted, ...actOf(res) })),
          ),
        ),
        TE.map((value) => ({ value })),
      ),
    ),
  }),
  route({
    method: 'get',
    path: '/api/v1/providers/custom/:providerId',
    access: { scopes: ['read'], orScope: 'push', limitedKeys: 'own provider' },
    summary: 'Reads a provider.',
    answer: ProviderValue,
    handler: handle((req) =>
      pipe(
        addressedProvider(providersOf(context), req),
        TE.map((value) => ({ value })),
      ),
    ),
  }),
  route({
    method: 'patch',
    path: '/api/v1/providers/custom/:providerId',
    // It switches on what the service does in the application, as its connection does.
    access: { scopes: ['admin'], limitedKeys: 'own provider' },
    summary: 'Changes a provider.',
    answer: ProviderValue,
    body: [ChangeProviderRequest],
    handler: handle((req, res) =>
      pipe(
        addressedProvider(providersOf(context), req),
        TE.flatMap((provider) =>
          pipe(
            decodeBody(ChangeProviderRequest, req, res),
            TE.flatMap((body) =>
              registryOf(context).changeProvider(provider.id, changesOf(body), actOf(res)),
            ),
          ),
        ),
        TE.map((value) => ({ value })),
      ),
    ),
  }),
  route({
    method: 'delete',
    path: '/api/v1/providers/custom/:providerId',
    access: { scopes: ['push'], limitedKeys: 'own provider' },
    summary: 'Deletes a provider with its data sources and their graph.',
    answer: Done,
    query: DeletionParameters,
    headers: [CONFIRM_REMOVAL],
    handler: handle((req, res) =>
      pipe(
        addressedProvider(providersOf(context), req),
        TE.bindTo('provider'),
        TE.bind('erases', () => TE.fromEither(erasesHistory(req))),
        TE.flatMap(({ provider, erases }) =>
          registryOf(context).deleteProvider(provider, {
            ...actOf(res),
            erases,
            confirmedRemoval: confirmedRemoval(req),
          }),
        ),
        TE.map(() => ({})),
      ),
    ),
  }),
];
