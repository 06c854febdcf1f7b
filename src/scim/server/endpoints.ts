import type * as t from 'io-ts';

import type { AnyCodec } from '../../codec/codec';
import { sequence } from '../../codec/collections';
import { exact, has, mapOf, may, oneOf } from '../../codec/exact';
import { flag, number } from '../../codec/scalars';
import { anyText, time } from '../../codec/text';
import { anyJson, count } from '../../contract/answers/values';
import type { Access, Endpoints } from '../../web/routing/route';

/** The schema of what organizations say of their users (RFC 7643, 4.3). */
export const ENTERPRISE_USER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/**
 * What a SCIM client reads (RFC 7643, RFC 7644; docs/provisioning.md: Being read through SCIM). A
 * client may request only some attributes, so all but `schemas` and `id` may be absent.
 */

const schemas = has(sequence(anyText), 'The URNs of the schemas.');
const id = has(anyText, 'The id, which never changes.');
const externalId = may(anyText, 'The id at the identity provider.');
const texts = (name: string) => mapOf(name, anyText);

const meta = may(
  exact('facts about a resource', {
    resourceType: may(anyText, 'The kind of resource.'),
    created: may(time, 'When it was created.'),
    lastModified: may(time, 'When it changed; a change of members is none.'),
    location: may(anyText, 'Its address.'),
  }),
  'Facts about the resource.',
);

const Extension = exact('enterprise attributes', {
  employeeNumber: may(anyText, 'The number of the employee.'),
  costCenter: may(anyText, 'The cost center.'),
  organization: may(anyText, 'The organization.'),
  division: may(anyText, 'The division.'),
  department: may(anyText, 'The department.'),
  manager: may(texts('manager'), 'The manager: `value` is the id, and `$ref` the address.'),
});

/** A user as SCIM clients read it. */
const ScimUser = exact('SCIM user', {
  schemas,
  id,
  externalId,
  userName: may(anyText, 'The name with which the user signs in.'),
  name: may(texts('parts of a name'), 'The parts of the name.'),
  displayName: may(anyText, 'The name as others see it.'),
  nickName: may(anyText, 'The casual name.'),
  title: may(anyText, 'The job title.'),
  userType: may(anyText, 'What the user is to the organization.'),
  preferredLanguage: may(anyText, 'The preferred language.'),
  locale: may(anyText, 'The locale.'),
  timezone: may(anyText, 'The time zone.'),
  active: may(flag, 'Whether the user may sign in.'),
  emails: may(
    sequence(
      exact('email', {
        value: may(anyText, 'The address.'),
        type: may(anyText, 'What it is for.'),
        primary: may(flag, 'Whether it is the usual one.'),
      }),
    ),
    'Email addresses.',
  ),
  groups: may(sequence(texts('group of a user')), 'The groups that it is a direct member of.'),
  [ENTERPRISE_USER]: may(Extension, 'Attributes of the enterprise extension.'),
  meta,
});

/** A group as SCIM clients read it. */
const ScimGroup = exact('SCIM group', {
  schemas,
  id,
  externalId,
  displayName: may(anyText, 'The name.'),
  members: may(
    sequence(texts('member of a group')),
    'The direct members; those that do not exist yet have only a `value`.',
  ),
  meta,
});

const listOf = <C extends Parameters<typeof sequence>[0]>(name: string, of: C) =>
  exact(name, {
    schemas,
    totalResults: has(count, 'How many resources there are in all.'),
    startIndex: has(count, 'The place of the first one of this page, from 1.'),
    itemsPerPage: has(count, 'How many resources this page has.'),
    Resources: has(sequence(of), 'The resources of this page.'),
  });

const ScimUsers = listOf('list of SCIM users', ScimUser);
const ScimGroups = listOf('list of SCIM groups', ScimGroup);
const ScimResources = listOf('list of SCIM resources', oneOf('SCIM resource', ScimUser, ScimGroup));

/** A user or group that a client writes. It may have attributes that the service does not store. */
export const ScimBody = mapOf('SCIM resource to write', anyJson);

/** A PATCH (RFC 7644, 3.5.2). */
export const ScimPatch = exact('SCIM PATCH', {
  schemas: may(sequence(anyText), 'The URN of a PATCH.'),
  Operations: has(
    sequence(
      exact('operation of a SCIM PATCH', {
        op: has(anyText, '`add`, `replace` or `remove`, in any case.'),
        path: may(anyText, 'The attribute; without it `value` is an object of attributes.'),
        value: may(anyJson, 'The value.'),
      }),
    ),
    'The operations, in their order.',
  ),
});

/** A search (RFC 7644, 3.4.3). */
const ScimSearch = exact('SCIM search', {
  schemas: may(sequence(anyText), 'The URN of a search.'),
  filter: may(anyText, 'What the resources must fit.'),
  attributes: may(sequence(anyText), 'The attributes that the answer must have.'),
  excludedAttributes: may(sequence(anyText), 'The attributes that it must not have.'),
  startIndex: may(number, 'The place of the first resource, from 1.'),
  count: may(number, 'How many resources at most.'),
});

/** What the service says about itself: its configuration, a kind of resource or a schema. */
const ScimDescription = mapOf('description for SCIM', anyJson);
const ScimDescriptionList = listOf('list of descriptions for SCIM', ScimDescription);

