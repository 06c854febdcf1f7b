import { type Attribute, KINDS, type ResourceKind } from './attributes';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

/** The schema of lists. */
export const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Resources of a list where a client does not say how many it wants, and the most. */
export const PAGE = { usual: 100, most: 1_000 } as const;

/** The description of the service, a kind or a schema. */
export type Told = Readonly<Record<string, unknown>>;

const metaOf = (resourceType: string, location: string): object => ({
  meta: { resourceType, location },
});

const offers = (supported: boolean): object => ({ supported });

/** What the service can do (RFC 7643, 5). */
export const serviceProviderConfig = (base: string): Told => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  documentationUri: `${base.slice(0, Math.max(0, base.lastIndexOf('/scim/')))}/manual/provisioning`,
  patch: offers(true),
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: PAGE.most },
  changePassword: offers(false),
  sort: offers(false),
  etag: offers(false),
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A key of Grantgraph in the header Authorization.',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  ...metaOf('ServiceProviderConfig', `${base}ServiceProviderConfig`),
});

const resourceType = (
  base: string,
  { name, endpoint, doc, schema, extension }: ResourceKind,
): Told => ({
  schemas: [`${CORE}:ResourceType`],
  id: name,
  name,
  endpoint: `/${endpoint}`,
  description: doc,
  schema,
  ...(extension !== null && {
    schemaExtensions: [{ schema: extension.schema, required: false }],
  }),
  ...metaOf('ResourceType', `${base}ResourceTypes/${name}`),
});

/** The kinds of resources (RFC 7643, 6). */
export const resourceTypes = (base: string): readonly Told[] =>
  KINDS.map((kind) => resourceType(base, kind));

const attributeOf = (attribute: Attribute): object => {
  const { name, type, doc, isList, isRequired, isReadOnly, isCaseExact, isUnique } = attribute;
  const { subs, references, usual } = attribute;
  return {
    name,
    type,
    multiValued: isList === true,
    description: doc,
    required: isRequired === true,
    ...(subs !== undefined && { subAttributes: subs.map(attributeOf) }),
    ...((type === 'string' || type === 'reference') && {
      caseExact: isCaseExact === true || type === 'reference',
    }),
    mutability: isReadOnly === true ? 'readOnly' : 'readWrite',
    returned: 'default',
    uniqueness: isUnique === true ? 'server' : 'none',
    ...(usual !== undefined && { canonicalValues: usual }),
    ...(references !== undefined && { referenceTypes: references }),
  };
};

const schemaOf = (
  base: string,
  id: string,
  name: string,
  description: string,
  attributes: readonly Attribute[],
): Told => ({
  schemas: [`${CORE}:Schema`],
  id,
  name,
  description,
  attributes: attributes.map(attributeOf),
  ...metaOf('Schema', `${base}Schemas/${id}`),
});

/** The schemas with the attributes that the service stores (RFC 7643, 7). */
export const schemas = (base: string): readonly Told[] =>
  KINDS.flatMap(({ schema, name, doc, attributes, extension }) => [
    schemaOf(base, schema, name, doc, attributes),
    ...(extension === null
      ? []
      : [
          schemaOf(
            base,
            extension.schema,
            `Enterprise ${name}`,
            'What organizations say of it.',
            extension.attributes,
          ),
        ]),
  ]);
