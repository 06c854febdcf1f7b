import { type Checks } from './checks';
import { declarationProblems, idpDeclarations, type Declaration } from './definitions';
import type { Entity } from './entity';
import type { Label } from './graph';
import { statedInIdentityProvider, type IdpEntity } from './identity-provider-entity';
import { keyOf } from './key';
import { mentionsOf } from './mentions';
import { withoutUnset } from './own-fields';
import type { IdentityProviderPayload, Optional } from './payload';
import { below, type Problem } from './pointer';
import {
  duplicateProblems,
  dynamicPropertyProblems,
  operationProblems,
  type Reading,
} from './reading';
import { allGiven, boundLinks, firstGiven, type Known } from './reference';
import { tagsOf } from './stated-links';
import { given, listed } from './text';

/** An entity of the payload before its references are bound. */
interface Found extends Known {
  readonly pointer: string;
  readonly sent: IdpEntity;
}

/** The lists of an identity provider's payload (spec). */
export const idpLists = [
  ['domains', 'IdpDomain'],
  ['users', 'IdpUser'],
  ['groups', 'IdpGroup'],
  ['apps', 'IdpApp'],
] as const;

/** Reads an identity provider's full payload (graph.md 2-4, 8). */
export function readIdentityProvider(
  payload: IdentityProviderPayload,
  dataSource: string,
  remembered: readonly Declaration[],
): Reading {
  const problems: Problem[] = [];
  const declarations = idpDeclarations(payload);
  const checks: Checks = { declarations, problems };
  const found = idpLists.flatMap(([field, kind]) =>
    listed(payload[field] as Optional<readonly IdpEntity[]>).map((sent, at): Found => {
      const id = idpId(kind, sent);
      const key = keyOf(dataSource, kind, id);
      const texts = { ids: [id], otherIds: [], paths: [], names: allGiven(sent.name) };
      return { kind, id, key, ...texts, pointer: below('', field, at), sent };
    }),
  );
  const ofKind = (kind: Label): readonly Found[] => found.filter((one) => one.kind === kind);

  problems.push(...operationProblems(payload));
  if (ofKind('IdpDomain').length !== 1) {
    problems.push({ pointer: '/domains', code: 'DOMAIN_COUNT' });
  }
  problems.push(...declarationProblems(declarations, remembered));
  problems.push(
    ...(['IdpUser', 'IdpGroup', 'IdpApp'] as const).map(ofKind).flatMap(duplicateProblems),
  );

  const entities = found.map((one): Entity => {
    const { kind, key, id, pointer, sent } = one;
    problems.push(...dynamicPropertyProblems(sent.dynamic_properties, pointer));
    const stated = statedInIdentityProvider(kind, sent, pointer, checks);
    return {
      ...{ kind, key, id, application: null, parent: null, resourceTypes: [] },
      values: stated.values,
      tags: tagsOf(sent.tags),
      links: [...stated.links, ...boundLinks(stated.references, ofKind, one.key, problems)],
    };
  });

  return {
    whole: { top: topOf(payload), entities, statements: [] },
    problems,
    mentions: found.flatMap(({ kind, key, sent, pointer }) =>
      mentionsOf(kind, key, sent, pointer, null),
    ),
    declarations,
  };
}

/** An entity's own id (graph.md 4). */
function idpId(kind: Label, { identity, id, name }: IdpEntity): string {
  if (kind === 'IdpApp') return firstGiven(id);
  return kind === 'IdpDomain' ? firstGiven(name) : firstGiven(identity, name);
}

/** The fields at the top that entities carry (graph.md 2). */
export function topOf({ name, idp_type, idp_description }: IdentityProviderPayload) {
  return withoutUnset({
    idp_name: given(name),
    idp_type: given(idp_type),
    idp_description: given(idp_description),
  });
}
