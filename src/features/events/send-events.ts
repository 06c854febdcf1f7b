import { once } from 'node:events';

import type { Response } from 'express';
import type { TaskEither } from 'fp-ts/TaskEither';

import { errorFields, type Log } from '../../log';
import type { Failure } from '../../problem';
import { orEnd } from '../../web/exchange/answer-stream';
import { breakOff } from '../../web/exchange/break-off';
import type { EventStream, StreamItem } from './event-stream';

// After how long a reader that lost its connection opens a new one.
const RETRY_MILLISECONDS = 3_000;
const SLOWEST_READER_SECONDS = 60;

/** Writes an item of a stream. A failure breaks the stream off. */
type TextOf = (item: StreamItem) => TaskEither<Failure, string>;

/**
 * Writes the items of a stream. It waits for a slow reader, but closes the connection after a
 * minute.
 */
const write = async (
  res: Response,
  { items, ended, end }: EventStream,
  textOf: TextOf,
): Promise<void> => {
  for await (const item of items) {
    if (res.write(await orEnd(textOf(item)))) continue;
    const signal = AbortSignal.any([ended, AbortSignal.timeout(SLOWEST_READER_SECONDS * 1000)]);
    try {
      await once(res, 'drain', { signal });
    } catch {
      end();
      breakOff(res);
      return;
    }
  }
};

/** Sends a stream as server-sent events, until its reader leaves or it ends. `textOf` writes an item. */
export const sendEvents = async (
  res: Response,
  stream: EventStream,
  textOf: TextOf,
  log: Log,
): Promise<void> => {
  res.once('close', stream.end);
  res.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // Proxies must pass each event on at once.
    'X-Accel-Buffering': 'no',
  });
  if (res.req.method === 'HEAD') {
    // The answer to HEAD has no body. If the stream stayed open, the client's next answer on this
    // connection would wait behind it.
    stream.end();
    res.end();
    return;
  }
  res.write(`retry: ${RETRY_MILLISECONDS}\n\n`);
  try {
    await write(res, stream, textOf);
    res.end();
  } catch (error) {
    // The reader connects again and resumes after the last event that it got.
    log.warn('a stream of events is broken off', errorFields(error));
    breakOff(res);
  }
};
