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

/** An element of either list. */
export type Element = ApplicationPermission | RoleAssignmentElement;

/** One of the two lists of an entry. */
export interface ListKind {
  readonly list: 'application_permissions' | 'role_assignments';
  readonly kind: NodeKind;
  readonly of: NodeKind;
  readonly field: 'permission' | 'role';
  readonly word: string;
  readonly referenceOf: (element: Element) => string;
}

/** Both lists, in the order in which they are carried out. */
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

/** Where an element stands in an increment. */
export interface Place {
  readonly entry: IdentityToPermissions;
  readonly entryPointer: string;
  readonly pointer: string;
  readonly list: ListKind;
  readonly element: Element;
}

/** How warnings and problems call the statement that an element is about. */
export const titleOf = (place: Place): string => {
  const { identity, identity_type: type } = place.entry;
  const holder = { kind: holderOf({ identity_type: type }).word, name: identity };
  return `${titleOfSubject(subjectOf(place))} for ${titleOfSubject(holder)}`;
};

/** The statement that an element is about; who holds it stands beside, in the entry. */
export const subjectOf = ({ list, element }: Place): Subject => ({
  kind: list.word,
  name: list.referenceOf(element),
  application: element.application,
});
