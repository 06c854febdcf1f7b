import type { Mark } from './words';

/** What a review is limited to, by keys of nodes. An empty list means all. */
export interface Scope {
  readonly applications: readonly string[];
  readonly resources: readonly string[];
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly people: readonly string[];
  readonly marks: readonly Mark[];
}

/** Where a scope is about access. */
export type Places = Pick<Scope, 'applications' | 'resources'>;

/** Whether a scope leaves out items by a filter. */
export const hasFilter = ({ roles, groups, people, marks }: Omit<Scope, keyof Places>): boolean =>
  [roles, groups, people, marks].some((filter) => filter.length > 0);
