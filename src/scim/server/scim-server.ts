import { setImmediate as nextTurn } from 'node:timers/promises';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { MemberResource, StoredResource } from './directory';
import {
  type Filter,
  FilterFault,
  readFilter,
  SCIM_FILTER,
} from '../../contract/filters/filter-grammar';
import { byCodeUnits } from '../../model/fold';
import { badField, type Failure } from '../../problem';
import { looksAt, type Matches, Work } from '../filter/matching';
import { GROUP, KINDS, type ResourceKind } from './attributes';
import { PAGE } from './discovery';
import { matchesOf, type Sought, soughtBy } from './matching';
import { patchWork, planning, takePatch, takeWhole, type Wanted } from './writing/planning';
import { waitingIn } from './writing/entries';
import { locationOf, type Representation, representationOf } from './representation';
import { resourceOf } from './resource';
import { selecting, type Selection, showsMembers } from './selection';
import {
  type ScimServerDependencies,
  sourceOf,
  type TakePush,
  type Writer,
  writing,
} from './writing/writing';

/** What a list must hold. */
export interface WantedList extends Selection {
  readonly filter: string | null;
  /** From 1. */
  readonly startIndex: number;
  readonly count: number;
}

/** A page of resources. */
export interface ResourcePage {
  readonly total: number;
  readonly resources: readonly Representation[];
}

/** A resource after a request that wrote it. */
export interface Written {
  readonly resource: Representation;
  /** The address of the resource. */
  readonly location: string;
  /** Attributes that were sent and that the service does not store. */
  readonly ignored: readonly string[];
}

/** Where a request is addressed. */
export interface Address {
  readonly source: string;
  /** What addresses in bodies begin with; empty where they are relative to the root. */
  readonly base: string;
  /** The address below which the resources of the data source are. */
  readonly root: string;
}

type Body = Readonly<Record<string, unknown>>;

const TOO_LONG: Failure = {
  _tag: 'Unavailable',
  message: 'The answer took longer than LIMIT_ANSWER_SECONDS. Ask for less, by a name or an id.',
};

const SCANNED_AT_ONCE = 1_000;

/** An answer holds this many members and groups, but that of one resource may hold more. */
const MOST_ENTRIES = 20_000;

/** After this many values the thread answers others first. */
const COMPARED_AT_ONCE = 50_000;

const compiled = (
  kind: ResourceKind,
  text: string,
): E.Either<Failure, { readonly filter: Filter; readonly matches: Matches }> => {
  try {
    const filter = readFilter(text, SCIM_FILTER);
    return E.right({ filter, matches: matchesOf(kind, filter) });
  } catch (error) {
    if (!(error instanceof FilterFault)) throw error;
    return E.left(badField('/filter', 'BAD_FILTER', error.message));
  }
};

