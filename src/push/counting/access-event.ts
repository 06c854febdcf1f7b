import { counted } from '../../codec/quote';
import type { Counted } from '../../questions/changes/contract';
import type { EventRecord } from '../../graph/records/event-record';
import { dataSourceEvent, type Occasion } from '../../graph/records/event';
import type { EventSource } from '../run/push-report';

/** What an event about changes of access says, by how much is known of them. */
const wordsOf = (found: Counted): { readonly how: string; readonly isKnown: boolean } => {
  if (!('factors' in found)) {
    const { gained, lost, principals, resources } = found.access;
    const by = `by ${counted(principals, 'principal')} on ${counted(resources, 'resource')}`;
    return { how: `${counted(gained, 'permission')} gained, ${lost} lost, ${by}`, isKnown: true };
  }
  const { access, factors } = found;
  if (factors !== null) {
    const how = `${counted(factors.gained, 'relationship')} of access came, ${factors.lost} went`;
    return { how, isKnown: true };
  }
  const why = access.state === 'failed' ? 'the service failed to count it' : 'it is too much';
  return { how: `nobody has counted it, since ${why}`, isKnown: false };
};

/**
 * The event that a push changed effective access, or may have; `null` if it changed nothing (docs/rules.md:
 * Changes of access).
 */
export const accessEvent = (
  { push, source }: { readonly push: string; readonly source: EventSource },
  occasion: Occasion,
  found: Counted,
): EventRecord | null => {
  if (!('factors' in found) && found.access.gained + found.access.lost === 0) return null;
  const { how, isKnown } = wordsOf(found);
  const name = JSON.stringify(source.dataSource.name);
  const changed = isKnown ? 'changed' : 'may have changed';
  return dataSourceEvent(source, occasion, {
    severity: isKnown ? 'INFO' : 'WARNING',
    name: 'Access changed',
    event_type: 'ACCESS_CHANGED',
    message: `A push to data source ${name} ${changed} who can do what: ${how}.`,
    metadata: { push_id: push, ...found },
  });
};
