import { type Feature, recordsOf } from './feature';
import { restored } from './features/backup/feature';
import { consoleOf } from './features/console/feature';
import { description } from './features/description/feature';
import { erasure } from './features/erasure/feature';
import { events } from './features/events/feature';
import { health } from './features/health/feature';
import { keys } from './features/keys/feature';
import { manual } from './features/manual/feature';
import { registry } from './registry/feature';
import { retention } from './features/retention/feature';
import { reviews } from './features/reviews/feature';
import { signIn } from './features/sign-in/feature';
import { trusts } from './features/trusts/feature';
import { verification } from './features/verification/feature';
import type { NodeKind } from './model/table';
import { push } from './push/feature';
import { questions } from './questions/feature';
import { connections } from './scim/connections/feature';
import { policies } from './scim/policies/feature';
import { scimServer } from './scim/server/feature';
import type { CatalogEntry } from './graph/statements/catalog-entry';
import { recordStatements } from './graph/statements/record-statements';

/** In the order of the table in docs/api.md. A new feature is its folder and a line here. */
const withoutConsole: readonly Feature[] = [
  manual,
  health,
  description,
  registry,
  trusts,
  connections,
  policies,
  push,
  verification,
  events,
  questions,
  reviews,
  erasure,
  keys,
  signIn,
  scimServer,
  retention,
  restored,
];

/** All features of the service. The console, which shows the pages of all others, is the last one. */
export const features: readonly Feature[] = [...withoutConsole, consoleOf(withoutConsole)];

/** The records of all features. */
export const records: readonly NodeKind[] = recordsOf(features);

/** Every statement that the features list, as `cypher/batches.cypher` shows them. */
export const listStatements = (): readonly CatalogEntry[] => [
  ...features.flatMap((feature) => feature.statements?.() ?? []),
  ...recordStatements(records),
];
