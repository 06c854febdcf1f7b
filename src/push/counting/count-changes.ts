import type { AccessCounts } from '../../contract/answers/pushes';
import type { AccessCounting, Counted, UncountedPush } from '../../questions/changes/contract';
import { isOutage } from '../../neo4j/failure';
import { errorFields, type Log } from '../../log';
import { counted } from '../../codec/quote';
import type { EventRecord } from '../../graph/records/event-record';
import { dataSourceEvent } from '../../graph/records/event';
import { events } from '../events';

/**
 * The event that a push changed effective access, or may have; `null` if it changed nothing, or if
 * the data source is gone (docs/rules.md: Changes of access).
 */
const accessEvent = (
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
        severity,
        name: 'Access changed',
        event_type: events.ACCESS_CHANGED,
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

/** How often the service tries to count the changes of a push before it goes on without. */
const TRIES = 3;

const NOTHING: AccessCounts = { gained: 0, lost: 0, principals: 0, resources: 0, people: 0 };

const changesNothing = ({ isKept, isRecorded, touchesAccess }: UncountedPush): boolean =>
  isKept && !isRecorded && !touchesAccess;

/**
 * Joins pushes that follow one another and change nothing. Each other push is an item of its own.
 */
const together = (
  pushes: readonly UncountedPush[],
): readonly (readonly [UncountedPush, ...UncountedPush[]])[] => {
  const joined: [UncountedPush, ...UncountedPush[]][] = [];
  for (const push of pushes) {
    const last = joined.at(-1);
    if (last !== undefined && changesNothing(last[0]) && changesNothing(push)) last.push(push);
    else joined.push([push]);
  }
  return joined;
};

/**
 * Counts what each push changed in effective access, in the order of commits (docs/rules.md: Changes
 * of access). If it cannot count a push, it says so after some tries, and goes on with the next one.
 */
export const countingRound = (
  counting: AccessCounting,
  log: Log,
): ((isStopping: () => boolean) => Promise<void>) => {
  let failed = { turn: -1, tries: 0 };
  const countsOf = async (next: UncountedPush, isStopping: () => boolean): Promise<Counted> => {
    try {
      return await counting.count(next, isStopping);
    } catch (error) {
      if (isOutage(error) || isStopping()) throw error;
      failed = { turn: next.turn, tries: failed.turn === next.turn ? failed.tries + 1 : 1 };
      if (failed.tries < TRIES) throw error;
      const fields = { push_id: next.push, ...errorFields(error) };
      log.warn('the service could not count what a push changed in access', fields);
      return { state: 'failed' };
    }
  };
  return async (isStopping) => {
    // Pushes that arrive during this round wait for the next one, so that they are looked at
    // together.
    for (const pushes of together(await counting.next())) {
      if (isStopping()) return;
      const [push] = pushes;
      if (changesNothing(push)) {
        await counting.record(pushes, NOTHING, null);
        continue;
      }
      const isCounted = push.isKept && !push.isRecorded;
      const found = isCounted ? await countsOf(push, isStopping) : null;
      await counting.record(
        pushes,
        found,
        found && accessEvent(push, new Date().toISOString(), found),
      );
    }
  };
};
