import type { EventRecord } from './event-record';
import { type Occasion, serviceEvent } from './event';

/** An export that a caller requested. */
export interface Exported {
  /** What was exported: `access`, the path of a list, or a query. */
  readonly what: string;
  /** What was exported, as the beginning of a sentence. */
  readonly inWords: string;
  /** `csv`, `ndjson` or `svg`. */
  readonly format: string;
  /** What narrowed it. It holds no text of the request, which may name people. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

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
    event_type: 'DATA_EXPORTED',
    message: `${inWords} is exported by ${JSON.stringify(occasion.by?.name ?? '')}.`,
    metadata: { what, format, parameters },
  });
