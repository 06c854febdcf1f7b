import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { stepsOf } from '../../../codec/pointer';
import type { StoredResource } from '../directory';
import { fold } from '../../../model/fold';
import { badField, badRequest, type Failure } from '../../../problem';
import { TooMuchWork, Work } from '../../filter/matching';
import {
  type Attribute,
  attributesOf,
  GROUP,
  type ResourceKind,
  WAITING_MEMBERS,
} from '../attributes';
import { addition, change, type Entry, inGroups, removalOf, waiting, waitingIn } from './entries';
import type { MembersStep } from './membership';
import { membershipAfter, needsMembers } from './membership';
import { Patch } from './patch';
import { type Entity, entityOf, type Held, type Resource, resourceOf } from '../resource';
import { AttributeReader } from './client-values';
import { onlyOne, type Planned, type ScimServerDependencies } from './writing';

type Body = Readonly<Record<string, unknown>>;

/** What a request wants a resource to be. */
export interface Wanted {
  readonly resource: Resource;
  readonly members: readonly MembersStep[];
  /** Attributes that the service does not store. */
  readonly ignored: readonly string[];
}

type Take = (
  kind: ResourceKind,
  body: Body,
  existing: Resource,
  work?: Work,
) => E.Either<Failure, Wanted>;

/** The most values that the filters of one request may compare. Known clients compare far fewer. */
const MOST_WORK = 1_000_000;

const TOO_MUCH_HERE: Failure = {
  _tag: 'TooLarge',
  message: 'The operations compare too many values for the thread that answers.',
};

/** Counts what a PATCH compares, and refuses more than it may in this thread. */
export const patchWork = ({ here }: Pick<ScimServerDependencies, 'here'>): Work =>
  here === undefined ? new Work(MOST_WORK) : new Work(here.compared, TOO_MUCH_HERE);

const wanted = (
  kind: ResourceKind,
  { problems, ignored }: AttributeReader,
  resource: Resource,
  members: readonly MembersStep[],
): E.Either<Failure, Wanted> => {
  if (problems.total > 0) return E.left(badRequest(problems.list));
  if (resource[kind.naming] === undefined) {
    return E.left(badField(`/${kind.naming}`, 'MISSING_FIELD', `a ${kind.name} needs it`));
  }
  return E.right({ resource, members, ignored: [...ignored] });
};

/**
 * Reads a complete resource. What it does not name is cleared, but not whether somebody is active,
 * and not the members of a group (docs/provisioning.md: PUT).
 */
export const takeWhole: Take = (kind, body, existing) => {
  const reader = new AttributeReader(kind);
  const resource: Record<string, Held> = {};
  const members: MembersStep[] = [];
  if (existing.active !== undefined) resource.active = existing.active;
  reader.object(body, [], (attribute, value, place) => {
    if (attribute.name === 'members') {
      const taken = reader.members(value, place);
      if (taken !== undefined) members.push({ _tag: 'set', members: taken });
      return;
    }
    const taken = reader.value(attribute, value, place);
    if (taken !== undefined && taken !== null) resource[attribute.name] = taken;
  });
  return wanted(kind, reader, resource, members);
};

/** Takes the operations of a PATCH. */
export const takePatch: Take = (kind, body, existing, work = patchWork({})) => {
  const reader = new AttributeReader(kind);
  try {
    const { resource, members } = new Patch(kind, existing, reader, work).apply(body);
    return wanted(kind, reader, resource, members);
  } catch (error) {
    if (error instanceof TooMuchWork && error.failure !== null) return E.left(error.failure);
    throw error;
  }
};

/** Ids that may be in an address without encoding. */
const PLAIN = /^[A-Za-z0-9_~@-][A-Za-z0-9._~@-]{0,199}$/;

const propertyOf = ({ storedAs }: Attribute): string | null =>
  storedAs === undefined
    ? null
    : 'field' in storedAs
      ? storedAs.field
      : `custom_properties/${storedAs.custom}`;

