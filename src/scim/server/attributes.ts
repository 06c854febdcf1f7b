import { ENTERPRISE_USER } from './endpoints';
import { CORE_TEXTS, ENTERPRISE_TEXTS, EXTERNAL_ID, type UserText } from '../vocabulary';

/**
 * Where an attribute is stored: a field of the payload's entity, or one of its custom properties.
 */
export type StoredAs = { readonly field: string } | { readonly custom: string };

/** An attribute of a resource that the service stores. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'dateTime' | 'complex' | 'reference';
  readonly doc: string;
  readonly isList?: true;
  readonly isRequired?: true;
  readonly isReadOnly?: true;
  /** Whether values that differ only by case are different. */
  readonly isCaseExact?: true;
  /** Whether two resources may not have the same value. */
  readonly isUnique?: true;
  readonly subs?: readonly Attribute[];
  /** The resources that a reference may lead to. */
  readonly references?: readonly string[];
  /** The usual values. */
  readonly usual?: readonly string[];
  readonly storedAs?: StoredAs;
}

/** A kind of resource, and what it becomes in a payload. */
export interface ResourceKind {
  readonly name: 'User' | 'Group';
  readonly endpoint: 'Users' | 'Groups';
  readonly list: 'users' | 'groups';
  readonly label: 'IdpUser' | 'IdpGroup';
  readonly schema: string;
  readonly doc: string;
  readonly attributes: readonly Attribute[];
  readonly extension: { readonly schema: string; readonly attributes: readonly Attribute[] } | null;
  /** The attribute that every resource of the kind has, and that becomes its name. */
  readonly naming: string;
  /**
   * Attributes of RFC 7643 that the service does not store. The answer names those that a request
   * had.
   */
  readonly notStored: readonly string[];
}

const text = (name: string, storedAs: StoredAs, doc: string): Attribute => ({
  name,
  type: 'string',
  storedAs,
  doc,
});

const custom = (name: string, property: string, doc: string): Attribute =>
  text(name, { custom: property }, doc);

const ofText = ({ name, property, doc, isField }: UserText): Attribute =>
  text(name, isField === true ? { field: property } : { custom: property }, doc);

/** The list of the emails that one field does not hold. */
export const OTHER_EMAILS = 'emails';
/** Ids of members that are not in the directory yet (docs/provisioning.md: Members who come later). */
export const WAITING_MEMBERS = 'waiting_members';

/** Attributes that every resource has, and that no schema lists. */
export const COMMON: readonly Attribute[] = [
  {
    ...text('externalId', { custom: EXTERNAL_ID }, "The resource's id at the identity provider."),
    isCaseExact: true,
  },
];

const ref = (references: readonly string[], more: Partial<Attribute> = {}): Attribute => ({
  name: '$ref',
  type: 'reference',
  references,
  doc: 'The address of the resource.',
  ...more,
});

const userAttributes: readonly Attribute[] = [
  {
    ...text('userName', { field: 'name' }, 'The name with which the user signs in.'),
    isRequired: true,
    isUnique: true,
  },
  {
    name: 'name',
    type: 'complex',
    doc: "The parts of the user's name.",
    subs: [
      custom('formatted', 'formatted_name', 'The whole name.'),
      custom('familyName', 'family_name', 'The family name.'),
      custom('givenName', 'given_name', 'The given name.'),
      custom('middleName', 'middle_name', 'The middle names.'),
      custom('honorificPrefix', 'honorific_prefix', 'The words before the name, such as a title.'),
      custom('honorificSuffix', 'honorific_suffix', 'The words after the name.'),
    ],
  },
  text('displayName', { field: 'full_name' }, 'The name as others see it.'),
  ...CORE_TEXTS.map(ofText),
  {
    name: 'active',
    type: 'boolean',
    storedAs: { field: 'is_active' },
    doc: 'Whether the user may sign in.',
  },
  {
    name: 'emails',
    type: 'complex',
    isList: true,
    doc: 'Email addresses.',
    subs: [
      { name: 'value', type: 'string', doc: 'The address.' },
      { name: 'type', type: 'string', doc: 'What it is for.', usual: ['work', 'home', 'other'] },
      { name: 'primary', type: 'boolean', doc: 'Whether it is the usual one.' },
    ],
  },
  {
    name: 'groups',
    type: 'complex',
    isList: true,
    isReadOnly: true,
    doc: 'The groups that the user is a direct member of.',
    subs: [
      {
        name: 'value',
        type: 'string',
        doc: 'The id of the group.',
        isReadOnly: true,
        isCaseExact: true,
      },
      ref(['Group'], { isReadOnly: true }),
      { name: 'display', type: 'string', doc: 'The name of the group.', isReadOnly: true },
      { name: 'type', type: 'string', doc: 'Always direct.', isReadOnly: true },
    ],
  },
];

