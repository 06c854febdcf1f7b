import type { ServerResponse } from 'node:http';

import type { Random } from '../../hardening/random';
import {
  type Got,
  isWrite,
  type Misdeed,
  type MisbehavingServer,
} from '../../scim/misbehaving-server';

/** How a request fails. */
export const FAILURES = [
  ...(['status 5xx', 'status 429', 'cut before', 'cut after', 'no effect', 'slow'] as const),
] as const;
export type FailureKind = (typeof FAILURES)[number];

/** Longer than a request may take (`SLOW_MS`). */
const SLOW_MS = 250;
export const REQUEST_SECONDS = 0.1;

/** Lets a request have its effect, and its answer be lost. */
export const losing = (res: ServerResponse, next: () => void, lose: () => void): void => {
  Object.assign(res, { writeHead: () => res, end: () => res });
  next();
  lose();
};

const fail = (kind: FailureKind, got: Got, res: ServerResponse, next: () => void): void => {
  switch (kind) {
    case 'status 5xx':
      res.writeHead(503, { 'content-type': 'application/scim+json' }).end('{}');
      return;
    case 'status 429':
      res.writeHead(429, { 'retry-after': '1' }).end('{}');
      return;
    case 'cut before':
      res.destroy();
      return;
    case 'cut after':
      losing(res, next, () => res.destroy());
      return;
    case 'no effect': {
      const id = got.path.split('/')[4] ?? 'nowhere';
      const body = JSON.stringify({ ...got.body, id });
      res.writeHead(200, { 'content-type': 'application/scim+json' }).end(body);
      return;
    }
    case 'slow':
      losing(res, next, () => void setTimeout(() => res.destroy(), SLOW_MS).unref());
  }
};

/** How often requests failed, by kind. */
export type FailureCounts = Record<FailureKind, number>;

/** Counts of zero. */
export const noFailures = (): FailureCounts =>
  Object.fromEntries(FAILURES.map((kind) => [kind, 0])) as FailureCounts;

/** An application that fails at random. */
export interface FailingApplication {
  readonly misdeed: Misdeed;
  /** What was done twice. */
  readonly twice: readonly string[];
  isFailing: boolean;
}

/**
 * Makes a server fail at random, and counts in `counts`. A kind that did not come yet comes first,
 * so that none is missing in a short run. It notes what is created twice, and writes that change
 * nothing.
 */
export const failingApplication = (
  server: MisbehavingServer,
  random: Random,
  chance: number,
  counts: FailureCounts,
): FailingApplication => {
  const twice: string[] = [];
  const withoutVersion = (id: string | undefined): string => {
    return JSON.stringify({ ...server.users.get(id ?? ''), version: 0 });
  };
  const watched = (got: Got, next: () => void): void => {
    if (!isWrite(got) || !got.path.includes('/Users')) return next();
    const id = got.path.split('/')[4];
    const [before, size] = [withoutVersion(id), server.users.size];
    const owner = got.body.externalId;
    const had = [...server.users.values()].filter(({ externalId }) => externalId === owner).length;
    next();
    if (got.method === 'POST' && server.users.size > size && had > 0) {
      twice.push(`created ${String(owner)}`);
    }
    if (got.method === 'PATCH' && withoutVersion(id) === before) twice.push(`changed ${before}`);
  };
  const application: FailingApplication = {
    ...{ twice, isFailing: true },
    misdeed: (got, res, next) => {
      const effect = (): void => watched(got, next);
      if (!application.isFailing || !random.happens(chance)) return effect();
      const possible = FAILURES.filter((each) => isWrite(got) || each !== 'no effect');
      const missing = possible.filter((each) => counts[each] === 0);
      const kind = random.pick(missing.length > 0 ? missing : possible);
      counts[kind] += 1;
      fail(kind, got, res, effect);
    },
  };
  return application;
};
