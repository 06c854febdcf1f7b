import { localKinds } from '../templates/application/local-kinds';
import { Application } from '../templates/application/applications';
import { Resource } from '../templates/application/resources';
import { fold } from '../model/fold';
import type { Entities } from './working/entities';
import { anyRemains } from './finish';
import type { Remarks } from './working/problems';
import type { CurrentRows } from './working/current-rows';
import type { Statements } from './statements';
import { textOf, type Working } from './working/working';
import { listAt } from '../model/grouped';

const PRINCIPALS = localKinds
  .map(({ node }) => node)
  .filter(({ also }) => also.includes('Principal'));

/** The state of an application increment after all its entries. */
export interface WorkingState {
  readonly current: CurrentRows;
  readonly entities: Entities;
  readonly statements: Statements;
  readonly remarks: Remarks;
  /** How deep resources may nest. */
  readonly levels: number;
}

/** Checks the result of an increment in the same way as a full push (docs/rules.md: Increments). */
export const judgeEnd = (carried: WorkingState): void => {
  judgeTypes(carried);
  judgeDepth(carried);
  judgeApplications(carried);
  judgeIdentities(carried);
};

/**
 * Checks that all or no resources of a type have an id (docs/rules.md: Application payloads), for
 * the types of added resources.
 */
const judgeTypes = ({ entities, current, remarks }: WorkingState): void => {
  const typeOf = ({ draft }: Working): string => fold(textOf(draft.properties, 'resource_type'));
  const groups = new Map<string, Working[]>();
  const all = [...entities.touched].filter(({ kind }) => kind === Resource);
  for (const resource of all) {
    if (!resource.isAdded) continue;
    const group = JSON.stringify([resource.application, typeOf(resource)]);
    listAt(groups, group).push(resource);
  }
  for (const [group, added] of groups) {
    const [application, type] = JSON.parse(group) as [string, string];
    const ofType = all.filter((one) => one.application === application && typeOf(one) === type);
    const gone = new Set(
      all.filter(({ before, isAlive }) => before !== null && !isAlive).map(({ key }) => key),
    );
    const hasOne = (hasId: boolean): boolean =>
      ofType.some(({ isAlive, id }) => isAlive && (id !== '') === hasId) ||
      current.typed(application, type, hasId, gone.size + 1).some((key) => !gone.has(key));
    if (!hasOne(true) || !hasOne(false)) continue;
    const without = added.filter(({ id }) => id === '');
    // The problem points at the entry that added the resource, even if a later one moved it
    // (docs/increments.md 6.2).
    for (const { addedPlace } of without.length > 0 ? without : added) {
      remarks.refuse(
        addedPlace?.pointer ?? '',
        'MIXED_IDS',
        () => 'some resources of its type have an id and others have none',
      );
    }
  }
};

const judgeDepth = ({ entities, remarks, levels }: WorkingState): void => {
  // No full push could hold resources that nest deeper than a payload may.
  for (const resource of [...entities.touched]) {
    if (resource.kind !== Resource || !resource.isAlive) continue;
    const upwards = entities.upwards(resource);
    // Only the first resource that is too deep is reported. Those below it are too deep for the
    // same reason.
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

const judgeApplications = ({ entities, current, remarks }: WorkingState): void => {
  const wentAt = [...entities.touched].flatMap((entity) =>
    entity.kind === Application ? entity.wentAt : [],
  );
  if (wentAt.length === 0 || anyRemains(current, [Application], entities)) return;
  for (const pointer of wentAt) {
    remarks.refuse(pointer, 'NO_APPLICATION', () => 'leaves no application');
  }
};

const judgeIdentities = ({ entities, current, remarks, statements }: WorkingState): void => {
  const federated = [...statements.touched].filter(({ wasFederated }) => wasFederated);
  // This includes principals that the payload itself added and then deleted, because their deletion
  // is a reason too.
  const principals = [...entities.touched].filter(({ kind }) => PRINCIPALS.includes(kind));
  const wentAt = [
    ...federated.flatMap((statement) => statement.wentAt),
    ...principals.flatMap(({ wentAt }) => wentAt),
  ];
  if (wentAt.length === 0 || anyRemains(current, PRINCIPALS, entities)) return;
  // If no local principal is left, federated identities hold all statements.
  const touched = [...statements.touched];
  if (touched.some(({ draft }) => draft !== null)) return;
  const gone = new Set(touched.map(({ key }) => key));
  const isAny = ['Grant', 'RoleAssignment'].some((label) =>
    current.some(label, gone.size + 1).some((key) => !gone.has(key)),
  );
  if (isAny) return;
  for (const pointer of wentAt) {
    remarks.refuse(pointer, 'NO_IDENTITY', () => 'leaves no identity at all');
  }
};