const enterpriseAttributes: readonly Attribute[] = [
  ...ENTERPRISE_TEXTS.map(ofText),
  {
    name: 'manager',
    type: 'complex',
    doc: "The user's manager.",
    subs: [
      {
        ...text('value', { field: 'manager_id' }, 'The id of the manager, who may come later.'),
        isCaseExact: true,
      },
      ref(['User']),
    ],
  },
];

/** Users, which become users of the identity provider (docs/provisioning.md: What becomes of a user). */
export const USER: ResourceKind = {
  name: 'User',
  endpoint: 'Users',
  list: 'users',
  label: 'IdpUser',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  doc: 'A person, or another account.',
  attributes: userAttributes,
  extension: {
    schema: ENTERPRISE_USER,
    attributes: enterpriseAttributes,
  },
  naming: 'userName',
  notStored: [
    'profileUrl',
    'password',
    'phoneNumbers',
    'ims',
    'photos',
    'addresses',
    'entitlements',
    'roles',
    'x509Certificates',
  ],
};

/** Groups, which become groups of the identity provider. */
export const GROUP: ResourceKind = {
  name: 'Group',
  endpoint: 'Groups',
  list: 'groups',
  label: 'IdpGroup',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  doc: 'A group of users and of other groups.',
  attributes: [
    { ...text('displayName', { field: 'name' }, 'The name of the group.'), isRequired: true },
    {
      name: 'members',
      type: 'complex',
      isList: true,
      doc: 'The direct members.',
      subs: [
        {
          name: 'value',
          type: 'string',
          isCaseExact: true,
          doc: 'The id of the member, who may come later.',
        },
        ref(['User', 'Group']),
        { name: 'type', type: 'string', doc: 'What it is.', usual: ['User', 'Group'] },
      ],
    },
  ],
  extension: null,
  naming: 'displayName',
  notStored: [],
};

/** All kinds of resources. */
export const KINDS: readonly ResourceKind[] = [USER, GROUP];

/** Everything that a client may write or filter by, whatever schema it is of. */
export const attributesOf = ({ attributes, extension }: ResourceKind): readonly Attribute[] => [
  ...COMMON,
  ...attributes,
  ...(extension?.attributes ?? []),
];

/** Whether two names are the same: names of attributes have no case (RFC 7643, 2.1). */
export const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Attributes that the service writes itself. */
const OURS = ['schemas', 'id', 'meta'];

/** Whether the service writes the attribute itself, so that it ignores a value from a client. */
export const isOurs = (name: string): boolean => OURS.some((one) => same(one, name));

/** A path of an attribute: the schema with whose URN it begins, and what follows. */
export interface SchemaPath {
  /** Null: the path begins with no schema of the kind. */
  readonly schema: string | null;
  readonly rest: string;
}

/** Takes the URN of a schema off the start of a path. */
export const splitSchema = ({ schema, extension }: ResourceKind, path: string): SchemaPath => {
  for (const one of [schema, ...(extension === null ? [] : [extension.schema])]) {
    if (!same(path.slice(0, one.length), one)) continue;
    const rest = path.slice(one.length);
    if (rest === '') return { schema: one, rest };
    if (rest.startsWith(':')) return { schema: one, rest: rest.slice(1) };
  }
  return { schema: null, rest: path };
};

/** Attributes by their names in lower case. */
export const byName = (attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> =>
  new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));

const NAMED: ReadonlyMap<ResourceKind, ReadonlyMap<string, Attribute>> = new Map(
  KINDS.map((kind) => [kind, byName(attributesOf(kind))]),
);

/** The attribute of a kind that has this name, whatever schema it is of. */
export const attributeNamed = (kind: ResourceKind, name: string): Attribute | undefined =>
  NAMED.get(kind)?.get(name.toLowerCase());

/** The attribute of this name among a few. */
export const named = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((one) => same(one.name, name));

/** Whether RFC 7643 has an attribute of this name that the service does not store. */
export const isNotStored = ({ notStored }: ResourceKind, name: string): boolean =>
  notStored.some((one) => same(one, name));
