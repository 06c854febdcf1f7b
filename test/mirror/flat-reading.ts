import { type Checks } from './checks';
import { declarationProblems, flatDeclarations, type Declaration } from './definitions';
import type { Entity } from './entity';
import type { Label } from './graph';
import { statedInFlat, type FlatEntity } from './flat-entity';
import { entriesIn, rootField, topOf, type FlatTemplate } from './flat-templates';
import { keyOf } from './key';
import { mentionsOf } from './mentions';
import type { FlatPayload } from './payload';
import { below, type Problem } from './pointer';
import {
  duplicateProblems,
  dynamicPropertyProblems,
  operationProblems,
  type Reading,
} from './reading';
import { idFields } from './entry';
import { allGiven, boundLinks, firstGiven, type Known } from './reference';
import { tagsOf } from './stated-links';

/** An entity of the payload before its references are bound. */
interface Found extends Known {
  readonly pointer: string;
  readonly sent: FlatEntity;
}

/** Reads a full payload of an identity provider or an HR system (docs/rules.md: Nodes, Keys, Problems). */
export function readFlat(
  template: FlatTemplate,
  payload: FlatPayload,
  dataSource: string,
  remembered: readonly Declaration[],
): Reading {
  const problems: Problem[] = [];
  const declarations = flatDeclarations(payload);
  const checks: Checks = { declarations, problems };
  const found = template.lists.flatMap(([field, kind]) =>
    entriesIn<FlatEntity>(payload, field).map(({ sent, pointer }): Found => {
      const id = firstGiven(
        ...idFields(kind).map((name) => sent[name as keyof FlatEntity] as string),
      );
      const key = keyOf(dataSource, kind, id);
      const texts = { ids: [id], otherIds: [], paths: [], names: allGiven(sent.name) };
      return { kind, id, key, ...texts, pointer, sent };
    }),
  );
  const ofKind = (kind: Label): readonly Found[] => found.filter((one) => one.kind === kind);

  problems.push(...operationProblems(payload));
  if (ofKind(template.root).length !== 1) {
    problems.push({ pointer: below('', rootField(template)), code: template.rootCount });
  }
  problems.push(...declarationProblems(declarations, remembered));
  problems.push(
    ...template.lists
      .filter(([, kind]) => kind !== template.root)
      .flatMap(([, kind]) => duplicateProblems(ofKind(kind))),
  );

  const entities = found.map((one): Entity => {
    const { kind, key, id, pointer, sent } = one;
    problems.push(...dynamicPropertyProblems(sent.dynamic_properties, pointer));
    const stated = statedInFlat(kind, sent, pointer, checks);
    return {
      kind,
      key,
      id,
      application: null,
      parent: null,
      resourceTypes: [],
      values: stated.values,
      tags: tagsOf(sent.tags),
      links: [...stated.links, ...boundLinks(stated.references, ofKind, one.key, problems)],
    };
  });

  return {
    whole: { top: topOf(template, payload), entities, statements: [] },
    problems,
    mentions: found.flatMap(({ kind, key, sent, pointer }) =>
      mentionsOf(kind, key, sent, pointer, null),
    ),
    declarations,
  };
}
