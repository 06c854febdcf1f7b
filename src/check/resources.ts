import type { ApplicationEntity as Application } from '../templates/application/payload';
import type { ResourceEntity as Resource } from '../templates/application/resources';
import type { Step } from '../codec/pointer';
import type { ProblemCollector } from '../codec/problem-collector';
import { fold, nfc } from '../model/fold';
import { checkCustomProperties } from './custom-properties';
import type { Definitions } from './definitions';
import { checkOperation, Distinct } from './distinct';

/**
 * Gives each resource of an application a number for its identity. Parent, type and name identify a
 * resource without an id. There the number of the parent represents the parent, so that deep
 * nesting makes no long texts.
 */
export class Identities {
  private readonly names = new Map<string, string>();

  nameOf({ id, name }: Resource, type: string, parent: string): string {
    const tuple = id ? ['#', type, nfc(id)] : [parent, type, nfc(name)];
    const key = JSON.stringify(tuple);
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const given = `${this.names.size}`;
    this.names.set(key, given);
    return given;
  }
}

/**
 * Checks the resources of an application: their ids are distinct, either all or no resources of one
 * type have an id, and their custom properties are declared (docs/rules.md: Application payloads,
 * Keys).
 */
export const checkResources = (
  application: Application,
  holder: readonly Step[],
  definitions: Definitions,
  problems: ProblemCollector,
): void => {
  const distinct = new Distinct('resource', problems);
  const identities = new Identities();
  const typesWithIds = new Set<string>();
  const withoutId: { readonly type: string; readonly steps: readonly Step[] }[] = [];

  // Visits resources in document order, so that the second of two resources with one id is
  // reported. Stage 1 has bounded the depth of nesting.
  const visit = (resources: readonly Resource[], above: readonly Step[], parent: string): void => {
    resources.forEach((resource, index) => {
      const steps = [...above, index];
      const type = fold(resource.resource_type);
      const identity = identities.nameOf(resource, type, parent);
      distinct.add(identity, steps, resource.id || resource.name);
      if (resource.id) typesWithIds.add(type);
      else withoutId.push({ type, steps });
      checkOperation(resource, steps, problems);
      checkCustomProperties(
        resource.custom_properties,
        {
          kind: 'resource',
          application_type: application.application_type,
          resource_type: resource.resource_type,
        },
        definitions,
        steps,
        problems,
      );
      visit(resource.sub_resources ?? [], [...steps, 'sub_resources'], identity);
    });
  };
  visit(application.resources ?? [], [...holder, 'resources'], '');

  for (const { type, steps } of withoutId) {
    if (!typesWithIds.has(type)) continue;
    problems.add(steps, 'MIXED_IDS', () => 'has no id, but others of its resource type have one');
  }
};
