import type { TaskEither } from 'fp-ts/TaskEither';

import type { EventError, EventAnswer } from '../../contract/answers/events';
import type { ActingKey } from '../../contract/answers/actor';
import type { EventType } from '../../contract/answers/event-types';
import { foldedLookups } from '../../model/folded-texts';
import { Event } from '../../model/service-nodes';
import type { Failure } from '../../problem';
import { oncePerContext } from '../../context';
import { inTransaction, type Runner } from '../../neo4j/transaction';

/** The key that acts. The key from the settings has no id. */
export interface Actor {
  readonly keyId: string | null;
  readonly name: string;
  /** The address from which the request came; `null` if no request did. */
  readonly address: string | null;
}

/** How events and pushes name a person who signed in, and not a key: this, and an id of the person. */
export const OF_PERSON = 'person:';

/** Whether a person acts, who signed in at an issuer. */
export const isPerson = ({ keyId }: Pick<Actor, 'keyId'>): boolean =>
  keyId?.startsWith(OF_PERSON) === true;

/** What lines of the log call who acts. No erasure reaches the log, so it names no person. */
export const loggedName = (actor: Pick<Actor, 'keyId' | 'name'>): string =>
  isPerson(actor) ? 'a person' : actor.name;

/**
 * Something that happened, as it is written. Without an error it has no field for one
 * (docs/rules.md: Events).
 */
export type EventRecord = Omit<EventAnswer, 'error' | 'event_type'> & {
  readonly event_type: EventType;
  readonly error?: EventError;
};

/** The acting key as answers and events show it. */
export const actorAnswer = ({ keyId, name, address }: Actor): ActingKey => ({
  key_id: keyId,
  name,
  address,
});

/** Reads the acting key from properties of a node; undefined if no key acted. */
export const storedActor = (keyId: unknown, name: unknown, address: unknown): Actor | undefined =>
  typeof name === 'string'
    ? {
        keyId: typeof keyId === 'string' ? keyId : null,
        name,
        address: typeof address === 'string' ? address : null,
      }
    : undefined;

const WRITE_EVENT = `CREATE (event:Event {key: $id, timestamp: datetime($timestamp), unplaced: true})
SET event += $properties`;

/** Writes an event. It has no relationships, so it outlives the nodes that it is about. */
export const writeEvent = async (tx: Runner, event: EventRecord): Promise<void> => {
  const { timestamp, metadata, error, event_type, ...texts } = event;
  const properties = { ...texts, event_type: event_type.name };
  await tx.run(WRITE_EVENT, {
    id: event.id,
    timestamp,
    properties: {
      ...properties,
      ...foldedLookups(Event, properties),
      metadata: JSON.stringify(metadata),
      error: error === undefined ? null : JSON.stringify(error),
    },
  });
};

/** Writes an event in a transaction of its own. */
export const eventWriterOf = oncePerContext(
  ({ graph }) =>
    (event: EventRecord): TaskEither<Failure, void> =>
      inTransaction(graph, { mode: 'write' }, (tx) => writeEvent(tx, event)),
);

/** The key that acts, and the request. */
export interface KeyAct {
  readonly by: Actor;
  readonly requestId: string;
}
