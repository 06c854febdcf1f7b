import { localKinds } from '../templates/application/local-kinds';
import { Application } from '../templates/application/applications';
import { Resource } from '../templates/application/resources';
import { fold } from '../model/fold';
import type { Entities } from './working/entities';
import { anyStands } from './finish';
import type { Remarks } from './working/problems';
import type { Standing } from './working/current-rows';
import type { Statements } from './statements';
import { textOf, type Working } from './working/working';

const PRINCIPALS = localKinds
  .map(({ node }) => node)
  .filter(({ also }) => also.includes('Principal'));

/** What an increment of applications has come to, once all its entries are carried out. */
export interface Carried {
  readonly standing: Standing;
  readonly entities: Entities;
  readonly statements: Statements;
  readonly remarks: Remarks;
  /** Levels that resources may be nested. */
  readonly levels: number;
}

/** What the increment ends in is judged as a whole push would be (docs/rules.md: Increments). */
export const judgeEnd = (carried: Carried): void => {
  judgeTypes(carried);
  judgeDepth(carried);
  judgeApplications(carried);
  judgeIdentities(carried);
};

/** Ids on all or none of a type (docs/rules.md: Application payloads), for the types that resources were added of. */
const judgeTypes = ({ entities, standing, remarks }: Carried): void => {
  const typeOf = ({ draft }: Working): string => fold(textOf(draft.properties, 'resource_type'));
  const groups = new Map<string, Working[]>();
  const all = [...entities.touched].filter(({ kind }) => kind === Resource);
  for (const resource of all) {
    if (!resource.isAdded) continue;
    const group = JSON.stringify([resource.application, typeOf(resource)]);
    const added = groups.get(group);
    if (added === undefined) groups.set(group, [resource]);
    else added.push(resource);
  }
  for (const [group, added] of groups) {
    const [application, type] = JSON.parse(group) as [string, string];
    const ofType = all.filter((one) => one.application === application && typeOf(one) === type);
    const gone = new Set(
      all.filter(({ before, isAlive }) => before !== null && !isAlive).map(({ key }) => key),
    );
    const stands = (hasId: boolean): boolean =>
      ofType.some(({ isAlive, id }) => isAlive && (id !== '') === hasId) ||
      standing.typed(application, type, hasId, gone.size + 1).some((key) => !gone.has(key));
    if (!stands(true) || !stands(false)) continue;
    const without = added.filter(({ id }) => id === '');
    // At the entry that added it, wherever later ones put it (docs/increments.md 6.2).
    for (const { addedPlace } of without.length > 0 ? without : added) {
      remarks.refuse(
        addedPlace?.pointer ?? '',
        'MIXED_IDS',
        () => 'of its resource type some have an id and others have none',
      );
    }
  }
};

const judgeDepth = ({ entities, remarks, levels }: Carried): void => {
  // Deeper than a payload may nest, no full push could say it.
  for (const resource of [...entities.touched]) {
    if (resource.kind !== Resource || !resource.isAlive) continue;
    const upwards = entities.upwards(resource);
    // What is below the first one too deep is too deep for the same reason.
    if (upwards.length !== levels + 1) continue;
    const placed = upwards.find(({ placedAt }) => placedAt !== null);
    if (placed === undefined) continue;
    remarks.refuse(
      placed.placedAt ?? '',
      'TOO_DEEP',
      () => `leads to resources nested deeper than ${levels} levels`,
    );
  }
};

const judgeApplications = ({ entities, standing, remarks }: Carried): void => {
  const wentAt = [...entities.touched].flatMap((entity) =>
    entity.kind === Application ? entity.wentAt : [],
  );
  if (wentAt.length === 0 || anyStands(standing, [Application], entities)) return;
  for (const pointer of wentAt) {
    remarks.refuse(pointer, 'NO_APPLICATION', () => 'leaves no application');
  }
};

const judgeIdentities = ({ entities, standing, remarks, statements }: Carried): void => {
  const federated = [...statements.touched].filter(({ wasFederated }) => wasFederated);
  // Also whom the payload itself had added: that entry removed somebody like the others.
  const principals = [...entities.touched].filter(({ kind }) => PRINCIPALS.includes(kind));
  const wentAt = [
    ...federated.flatMap((statement) => statement.wentAt),
    ...principals.flatMap(({ wentAt }) => wentAt),
  ];
  if (wentAt.length === 0 || anyStands(standing, PRINCIPALS, entities)) return;
  // Without local principals every statement is a federated identity's.
  const touched = [...statements.touched];
  if (touched.some(({ draft }) => draft !== null)) return;
  const gone = new Set(touched.map(({ key }) => key));
  const isAny = ['Grant', 'RoleAssignment'].some((label) =>
    standing.some(label, gone.size + 1).some((key) => !gone.has(key)),
  );
  if (isAny) return;
  for (const pointer of wentAt) {
    remarks.refuse(pointer, 'NO_IDENTITY', () => 'leaves no identity at all');
  }
};
