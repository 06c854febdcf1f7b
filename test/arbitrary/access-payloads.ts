import fc, { type Arbitrary } from 'fast-check';

import { drafts, templates } from './push-sequence';
import { written } from './references';
import { repaired } from './repair';

/** How many of each there are at most: every pair is asked about, so that few things in many graphs find more than the other way round. */
const most: Readonly<Record<string, number>> = {
  users: 3,
  employees: 3,
  groups: 2,
  apps: 1,
  local_users: 2,
  local_groups: 2,
  local_roles: 3,
  local_agents: 1,
  local_access_creds: 1,
  resources: 2,
  sub_resources: 1,
  permissions: 4,
  identity_to_permissions: 8,
};

/** Lists of entities cut; what they refer to is written after that. */
function small(draft: unknown): unknown {
  if (Array.isArray(draft)) return draft.map(small);
  if (typeof draft !== 'object' || draft === null) return draft;
  return Object.fromEntries(
    Object.entries(draft).map(([name, value]: [string, unknown]) => [
      name,
      // Roles' and scopes' lists of the same names hold numbers.
      Array.isArray(value) && value.every((each) => typeof each === 'object')
        ? small(value.slice(0, most[name] ?? value.length))
        : small(value),
    ]),
  );
}

/** A good payload for one of the data sources: two identity providers, two applications and an HR system that mention each other. */
export interface AccessPush {
  readonly source: number;
  readonly payload: object;
}

function push(source: number): Arbitrary<AccessPush> {
  const template = templates[source] ?? 'application';
  return (drafts[source] ?? fc.constant({})).map((draft) => {
    return { source, payload: repaired(written(template, small(draft) as object), template) };
  });
}

/** Each data source once, so that there is a whole graph; then four pushes more, each of which makes another graph. */
export const accessPushes: Arbitrary<{
  readonly first: readonly AccessPush[];
  readonly then: readonly AccessPush[];
}> = fc.record({
  first: fc.tuple(push(0), push(1), push(2), push(3), push(4)),
  then: fc.array(fc.nat({ max: 4 }).chain(push), { minLength: 4, maxLength: 4 }),
});
