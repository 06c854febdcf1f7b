import type { Entity, Link } from './entity';
import {
  customPropertyProblems,
  customValues,
  declarationProblems,
  dynamicValues,
  idpDeclarations,
  idpScope,
  type Declaration,
} from './definitions';
import type { Label, Values } from './graph';
import { keyOf } from './key';
import { ownFields, withoutUnset } from './own-fields';
import type {
  AnyEntity,
  App,
  AssumedRoleArns,
  Group,
  IdentityProviderPayload,
  IdpPrincipal,
  Optional,
  User,
} from './payload';
import { below, type Problem } from './pointer';
import {
  duplicateProblems,
  dynamicPropertyProblems,
  operationProblems,
  type Reading,
} from './reading';
import { allGiven, bind, firstGiven, type Referable } from './reference';
import { arnsOf, cloudRole, externalEntity, links, ownedOf, tagsOf } from './stated-links';
import { given, listed, nfc } from './text';
import type { Mention } from './warnings';

/** An entity of the payload before its references are bound. */
interface Found<T> extends Referable {
  readonly kind: Label;
  readonly id: string;
  readonly pointer: string;
  readonly sent: T;
}

/** Reads an identity provider's full payload (graph.md 2-4, 8). */
export function readIdentityProvider(
  payload: IdentityProviderPayload,
  dataSource: string,
  remembered: readonly Declaration[],
): Reading {
  const problems: Problem[] = [];
  const mentions: Mention[] = [];
  const declarations = idpDeclarations(payload);

  const find = <T extends AnyEntity>(
    kind: Label,
    field: string,
    list: Optional<readonly T[]>,
    ids: (sent: T) => readonly Optional<string>[],
  ): readonly Found<T>[] =>
    listed(list).map((sent, at) => {
      const id = firstGiven(...ids(sent));
      const names = allGiven(sent.name);
      const key = keyOf(dataSource, kind, id);
      const pointer = below('', field, at);
      return { kind, id, key, ids: [id], otherIds: [], paths: [], names, pointer, sent };
    });
  const domains = find('IdpDomain', 'domains', payload.domains, (domain) => [domain.name]);
  const users = find('IdpUser', 'users', payload.users, (user) => [user.identity, user.name]);
  const groups = find('IdpGroup', 'groups', payload.groups, (group) => [
    group.identity,
    group.name,
  ]);
  const apps = find('IdpApp', 'apps', payload.apps, (app) => [app.id]);

  if (payload.incremental_change === true) {
    problems.push({ pointer: '/incremental_change', code: 'INCREMENTAL_UNSUPPORTED' });
  } else {
    problems.push(...operationProblems(payload));
  }
  if (domains.length !== 1) problems.push({ pointer: '/domains', code: 'DOMAIN_COUNT' });
  problems.push(...declarationProblems(declarations, remembered));
  problems.push(...[users, groups, apps].flatMap(duplicateProblems));

  const customOf = (sent: AnyEntity, field: string, pointer: string): Values => {
    const scope = idpScope(field);
    const at = below(pointer, 'custom_properties');
    problems.push(...customPropertyProblems(sent.custom_properties, scope, declarations, at));
    return customValues(sent.custom_properties, scope, declarations);
  };

  const entity = (
    { kind, key, id, pointer, sent }: Found<AnyEntity>,
    definition: string,
    values: Values,
    stated: readonly Link[],
  ): Entity => {
    const custom = customOf(sent, definition, pointer);
    problems.push(...dynamicPropertyProblems(sent.dynamic_properties, pointer));
    return {
      ...{ kind, key, id, application: null, parent: null, resourceTypes: [] },
      values: {
        ...ownFields(kind, sent),
        ...values,
        ...custom,
        ...dynamicValues(sent.dynamic_properties),
      },
      tags: tagsOf(sent.tags),
      links: stated,
    };
  };

  /** MEMBER_OF; a group that names itself is an error (graph.md 8). */
  const memberships = (from: Found<User | Group>): readonly Link[] =>
    listed(from.sent.groups).flatMap((sent, at) =>
      parentsOf(sent).flatMap(({ step, identity }) => {
        const pointer = below(from.pointer, 'groups', at, step);
        const group = bind(identity, groups, pointer, problems);
        if (group !== null && group.pointer === from.pointer) {
          problems.push({ pointer, code: 'SELF_REFERENCE' });
        }
        return group === null ? [] : links('MEMBER_OF', [{ label: 'IdpGroup', key: group.key }]);
      }),
    );

  /** ASSIGNED_TO, with the assignment's own properties (graph.md 3). */
  const assignments = (from: Found<IdpPrincipal>): readonly Link[] => {
    const sent = listed(from.sent.app_assignments);
    const pointerOf = (at: number): string => below(from.pointer, 'app_assignments', at);
    problems.push(
      ...duplicateProblems(sent.map(({ id }, at) => ({ key: nfc(id), pointer: pointerOf(at) }))),
    );
    return sent.flatMap((one, at) => {
      const app = bind(one.app_id, apps, below(pointerOf(at), 'app_id'), problems);
      const custom = customOf(one, 'app_assignment_properties', pointerOf(at));
      const values = withoutUnset({ id: nfc(one.id), name: given(one.name) });
      if (app === null) return [];
      const target = { label: 'IdpApp', key: app.key } as const;
      return [{ type: 'ASSIGNED_TO', target, properties: { ...values, ...custom } }];
    });
  };

  /** ASSUMES_ROLE (graph.md 3). */
  const assumed = (from: Found<AnyEntity>, arns: Optional<AssumedRoleArns>, kind: string) => {
    const names = arnsOf(arns);
    const where = `${kind} "${from.sent.name ?? ''}": assumed_role_arns`;
    const pointer = below(from.pointer, 'assumed_role_arns');
    mentions.push({ about: 'roles', names, where, pointer });
    return links('ASSUMES_ROLE', names.map(cloudRole));
  };

  const userOf = (user: Found<User>): Entity =>
    entity(user, 'user_properties', { ...sourceIdentity(user.sent), ...department(user.sent) }, [
      ...memberships(user),
      ...assignments(user),
      ...assumed(user, user.sent.assumed_role_arns, 'user'),
      ...links('OWNS', ownedOf(user.sent.entities_owned).map(externalEntity)),
    ]);
  const groupOf = (group: Found<Group>): Entity =>
    entity(group, 'group_properties', sourceIdentity(group.sent), [
      ...memberships(group),
      ...assignments(group),
      ...assumed(group, group.sent.assumed_role_arns, 'group'),
    ]);
  const appOf = (app: Found<App>): Entity =>
    entity(app, 'app_properties', {}, assumed(app, app.sent.assumed_role_arns, 'app'));

  const whole = {
    top: withoutUnset({
      idp_name: given(payload.name),
      idp_type: given(payload.idp_type),
      idp_description: given(payload.idp_description),
    }),
    entities: [
      ...domains.map((domain) => entity(domain, 'domain_properties', {}, [])),
      ...users.map(userOf),
      ...groups.map(groupOf),
      ...apps.map(appOf),
    ],
    statements: [],
  };
  return { whole, problems, mentions, declarations };
}

/** Parents of a membership entry in either shape, with the step that leads to each (design.md 3.9). */
function parentsOf(
  sent: Readonly<Record<string, string>>,
): readonly { readonly step: string; readonly identity: string }[] {
  if (Object.hasOwn(sent, 'identity')) {
    return [{ step: 'identity', identity: sent.identity ?? '' }];
  }
  return Object.keys(sent).map((parent) => ({ step: parent, identity: parent }));
}

/** What SOURCE_IDENTITY_OF is derived from (graph.md 2). */
function sourceIdentity({ source_identity: sent }: IdpPrincipal): Values {
  if (sent === null || sent === undefined) return {};
  return {
    source_identity: nfc(sent.identity),
    source_identity_provider_type: sent.provider_type,
  };
}

/** `department` is always a list and keeps its order; `""` is left out (graph.md 2, design.md 3.6). */
function department({ department: sent }: User): Values {
  const names = allGiven(...(Array.isArray(sent) ? (sent as readonly string[]) : [sent as string]));
  return names.length === 0 ? {} : { department: names };
}
