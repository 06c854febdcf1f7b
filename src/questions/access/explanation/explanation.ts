import type { HeldPermission, Summary } from '../../../contract/answers/questions/access';

/**
 * A step of a path: a node, the relationship that leads to it, and the push that brought that
 * relationship (docs/rules.md: Access answers).
 */
export interface Hop {
  readonly about: Summary;
  /** `null` for the first hop of a path. */
  readonly relationship: string | null;
  /** The id of the node at which the relationship starts. */
  readonly from: string | null;
  readonly since: string | null;
  readonly data_source: string | null;
  readonly push: string | null;
}

/**
 * One reason for access: the hops from the principal to a permission, and the scope of the
 * permission.
 */
export interface Path {
  readonly permission: HeldPermission;
  readonly hops: readonly Hop[];
  /** The hops from what holds the permission to its scope, and from there down to the resource. */
  readonly scope: readonly Hop[];
}

/** The paths, shortest first. `truncated` means that there are more. */
export interface Explanation {
  readonly paths: readonly Path[];
  readonly truncated: boolean;
}

/** A text that distinguishes a path from others of its length, in the order of keys. */
const orderOf = ({ hops, scope }: Path): string =>
  JSON.stringify(
    [...hops, ...scope].map(({ about, relationship, since }) => [about.id, relationship, since]),
  );

/**
 * Paths, shortest first, those of one length in the order of keys. So it is the same in a restored
 * graph, where Neo4j's ids are others.
 */
export const pathsInOrder = (paths: readonly Path[]): readonly Path[] =>
  paths
    .map((path) => ({ path, length: path.hops.length, order: orderOf(path) }))
    .sort((a, b) => a.length - b.length || (a.order < b.order ? -1 : 1))
    .map(({ path }) => path);
