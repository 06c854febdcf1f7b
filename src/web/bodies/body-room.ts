import type { RequestHandler, Response } from 'express';

import type { Failure } from '../../problem';

/** The answer if the service has no memory left for bodies; the same request may succeed later. */
export const NO_ROOM: Failure = {
  _tag: 'Exhausted',
  message: 'Too many requests are being received and worked on; try again later.',
};

/** How much memory bodies may use. */
export interface RoomLimits {
  /** Bytes of all bodies together. */
  readonly mostBytes: number;
  /** Bytes of the largest body, for which there is always room once others have left. */
  readonly bodyBytes: number;
  /** How many bodies of one key the service receives, or works on, at once. */
  readonly bodiesOfKey: number;
}

/** How much memory the bodies of one key use. */
interface Held {
  bytes: number;
  bodies: number;
}

/**
 * The memory for the bodies of all requests. A body uses room as its bytes arrive, so a slow client
 * holds no more than it has sent. It holds the room until the service has answered its request. The
 * bodies of one key use at most half of the memory, so no key can fill it. The service refuses a
 * body that finds no room at once.
 */
export class BodyRoom {
  private used = 0;
  private readonly held = new Map<string, Held>();
  private readonly shareOfKey: number;

  constructor(private readonly limits: RoomLimits) {
    this.shareOfKey = Math.max(limits.bodyBytes, limits.mostBytes / 2);
  }

  /**
   * Lets a body of a key in if the announced bytes fit now; other bodies may still use them first.
   * The caller calls `leave` once for each body that has entered.
   */
  enter(key: string, announced = 0): boolean {
    const held = this.held.get(key) ?? { bytes: 0, bodies: 0 };
    if (held.bodies >= this.limits.bodiesOfKey || !this.fits(held, announced)) return false;
    held.bodies += 1;
    this.held.set(key, held);
    return true;
  }

  /** Takes room for some bytes of a body that has entered; false if there is too little. */
  take(key: string, bytes: number): boolean {
    const held = this.held.get(key);
    if (held === undefined || !this.fits(held, bytes)) return false;
    this.used += bytes;
    held.bytes += bytes;
    return true;
  }

  /** Gives back the room of a body. */
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

/** The room that one request's body uses. */
export interface Place {
  enter(): boolean;
  take(bytes: number): boolean;
  /** Keeps the room until the work is done, even if the client leaves earlier. */
  keepUntil(work: Promise<unknown>): void;
}

/**
 * Gives each request a place in the share of its key. The request leaves it after the answer is
 * sent or the client is gone, and once no work uses its body any more.
 */
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

/** Keeps the place of a request, if it has one, until its work is done. */
export const keepPlace = (res: Response, work: Promise<unknown>): void =>
  (res.locals.place as Place | undefined)?.keepUntil(work);
