import { checkedCustomValues, type Checks } from './checks';
import { dynamicValues, flatScope } from './definitions';
import type { Reference, Stated } from './entity';
import type { Label, Values } from './graph';
import { ownFields, withoutUnset } from './own-fields';
import type { App, Domain, Group, IdpPrincipal, User } from './payload';
import { below } from './pointer';
import { duplicateProblems } from './reading';
import { allGiven } from './reference';
import { arnsOf, cloudRole, externalEntity, links, ownedOf } from './stated-links';
import { given, listed, nfc } from './text';

/** Any entity of an identity provider; a field that a kind has not is never set. */
export type IdpEntity = Domain & Partial<User> & Partial<Group> & Partial<App>;

/** Where the custom properties of each kind are declared (docs/rules.md: Application payloads). */
const definitions = new Map<Label, string>([
  ['IdpDomain', 'domain_properties'],
  ['IdpUser', 'user_properties'],
  ['IdpGroup', 'group_properties'],
  ['IdpApp', 'app_properties'],
]);

/** What an entry says of the entity of an identity provider that it is about (docs/rules.md: Nodes, Relationships). */
export function statedInIdentityProvider(
  kind: Label,
  sent: IdpEntity,
  pointer: string,
  checks: Checks,
): Stated {
  const scope = flatScope(definitions.get(kind) ?? '');
  return {
    values: {
      ...ownFields(kind, sent),
      ...sourceIdentity(sent),
      ...department(sent),
      ...checkedCustomValues(sent, scope, pointer, checks),
      ...dynamicValues(sent.dynamic_properties),
    },
    resourceTypes: [],
    links: [
      ...links('ASSUMES_ROLE', arnsOf(sent.assumed_role_arns).map(cloudRole)),
      ...links('OWNS', ownedOf(sent.entities_owned).map(externalEntity)),
    ],
    references: [...memberships(sent, pointer), ...assignments(sent, pointer, checks)],
  };
}

/** MEMBER_OF, from either shape of a parent group. */
function memberships({ groups }: IdpEntity, pointer: string): readonly Reference[] {
  return listed(groups).flatMap((sent, at) =>
    parentsOf(sent).map(({ step, identity }): Reference => {
      const place = below(pointer, 'groups', at, step);
      return { type: 'MEMBER_OF', to: 'IdpGroup', text: identity, properties: {}, pointer: place };
    }),
  );
}

/** ASSIGNED_TO, with the assignment's own properties; one id twice is an error (docs/rules.md: Relationships). */
function assignments(
  { app_assignments }: IdpEntity,
  pointer: string,
  checks: Checks,
): readonly Reference[] {
  const sent = listed(app_assignments);
  const pointerOf = (at: number): string => below(pointer, 'app_assignments', at);
  const ids = sent.map(({ id }, at) => ({ key: nfc(id), pointer: pointerOf(at) }));
  checks.problems.push(...duplicateProblems(ids));
  return sent.map((one, at): Reference => {
    const scope = flatScope('app_assignment_properties');
    const values = withoutUnset({ id: nfc(one.id), name: given(one.name) });
    const custom = checkedCustomValues(one, scope, pointerOf(at), checks);
    return {
      type: 'ASSIGNED_TO',
      to: 'IdpApp',
      text: one.app_id,
      properties: { ...values, ...custom },
      pointer: below(pointerOf(at), 'app_id'),
    };
  });
}

/** Parents of a membership entry in either shape, with the step that leads to each (docs/rules.md: Identity provider payloads). */
function parentsOf(
  sent: Readonly<Record<string, string>>,
): readonly { readonly step: string; readonly identity: string }[] {
  if (Object.hasOwn(sent, 'identity')) {
    return [{ step: 'identity', identity: sent.identity ?? '' }];
  }
  return Object.keys(sent).map((parent) => ({ step: parent, identity: parent }));
}

/** What SOURCE_IDENTITY_OF is derived from (docs/rules.md: Values); an empty object is unset. */
function sourceIdentity({ source_identity: sent }: IdpPrincipal): Values {
  if (sent === null || sent === undefined || Object.keys(sent).length === 0) return {};
  return {
    source_identity: nfc(sent.identity),
    source_identity_provider_type: sent.provider_type,
  };
}

/** `department` is always a list and keeps its order; `""` is left out (docs/rules.md: Values). */
function department({ department: sent }: IdpEntity): Values {
  const names = allGiven(...(Array.isArray(sent) ? (sent as readonly string[]) : [sent as string]));
  return names.length === 0 ? {} : { department: names };
}
