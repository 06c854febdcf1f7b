import type { Socket } from 'node:net';

import type { RequestHandler } from 'express';

import type { Log } from '../log';
import { callerIfAny } from './admission/caller';
import { requestIdOf, secondsSinceStart } from './exchange/request-id';
import { foundFor } from './routing/find-route';
import { toldPath } from './routing/route';

// Asked every few seconds by whoever watches the service.
const QUIET = new Set(['/healthz', '/readyz']);

/** Tells how many bytes went each way since it was last asked about the connection. */
const meter = (): ((socket: Socket) => { bytes_in: number; bytes_out: number }) => {
  const counted = new WeakMap<Socket, { read: number; written: number }>();
  return (socket) => {
    const before = counted.get(socket) ?? { read: 0, written: 0 };
    const now = { read: socket.bytesRead, written: socket.bytesWritten };
    counted.set(socket, now);
    return { bytes_in: now.read - before.read, bytes_out: now.written - before.written };
  };
};

/** What stands for every path that is none of the interface's: such a path may hold anything. */
const UNKNOWN_PATH = 'unknown';

/**
 * One line a request, when its answer is sent or its client gone. Paths and queries hold keys of entities, which are people's emails: the line has the
 * path's template alone, and nothing of the query.
 */
export const logRequests = (log: Log): RequestHandler => {
  const bytesOf = meter();
  return (req, res, next) => {
    // A socket that is closed forgets its address.
    const { method, socket, ip } = req;
    const [route] = foundFor(res).ofPath;
    const path = route === undefined ? UNKNOWN_PATH : toldPath(route);
    res.once('close', () => {
      const isAnswered = res.writableFinished;
      const isFailed = isAnswered && res.statusCode >= 500;
      const level = isFailed ? 'warn' : QUIET.has(path) && isAnswered ? 'debug' : 'info';
      const caller = callerIfAny(res);
      log[level](isAnswered ? 'request' : 'request cut off by its client', {
        request_id: requestIdOf(res),
        key: caller?.name,
        team_key: caller?.keyId ?? undefined,
        client: ip,
        method,
        path,
        status: isAnswered ? res.statusCode : undefined,
        ms: Math.round(secondsSinceStart(res) * 1000),
        ...bytesOf(socket),
      });
    });
    next();
  };
};
