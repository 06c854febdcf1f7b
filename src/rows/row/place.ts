import type { Subject } from '../../warning';

/** Where an entity stands in the payload and how messages name it. */
export interface Place {
  readonly pointer: string;
  /** A function: few entities are ever named in a message. */
  readonly subject: () => Subject;
  /** Id of its application, or `''`. */
  readonly application: string;
}
