import { eventTypes } from '../contract/answers/event-types';
import { type Occasion, serviceEvent } from '../graph/records/event';
import type { EventRecord } from '../graph/records/event-record';
import type { Exported } from './exchange/tell-export';

/** Events of requests to any feature. The feature `events` lists them. */
export const events = eventTypes({
  DATA_EXPORTED: 'nothing',
  QUESTION_OVERDUE: 'nothing',
});

/**
 * Makes the event of an export (docs/rules.md: Events). It shows auditors who took a file of the
 * graph away, and from where. The service writes it before the first row leaves.
 */
export const exportEvent = (
  occasion: Occasion,
  { what, inWords, format, parameters }: Exported,
): EventRecord =>
  serviceEvent(occasion, {
    severity: 'INFO',
    name: 'Data exported',
    event_type: events.DATA_EXPORTED,
    message: `${inWords} is exported by ${JSON.stringify(occasion.by?.name ?? '')}.`,
    metadata: { what, format, parameters },
  });

/** Makes the event of a query that Neo4j has not ended after its limit (docs/rules.md: Events). */
export const overdueEvent = (occasion: Occasion, transaction: string): EventRecord =>
  serviceEvent(occasion, {
    severity: 'WARNING',
    name: 'Query does not end',
    event_type: events.QUESTION_OVERDUE,
    message: `Neo4j has not ended a query of the key ${JSON.stringify(occasion.by?.name ?? '')} after its limit.`,
    metadata: { transaction },
  });
