import type { RequestHandler, Response } from 'express';

import type { Failure } from '../../problem';

/** What is answered where memory is short: the same request may pass a little later. */
export const NO_ROOM: Failure = {
  _tag: 'Exhausted',
  message: 'Too many requests are being received and worked on; try again later.',
};

/**
 * Room for the bodies of requests, all together. A body takes it as its bytes come, so that a slow client holds no more than it has sent, and keeps it
 * until its request is answered.
 */
export class BodyRoom {
  private used = 0;
  private waiting: (() => void)[] = [];

  constructor(
    private readonly mostBytes: number,
    private readonly waitMilliseconds: number,
  ) {}

  /** Waits until half of it is free: what has begun to come is to get in whole. False when that takes too long. */
  enter(): Promise<boolean> {
    if (this.isHalfFree()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (mayEnter: boolean): void => {
        clearTimeout(late);
        this.waiting = this.waiting.filter((other) => other !== enter);
        resolve(mayEnter);
      };
      const enter = (): void => settle(true);
      const late = setTimeout(() => settle(false), this.waitMilliseconds);
      late.unref();
      this.waiting.push(enter);
    });
  }

  /** Takes room for some bytes; false where there is not so much. */
  take(bytes: number): boolean {
    if (this.used + bytes > this.mostBytes) return false;
    this.used += bytes;
    return true;
  }

  give(bytes: number): void {
    this.used -= bytes;
    while (this.isHalfFree() && this.waiting.length > 0) this.waiting.shift()?.();
  }

  private isHalfFree(): boolean {
    return this.used <= this.mostBytes / 2;
  }
}

/** The room that one request's body takes. */
export interface Place {
  enter(): Promise<boolean>;
  take(bytes: number): boolean;
  /** Keeps it until something is done, also when the client has left before. */
  keepUntil(work: Promise<unknown>): void;
}

/** Gives each request a place, which it leaves when its answer is sent or its client gone, and nothing is done with its body any more. */
export const giveRoom =
  (room: BodyRoom): RequestHandler =>
  (_req, res, next) => {
    let taken = 0;
    let work: Promise<unknown> = Promise.resolve();
    const leave = (): void => room.give(taken);
    const place: Place = {
      enter: () => room.enter(),
      take: (bytes) => {
        const isTaken = room.take(bytes);
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
