import { counted } from '../../codec/quote';
import type { Counted, UncountedPush } from '../../questions/changes/contract';
import type { EventRecord } from '../../graph/records/event-record';
import { dataSourceEvent } from '../../graph/records/event';

/**
 * The event that a push changed effective access, or may have; `null` if it changed nothing, or if
 * the data source is gone (docs/rules.md: Changes of access).
 */
export const accessEvent = (
  { push, requestId, source }: UncountedPush,
  at: string,
  access: Counted,
): EventRecord | null => {
  if (source === null) return null;
  const name = JSON.stringify(source.dataSource.name);
  const eventOf = (severity: 'INFO' | 'WARNING', changed: string, how: string): EventRecord =>
    dataSourceEvent(
      source,
      { at, requestId },
      {
        ...{ severity, name: 'Access changed', event_type: 'ACCESS_CHANGED' },
        message: `A push to data source ${name} ${changed} who can do what: ${how}.`,
        metadata: { push_id: push, access },
      },
    );
  if ('state' in access) {
    const how = 'nobody has counted it, since the service failed to count it';
    return eventOf('WARNING', 'may have changed', how);
  }
  const { gained, lost, principals, resources, people } = access;
  if (gained + lost === 0) return null;
  const whose = people === null ? '' : `${people} ${people === 1 ? 'person' : 'people'} and `;
  const by = `by ${whose}${counted(principals, 'principal')} on ${counted(resources, 'resource')}`;
  return eventOf('INFO', 'changed', `${counted(gained, 'permission')} gained, ${lost} lost, ${by}`);
};
