import { counted } from '../../codec/quote';
import type { LastImport } from '../connections/endpoints';
import type { Provider } from '../../contract/records/provider';
import type { EventRecord } from '../../graph/records/event-record';
import { providerEvent, type Occasion } from '../../graph/records/event';
import type { ReadCounts } from '../reading/complete-reading';
import { events } from './events';

/**
 * Only what was counted, and nothing else that a reading holds: least of all its payload, which
 * names people.
 */
const countsOf = ({
  accounts,
  groups,
  memberships,
  left_out,
  unknown_members,
}: ReadCounts): ReadCounts => ({ accounts, groups, memberships, left_out, unknown_members });

/** Makes the event of an import (docs/rules.md: Events). */
export const importEvent = (
  provider: Pick<Provider, 'id' | 'name'>,
  occasion: Occasion,
  { outcome, reading, push_id, problem }: LastImport,
  read: ReadCounts | null,
  failures: number,
): EventRecord => {
  const name = JSON.stringify(provider.name);
  return providerEvent(
    provider,
    occasion,
    problem === null
      ? {
          severity: 'INFO',
          name: 'Application imported',
          event_type: events.SCIM_IMPORTED,
          message: `The application of provider ${name} was read (${reading ?? 'whole'}): ${counted(read?.accounts ?? 0, 'account')}, ${counted(read?.groups ?? 0, 'group')}${read?.memberships === null ? '; it shows no members of groups' : ''}.`,
          metadata: {
            outcome,
            reading,
            push_id,
            ...(read === null ? {} : { read: countsOf(read) }),
          },
        }
      : {
          severity: 'ERROR',
          name: 'Application not imported',
          event_type: events.SCIM_IMPORT_FAILED,
          message: `The application of provider ${name} could not be imported, and the graph stays as it was: ${problem.message}`,
          metadata: { reading, problem, failures },
        },
  );
};
