import { partsOf, type Part, type Parts } from './application-parts';
import type { Entity, Link } from './entity';
import {
  applicationDeclarations,
  applicationScope,
  customPropertyProblems,
  customValues,
  declarationProblems,
  resourceScope,
  type Declaration,
} from './definitions';
import type { Label, Values } from './graph';
import { ownFields, withoutUnset } from './own-fields';
import type { AnyEntity, ApplicationPayload, LocalEntity, Owner, Permission } from './payload';
import { below, type Problem } from './pointer';
import { duplicateProblems, operationProblems, type Reading } from './reading';
import { bind, type Referable } from './reference';
import { readStatements } from './statements';
import { externalEntity, identity, links, ownerLinks, tagsOf } from './stated-links';
import { byCodeUnits, distinct, fold, given, listed, nfc } from './text';
import type { Mention } from './warnings';

/** How warnings and declarations call each kind (design.md 3.12, spec, api.md 4). */
const kinds = new Map<Label, { readonly words: string; readonly definition: string }>([
  ['Application', { words: 'application', definition: 'application_properties' }],
  ['LocalUser', { words: 'local user', definition: 'local_user_properties' }],
  ['LocalGroup', { words: 'local group', definition: 'local_group_properties' }],
  ['LocalRole', { words: 'local role', definition: 'local_role_properties' }],
  ['LocalAgent', { words: 'agent', definition: 'local_agent_properties' }],
  ['LocalModel', { words: 'model', definition: 'local_model_properties' }],
  ['AccessCredential', { words: 'access credential', definition: 'local_access_creds_properties' }],
]);

/** Reads an application's full payload (graph.md 2-4, 8). */
export function readApplication(
  payload: ApplicationPayload,
  dataSource: string,
  remembered: readonly Declaration[],
): Reading {
  const problems: Problem[] = [];
  const mentions: Mention[] = [];
  const declarations = applicationDeclarations(payload);
  const parts = partsOf(payload, dataSource);

  if (payload.incremental_change === true) {
    problems.push({ pointer: '/incremental_change', code: 'INCREMENTAL_UNSUPPORTED' });
  } else {
    problems.push(...operationProblems(payload));
  }
  problems.push(...countProblems(payload, parts));
  problems.push(...declarationProblems(declarations, remembered));
  const { applications, locals, resources, permissions } = parts;
  problems.push(...duplicateProblems(applications), ...duplicateProblems(locals));
  problems.push(...duplicateProblems(resources), ...duplicateProblems(permissions));
  problems.push(...mixedIdProblems(parts));

  const customOf = (sent: AnyEntity, scope: string, pointer: string): Values => {
    const at = below(pointer, 'custom_properties');
    problems.push(...customPropertyProblems(sent.custom_properties, scope, declarations, at));
    return customValues(sent.custom_properties, scope, declarations);
  };

  const mention = (
    part: Part<AnyEntity>,
    about: Mention['about'],
    field: string | null,
    names: readonly string[],
  ): void => {
    const words = kinds.get(part.kind)?.words ?? 'resource';
    const of = applications.find((application) => application.id === part.application);
    const inside = part === of ? '' : ` of application "${of?.sent.name ?? ''}"`;
    const called = `${words} "${given(part.sent.name) === null ? part.id : part.sent.name}"${inside}`;
    mentions.push({
      ...{ about, names },
      where: field === null ? called : `${called}: ${field}`,
      pointer: field === null ? part.pointer : below(part.pointer, field),
    });
  };

  /** An entity of an application with what all of them can have: properties, tags and owners. */
  const entity = (
    part: Part<AnyEntity & { readonly owners?: readonly Owner[] | null | undefined }>,
    scope: string,
    parent: string | null,
    stated: readonly Link[],
  ): Entity => {
    const { kind, key, id, application, pointer, sent } = part;
    const owners = listed(sent.owners);
    mention(
      part,
      'identities',
      'owners',
      owners.map((owner) => owner.external_id),
    );
    return {
      ...{ kind, key, id, application, parent, resourceTypes: [] },
      values: { ...ownFields(kind, sent), ...customOf(sent, scope, pointer) },
      tags: tagsOf(sent.tags),
      links: [...stated, ...ownerLinks(owners)],
    };
  };

  /** One list of references of a local entity, each bound to its target (graph.md 8). */
  const bound = (
    from: Part<LocalEntity>,
    field: 'groups' | 'access_creds' | 'models' | 'permissions' | 'roles',
    type: string,
    among: readonly (Referable & { readonly kind: Label })[],
  ): readonly Link[] =>
    listed(from.sent[field]).flatMap((reference, at) => {
      const pointer = below(from.pointer, field, at);
      const target = bind(reference, among, pointer, problems);
      if (target === from) problems.push({ pointer, code: 'SELF_REFERENCE' });
      return target === null ? [] : links(type, [{ label: target.kind, key: target.key }]);
    });

  const localOf = (part: Part<LocalEntity>): Entity => {
    const beside = (kind: Label): readonly Part<LocalEntity>[] =>
      locals.filter((one) => one.kind === kind && one.application === part.application);
    const names = listed(part.sent.identities).filter((name) => name !== '');
    mention(part, 'identities', 'identities', names);
    if (part.kind === 'LocalRole' && allowsNothing(part.sent))
      mention(part, 'permissions', null, []);
    const { definition } = kinds.get(part.kind) ?? { definition: '' };
    return entity(part, applicationScope(part.applicationType, definition), null, [
      ...bound(part, 'groups', 'MEMBER_OF', beside('LocalGroup')),
      ...bound(part, 'access_creds', 'HAS_CREDENTIAL', beside('AccessCredential')),
      ...bound(part, 'models', 'USES_MODEL', beside('LocalModel')),
      ...bound(part, 'permissions', 'ALLOWS', permissions),
      ...bound(part, 'roles', 'INCLUDES', beside('LocalRole')),
      ...links('IDENTITY_OF', names.map(identity)).map((link) => ({
        ...link,
        incoming: true as const,
      })),
    ]);
  };

  const applicationOf = (part: (typeof applications)[number]): Entity => {
    const scope = applicationScope(part.applicationType, 'application_properties');
    const made = entity(part, scope, null, []);
    return { ...made, values: { ...made.values, application_type: part.applicationType } };
  };

  const resourceOf = (part: (typeof resources)[number]): Entity => {
    const scope = resourceScope(part.applicationType, part.sent.resource_type);
    const connections = listed(part.sent.connections).map(externalEntity);
    return entity(part, scope, part.parent, links('CONNECTS_TO', connections));
  };

  const whole = {
    top: {},
    entities: [
      ...applications.map(applicationOf),
      ...locals.map(localOf),
      ...resources.map(resourceOf),
      ...permissions.map(permissionOf),
    ],
    statements: readStatements(payload, parts, { dataSource, declarations, problems, mentions }),
  };
  return { whole, problems, mentions, declarations };
}

