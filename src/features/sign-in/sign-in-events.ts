import type { EventType } from '../../contract/answers/event-types';
import { type Occasion, serviceEvent } from '../../graph/records/event';
import type { EventRecord } from '../../graph/records/event-record';
import type { Session } from './graph/session-records';
import { events } from './events';

const aboutSession =
  (severity: EventRecord['severity'], name: string, event_type: EventType, what: string) =>
  (session: Session, occasion: Occasion): EventRecord =>
    serviceEvent(occasion, {
      severity,
      name,
      event_type,
      message: `${JSON.stringify(session.name)} ${what}.`,
      metadata: {
        session_id: session.id,
        role: session.role,
        subject: session.subject,
        // An erasure of the person finds all that they did by this.
        ...(session.person !== null && { person: session.person }),
      },
    });

/** Somebody signed in. */
export const signedIn = aboutSession('INFO', 'Signed in', events.PERSON_SIGNED_IN, 'signed in');

/** Somebody signed out. */
export const signedOut = aboutSession('INFO', 'Signed out', events.PERSON_SIGNED_OUT, 'signed out');

/** An administrator ended a session of somebody. */
export const sessionEnded = aboutSession(
  'WARNING',
  'Session ended',
  events.SESSION_ENDED,
  'was signed out by an administrator',
);
