import type { Socket } from 'node:net';

import type { RequestHandler, Response } from 'express';

import type { Log, LogFields } from '../log';
import { isPerson, loggedName } from '../graph/records/event-record';
import { callerIfAny } from './admission/caller';
import { visitorIfAny } from './admission/visitor';
import { requestIdOf, secondsSinceStart } from './exchange/request-id';
import { foundFor } from './routing/find-route';
import { shownPath } from './routing/route';

/** Counts the bytes that a connection received and sent since the last count. */
const meter = (): ((socket: Socket) => { bytes_in: number; bytes_out: number }) => {
  const counted = new WeakMap<Socket, { read: number; written: number }>();
  return (socket) => {
    const before = counted.get(socket) ?? { read: 0, written: 0 };
    const now = { read: socket.bytesRead, written: socket.bytesWritten };
    counted.set(socket, now);
    return { bytes_in: now.read - before.read, bytes_out: now.written - before.written };
  };
};

/** The log has this word for unknown paths, since such a path may hold anything. */
const UNKNOWN_PATH = 'unknown';

/**
 * Who sent a request. A key has its name and id. The name of a person would stay in the log after
 * their erasure, so a person has only the id of their session, which then means nothing.
 */
const whoAsked = (res: Response): LogFields => {
  const caller = callerIfAny(res);
  if (caller === undefined) return {};
  const session = visitorIfAny(res)?.session;
  const key = loggedName(caller);
  return isPerson(caller) ? { key, session } : { key, team_key: caller.keyId ?? undefined };
};

/**
 * Logs one line for each request, after the answer is sent or the client is gone. Paths and queries
 * hold keys of entities, which may be people's emails. So the line has only the template of the
 * path, and nothing of the query.
 */
export const logRequests = (log: Log): RequestHandler => {
  const bytesOf = meter();
  return (req, res, next) => {
    // A closed socket no longer has its address.
    const { method, socket, ip } = req;
    const [route] = foundFor(res).ofPath;
    const path = route === undefined ? UNKNOWN_PATH : shownPath(route);
    res.once('close', () => {
      const isAnswered = res.writableFinished;
      const isFailed = isAnswered && res.statusCode >= 500;
      const level = isFailed
        ? 'warn'
        : route?.isForMonitors === true && isAnswered
          ? 'debug'
          : 'info';
      log[level](isAnswered ? 'request' : 'request cut off by its client', {
        request_id: requestIdOf(res),
        ...whoAsked(res),
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