/** Why the service refused a request. */
export const ScimError = exact('SCIM error', {
  schemas,
  status: has(anyText, 'The status, as a text.'),
  scimType: may(anyText, 'What is wrong, for programs.'),
  detail: has(anyText, 'What is wrong, in words. It names the place in the request.'),
});
export type ScimError = t.TypeOf<typeof ScimError>;

/** The media type of SCIM. */
export const SCIM_JSON = 'application/scim+json';

/** Below this path, everything is SCIM. */
export const SCIM_ROOT = '/scim/v2';

const SOURCE = `${SCIM_ROOT}/:dataSourceId` as const;

/**
 * A key that may push to a provider may read here what was pushed to it, and write more. A key that
 * is limited to providers sees only their data sources. Another key sees the people of all
 * directories, so it needs `read` in addition.
 */
const SERVED: Access = {
  scopes: ['push'],
  unlimitedAlso: ['read'],
  limitedKeys: 'shown in part',
};

/** What all endpoints of SCIM have. */
const scim = {
  access: SERVED,
  errors: { mediaType: SCIM_JSON, codec: ScimError },
  idsMayHoldColons: true,
  more: 'provisioning#being-read-through-scim',
} as const;

const answerOf = (json: AnyCodec) => ({ mediaTypes: [SCIM_JSON], json }) as const;

/** The endpoints of the users or groups of a data source. */
const resources = (
  all: string,
  word: string,
  codecs: { readonly one: AnyCodec; readonly list: AnyCodec },
  patched: { readonly mayBeEmpty?: true } = {},
) => {
  const one = `${all}/:scimId`;
  const answer = answerOf(codecs.one);
  return {
    list: {
      ...scim,
      method: 'get',
      path: all,
      summary: `Lists the ${word}s of a data source through SCIM.`,
      answer: answerOf(codecs.list),
    },
    add: {
      ...scim,
      method: 'post',
      path: all,
      summary: `Adds a ${word} through SCIM.`,
      body: [ScimBody],
      answer: { ...answer, status: 201 },
    },
    read: {
      ...scim,
      method: 'get',
      path: one,
      summary: `Reads a ${word} through SCIM.`,
      answer,
    },
    replace: {
      ...scim,
      method: 'put',
      path: one,
      summary: `Replaces a ${word} through SCIM.`,
      body: [ScimBody],
      answer,
    },
    patch: {
      ...scim,
      method: 'patch',
      path: one,
      summary: `Changes a ${word} through SCIM.`,
      body: [ScimPatch],
      answer: { ...answer, ...patched },
    },
    remove: {
      ...scim,
      method: 'delete',
      path: one,
      summary: `Removes a ${word} through SCIM.`,
      answer: { ...answer, status: 204 },
    },
  } as const satisfies Endpoints;
};

/** The endpoints of users, without their handlers. */
export const users = resources(`${SOURCE}/Users`, 'user', { one: ScimUser, list: ScimUsers });

/** The endpoints of groups. The answer to a PATCH has the group only if the client wants it. */
export const groups = resources(
  `${SOURCE}/Groups`,
  'group',
  { one: ScimGroup, list: ScimGroups },
  { mayBeEmpty: true },
);

/** The other endpoints of the SCIM server. */
export const endpoints = {
  readConfiguration: {
    ...scim,
    method: 'get',
    path: `${SOURCE}/ServiceProviderConfig`,
    summary: 'Tells what the SCIM server can do.',
    answer: answerOf(ScimDescription),
  },
  listResourceTypes: {
    ...scim,
    method: 'get',
    path: `${SOURCE}/ResourceTypes`,
    summary: 'Lists the kinds of SCIM resources.',
    answer: answerOf(ScimDescriptionList),
  },
  readResourceType: {
    ...scim,
    method: 'get',
    path: `${SOURCE}/ResourceTypes/:scimId`,
    summary: 'Reads a kind of SCIM resource.',
    answer: answerOf(ScimDescription),
  },
  listSchemas: {
    ...scim,
    method: 'get',
    path: `${SOURCE}/Schemas`,
    summary: 'Lists the SCIM schemas, with the attributes that the service stores.',
    answer: answerOf(ScimDescriptionList),
  },
  readSchema: {
    ...scim,
    method: 'get',
    path: `${SOURCE}/Schemas/:scimId`,
    summary: 'Reads a SCIM schema.',
    answer: answerOf(ScimDescription),
  },
  search: {
    ...scim,
    method: 'post',
    path: `${SOURCE}/.search`,
    summary: 'Searches users and groups through SCIM.',
    body: [ScimSearch],
    answer: answerOf(ScimResources),
  },
  searchUsers: {
    ...scim,
    method: 'post',
    path: `${SOURCE}/Users/.search`,
    summary: 'Searches users through SCIM.',
    body: [ScimSearch],
    answer: answerOf(ScimUsers),
  },
  searchGroups: {
    ...scim,
    method: 'post',
    path: `${SOURCE}/Groups/.search`,
    summary: 'Searches groups through SCIM.',
    body: [ScimSearch],
    answer: answerOf(ScimGroups),
  },
} as const satisfies Endpoints;
