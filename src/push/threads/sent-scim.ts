import type { Either } from 'fp-ts/Either';

import type { Failure } from '../../problem';
import type { AcceptedPush } from '../run/accepted-push';
import type { PushIntent } from '../receive/push-intent';
import type { SentBody } from '../../web/bodies/sent-body';

/** A write through SCIM, as it was sent. It is plain data, so that another thread can run it. */
export interface SentScim extends SentBody, Pick<PushIntent, 'requestId' | 'by' | 'seconds'> {
  readonly how: 'create' | 'replace' | 'patch';
  readonly kind: 'User' | 'Group';
  /** The resource that it changes; empty for a new one. */
  readonly id: string;
  readonly address: { readonly source: string; readonly base: string; readonly root: string };
  /** The attributes that the answer has. */
  readonly selection: {
    readonly attributes: readonly string[] | null;
    readonly excluded: readonly string[] | null;
  };
}

/** What a write through SCIM is answered with. */
export interface WrittenScim {
  /** The resource afterwards, as JSON. */
  readonly json: Uint8Array<ArrayBuffer>;
  /** The address of the resource. */
  readonly location: string;
  /** Attributes that were sent and that the service does not store. */
  readonly ignored: readonly string[];
}

/** What a thread made of a write: also the pushes of one that failed. */
export interface ThreadWrite {
  readonly outcome: Either<Failure, WrittenScim>;
  readonly pushes: readonly AcceptedPush[];
  readonly refused: readonly Failure[];
}
