import type { RequestHandler, Response } from 'express';

import type { Failure } from '../../problem';

/** What is answered where memory is short: the same request may pass a little later. */
export const NO_ROOM: Failure = {
  _tag: 'Exhausted',
  message: 'Too many requests are being received and worked on; try again later.',
};

/** How much room there is. */
export interface RoomLimits {
  /** Bytes of all bodies together. */
  readonly mostBytes: number;
  /** The largest body, which must find room. */
  readonly bodyBytes: number;
  /** Bodies of one key that may be received, or worked on, at once. */
  readonly bodiesOfKey: number;
}

/** What the bodies of one key take. */
interface Held {
  bytes: number;
  bodies: number;
}

/**
 * Room for the bodies of requests, all together. A body takes it as its bytes come, so that a slow client holds no more than it has sent, and keeps it
 * until its request is answered. The bodies of one key take at most half of it, so that nobody fills it alone. A body that finds no room is refused at once.
 */
export class BodyRoom {
  private used = 0;
  private readonly held = new Map<string, Held>();
  private readonly shareOfKey: number;

  constructor(private readonly limits: RoomLimits) {
    this.shareOfKey = Math.max(limits.bodyBytes, limits.mostBytes / 2);
  }

  /** Lets a body of a key in, if so many bytes as it announces fit now; others may take them before it. Whoever has entered leaves once. */
  enter(key: string, announced = 0): boolean {
    const held = this.held.get(key) ?? { bytes: 0, bodies: 0 };
    if (held.bodies >= this.limits.bodiesOfKey || !this.fits(held, announced)) return false;
    held.bodies += 1;
    this.held.set(key, held);
    return true;
  }

  /** Takes room for some bytes of a body that has entered; false where there is not so much. */
  take(key: string, bytes: number): boolean {
    const held = this.held.get(key);
    if (held === undefined || !this.fits(held, bytes)) return false;
    this.used += bytes;
    held.bytes += bytes;
    return true;
  }

  /** Gives back all that a body took. */
  leave(key: string, bytes: number): void {
    const held = this.held.get(key);
    if (held === undefined) return;
    this.used -= bytes;
    held.bytes -= bytes;
    held.bodies -= 1;
    if (held.bodies === 0) this.held.delete(key);
  }

  private fits(held: Held, bytes: number): boolean {
    return this.used + bytes <= this.limits.mostBytes && held.bytes + bytes <= this.shareOfKey;
  }
}

/** The room that one request's body takes. */
export interface Place {
  enter(): boolean;
  take(bytes: number): boolean;
  /** Keeps it until something is done, also when the client has left before. */
  keepUntil(work: Promise<unknown>): void;
}

/** Gives each request a place in the share of its key. The request leaves it when its answer is sent or its client gone, and nothing is done with its body any more. */
export const giveRoom =
  (room: BodyRoom, keyOf: (res: Response) => string): RequestHandler =>
  (req, res, next) => {
    const key = keyOf(res);
    let taken = 0;
    let isIn = false;
    let work: Promise<unknown> = Promise.resolve();
    const leave = (): void => {
      if (isIn) room.leave(key, taken);
      isIn = false;
    };
    const place: Place = {
      enter: () => {
        isIn = room.enter(key, Number(req.headers['content-length'] ?? 0));
        return isIn;
      },
      take: (bytes) => {
        const isTaken = room.take(key, bytes);
        if (isTaken) taken += bytes;
        return isTaken;
      },
      keepUntil: (awaited) => {
        work = awaited;
      },
    };
    res.locals.place = place;
    res.once('close', () => void work.then(leave, leave));
    next();
  };

/** The place of a request's body. */
export const placeOf = (res: Response): Place => res.locals.place as Place;

/** Keeps a request's place, if it has one, until its work is done. */
export const keepPlace = (res: Response, work: Promise<unknown>): void =>
  (res.locals.place as Place | undefined)?.keepUntil(work);
