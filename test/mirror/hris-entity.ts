import { checkedCustomValues, type Checks } from './checks';
import { flatScope } from './definitions';
import type { Reference, Stated } from './entity';
import type { Label, Values } from './graph';
import { ownFields } from './own-fields';
import type { Employee, HrisGroup, HrisSystem, IdReference, Optional } from './payload';
import { below } from './pointer';
import { allGiven } from './reference';
import { byCodeUnits, distinct, listed } from './text';

/** Any entity of an HR system; a field that a kind has not is never set. */
export type HrisEntity = HrisSystem & Partial<Employee> & Partial<HrisGroup>;

/** Where the custom properties of each kind are declared (docs/rules.md: Application payloads). */
const definitions = new Map<Label, string>([
  ['HrisSystem', 'system_properties'],
  ['Employee', 'employee_properties'],
  ['HrisGroup', 'group_properties'],
]);

/** What an entry says of the entity of an HR system that it is about (docs/rules.md: Application payloads). */
export function statedInHris(
  kind: Label,
  sent: HrisEntity,
  pointer: string,
  checks: Checks,
): Stated {
  const scope = flatScope(definitions.get(kind) ?? '');
  return {
    values: {
      ...ownFields(kind, sent),
      ...sorted('idp_providers', sent.idp_providers),
      ...sorted('employment_types', sent.employment_types),
      ...checkedCustomValues(sent, scope, pointer, checks),
    },
    resourceTypes: [],
    links: [],
    references: [
      ...one('IN_COST_CENTER', sent.cost_center, below(pointer, 'cost_center')),
      ...one('IN_DEPARTMENT', sent.department, below(pointer, 'department')),
      ...many('MANAGED_BY', 'Employee', sent.managers, below(pointer, 'managers')),
      ...many('MEMBER_OF', 'HrisGroup', sent.groups, below(pointer, 'groups')),
    ],
  };
}

/** A group that an employee names; an empty object is none. */
function one(type: string, sent: Optional<IdReference>, pointer: string): readonly Reference[] {
  if (sent === null || sent === undefined || Object.keys(sent).length === 0) return [];
  const place = below(pointer, 'id');
  return [{ type, to: 'HrisGroup', text: sent.id, properties: {}, pointer: place }];
}

/** All that a list names. */
function many(
  type: string,
  to: Label,
  sent: Optional<readonly IdReference[]>,
  pointer: string,
): readonly Reference[] {
  return listed(sent).map(({ id }, at) => {
    return { type, to, text: id, properties: {}, pointer: below(pointer, at, 'id') };
  });
}

/** A set of texts, sorted and without `""` (docs/rules.md: Values). */
function sorted(name: string, sent: Optional<readonly string[]>): Values {
  const texts = distinct(allGiven(...listed(sent)), (text) => text).toSorted(byCodeUnits);
  return texts.length === 0 ? {} : { [name]: texts };
}
