import { type AccessGraph } from '../../access/access-graph';
import type { ChangedPair, Moments } from '../../access/comparison/comparison';
import type { NativePermission } from '../../access/effective-access';
import type { Effort, Pieces } from '../../access/pieces';
import type { HeldThrough, Summary } from '../../contract/answers/questions/access';
import type { CauseOfChange } from '../../contract/answers/questions/access-changes';
import { nanosOf } from '../../model/instant';
import type { Period } from './period';

/** What a principal gained and lost on a resource. */
export interface ChangedAccess {
  readonly principal: Summary;
  readonly resource: Summary;
  readonly gained: readonly HeldThrough[];
  readonly lost: readonly HeldThrough[];
  /** Whose the principal certainly is, and what brought the change about, if somebody asked. */
  readonly human?: Summary | null;
  readonly is_person?: boolean;
  readonly causes?: readonly CauseOfChange[];
}

/** Two instants, and what a graph of access knows of them. */
export interface Between {
  readonly graph: AccessGraph;
  readonly period: Period;
  readonly moments: Moments;
}

/** Two instants in a graph of access. */
export const between = (graph: AccessGraph, period: Period): Between => {
  const { instants } = graph;
  const moments: Moments = [
    instants.moment(nanosOf(period.from)),
    instants.moment(nanosOf(period.to)),
  ];
  return { graph, period, moments };
};

/** What lists say of a node at the later of the two instants at which it existed. */
export const summaryIn = ({ graph, period, moments }: Between, node: number): Summary => {
  const isLater = graph.exists(node, moments[1]);
  return graph.summary(node, moments[isLater ? 1 : 0], nanosOf(period[isLater ? 'to' : 'from']));
};

/** What lists say of nodes, each read once. */
export const summariesIn = (times: Between): ((node: number) => Summary) => {
  const known = new Map<number, Summary>();
  return (node) => {
    const summary = known.get(node) ?? summaryIn(times, node);
    known.set(node, summary);
    return summary;
  };
};

/** Permissions as lists say them. */
export function* permissionsOf(
  natives: readonly NativePermission[],
  effort: Effort,
): Pieces<HeldThrough[]> {
  const permissions: HeldThrough[] = [];
  for (const { name, types } of natives) {
    if (effort.isTired(1)) yield;
    permissions.push({ name, permission_type: JSON.parse(types) as readonly string[] });
  }
  return permissions;
}

/** The row of a pair whose access changed. */
export function* rowOf(
  about: (node: number) => Summary,
  { principal, target, gained, lost }: ChangedPair,
  effort: Effort,
): Pieces<ChangedAccess> {
  return {
    principal: about(principal),
    resource: about(target),
    gained: yield* permissionsOf(gained, effort),
    lost: yield* permissionsOf(lost, effort),
  };
}
