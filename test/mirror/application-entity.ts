import { checkedCustomValues, type Checks } from './checks';
import { applicationScope, resourceScope } from './definitions';
import type { Link, Reference, Stated } from './entity';
import type { Label, Values } from './graph';
import { ownFields, withoutUnset } from './own-fields';
import type { Application, LocalEntity, Owner, Permission, Resource } from './payload';
import { below } from './pointer';
import { externalEntity, identity, links, ownerLinks } from './stated-links';
import { byCodeUnits, distinct, fold, given, listed, nfc } from './text';

/** Fields of a local entity that name others in the payload, and what they become (docs/rules.md: Relationships). */
const referenceFields = [
  ['groups', 'MEMBER_OF', 'LocalGroup'],
  ['access_creds', 'HAS_CREDENTIAL', 'AccessCredential'],
  ['models', 'USES_MODEL', 'LocalModel'],
  ['permissions', 'ALLOWS', 'Permission'],
  ['roles', 'INCLUDES', 'LocalRole'],
] as const;

/** Where the custom properties of each kind but resources are declared (spec, docs/rules.md: Application payloads). */
const definitions = new Map<Label, string>([
  ['Application', 'application_properties'],
  ['LocalUser', 'local_user_properties'],
  ['LocalGroup', 'local_group_properties'],
  ['LocalRole', 'local_role_properties'],
  ['LocalAgent', 'local_agent_properties'],
  ['LocalModel', 'local_model_properties'],
  ['AccessCredential', 'local_access_creds_properties'],
]);

/** What an entry says of the application, or of the local entity in one, that it is about. */
export function statedInApplication(
  kind: Label,
  sent: Application | LocalEntity,
  applicationType: string,
  pointer: string,
  checks: Checks,
): Stated {
  const scope = applicationScope(applicationType, definitions.get(kind) ?? '');
  const type = kind === 'Application' ? given((sent as Application).application_type) : null;
  const local: LocalEntity = kind === 'Application' ? {} : sent;
  return {
    values: {
      ...ownFields(kind, sent),
      ...withoutUnset({ application_type: type }),
      ...checkedCustomValues(sent, scope, pointer, checks),
    },
    resourceTypes: [],
    links: [...identityLinks(local), ...owners(sent)],
    references: referenceFields.flatMap(([field, type, to]) =>
      listed(local[field]).map((text, at): Reference => {
        return { type, to, text, properties: {}, pointer: below(pointer, field, at) };
      }),
    ),
  };
}

/** What an entry says of the resource that it is about. */
export function statedOfResource(
  sent: Resource,
  applicationType: string,
  pointer: string,
  checks: Checks,
): Stated {
  const scope = resourceScope(applicationType, sent.resource_type);
  const connections = listed(sent.connections).map(externalEntity);
  return {
    values: {
      ...ownFields('Resource', sent),
      ...checkedCustomValues(sent, scope, pointer, checks),
    },
    resourceTypes: [],
    links: [...links('CONNECTS_TO', connections), ...owners(sent)],
    references: [],
  };
}

/** What an entry says of the permission that it is about, its sets sorted (docs/rules.md: Own properties). */
export function statedOfPermission(sent: Permission): Stated {
  const canonical = distinct(listed(sent.permission_type), nfc).toSorted(byCodeUnits);
  const applicationTypes = onePerFold(listed(sent.application_type));
  return {
    values: {
      ...ownFields('Permission', sent),
      permission_type: canonical.length === 0 ? ['Uncategorized'] : canonical,
      ...withoutUnset({
        application_types: applicationTypes.length === 0 ? null : applicationTypes,
      }),
    } satisfies Values,
    resourceTypes: onePerFold(listed(sent.resource_types)),
    links: [],
    references: [],
  };
}

/** IDENTITY_OF from the identities; an empty one is skipped (docs/rules.md: Problems). */
function identityLinks({ identities }: LocalEntity): readonly Link[] {
  const names = listed(identities).filter((name) => name !== '');
  return links('IDENTITY_OF', names.map(identity)).map((link) => ({ ...link, incoming: true }));
}

function owners(sent: object): readonly Link[] {
  return ownerLinks((sent as { readonly owners?: readonly Owner[] | null }).owners);
}

/** One spelling per folded value, the first in order of code units (docs/rules.md: Own properties). */
function onePerFold(texts: readonly string[]): readonly string[] {
  return distinct(texts.map(nfc).toSorted(byCodeUnits), fold);
}
