import type { Request } from 'express';
import type * as TE from 'fp-ts/TaskEither';

import { type Failure, invalid } from '../problem';
import { bodyTooLarge } from '../service/content-encoding';
import type { SentPush } from '../service/sent-push';

type Body = SentPush['body'];

const BLOCK = 1024 * 1024;

/** Bytes as they come, in blocks that another thread can take over: the pieces of a socket share their memory. */
class Blocks {
  private readonly full: Uint8Array<ArrayBuffer>[] = [];
  private open = new Uint8Array(0);
  private used = 0;
  size = 0;

  add(piece: Uint8Array): void {
    this.size += piece.length;
    for (let rest = piece; rest.length > 0;) {
      if (this.used === this.open.length) this.begin();
      const fits = rest.subarray(0, this.open.length - this.used);
      this.open.set(fits, this.used);
      this.used += fits.length;
      rest = rest.subarray(fits.length);
    }
  }

  end(): Body {
    return [...this.full, this.open.slice(0, this.used)];
  }

  private begin(): void {
    if (this.used > 0) this.full.push(this.open);
    // Small bodies are many: the first block grows with what has come.
    this.open = new Uint8Array(Math.min(BLOCK, Math.max(16 * 1024, this.size)));
    this.used = 0;
  }
}

const LEFT = invalid('The client left before its body was complete.', { problems: [], total: 0 });

/** Receives the body of a request as it is sent, up to a size; a longer one is refused as soon as that shows (api.md 2). */
export const receiveBody =
  (req: Request, limitBytes: number): TE.TaskEither<Failure, Body> =>
  () =>
    new Promise((resolve) => {
      const blocks = new Blocks();
      const settle = (outcome: Awaited<ReturnType<TE.TaskEither<Failure, Body>>>): void => {
        req.off('data', take).off('end', end).off('close', leave).off('error', leave);
        resolve(outcome);
      };
      const refuse = (): void => {
        settle({ _tag: 'Left', left: bodyTooLarge(limitBytes) });
        // The rest is read and dropped, or a client that sends on would not hear the answer.
        req.resume();
      };
      function take(piece: Buffer): void {
        if (blocks.size + piece.length > limitBytes) refuse();
        else blocks.add(piece);
      }
      function end(): void {
        settle({ _tag: 'Right', right: blocks.end() });
      }
      function leave(): void {
        settle({ _tag: 'Left', left: LEFT });
      }
      if (Number(req.headers['content-length'] ?? 0) > limitBytes) refuse();
      else req.on('data', take).on('end', end).on('close', leave).on('error', leave);
    });
