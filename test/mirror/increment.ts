import { Content } from './content';
import {
  applicationDeclarations,
  declarationProblems,
  flatDeclarations,
  type Declaration,
} from './definitions';
import type { Whole } from './entity';
import { EntityChanges } from './entity-changes';
import type { Label, Values } from './graph';
import { flatTemplate, topOf, type FlatTemplate } from './flat-templates';
import { endProblems } from './judgement';
import { knownOf, knownParts } from './known';
import type { ApplicationPayload, FlatPayload } from './payload';
import type { Problem } from './pointer';
import type { Reading } from './reading';
import { boundLinks, type Known } from './reference';
import type { DataSource } from './rows';
import { StatementChanges } from './statement-changes';

/** A payload of any template. */
type Payload = FlatPayload & ApplicationPayload;

/** Reads an incremental push: what stands before, changed by each operation in order (docs/rules.md: Increments). */
export function readIncrement(
  payload: Payload,
  source: DataSource,
  before: Whole,
  remembered: readonly Declaration[],
): Reading {
  const flat = flatTemplate(source.template);
  const declarations = flat === null ? applicationDeclarations(payload) : flatDeclarations(payload);
  const problems: Problem[] = [...declarationProblems(declarations, remembered)];
  const checks = { declarations: [...declarations, ...remembered], problems };

  const content = new Content(before);
  const entities = new EntityChanges(content, source.id, checks);
  if (flat === null) entities.applyApplication(payload);
  else entities.applyFlat(flat, payload);
  bindAll(content, problems);

  const context = { dataSource: source.id, checks };
  const statements = new StatementChanges(content, knownParts(content.entities), context);
  if (flat === null) statements.apply(payload);

  const { traces } = entities;
  traces.people.push(...statements.people);
  const whole = content.whole(flat === null ? {} : mergedTop(flat, payload, before.top));
  problems.push(...endProblems(whole, flat, traces));
  return {
    whole,
    problems,
    declarations,
    mentions: [
      ...entities.mentions(),
      ...entities.missing,
      ...(flat === null ? statements.mentions(payload) : []),
      ...statements.missing,
    ],
  };
}

/** References bind to the state after all entities (docs/rules.md: Increments). */
function bindAll(content: Content, problems: Problem[]): void {
  const all = content.entities;
  const known = new Map([...all.values()].map((one) => [one.key, knownOf(one, all)]));
  for (const [key, references] of content.references) {
    const entity = all.get(key);
    if (entity === undefined) continue;
    const among = (kind: Label): readonly Known[] =>
      [...known.values()].filter((one) => {
        const isBeside = one.application === (entity.application ?? '') || kind === 'Permission';
        return one.kind === kind && isBeside;
      });
    const links = [...entity.links, ...boundLinks(references, among, key, problems)];
    all.set(key, { ...entity, links });
  }
}

/** Fields at the top merge like `modify`: what is absent stays (docs/rules.md: Increments). */
function mergedTop(template: FlatTemplate, payload: FlatPayload, before: Values): Values {
  const stated = Object.entries(template.top).filter(([field]) => Object.hasOwn(payload, field));
  const replaced = stated.map(([, name]) => name);
  const kept = Object.entries(before).filter(([name]) => !replaced.includes(name));
  return { ...Object.fromEntries(kept), ...topOf(template, payload) };
}
