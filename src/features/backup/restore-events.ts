import { randomUUID } from 'node:crypto';

import { counted } from '../../codec/quote';
import { serviceEvent } from '../../graph/records/event';
import type { EventRecord, KeyAct } from '../../graph/records/event-record';
import { events } from './events';

/** A team key that a restore revoked. */
export interface RevokedKey {
  readonly id: string;
  readonly name: string;
  [column: string]: unknown;
}

/** What a restore has ended, what waits since, and what somebody must look at. */
export interface AfterRestore {
  /** The keys that it revoked. */
  readonly keys: readonly RevokedKey[];
  readonly keepsKeys: boolean;
  readonly policies: number;
  readonly imports: number;
  /** Providers whose claims somebody had narrowed or allowed. */
  readonly trusts: number;
}

/** The longest list of keys in an event. */
const LISTED = 100;

/** The sentences about keys that a restore revoked, and about policies and imports that wait. */
export const sentencesOf = ({ keys, keepsKeys, policies, imports }: AfterRestore): string => {
  const done = keepsKeys
    ? 'All keys work as they did then, also those that somebody has ended since.'
    : `The restore revoked ${counted(keys.length, 'team key')}, since somebody may have ended them after the backup.`;
  const waiting = policies === 1 ? '1 policy' : `${policies} policies`;
  return `${done} ${waiting} and ${counted(imports, 'timed import')} wait until somebody starts them.`;
};

/** Reports a restore. Nobody of the service did it, so it names no key. */
export const restored = (asOf: string, after: AfterRestore): EventRecord =>
  serviceEvent(
    { at: new Date().toISOString(), requestId: randomUUID() },
    {
      severity: 'WARNING',
      name: 'Graph restored',
      event_type: events.GRAPH_RESTORED,
      message: `The graph was restored from a backup of ${asOf}. ${sentencesOf(after)} People who were erased since then are back: erase them again.`,
      metadata: {
        as_of: asOf,
        revoked_keys: after.keys.slice(0, LISTED).map(({ id, name }) => ({ id, name })),
        revoked_keys_total: after.keys.length,
        kept_keys: after.keepsKeys,
        policies: after.policies,
        imports: after.imports,
        trusts: after.trusts,
      },
    },
  );

/** Somebody started policies and timed imports again after a restore. */
export const started = ({ by, requestId }: KeyAct): EventRecord =>
  serviceEvent(
    { at: new Date().toISOString(), requestId, by },
    {
      severity: 'INFO',
      name: 'Work started after a restore',
      event_type: events.RESTORED_WORK_STARTED,
      message: `Policies and timed imports run again after a restore, by the key ${JSON.stringify(by.name)}.`,
      metadata: {},
    },
  );
