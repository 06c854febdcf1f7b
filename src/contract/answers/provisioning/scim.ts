import type * as t from 'io-ts';

import { sequence } from '../../../codec/collections';
import { exact, has, mapOf, may, oneOf } from '../../../codec/exact';
import { flag, number } from '../../../codec/scalars';
import { anyText, time } from '../../../codec/text';
import { anyJson, count } from '../values';

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
export const ScimUser = exact('SCIM user', {
  ...{ schemas, id, externalId },
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
export const ScimGroup = exact('SCIM group', {
  ...{ schemas, id, externalId },
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

export const ScimUsers = listOf('list of SCIM users', ScimUser);
export const ScimGroups = listOf('list of SCIM groups', ScimGroup);
export const ScimResources = listOf(
  'list of SCIM resources',
  oneOf('SCIM resource', ScimUser, ScimGroup),
);

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
export const ScimSearch = exact('SCIM search', {
  schemas: may(sequence(anyText), 'The URN of a search.'),
  filter: may(anyText, 'What the resources must fit.'),
  attributes: may(sequence(anyText), 'The attributes that the answer must have.'),
  excludedAttributes: may(sequence(anyText), 'The attributes that it must not have.'),
  startIndex: may(number, 'The place of the first resource, from 1.'),
  count: may(number, 'How many resources at most.'),
});

/** What the service says about itself: its configuration, a kind of resource or a schema. */
export const ScimTold = mapOf('description for SCIM', anyJson);
export const ScimToldList = listOf('list of descriptions for SCIM', ScimTold);

/** Why the service refused a request. */
export const ScimError = exact('SCIM error', {
  schemas,
  status: has(anyText, 'The status, as a text.'),
  scimType: may(anyText, 'What is wrong, for programs.'),
  detail: has(anyText, 'What is wrong, in words. It names the place in the request.'),
});
export type ScimError = t.TypeOf<typeof ScimError>;