/** No application; nobody to hold anything (graph.md 8). */
function countProblems(payload: ApplicationPayload, parts: Parts): readonly Problem[] {
  const someone =
    parts.locals.some(({ kind }) => kind !== 'LocalModel') ||
    listed(payload.identity_to_permissions).some(
      (entry) => (entry.identity_type ?? 'idp') === 'idp',
    );
  return [
    ...(parts.applications.length === 0
      ? [{ pointer: '/applications', code: 'NO_APPLICATION' }]
      : []),
    ...(someone ? [] : [{ pointer: '', code: 'NO_IDENTITY' }]),
  ];
}

/** Resources without id of a type, in one application, of which another has one (graph.md 8). */
function mixedIdProblems({ resources }: Parts): readonly Problem[] {
  const typeOf = ({ application, sent }: (typeof resources)[number]): string =>
    JSON.stringify([application, fold(sent.resource_type)]);
  const typesWithIds = resources.filter(({ sent }) => given(sent.id) !== null).map(typeOf);
  return resources
    .filter((one) => given(one.sent.id) === null && typesWithIds.includes(typeOf(one)))
    .map(({ pointer }) => ({ pointer, code: 'MIXED_IDS' }));
}

/** A role with neither permissions nor nested roles deserves a warning (graph.md 8). */
function allowsNothing({ permissions, roles }: LocalEntity): boolean {
  return listed(permissions).length === 0 && listed(roles).length === 0;
}

/** A permission, with its sets sorted (graph.md 2, design.md 3.13). */
function permissionOf({ key, id, sent }: Part<Permission>): Entity {
  const canonical = distinct(listed(sent.permission_type), nfc).toSorted(byCodeUnits);
  const applicationTypes = onePerFold(listed(sent.application_type));
  return {
    ...{ kind: 'Permission', key, id, application: null, parent: null, tags: [], links: [] },
    values: {
      ...ownFields('Permission', sent),
      permission_type: canonical.length === 0 ? ['Uncategorized'] : canonical,
      ...withoutUnset({
        application_types: applicationTypes.length === 0 ? null : applicationTypes,
      }),
    },
    resourceTypes: onePerFold(listed(sent.resource_types)),
  };
}

/** One spelling per folded value, the first in order of code units (design.md 3.13). */
function onePerFold(texts: readonly string[]): readonly string[] {
  return distinct(texts.map(nfc).toSorted(byCodeUnits), fold);
}
