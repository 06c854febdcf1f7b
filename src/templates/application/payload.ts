import type * as t from 'io-ts';

import type { Codec } from '../../codec/codec';
import { list, Recursive } from '../../codec/collections';
import { entry, type EntryOf } from '../../codec/entry';
import { flag } from '../../codec/scalars';
import { PropertyTypes } from '../../codec/shared';
import { struct } from '../../codec/struct';
import { requiredText } from '../../codec/text';
import { entryLists, listDocs, fullLists } from '../lists';
import { applications } from './applications';
import { localKinds } from './local-kinds';
import { DECLARATIONS, declarationDocs, INCREMENTAL } from '../payload-docs';
import { PermissionCodec } from './permissions';
import { type ResourceEntity, resources } from './resources';
import { IdentityToPermissions } from './statements';

/** How deep resources may nest by default. */
export const RESOURCE_LEVELS = 100;

const SUB_RESOURCES = { sub_resources: 'Resources that it contains, at any depth.' };

const resourceWithin = (levels: number): Recursive<ResourceEntity> => {
  const { name, required, optional, rules } = resources.codec;
  const resource: Recursive<ResourceEntity> = new Recursive(name, levels, () => inner);
  const inner: Codec<ResourceEntity> = struct(
    name,
    required,
    { ...optional, sub_resources: list(resource) },
    { docs: { ...rules.docs, ...SUB_RESOURCES } },
  );
  return resource;
};

const { required: requiredOfApplication, optional: optionalOfApplication } = applications.codec;

/** The codec of an application with its lists. Its resources may nest to `levels`. */
const applicationWithin = (levels: number) =>
  struct(
    applications.word,
    requiredOfApplication,
    {
      ...optionalOfApplication,
      ...fullLists<(typeof localKinds)[number]>(localKinds),
      resources: list(resourceWithin(levels)),
    },
    { docs: { ...applications.codec.rules.docs, ...listDocs([...localKinds, resources]) } },
  );

/** An application with its lists. */
export type ApplicationEntity = t.TypeOf<ReturnType<typeof applicationWithin>>;

const types = (owner: string): string => `${owner}_properties`;

/**
 * The kinds, in addition to resources, that may have declared custom properties, each by the name
 * that its definitions use.
 */
export const declaredOwners: readonly string[] = [
  ...[applications, ...localKinds].flatMap(({ definition }) => definition ?? []),
  'role_assignment',
];

/** The declared custom properties of one resource type. */
const ResourceDefinition = struct(
  'resource definition',
  { resource_type: requiredText },
  { properties: PropertyTypes },
  {
    docs: {
      resource_type: 'The type of the resources.',
      properties: 'The type of each custom property, by its name.',
    },
  },
);

/** The declared custom properties of one application type. */
export interface ApplicationTypeDefinition {
  readonly application_type: string;
  readonly resources?: readonly t.TypeOf<typeof ResourceDefinition>[] | null;
  readonly [owner: `${string}_properties`]: PropertyTypes | null;
}

const ApplicationTypeDefinition = struct(
  'application type definition',
  { application_type: requiredText },
  {
    ...Object.fromEntries(declaredOwners.map((owner) => [types(owner), PropertyTypes])),
    resources: list(ResourceDefinition),
  },
  {
    docs: {
      application_type: 'The type of the applications for which this declares custom properties.',
      ...declarationDocs(declaredOwners),
      resources: 'The custom properties of resources, for each type of resource.',
    },
  },
) as unknown as Codec<ApplicationTypeDefinition>;

const definitions = struct(
  'custom property definition',
  {},
  { applications: list(ApplicationTypeDefinition) },
  { docs: { applications: 'The declared custom properties, for each type of application.' } },
);

/**
 * The codec of a full push to a data source of template `application`. Resources may nest to
 * `levels`.
 */
export const applicationPayloadWithin = (levels: number) =>
  struct(
    'application payload',
    {},
    {
      custom_property_definition: definitions,
      applications: list(applicationWithin(levels)),
      permissions: list(PermissionCodec),
      identity_to_permissions: list(IdentityToPermissions),
      incremental_change: flag,
    },
    {
      docs: {
        custom_property_definition: DECLARATIONS,
        applications: applications.listDoc,
        permissions: 'The native permissions of the applications.',
        identity_to_permissions: 'Who holds which permissions and roles, on what.',
        incremental_change: INCREMENTAL,
      },
    },
  );

/** The codec of a full push whose resources nest as deep as the default allows. */
export const ApplicationPayload = applicationPayloadWithin(RESOURCE_LEVELS);
export type ApplicationPayload = t.TypeOf<typeof ApplicationPayload>;

/** An entry of an increment for a resource, with the entries below it. */
export type ResourceEntry = Omit<EntryOf<ResourceEntity>, 'sub_resources'> & {
  readonly sub_resources?: readonly ResourceEntry[] | null;
};

const resourceEntryWithin = (levels: number): Recursive<ResourceEntry> => {
  const { name } = resources.codec;
  const resource: Recursive<ResourceEntry> = new Recursive(name, levels, () => inner);
  const inner: Codec<ResourceEntry> = entry(
    resources.codec,
    resources.entry,
    { sub_resources: list(resource) },
    SUB_RESOURCES,
  );
  return resource;
};

const entryListsOfApplication = entryLists<(typeof localKinds)[number]>(localKinds);
type EntryListsOfApplication = {
  readonly [L in keyof typeof entryListsOfApplication]?: t.TypeOf<
    (typeof entryListsOfApplication)[L]
  > | null;
};

/** An entry of an increment for an application, with the entries in its lists. */
export type ApplicationEntry = Omit<
  EntryOf<ApplicationEntity>,
  'resources' | keyof EntryListsOfApplication
> &
  EntryListsOfApplication & { readonly resources?: readonly ResourceEntry[] | null };

/** The codec of an increment of template `application`. Resources may nest to `levels`. */
export const applicationIncrementWithin = (levels: number) =>
  struct(
    'application payload',
    {},
    {
      ...ApplicationPayload.optional,
      applications: list(
        entry(applicationWithin(levels), applications.entry, {
          ...entryListsOfApplication,
          resources: list(resourceEntryWithin(levels)),
        }) as Codec<ApplicationEntry>,
      ),
      permissions: list(entry(PermissionCodec, { ids: ['name'], missing: 'name' })),
    },
    ApplicationPayload.rules,
  );
export type ApplicationIncrement = t.TypeOf<ReturnType<typeof applicationIncrementWithin>>;

/** The fields of entries that hold entries themselves. */
export const nestedLists: readonly string[] = [
  ...localKinds.map(({ list: name }) => name),
  resources.list,
  'sub_resources',
];