/** Serves users and groups of identity providers through SCIM (docs/provisioning.md). */
export const scimServer = (dependencies: ScimServerDependencies) => {
  const { directory, answerSeconds } = dependencies;
  const plans = planning(dependencies);

  const membersOf = (
    kind: ResourceKind,
    stored: readonly StoredResource[],
    isWanted: boolean,
  ): TE.TaskEither<Failure, ReadonlyMap<string, readonly MemberResource[]>> =>
    kind === GROUP && isWanted && stored.length > 0
      ? directory.members(stored.map(({ key }) => key))
      : TE.right(new Map());

  /** As many of the resources as an answer holds with their members and groups, but at least one. */
  const inOneAnswer = (
    kind: ResourceKind,
    stored: readonly StoredResource[],
    withMembers: boolean,
  ): TE.TaskEither<Failure, readonly StoredResource[]> =>
    pipe(
      kind === GROUP && withMembers && stored.length > 1
        ? directory.memberCounts(stored.map(({ key }) => key))
        : TE.right(new Map<string, number>()),
      TE.map((counts) => {
        let entries = 0;
        const most = stored.findIndex((one, at) => {
          entries += (counts.get(one.key) ?? 0) + one.groups.length + waitingIn(one).length;
          return at > 0 && entries > MOST_ENTRIES;
        });
        return most === -1 ? stored : stored.slice(0, most);
      }),
    );

  const represented = (
    { base }: Address,
    kind: ResourceKind,
    stored: readonly StoredResource[],
    withMembers: boolean,
  ): TE.TaskEither<Failure, readonly Representation[]> =>
    pipe(
      membersOf(kind, stored, withMembers),
      TE.map((members) =>
        stored.map((one) => representationOf(kind, one, members.get(one.key) ?? null, base)),
      ),
    );

  /** Resources as an answer holds them. */
  const paged = (
    address: Address,
    kind: ResourceKind,
    stored: readonly StoredResource[],
    withMembers: boolean,
  ): TE.TaskEither<Failure, readonly Representation[]> =>
    pipe(
      inOneAnswer(kind, stored, withMembers),
      TE.flatMap((some) => represented(address, kind, some, withMembers)),
    );

  const read = (
    address: Address,
    kind: ResourceKind,
    id: string,
    selection: Selection,
  ): TE.TaskEither<Failure, Representation> =>
    pipe(
      plans.find(address.source, kind, id),
      TE.flatMap((stored) => represented(address, kind, [stored], showsMembers(kind, selection))),
      TE.map(([one]) => selecting(kind, selection)(one as Representation)),
    );

  /** The resources that have one of the values, in the order of their keys. */
  const sought = (
    source: string,
    kind: ResourceKind,
    { by, values }: Sought,
  ): TE.TaskEither<Failure, readonly StoredResource[]> =>
    by === 'id'
      ? directory.byIds(kind.label, source, values)
      : pipe(
          [...values],
          TE.traverseSeqArray((value) =>
            by === 'name'
              ? directory.byName(kind.label, source, value)
              : directory.byExternalId(kind.label, source, value),
          ),
          TE.map((found) => [...new Map(found.flat().map((one) => [one.key, one])).values()]),
          TE.map((found) => found.sort((a, b) => byCodeUnits(a.key, b.key))),
        );

  /** Some resources after others; null after the last ones. */
  const candidates = (
    source: string,
    kind: ResourceKind,
    filter: Filter,
  ): ((after: string) => TE.TaskEither<Failure, readonly StoredResource[]>) => {
    const by = soughtBy(kind, filter);
    if (by === null) return (after) => directory.after(kind.label, source, after, SCANNED_AT_ONCE);
    return (after) => (after === '' ? sought(source, kind, by) : TE.right([]));
  };

  const fitting =
    (
      address: Address,
      kind: ResourceKind,
      { startIndex, count }: WantedList,
      { filter, matches }: { readonly filter: Filter; readonly matches: Matches },
      withMembers: boolean,
    ): TE.TaskEither<Failure, ResourcePage> =>
    async () => {
      const next = candidates(address.source, kind, filter);
      const comparesMembers = looksAt(filter, 'members');
      const page: StoredResource[] = [];
      let total = 0;
      let after = '';
      const latest = performance.now() + (answerSeconds ?? Infinity) * 1000;
      const work = new Work();
      let paused = 0;
      for (;;) {
        if (performance.now() > latest) return E.left(TOO_LONG);
        const some = await next(after)();
        if (E.isLeft(some)) return some;
        const last = some.right.at(-1);
        if (last === undefined) {
          const resources = await paged(address, kind, page, withMembers)();
          return E.isLeft(resources) ? resources : E.right({ total, resources: resources.right });
        }
        let rest = some.right;
        while (rest.length > 0) {
          const few = await inOneAnswer(kind, rest, comparesMembers)();
          if (E.isLeft(few)) return few;
          const all = await represented(address, kind, few.right, comparesMembers)();
          if (E.isLeft(all)) return all;
          for (const [at, one] of all.right.entries()) {
            const fits = matches(one, work);
            if (work.done - paused > COMPARED_AT_ONCE) {
              paused = work.done;
              await nextTurn();
              if (performance.now() > latest) return E.left(TOO_LONG);
            }
            if (!fits) continue;
            total += 1;
            const found = few.right[at];
            if (total >= startIndex && page.length < count && found !== undefined) page.push(found);
          }
          rest = rest.slice(few.right.length);
        }
        after = last.key;
      }
    };

  const listed = (
    address: Address,
    kind: ResourceKind,
    wanted: WantedList,
  ): TE.TaskEither<Failure, ResourcePage> => {
    const { source } = address;
    const withMembers = showsMembers(kind, wanted);
    const { filter, startIndex, count } = wanted;
    if (filter !== null) {
      return pipe(
        TE.fromEither(compiled(kind, filter)),
        TE.flatMap((found) => fitting(address, kind, wanted, found, withMembers)),
      );
    }
    return pipe(
      TE.Do,
      TE.bind('total', () => directory.count(kind.label, source)),
      TE.bind('stored', () =>
        count === 0 ? TE.right([]) : directory.page(kind.label, source, startIndex - 1, count),
      ),
      TE.bind('resources', ({ stored }) => paged(address, kind, stored, withMembers)),
    );
  };

  const list = (
    address: Address,
    kind: ResourceKind,
    wanted: WantedList,
  ): TE.TaskEither<Failure, ResourcePage> =>
    pipe(
      listed(address, kind, { ...wanted, count: Math.min(wanted.count, PAGE.most) }),
      TE.map(({ total, resources }) => ({
        total,
        resources: resources.map(selecting(kind, wanted)),
      })),
    );

  return {
    /** The data source of an address, if the caller may know it. */
    source: sourceOf(dependencies),
    read,
    list,

    /** Lists resources of every kind: users, then groups. */
    listAll:
      (address: Address, wanted: WantedList): TE.TaskEither<Failure, ResourcePage> =>
      async () => {
        const page: Representation[] = [];
        let total = 0;
        for (const kind of KINDS) {
          const startIndex = Math.max(1, wanted.startIndex - total);
          const count = Math.max(0, Math.min(wanted.count, PAGE.most) - page.length);
          const some = await list(address, kind, { ...wanted, startIndex, count })();
          if (E.isLeft(some)) return some;
          total += some.right.total;
          page.push(...some.right.resources);
        }
        return E.right({ total, resources: page });
      },

    /** The requests that write. Each becomes an increment that `takePush` runs. */
    writes: (takePush: TakePush) => {
      const write = writing(dependencies, takePush);
      const writtenAs =
        (address: Address, kind: ResourceKind, selection: Selection) =>
        ({
          id,
          ignored,
        }: {
          readonly id: string;
          readonly ignored: readonly string[];
        }): TE.TaskEither<Failure, Written> =>
          pipe(
            read(address, kind, id, selection),
            TE.map((resource) => ({
              resource,
              ignored,
              // A header is relative to the request (RFC 9110, 10.2.2).
              location: locationOf(address.root, kind, id),
            })),
          );

      const changed =
        (take: typeof takeWhole) =>
        (
          address: Address,
          kind: ResourceKind,
          id: string,
          body: Body,
          writer: Writer,
          selection: Selection,
        ): TE.TaskEither<Failure, Written> => {
          let ignored: Wanted['ignored'] = [];
          return pipe(
            write(address.source, writer, () =>
              pipe(
                plans.find(address.source, kind, id),
                TE.bindTo('stored'),
                TE.bind('wanted', ({ stored }) =>
                  TE.fromEither(
                    take(kind, body, resourceOf(kind, stored), patchWork(dependencies)),
                  ),
                ),
                TE.tap(({ stored, wanted }) =>
                  plans.few(kind, stored, wanted, showsMembers(kind, selection)),
                ),
                TE.flatMap(({ stored, wanted }) => {
                  ignored = wanted.ignored;
                  return plans.change(address.source, kind, stored, wanted);
                }),
              ),
            ),
            TE.flatMap((planned) =>
              writtenAs(address, kind, selection)({ id: planned.id, ignored }),
            ),
          );
        };

      return {
        create: (
          address: Address,
          kind: ResourceKind,
          body: Body,
          writer: Writer,
          selection: Selection,
        ): TE.TaskEither<Failure, Written> =>
          pipe(
            TE.fromEither(takeWhole(kind, body, {})),
            TE.flatMap((wanted) =>
              pipe(
                write(address.source, writer, () => plans.create(address.source, kind, wanted)),
                TE.flatMap(({ id }) =>
                  writtenAs(address, kind, selection)({ id, ignored: wanted.ignored }),
                ),
              ),
            ),
          ),
        replace: changed(takeWhole),
        patch: changed(takePatch),
        remove: (
          address: Address,
          kind: ResourceKind,
          id: string,
          writer: Writer,
        ): TE.TaskEither<Failure, unknown> =>
          write(address.source, writer, () =>
            pipe(
              plans.find(address.source, kind, id),
              TE.map((stored) => plans.remove(kind, stored)),
            ),
          ),
      };
    },
  };
};
export type ScimServer = ReturnType<typeof scimServer>;
