import { statedInApplication, statedOfPermission, statedOfResource } from './application-entity';
import { partsOf, type Part, type Parts } from './application-parts';
import type { Checks } from './checks';
import { applicationDeclarations, declarationProblems, type Declaration } from './definitions';
import type { Entity, Stated } from './entity';
import type { Label } from './graph';
import { mentionOfRole, mentionsOf } from './mentions';
import type { AnyEntity, ApplicationPayload } from './payload';
import type { Problem } from './pointer';
import { duplicateProblems, operationProblems, type Reading } from './reading';
import { boundLinks, type Known } from './reference';
import { readStatements } from './statements';
import { tagsOf } from './stated-links';
import { fold, given, listed } from './text';
import type { Mention } from './warnings';

/** Reads an application's full payload (docs/rules.md: Nodes, Keys, Problems). */
export function readApplication(
  payload: ApplicationPayload,
  dataSource: string,
  remembered: readonly Declaration[],
): Reading {
  const problems: Problem[] = [];
  const mentions: Mention[] = [];
  const declarations = applicationDeclarations(payload);
  const checks: Checks = { declarations, problems };
  const parts = partsOf(payload, dataSource);
  const { applications, locals, resources, permissions } = parts;

  problems.push(...operationProblems(payload));
  problems.push(...countProblems(payload, parts));
  problems.push(...declarationProblems(declarations, remembered));
  problems.push(...duplicateProblems(applications), ...duplicateProblems(locals));
  problems.push(...duplicateProblems(resources), ...duplicateProblems(permissions));
  problems.push(...mixedIdProblems(parts));

  const entity = (
    part: Part<AnyEntity>,
    application: string | null,
    parent: string | null,
    { values, resourceTypes, links, references }: Stated,
  ): Entity => {
    const { kind, key, id, sent, pointer } = part;
    const of = applications.find((one) => one.id === part.application);
    const inside = kind === 'Application' || of === undefined ? null : (of.sent.name ?? '');
    mentions.push(...mentionsOf(kind, key, sent, pointer, inside));
    if (kind === 'LocalRole') mentions.push(mentionOfRole(key, sent, pointer, inside));
    const among = (wanted: Label): readonly Known[] =>
      wanted === 'Permission'
        ? permissions
        : locals.filter((one) => one.kind === wanted && one.application === part.application);
    const bound = boundLinks(references, among, key, problems);
    return {
      kind,
      key,
      id,
      application,
      parent,
      values,
      resourceTypes,
      tags: tagsOf(sent.tags),
      links: [...links, ...bound],
    };
  };

  const inApplication = (part: (typeof applications)[number] | (typeof locals)[number]): Entity =>
    entity(
      part,
      part.application,
      null,
      statedInApplication(part.kind, part.sent, part.applicationType, part.pointer, checks),
    );
  const whole = {
    top: {},
    entities: [
      ...applications.map(inApplication),
      ...locals.map(inApplication),
      ...resources.map((part) => {
        const stated = statedOfResource(part.sent, part.applicationType, part.pointer, checks);
        return entity(part, part.application, part.parent, stated);
      }),
      ...permissions.map((part) => entity(part, null, null, statedOfPermission(part.sent))),
    ],
    statements: readStatements(payload, parts, { dataSource, checks, mentions }),
  };
  return { whole, problems, mentions, declarations };
}

/** No application; nobody to hold anything (docs/rules.md: Problems). */
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

/** Resources without id of a type, in one application, of which another has one (docs/rules.md: Problems). */
function mixedIdProblems({ resources }: Parts): readonly Problem[] {
  const typeOf = ({ application, sent }: (typeof resources)[number]): string =>
    JSON.stringify([application, fold(sent.resource_type)]);
  const typesWithIds = resources.filter(({ sent }) => given(sent.id) !== null).map(typeOf);
  return resources
    .filter((one) => given(one.sent.id) === null && typesWithIds.includes(typeOf(one)))
    .map(({ pointer }) => ({ pointer, code: 'MIXED_IDS' }));
}
