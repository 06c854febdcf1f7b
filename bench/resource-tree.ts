import type { Owner } from '../src/templates/application/local-kind';
import type { ResourceEntity as Resource } from '../src/templates/application/resources';
import type { Tag } from '../src/codec/shared';
import type { Random } from './random';

/** The resources of an application, and references to them. */
export interface ResourceTree {
  readonly resources: readonly Resource[];
  /** Ids of projects and documents, and paths of folders. */
  readonly references: readonly string[];
}

const FOLDERS = 4;
const DOCUMENTS = 4;

/** The number of resources in a project, including the project. */
export const RESOURCES_PER_PROJECT = 1 + FOLDERS * (1 + DOCUMENTS);

/**
 * Projects with folders with documents. Projects and documents have ids, folders have none
 * (docs/rules.md: Application payloads).
 */
export const resourceTree = (
  random: Random,
  application: number,
  projects: number,
  tags: (chance: number) => readonly Tag[],
): ResourceTree => {
  const references: string[] = [];
  const owners = (chance: number): readonly Owner[] =>
    random.happens(chance)
      ? [{ external_id: `person${random.below(1000)}@example.com`, owner_type: 'user' }]
      : [];
  const document = (id: string, index: number): Resource => {
    references.push(id);
    return {
      name: `Document ${index}`,
      id,
      resource_type: 'document',
      description: `Minutes and drafts, part ${index}.`,
      custom_properties: { sensitivity: random.below(5), reviewed: random.happens(0.5) },
      owners: owners(0.2),
      tags: tags(0.9),
    };
  };
  const folder = (project: string, id: string, index: number): Resource => {
    const name = `Folder ${index}`;
    references.push(`${project}.${name}`);
    return {
      name,
      resource_type: 'folder',
      sub_resources: Array.from({ length: DOCUMENTS }, (_, at) => document(`${id}-${at}`, at)),
      tags: tags(1),
    };
  };
  const resources = Array.from({ length: projects }, (_, index): Resource => {
    const id = `p${application}-${index}`;
    const name = `Project ${application} ${index}`;
    references.push(id);
    return {
      name,
      id,
      resource_type: 'project',
      description: `All that project ${index} keeps.`,
      sub_resources: Array.from({ length: FOLDERS }, (_, at) => folder(name, `${id}-${at}`, at)),
      owners: owners(1),
      tags: tags(1),
    };
  });
  return { resources, references: random.shuffled(references) };
};
