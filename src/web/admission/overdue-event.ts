import type { EventRecord } from '../../graph/records/event-record';
import { type Occasion, serviceEvent } from '../../graph/records/event';

/** Makes the event of a query that Neo4j has not ended after its limit (docs/rules.md: Events). */
export const overdueEvent = (occasion: Occasion, transaction: string): EventRecord =>
  serviceEvent(occasion, {
    severity: 'WARNING',
    name: 'Query does not end',
    event_type: 'QUESTION_OVERDUE',
    message: `Neo4j has not ended a query of the key ${JSON.stringify(occasion.by?.name ?? '')} after its limit.`,
    metadata: { transaction },
  });
