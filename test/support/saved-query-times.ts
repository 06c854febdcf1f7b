import { company } from '../../src/demo/company';
import type { SavedQuery } from '../../src/kit/saved-query';

/** What takes the place of the clock in saved queries: the day of the demo, and the newest push. */
export const TIMES: Readonly<Record<string, string>> = {
  now: "datetime('2026-11-21T00:00:00Z')",
  since: 'COLLECT { MATCH (push:Push) RETURN max(push.at) }[0]',
};
const FIRST_WEEK = `COLLECT { MATCH (push:Push)-[:FROM]->(:DataSource {name: '${company.at(-1)?.dataSource}'}) RETURN min(push.at) }[0]`;
const FIRST_PUSH = 'COLLECT { MATCH (push:Push) RETURN min(push.at) }[0]';
/** What takes the place of the times of some saved queries, by their names. */
export const TIMES_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'data-sources-by-freshness': {
    now: "COLLECT { MATCH (push:Push) RETURN max(push.at) }[0] + duration('PT25H')",
  },
  'pushes-that-warned': { since: FIRST_PUSH },
  'access-that-came-lately': { since: FIRST_WEEK },
  'access-that-ended-lately': { since: FIRST_PUSH },
  'grants-that-came-and-went': { since: FIRST_PUSH },
  'entities-by-changes': { since: FIRST_PUSH },
  'pushes-by-what-they-changed': { since: FIRST_PUSH },
  'what-a-person-gained-and-lost': { after: FIRST_WEEK, until: 'datetime()' },
  'members-of-a-group-on-a-day': { at: FIRST_WEEK },
  'administrators-of-an-application-on-a-day': { at: FIRST_WEEK },
};

/**
 * Saved queries whose expected rows are about the time since the demo's first week. As they are, they
 * ask about other times.
 */
export const aboutFirstWeek = ({ name }: SavedQuery): boolean =>
  Object.values(TIMES_OF[name] ?? {}).includes(FIRST_WEEK);
