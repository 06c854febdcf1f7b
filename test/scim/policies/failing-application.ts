import type { ServerResponse } from 'node:http';

import type { Random } from '../../hardening/random';
import { type Got, isWrite, type Misdeed, type MisbehavingServer } from '../misbehaving-server';

/** How a request fails. */
export const FAILURES = [
  'status 5xx',
  'status 429',
  'cut before',
  'cut after',
  'no effect',
  'slow',
  'no SCIM',
  'status 405',
  'status 501',
  'lagging reads',
  // Of lists alone.
  'one left out',
  'empty list',
  'sample of one',
  'smaller page',
  'change between',
  'total of the page',
  'total missing',
  'total wrong',
] as const;
export type FailureKind = (typeof FAILURES)[number];

/** Longer than a request may take (`SLOW_MS`). */
const SLOW_MS = 1_000;
export const REQUEST_SECONDS = 0.3;

const ON_WRITES: ReadonlySet<string> = new Set(['no effect']);
const ON_CREATION: ReadonlySet<string> = new Set(['lagging reads']);
const ON_READS: ReadonlySet<string> = new Set(['status 405', 'status 501']);
const ON_LISTS: ReadonlySet<string> = new Set(FAILURES.slice(FAILURES.indexOf('one left out')));

interface Listed {
  totalResults?: number;
  Resources: { readonly id: string }[];
}

/** Changes what a list answers. */
const relisting = (res: ServerResponse, change: (list: Listed) => void): void => {
  const end = res.end.bind(res);
  res.end = ((text?: string) => {
    const body = JSON.parse(text ?? '{}') as Listed;
    if (Array.isArray(body.Resources)) change(body);
    return end(JSON.stringify(body), 'utf8');
  }) as typeof res.end;
};

/** What becomes of a list. */
const LISTS: Readonly<Record<string, (list: Listed) => void>> = {
  'one left out': (list) => void list.Resources.splice(list.Resources.length >> 1, 1),
  'empty list': (list) => Object.assign(list, { totalResults: 0, Resources: [] }),
  'sample of one': (list) =>
    Object.assign(list, { totalResults: 1, Resources: list.Resources.slice(0, 1) }),
  'smaller page': (list) => void list.Resources.splice(1),
  'change between': (list) => {
    list.Resources.shift();
    list.totalResults = (list.totalResults ?? 1) - 1;
  },
  'total of the page': (list) => void (list.totalResults = list.Resources.length),
  'total missing': (list) => void delete list.totalResults,
  'total wrong': (list) => void (list.totalResults = (list.totalResults ?? 0) + 3),
};

/** Lets a request have its effect, and its answer be lost. */
export const losing = (res: ServerResponse, next: () => void, lose: () => void): void => {
  Object.assign(res, { writeHead: () => res, end: () => res });
  next();
  lose();
};

const fail = (kind: FailureKind, got: Got, res: ServerResponse, next: () => void): void => {
  switch (kind as string) {
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
    case 'no SCIM':
      losing(res, isWrite(got) ? next : () => undefined, () => undefined);
      Reflect.deleteProperty(res, 'writeHead');
      Reflect.deleteProperty(res, 'end');
      res.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
      return;
    case 'status 405':
    case 'status 501':
      res.writeHead(Number(kind.slice(-3))).end();
      return;
    case 'slow':
      losing(res, next, () => void setTimeout(() => res.destroy(), SLOW_MS).unref());
      return;
    default:
      relisting(res, LISTS[kind] ?? (() => undefined));
      next();
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
    if (got.method === 'PATCH' && server.ways.patch && withoutVersion(id) === before)
      twice.push(`changed ${before}`);
  };
  /** Accounts that reads do not show yet, and how many more of them will not. */
  const lagging = new Map<string, number>();
  /** Answers a read as if accounts that were made just now were not there. */
  const behind = (got: Got, res: ServerResponse, next: () => void): void => {
    const [, , , , id = ''] = (got.path.split('?')[0] ?? '').split('/');
    for (const [each, left] of lagging) {
      if (left <= 0) lagging.delete(each);
      else lagging.set(each, left - 1);
    }
    if (isWrite(got) || !got.path.includes('/Users') || lagging.size === 0) return next();
    if (id !== '' && lagging.has(id)) {
      res.writeHead(404, { 'content-type': 'application/scim+json' }).end('{}');
      return;
    }
    if (id === '') {
      relisting(res, (list) => {
        list.Resources = list.Resources.filter((one) => !lagging.has(one.id));
      });
    }
    next();
  };
  const application: FailingApplication = {
    twice,
    isFailing: true,
    misdeed: (got, res, next) => {
      const effect = (): void => watched(got, next);
      if (!application.isFailing) return effect();
      // Lists of all accounts and creations are few, and what goes wrong there costs most.
      const isOfAll = !isWrite(got) && got.path.includes('/Users?') && !/filter/.test(got.path);
      const isRare = isOfAll || got.method === 'POST';
      if (!random.happens(isRare ? Math.min(1, chance * 3) : chance)) {
        return behind(got, res, effect);
      }
      const isOfList = !isWrite(got) && /\/(Users|Groups)\?/.test(got.path);
      const isCreation = got.method === 'POST';
      const possible = FAILURES.filter((each) => {
        // While nobody has shown a member, nobody sees that a change of members had no effect.
        if (ON_WRITES.has(each)) return isWrite(got) && !got.path.includes('/Groups');
        if (ON_CREATION.has(each)) return isCreation;
        if (ON_READS.has(each)) return !isWrite(got);
        return !ON_LISTS.has(each) || isOfList;
      });
      const special = possible.filter((each) => ON_LISTS.has(each) || ON_CREATION.has(each));
      const missing = possible.filter((each) => counts[each] === 0);
      const usual = isRare && random.happens(0.7) ? special : possible;
      const kind = random.pick(missing.length > 0 ? missing : usual);
      counts[kind] += 1;
      if (kind === 'lagging reads') {
        const before = new Set(server.users.keys());
        effect();
        const made = [...server.users.keys()].find((id) => !before.has(id));
        if (made !== undefined) lagging.set(made, 1 + random.below(12));
        return;
      }
      // What is not shown yet is not shown by an answer that is wrong in another way either.
      fail(kind, got, res, () => behind(got, res, effect));
    },
  };
  return application;
};