/** Finds the attribute behind a place of the increment, as `/users/0/full_name`. */
const pointersOf =
  (kind: ResourceKind) =>
  (pointer: string): string => {
    const [list, index, ...rest] = stepsOf(pointer);
    if (list !== kind.list || index !== '0') return pointer;
    for (const attribute of attributesOf(kind)) {
      for (const sub of [attribute, ...(attribute.subs ?? [])]) {
        const property = propertyOf(sub);
        if (property === null || !`${rest.join('/')}/`.startsWith(`${property}/`)) continue;
        return sub === attribute ? `/${sub.name}` : `/${attribute.name}/${sub.name}`;
      }
    }
    if (rest[0] === 'email' || rest[1] === 'emails') return '/emails';
    return rest[1] === WAITING_MEMBERS ? '/members' : `/${rest.join('/')}`;
  };

const nameOf = (kind: ResourceKind, resource: Resource): string => {
  const name = resource[kind.naming];
  return typeof name === 'string' ? name : '';
};

const noSuch = ({ name }: ResourceKind): string => `There is no ${name} with this id.`;

const uniqueName = (
  { directory }: ScimServerDependencies,
  source: string,
  kind: ResourceKind,
  name: string,
): TE.TaskEither<Failure, void> =>
  pipe(
    directory.byName(kind.label, source, name),
    TE.flatMapEither((others) =>
      others.length === 0
        ? E.right(undefined)
        : E.left<Failure>({
            _tag: 'AlreadyExists',
            message: `Another ${kind.name} has this ${kind.naming}.`,
            field: kind.naming,
          }),
    ),
  );

const TAKEN_EXTERNAL: Failure = {
  _tag: 'AlreadyExists',
  message: 'Another Group has this externalId.',
  field: 'externalId',
};

const externalOf = (resource: Resource): string | null =>
  typeof resource.externalId === 'string' ? resource.externalId : null;

/** Fails if another group than `self` has the external id. */
const uniqueExternal = (
  { directory }: ScimServerDependencies,
  source: string,
  kind: ResourceKind,
  external: string | null,
  self: StoredResource | null,
): TE.TaskEither<Failure, void> =>
  kind !== GROUP || external === null
    ? TE.right(undefined)
    : pipe(
        directory.byExternalId(kind.label, source, external),
        TE.flatMapEither((found) =>
          found.some(({ key }) => key !== self?.key) ? E.left(TAKEN_EXTERNAL) : E.right(undefined),
        ),
      );

/**
 * The id of a new resource: its external id, so that other systems which name it are linked, or a
 * new one (docs/provisioning.md: Ids).
 */
const newId = (
  { directory, newId: make }: ScimServerDependencies,
  source: string,
  kind: ResourceKind,
  external: string | null,
): TE.TaskEither<Failure, string> => {
  if (external === null || !PLAIN.test(external) || external === 'bulkId') {
    return TE.fromIO(make);
  }
  return pipe(
    directory.byIds(kind.label, source, [external]),
    TE.flatMapEither(([existing]): E.Either<Failure, string> => {
      if (existing === undefined) return E.right(external);
      // A group of a connector has no external id but its own id.
      const isTaken = kind === GROUP && externalOf(resourceOf(kind, existing)) === null;
      return isTaken ? E.left(TAKEN_EXTERNAL) : E.right(make());
    }),
  );
};

// The property always exists, if only as null. Otherwise a list that becomes empty would stay.
const withWaiting = (entity: Entity, ids: readonly string[]): Entity => ({
  ...entity,
  custom: { ...entity.custom, [WAITING_MEMBERS]: ids.length === 0 ? null : ids },
});

const TOO_MANY_MEMBERS: Failure = {
  _tag: 'TooLarge',
  message: 'The group has too many members for the thread that answers.',
};

