import type { Subject } from '../../warning';

/** The place of an entity in the payload, and what messages call the entity. */
export interface Place {
  readonly pointer: string;
  /** A function, because messages name few entities. */
  readonly subject: () => Subject;
  /** The id of its application, or `''`. */
  readonly application: string;
}
