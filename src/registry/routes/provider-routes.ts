import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { CustomTemplate } from '../../contract/registration';
import { asValue } from '../../web/exchange/handle';
import { LIST_TOKEN_PLACES } from '../../contract/page';
import { isTrue } from '../../contract/parameters/query-parameters';
import {
  ChangeProviderRequest,
  NO_SCHEMA_DEFINITION,
  providerRecord,
  RegisterProviderRequest,
} from '../../contract/records/provider';
import type { Rules } from '../../contract/records/record';
import { addressedProvider } from '../../web/exchange/addressed';
import { actOf, callerOf } from '../../web/admission/caller';
import { decodeBody } from '../../web/bodies/decode-body';
import { confirmedRemoval } from '../../web/admission/confirmed-removal';
import { type ListFields, listQuery, queryOf } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import type { ProviderChanges } from '../../graph/records/provider-record';
import { registryOf } from '../contract';
import { providersOf } from '../../graph/records/registry';
import { endpoints, SetIconRequest } from '../endpoints';

/** Answers connectors that set the icon of a provider. The service shows no icons, and stores none. */
export const iconRoute = ({ handle }: Web, context: Context): Route =>
  route({
    ...endpoints.setIcon,
    handler: handle((req, res) =>
      pipe(
        addressedProvider(providersOf(context), req),
        TE.flatMap(() => decodeBody(SetIconRequest, req, res)),
        TE.map(() => ({})),
      ),
    ),
  });

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
    ...endpoints.templates,
    handler: handle(() => TE.right({ values: CustomTemplate.values.map((name) => ({ name })) })),
  }),
  route({
    ...endpoints.list,
    handler: question((req, res) =>
      pipe(
        TE.fromEither(listQuery(req, PROVIDER_FIELDS)),
        TE.flatMap((wanted) => registryOf(context).listProviders(wanted, callerOf(res).providers)),
      ),
    ),
  }),
  route({
    ...endpoints.register,
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
    ...endpoints.read,
    handler: handle((req) => asValue(addressedProvider(providersOf(context), req))),
  }),
  route({
    ...endpoints.change,
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
    ...endpoints.remove,
    handler: handle((req, res) =>
      pipe(
        addressedProvider(providersOf(context), req),
        TE.bindTo('provider'),
        TE.bind('asked', () => TE.fromEither(queryOf(endpoints.remove.query, req))),
        TE.flatMap(({ provider, asked }) =>
          registryOf(context).deleteProvider(provider, {
            ...actOf(res),
            erases: isTrue(asked.erase),
            confirmedRemoval: confirmedRemoval(req),
          }),
        ),
        TE.map(() => ({})),
      ),
    ),
  }),
];