/** Plans what becomes of requests that write. */
export const planning = (dependencies: ScimServerDependencies) => {
  const { directory } = dependencies;
  const find = (
    source: string,
    kind: ResourceKind,
    id: string,
  ): TE.TaskEither<Failure, StoredResource> =>
    pipe(
      directory.byIds(kind.label, source, [id]),
      TE.flatMapEither((found) => onlyOne(found, noSuch(kind))),
    );

  const membershipOf = (
    source: string,
    kind: ResourceKind,
    id: string,
    stored: StoredResource | null,
    steps: readonly MembersStep[],
  ) =>
    kind === GROUP && steps.length > 0
      ? membershipAfter(directory, source, id, stored, steps)
      : TE.right({ entries: [], waiting: stored === null ? [] : waitingIn(stored) });

  return {
    find,

    /**
     * Refuses a write that looks at more members of a group than this thread works on, because of
     * its steps or its answer.
     */
    few: (
      kind: ResourceKind,
      stored: StoredResource,
      { members }: Wanted,
      isShown: boolean,
    ): TE.TaskEither<Failure, unknown> => {
      const { here } = dependencies;
      const isLookedAt = kind === GROUP && (isShown || needsMembers(members));
      if (here === undefined || !isLookedAt) return TE.right(undefined);
      return pipe(
        directory.memberCounts([stored.key]),
        TE.flatMapEither((counts) =>
          (counts.get(stored.key) ?? 0) + waitingIn(stored).length > here.members
            ? E.left(TOO_MANY_MEMBERS)
            : E.right(undefined),
        ),
      );
    },

    create: (
      source: string,
      kind: ResourceKind,
      { resource, members }: Wanted,
    ): TE.TaskEither<Failure, Planned> =>
      pipe(
        TE.Do,
        TE.tap(() =>
          kind === GROUP
            ? TE.right(undefined)
            : uniqueName(dependencies, source, kind, nameOf(kind, resource)),
        ),
        TE.tap(() => uniqueExternal(dependencies, source, kind, externalOf(resource), null)),
        TE.bind('id', () => newId(dependencies, source, kind, externalOf(resource))),
        TE.bind('groups', ({ id }) => directory.waitingFor(source, id)),
        TE.bind('membership', ({ id }) => membershipOf(source, kind, id, null, members)),
        TE.map(({ id, groups, membership }) => {
          const entity = withWaiting(entityOf(kind, resource), membership.waiting);
          const entry = inGroups(
            addition(kind, id, entity),
            groups.map((group) => group.id),
          );
          const left = groups.map((group) =>
            waiting(
              group,
              waitingIn(group).filter((one) => one !== id),
            ),
          );
          return {
            id,
            entries: [entry, ...left, ...membership.entries],
            pointerOf: pointersOf(kind),
          };
        }),
      ),

    change: (
      source: string,
      kind: ResourceKind,
      stored: StoredResource,
      { resource, members }: Wanted,
    ): TE.TaskEither<Failure, Planned> => {
      const before = resourceOf(kind, stored);
      const [from, to] = [nameOf(kind, before), nameOf(kind, resource)];
      if (from !== to && stored.identity === null) {
        const message = 'its name is its id, which cannot change';
        return TE.left(badField(`/${kind.naming}`, 'READ_ONLY', message));
      }
      return pipe(
        kind === GROUP || fold(from) === fold(to)
          ? TE.right(undefined)
          : uniqueName(dependencies, source, kind, to),
        TE.flatMap(() =>
          externalOf(before) === externalOf(resource)
            ? TE.right(undefined)
            : uniqueExternal(dependencies, source, kind, externalOf(resource), stored),
        ),
        TE.flatMap(() => membershipOf(source, kind, stored.id, stored, members)),
        TE.map((membership) => {
          const entry = change(
            kind,
            stored,
            withWaiting(entityOf(kind, before), waitingIn(stored)),
            withWaiting(entityOf(kind, resource), membership.waiting),
          );
          const own: readonly Entry[] = entry === null ? [] : [entry];
          return {
            id: stored.id,
            entries: [...own, ...membership.entries],
            pointerOf: pointersOf(kind),
          };
        }),
      );
    },

    remove: (kind: ResourceKind, stored: StoredResource): Planned => ({
      id: stored.id,
      entries: [removalOf(kind, stored)],
    }),
  };
};
