import type { EventRecord } from '../../graph/records/event-record';
import { type Occasion, serviceEvent } from '../../graph/records/event';

/** An export that a caller requested. */
export interface Exported {
  /** What was exported, such as `access`. */
  readonly what: string;
  /** `csv` or `ndjson`. */
  readonly format: string;
  /** Whether it covers only one principal or human. */
  readonly isPart?: boolean;
  /** What narrowed it: the parameters of the request. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Makes the event of an export (docs/rules.md: Events). It shows auditors who exported the complete
 * graph, and from where. The service writes it before the first row leaves.
 */
export const exportEvent = (
  occasion: Occasion,
  { what, format, isPart = false, parameters }: Exported,
): EventRecord =>
  serviceEvent(occasion, {
    severity: 'INFO',
    name: 'Data exported',
    event_type: 'DATA_EXPORTED',
    message: `${isPart ? `The ${what} of one principal or human` : `All ${what}`} is exported with the key ${JSON.stringify(occasion.by?.name ?? '')}.`,
    metadata: { what, format, parameters },
  });
