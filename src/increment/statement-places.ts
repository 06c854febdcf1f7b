import type {
  ApplicationPermission,
  IdentityToPermissions,
  RoleAssignmentElement,
} from '../templates/application/statements';
import { Grant, holderOf, RoleAssignment } from '../templates/application/statements';
import { LocalRole } from '../templates/application/local-roles';
import { Permission } from '../templates/application/permissions';
import type { NodeKind } from '../model/table';
import { type Subject, titleOf as titleOfSubject } from '../warning';

/** An element of either list of an entry. */
export type Element = ApplicationPermission | RoleAssignmentElement;

/** One of the two lists of an `identity_to_permissions` entry. */
export interface ListKind {
  readonly list: 'application_permissions' | 'role_assignments';
  readonly kind: NodeKind;
  readonly of: NodeKind;
  readonly field: 'permission' | 'role';
  readonly word: string;
  readonly referenceOf: (element: Element) => string;
}

/** Both lists, in the order in which the service carries them out. */
export const LISTS: readonly ListKind[] = [
  {
    list: 'application_permissions',
    kind: Grant,
    of: Permission,
    field: 'permission',
    word: 'application permission',
    referenceOf: (element) => ('permission' in element ? element.permission : ''),
  },
  {
    list: 'role_assignments',
    kind: RoleAssignment,
    of: LocalRole,
    field: 'role',
    word: 'role assignment',
    referenceOf: (element) => ('role' in element ? element.role : ''),
  },
];

/** An element with its place in the payload. */
export interface Place {
  readonly entry: IdentityToPermissions;
  readonly entryPointer: string;
  readonly pointer: string;
  readonly list: ListKind;
  readonly element: Element;
}

/** How messages name the statement that an element is about. */
export const titleOf = (place: Place): string => {
  const { identity, identity_type: type } = place.entry;
  const holder = { kind: holderOf({ identity_type: type }).word, name: identity };
  return `${titleOfSubject(subjectOf(place))} for ${titleOfSubject(holder)}`;
};

/**
 * The statement that an element is about. Its holder is not part of it: the entry names the holder.
 */
export const subjectOf = ({ list, element }: Place): Subject => ({
  kind: list.word,
  name: list.referenceOf(element),
  application: element.application,
});
