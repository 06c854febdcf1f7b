import { list } from '../codec/collections';
import { exact, has } from '../codec/exact';
import { struct } from '../codec/struct';
import { requiredText, Text, time } from '../codec/text';
import { countedPageOf, Done, valueOf } from '../contract/answers/page';
import { DataSource } from '../contract/answers/registry';
import { CustomTemplate, RegisteredName } from '../contract/registration';
import { CONFIRM_REMOVAL } from '../contract/parameters/confirm-removal';
import { flagText, ListParameters, NoParameters } from '../contract/parameters/query-parameters';
import {
  ChangeProviderRequest,
  providerRecord,
  RegisterProviderRequest,
} from '../contract/records/provider';
import { LONG_TEXT_BODY } from '../web/bodies/body-bounds';
import type { Access, Endpoints } from '../web/routing/route';

/** A request to set an icon. */
export const SetIconRequest = struct(
  'set icon request',
  {
    icon_base64: new Text('icon', {
      most: 1024 * 1024,
      measure: 'bytes',
      mayBeEmpty: false,
      mayHaveLines: true,
    }),
  },
  {},
  { isOpen: true },
);

/** A request to create a data source. `id` is that of the provider. */
export const CreateDataSourceRequest = struct(
  'create data source request',
  { id: requiredText, name: RegisteredName },
  {},
  { isOpen: true },
);

/** Parameters of a deletion. Public clients may send others. */
const DeletionParameters = struct(
  'the query of a deletion',
  {},
  { erase: flagText },
  { isOpen: true },
);

/** The templates that can be registered (docs/rules.md: Requests). */
const TemplateList = exact('list of templates', {
  values: has(
    list(exact('template', { name: has(CustomTemplate, 'Its name.') })),
    'All templates.',
  ),
});

const ProviderPage = countedPageOf('page of providers', providerRecord.answer);
const ProviderValue = valueOf('one provider', providerRecord.answer);

const DataSourcePage = countedPageOf('page of data sources', DataSource);
const DataSourceValue = valueOf('one data source', DataSource);

/** Until when the next push may remove as much as it wants (docs/rules.md: Removal guard). */
const RemovalAllowed = valueOf(
  'removal allowed',
  exact('removal permit', {
    removal_allowed_until: has(time, 'From then on the removal guard stops pushes again.'),
  }),
);

const PROVIDERS = '/api/v1/providers/custom';
const PROVIDER = `${PROVIDERS}/:providerId` as const;
const DATA_SOURCES = `${PROVIDER}/datasources` as const;
const DATA_SOURCE = `${DATA_SOURCES}/:dataSourceId` as const;

/** Connectors find their own provider and data source. */
const FINDS = { scopes: ['read'], orScope: 'push' } as const;
const PUSHES: Access = { scopes: ['push'], limitedKeys: 'own provider' };

/** The endpoints of providers and data sources, without their handlers. */
export const endpoints = {
  templates: {
    method: 'get',
    path: `${PROVIDERS}/templates`,
    access: { ...FINDS, limitedKeys: 'shown in part' },
    summary: 'The templates that can be registered.',
    ignoresOtherParameters: true,
    answer: TemplateList,
  },
  list: {
    method: 'get',
    path: PROVIDERS,
    access: { ...FINDS, limitedKeys: 'shown in part' },
    summary: 'Lists providers.',
    query: ListParameters,
    ignoresOtherParameters: true,
    answer: ProviderPage,
  },
  register: {
    method: 'post',
    path: PROVIDERS,
    access: { scopes: ['push'], flagScopes: { provisioning: 'admin' }, limitedKeys: 'never' },
    summary: 'Registers a provider.',
    body: [RegisterProviderRequest],
    bodyBounds: LONG_TEXT_BODY,
    ignoresOtherParameters: true,
    answer: ProviderValue,
  },
  read: {
    method: 'get',
    path: PROVIDER,
    access: { ...FINDS, limitedKeys: 'own provider' },
    summary: 'Reads a provider.',
    ignoresOtherParameters: true,
    answer: ProviderValue,
  },
  change: {
    method: 'patch',
    path: PROVIDER,
    // It switches on what the service does in the application, as its connection does.
    access: { scopes: ['admin'], limitedKeys: 'own provider' },
    summary: 'Changes a provider.',
    body: [ChangeProviderRequest],
    ignoresOtherParameters: true,
    answer: ProviderValue,
  },
  remove: {
    method: 'delete',
    path: PROVIDER,
    access: PUSHES,
    summary: 'Deletes a provider with its data sources and their graph.',
    query: DeletionParameters,
    headers: [CONFIRM_REMOVAL],
    ignoresOtherParameters: true,
    answer: Done,
  },
  setIcon: {
    method: 'post',
    path: `${PROVIDER}\\:icon`,
    access: PUSHES,
    summary: 'Answers connectors that send an icon; the service stores none.',
    body: [SetIconRequest],
    bodyBounds: LONG_TEXT_BODY,
    ignoresOtherParameters: true,
    answer: Done,
  },
  listDataSources: {
    method: 'get',
    path: DATA_SOURCES,
    access: { ...FINDS, limitedKeys: 'own provider' },
    summary: 'Lists the data sources of a provider.',
    query: ListParameters,
    ignoresOtherParameters: true,
    answer: DataSourcePage,
  },
  createDataSource: {
    method: 'post',
    path: DATA_SOURCES,
    access: PUSHES,
    summary: 'Creates a data source.',
    body: [CreateDataSourceRequest],
    ignoresOtherParameters: true,
    answer: DataSourceValue,
  },
  readDataSource: {
    method: 'get',
    path: DATA_SOURCE,
    access: { ...FINDS, limitedKeys: 'own provider' },
    summary: 'Reads a data source.',
    ignoresOtherParameters: true,
    answer: DataSourceValue,
  },
  removeDataSource: {
    method: 'delete',
    path: DATA_SOURCE,
    access: PUSHES,
    summary: 'Deletes a data source with its graph.',
    query: DeletionParameters,
    headers: [CONFIRM_REMOVAL],
    ignoresOtherParameters: true,
    answer: Done,
  },
  allowRemoval: {
    method: 'post',
    path: `${DATA_SOURCE}\\:allow-removal`,
    access: PUSHES,
    summary: 'Lets the next push within an hour remove as much as it wants.',
    more: 'connectors#removal-guard',
    query: NoParameters,
    answer: RemovalAllowed,
  },
} as const satisfies Endpoints;
