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
  readonly waitMilliseconds: number;
}

/** What the bodies of one key take. */
interface Held {
  bytes: number;
  /** Bytes that its bodies come to, as far as their heads tell. */
  announced: number;
  bodies: number;
}

interface Waiting {
  readonly key: string;
  readonly announced: number;
  readonly enter: () => void;
}

const NOTHING: Readonly<Held> = { bytes: 0, announced: 0, bodies: 0 };

/**
 * Room for the bodies of requests, all together. A body takes it as its bytes come, so that a slow client holds no more than it has sent, and keeps it
 * until its request is answered. The bodies of one key take at most half of it, so that nobody fills it alone.
 */
export class BodyRoom {
  private used = 0;
  private readonly held = new Map<string, Held>();
  private waiting: Waiting[] = [];
  private readonly shareOfKey: number;

  constructor(private readonly limits: RoomLimits) {
    this.shareOfKey = Math.max(limits.bodyBytes, limits.mostBytes / 2);
  }

  /**
   * Waits until a quarter of the room is free, and half of what the key may take: what has begun to come is to get in whole. False when that
   * takes too long, or too many of the key wait already. Bodies of one key that come at once wait for one another, as far as they announce their
   * length, so that none of them finds the key's share taken half-way. Whoever has entered leaves once.
   */
  enter(key: string, announced = 0): Promise<boolean> {
    if (this.mayEnter(key, announced)) {
      this.begin(key, announced);
      return Promise.resolve(true);
    }
    const before = this.waiting.filter((other) => other.key === key).length;
    if (before >= this.limits.bodiesOfKey) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (isIn: boolean): void => {
        clearTimeout(late);
        this.waiting = this.waiting.filter((other) => other !== mine);
        resolve(isIn);
      };
      const mine: Waiting = {
        key,
        announced,
        enter: () => {
          this.begin(key, announced);
          settle(true);
        },
      };
      const late = setTimeout(() => settle(false), this.limits.waitMilliseconds);
      late.unref();
      this.waiting.push(mine);
    });
  }

  /** Takes room for some bytes of a body that has entered; false where there is not so much. */
  take(key: string, bytes: number): boolean {
    const held = this.held.get(key);
    if (held === undefined || this.used + bytes > this.limits.mostBytes) return false;
    if (held.bytes + bytes > this.shareOfKey) return false;
    this.used += bytes;
    held.bytes += bytes;
    return true;
  }

  /** Gives back all that a body took. */
  leave(key: string, bytes: number, announced = 0): void {
    const held = this.held.get(key) ?? NOTHING;
    this.used -= bytes;
    if (held.bodies <= 1) this.held.delete(key);
    else {
      this.held.set(key, {
        bytes: held.bytes - bytes,
        announced: held.announced - announced,
        bodies: held.bodies - 1,
      });
    }
    for (const other of this.waiting) {
      if (this.mayEnter(other.key, other.announced)) other.enter();
    }
  }

  private begin(key: string, announced: number): void {
    const held = this.held.get(key);
    if (held === undefined) this.held.set(key, { bytes: 0, announced, bodies: 1 });
    else {
      held.announced += announced;
      held.bodies += 1;
    }
  }

  private mayEnter(key: string, announced: number): boolean {
    const { bytes, announced: before, bodies } = this.held.get(key) ?? NOTHING;
    return (
      this.used <= (this.limits.mostBytes * 3) / 4 &&
      bytes <= this.shareOfKey / 2 &&
      // A body that is larger than may be is refused by its size, not kept waiting.
      (bodies === 0 || before + announced <= this.shareOfKey) &&
      bodies < this.limits.bodiesOfKey
    );
  }
}

/** The room that one request's body takes. */
export interface Place {
  enter(): Promise<boolean>;
  take(bytes: number): boolean;
  /** Keeps it until something is done, also when the client has left before. */
  keepUntil(work: Promise<unknown>): void;
}

/** Gives each request a place in the share of its key. The request leaves it when its answer is sent or its client gone, and nothing is done with its body any more. */
export const giveRoom =
  (room: BodyRoom, keyOf: (res: Response) => string): RequestHandler =>
  (req, res, next) => {
    const key = keyOf(res);
    const announced = Number(req.headers['content-length'] ?? 0);
    let taken = 0;
    let isIn = false;
    let work: Promise<unknown> = Promise.resolve();
    const leave = (): void => {
      if (isIn) room.leave(key, taken, announced);
      isIn = false;
    };
    const place: Place = {
      enter: async () => {
        isIn = await room.enter(key, announced);
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
