import fc, { type Arbitrary } from 'fast-check';

import { json } from './optional';
import { drafts, templates } from './push-sequence';
import { writtenApplication, writtenIdentityProvider } from './references';
import { repaired } from './repair';

/** How many of each there are at most: every pair is asked about, so that few things in many graphs find more than the other way round. */
const most: Readonly<Record<string, number>> = {
  users: 4,
  groups: 3,
  apps: 2,
  local_users: 3,
  local_groups: 3,
  local_roles: 4,
  local_agents: 1,
  local_access_creds: 2,
  resources: 3,
  sub_resources: 2,
  permissions: 5,
  identity_to_permissions: 10,
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

/** One good payload for each data source: two identity providers and two applications that mention each other. */
export const accessPayloads: Arbitrary<readonly object[]> = fc.tuple(...drafts).map((all) =>
  all.map((draft, source) => {
    const template = templates[source] ?? 'application';
    const written =
      template === 'application'
        ? writtenApplication(small(draft) as object)
        : writtenIdentityProvider(small(draft) as object);
    return repaired(json(written), template);
  }),
);
