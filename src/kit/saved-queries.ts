import { access } from './queries/access';
import { accounts } from './queries/accounts';
import { accessByKey } from './queries/by-key';
import { freshnessQueries } from './queries/freshness';
import { groups } from './queries/groups';
import { people } from './queries/people';
import { resources } from './queries/resources';
import { roles } from './queries/roles';
import type { SavedQuery } from './saved-query';

/** All that the kit asks of the graph, by topic. */
export const savedQueries: readonly SavedQuery[] = [
  ...access,
  ...accessByKey,
  ...people,
  ...accounts,
  ...groups,
  ...roles,
  ...resources,
  ...freshnessQueries,
];
