import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { textsOf } from '../../../contract/parameters/query-parameters';
import type {
  AccessExplanation,
  ReachedResources,
} from '../../../contract/answers/questions/access';
import type { EntityPage } from '../../../contract/answers/questions/entities';
import type { Answered } from '../asking/ask';
import { askWaysDiffer, type WaysDiffer } from '../asking/differences';
import { instantsIn, instantsNamed } from '../asking/moment';
import { askAccess, askEntity } from '../asking/person';
import { askNamedWays, type AskedPair, askWhy, askWhyOfOne, type FoundWhy } from '../asking/why';
import { address, CSV_ADDRESSES, type Parameters, WHY_PICTURE } from '../frame/address';
import { kindOf } from '../frame/kinds';
import { momentOf } from '../frame/moment-bar';
import type { Shown } from '../frame/page';
import { trimmed } from '../frame/trimmed';
import { pathMap } from '../map/layout';
import { type Lights, Picture } from '../map/path-map';
import { shortWays } from '../map/short-ways';
import { stepsIn, StepTable, WayTable } from '../map/tables';
import { isLater, remains, type Way } from '../map/ways';
import { ViewLinks } from '../parts/answer';
import { AskedBy } from '../parts/asked';
import { counted } from '../parts/counted';
import { Words } from '../words/can';
import { Entity, From, Name, Unseen } from '../parts/name';
import { Narrowing } from '../tables/narrowing';
import { WaysThenAndNow } from '../tables/since-then';
import { Since } from '../parts/time';

/** The question of a page about ways, as its address has it. */
export interface WhyQuery {
  readonly permission?: string | null | undefined;
  readonly permission_type?: string | null | undefined;
  readonly at?: string | null | undefined;
  readonly against?: string | null | undefined;
  readonly cut?: string | readonly string[] | null | undefined;
  readonly view?: string | null | undefined;
}

/** The views of the page: the ways, or the steps with their pushes. */
export const VIEWS = ['ways', 'steps'] as const;
type View = (typeof VIEWS)[number];

const VIEW_NAMES: Readonly<Record<View, string>> = {
  ways: 'Ways',
  steps: 'Steps and their pushes',
};

/** Between whom and what the ways lead. */
export interface WhyPlace {
  /** The path of the page, and the parameters in its address that name the two ends. */
  readonly path: string;
  readonly ends: Parameters;
  readonly principal: readonly string[];
  readonly person: string;
  readonly resource: string;
  /**
   * Whether the page is about what is reached alone. It then shows nothing of what is not, so that it
   * looks the same whether that exists or not.
   */
  readonly isOfReached: boolean;
  readonly mayNamePush: boolean;
  /** The time zone of the reader. */
  readonly zone: string;
  /** What the address of the page has for a key. */
  readonly hide: (key: string) => string;
  /** The path of the page that lists what a principal reaches. */
  readonly reachedPath: (principal: string) => string;
}

const lightsOf = (ways: readonly Way[], cuts: ReadonlySet<string>): Lights => ({
  isCut: ways.some((way) => !remains(way, cuts)),
  cuts,
  remaining: new Set(ways.flatMap((way) => (remains(way, cuts) ? [way.number] : []))),
});

/** The permissions of some ways, each once. */
const permissionsOf = (ways: readonly Way[]): readonly Way['permission'][] => [
  ...new Map(ways.map(({ permission }) => [permission.name, permission])).values(),
];

/** The way that has existed for the longest time. */
const oldestOf = (ways: readonly Way[]): Way | undefined =>
  ways.reduce<Way | undefined>(
    (oldest, way) => (oldest === undefined || isLater(oldest.since, way.since) ? way : oldest),
    undefined,
  );

/** What would remain without the steps that are cut. */
const Remaining = ({
  ways,
  lights,
  isTruncated,
  backAddress,
}: {
  readonly ways: readonly Way[];
  readonly lights: Lights;
  readonly isTruncated: boolean;
  readonly backAddress: string;
}): JSX.Element | null => {
  if (!lights.isCut) return null;
  const left = ways.filter(({ number }) => lights.remaining.has(number));
  const kept = new Set(permissionsOf(left).map(({ name }) => name));
  const lost = permissionsOf(ways).filter(({ name }) => !kept.has(name));
  return (
    <div class="note warn" role="status">
      <p>
        <strong>
          {left.length === 0
            ? 'Without this step no way remains.'
            : `Without this step ${left.length} of ${counted(ways.length, 'way')} ${left.length === 1 ? 'remains' : 'remain'}.`}
        </strong>{' '}
        Nothing is changed. {isTruncated ? 'There may be ways that this page does not show. ' : ''}
        <a href={backAddress}>Show all ways again</a>
      </p>
      {lost.length === 0 ? (
        <p>All of these permissions remain.</p>
      ) : (
        <p>
          Lost: <Words of={lost} />{' '}
          {lost.map(({ name }, at) => (
            <span key={name}>
              {at > 0 ? ', ' : ''}
              <Name>{name}</Name>
            </span>
          ))}
        </p>
      )}
    </div>
  );
};

/** What kind an end of the ways is, and which providers say that it exists. */
const KindFrom = ({ of: { label, sources } }: { readonly of: EntityPage }): JSX.Element => (
  <>
    {kindOf(label)}
    {[...new Set(sources.map(({ provider_name }) => provider_name))].map((provider) => (
      <From key={provider} of={{ provider }} />
    ))}
  </>
);

const Head = ({
  who,
  one,
  what,
  keeping,
  isHuman,
}: {
  readonly who: AccessExplanation['principal'] | EntityPage;
  /** The principal whose ways are asked; of a human, the node that represents them. */
  readonly one: EntityPage;
  readonly what: EntityPage;
  readonly keeping: Parameters;
  readonly isHuman: boolean;
}): JSX.Element => (
  <>
    <h1>
      Through what {who === undefined ? null : <Entity of={who} keeping={keeping} isPlain />}{' '}
      reaches{' '}
      <Entity
        of={{
          ...what,
          path: typeof what.properties.path === 'string' ? what.properties.path : null,
        }}
        keeping={keeping}
        isPlain
      />
    </h1>
    <p class="subtitle">
      <KindFrom of={one} /> → <KindFrom of={what} />
      {isHuman ? (
        <span class="quiet"> · all users, identities and accounts of this human count</span>
      ) : null}
    </p>
  </>
);

const applicationOf = ({ label, name, properties: { application } }: EntityPage): string =>
  label === 'Application' || typeof application !== 'string' ? name : application;

const SHOWN = 8;

/** Ways lead to an application or a resource itself. Says what somebody reaches in it. */
const InIt = ({
  what: { label, name, contains },
  of,
  allAddress,
  wayTo,
}: {
  readonly what: EntityPage;
  /** The resources in an application that are reached; `null`: nobody asked. */
  readonly of: ReachedResources | null;
  readonly allAddress: string;
  readonly wayTo: (resource: string) => string;
}): JSX.Element | null => {
  if (of === null || of.total === 0) {
    if (contains.total === 0 && label !== 'Application') return null;
    return (
      <p class="note">
        These ways lead to the {label === 'Application' ? 'application' : 'resource'} itself.{' '}
        {of === null ? (
          <>
            Ways to what is in it are apart. <a href={allAddress}>What is reached there</a>
          </>
        ) : (
          'Nothing in it is reached so.'
        )}
      </p>
    );
  }
  return (
    <div class="note">
      <p>
        These ways lead to the application itself. {counted(of.total, 'resource', 'resources')} in{' '}
        <Name>{name}</Name> {of.total === 1 ? 'is' : 'are'} reached too:{' '}
        <a href={allAddress}>all of them</a>
      </p>
      <ul>
        {of.values.slice(0, SHOWN).map((row) => (
          <li key={row.id}>
            <Name>{row.path ?? row.name}</Name>{' '}
            <a href={wayTo(row.id)}>
              why<Unseen>{row.path ?? row.name}</Unseen>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
};

/** What a reader sees of everything that they do not reach, whether it exists or not. */
export const NOT_REACHED: Failure = {
  _tag: 'NotFound',
  message: 'You reach nothing with this address. My access lists what you reach.',
};

/** Fails in one way if something is not reached, or does not exist. */
const ifReached = (
  context: Context,
  pair: Omit<AskedPair, 'permission' | 'type'>,
): TE.TaskEither<Failure, Answered<AccessExplanation>> =>
  pipe(
    askWhy(context, { ...pair, permission: '', type: '' }),
    TE.mapLeft((failure) => (failure._tag === 'NotFound' ? NOT_REACHED : failure)),
    TE.filterOrElse(
      ({ answer }) => answer.value.paths.length > 0,
      (): Failure => NOT_REACHED,
    ),
  );

/** Shows through what somebody reaches a resource, since when, and what remains without a step. */
export const showWhy = (
  context: Context,
  {
    path,
    ends,
    principal,
    person,
    resource,
    isOfReached,
    mayNamePush,
    zone,
    hide,
    reachedPath,
  }: WhyPlace,
  query: WhyQuery,
): TE.TaskEither<Failure, Shown> => {
  const permission = trimmed(query.permission);
  const type = query.permission_type ?? '';
  const cuts = new Set(textsOf(query.cut));
  const written = instantsIn(query);
  const view: View = query.view === 'steps' ? 'steps' : 'ways';
  const asked = { ...ends, permission, permission_type: type };
  const parameters = { ...asked, ...written };
  const keeping = written;
  /** The same page about the other instant; `null` if it would show nothing. */
  const otherHref = (differ: WaysDiffer | null): string | null => {
    if (differ === null || differ.asked === null || (isOfReached && !differ.hasWays)) return null;
    return address(path, {
      ...asked,
      ...(isOfReached ? {} : differ.asked),
      view: query.view,
      at: written.against,
      against: written.at,
    });
  };
  return pipe(
    TE.Do,
    TE.bind('instants', () => instantsNamed(context, written, zone, mayNamePush)),
    TE.let('at', ({ instants }) => instants.at),
    TE.bind('reached', ({ at }) =>
      isOfReached ? ifReached(context, { principal, resource, person, at }) : TE.right(null),
    ),
    TE.bind('found', ({ at, reached }) =>
      reached !== null && permission === '' && type === ''
        ? TE.right<Failure, FoundWhy>({ ...reached, principal, person, isOfOne: false })
        : askWhyOfOne(context, { principal, resource, person, permission, type, at }),
    ),
    TE.let('first', ({ found }) => found.principal[0] ?? ''),
    TE.bind('answers', ({ at, first }) =>
      sequenceT(TE.ApplyPar)(
        askEntity(context, { id: first, at }),
        askEntity(context, { id: resource, at }),
      ),
    ),
    TE.bind('inIt', ({ at, found, first, answers: [, { label, name }] }) =>
      label !== 'Application'
        ? TE.right(null)
        : pipe(
            askAccess(
              context,
              {
                id: first,
                at,
                isHuman: found.person === 'true' || found.principal.length > 1,
              },
              {
                label: 'Resource',
                application: name,
                types: type === '' ? [] : [type],
                permission,
                marks: [],
                sort: 'name',
                page: '',
              },
            ),
            TE.map(({ answer }) => answer),
          ),
    ),
    // Of several nodes any may come first, but the page is about the human who has them.
    TE.bind('one', ({ at, found: { answer }, answers: [asked] }) =>
      answer.principal === undefined || answer.principal.id === asked.id
        ? TE.right(asked)
        : askEntity(context, { id: answer.principal.id, at }),
    ),
    TE.bind('named', ({ found: { answer } }) => askNamedWays(context, answer.value)),
    TE.bind('differ', ({ instants, named: { ways }, found }) =>
      askWaysDiffer(
        context,
        instants,
        { principal: found.principal, person: found.person, resource, permission, type },
        { ways, isTruncated: found.answer.value.truncated },
        // About another instant the page of a reader asks about the same node of theirs.
        isOfReached ? undefined : found.answer.principal?.id,
      ),
    ),
    TE.map(({ instants, one, inIt, named, differ, found, first, answers: [, what] }) => {
      const { at } = instants;
      const { answer, shown } = found;
      const askedAt = { ...asked, principal: found.principal, person: found.person, at };
      const { ways, names } = named;
      const { truncated } = answer.value;
      const who = answer.principal ?? one;
      const lights = lightsOf(ways, cuts);
      const short = shortWays(ways, answer);
      const map = pathMap(short, 'few');
      const steps = stepsIn(ways);
      const shownAt = { ...parameters, view: view === 'ways' ? '' : view };
      const oldest = oldestOf(ways);
      return {
        title: `Why: ${who.name}, ${what.name}`,
        moment: momentOf(written, instants, { path, parameters: { ...asked, view: query.view } }),
        body: (
          <>
            <Head {...{ who, one, what, keeping }} isHuman={answer.principal !== undefined} />
            {found.isOfOne ? (
              <p class="note">
                The address names several users, identities and accounts. At this instant they are
                not all there as one human’s, so these are the ways of one of them.
              </p>
            ) : null}
            <WaysThenAndNow of={differ} otherHref={otherHref(differ)} />
            {oldest === undefined ? (
              <p role="status">
                <strong>There is no way.</strong>{' '}
                {permission === '' && type === ''
                  ? 'Nothing leads from the one to the other.'
                  : 'Nothing leads to this permission. '}
                {permission === '' && type === '' ? null : (
                  <a href={address(path, { ...ends, ...written })}>Show any permission</a>
                )}
              </p>
            ) : (
              <>
                <p class="answer" role="status">
                  {counted(ways.length, 'way')} to{' '}
                  {counted(permissionsOf(ways).length, 'permission')}
                  {': '}
                  <Words of={permissionsOf(ways)} /> The oldest of them exists since{' '}
                  <Since of={oldest.since} push={oldest.push} />.
                  {truncated ? ' There are more ways than these.' : ''}
                </p>
                <Remaining
                  {...{ ways, lights }}
                  isTruncated={truncated}
                  backAddress={address(path, shownAt)}
                />
                {map.shown === 0 ? null : (
                  <div class="on-wide">
                    <Picture
                      of={map}
                      {...{ lights, keeping }}
                      cutAddress={(cut) => address(path, { ...shownAt, cut })}
                    />
                    {map.shown < ways.length ? (
                      <p>And {counted(ways.length - map.shown, 'more way')}, in the list below.</p>
                    ) : null}
                  </div>
                )}
                <ViewLinks
                  of={VIEWS.map((each) => ({
                    name: VIEW_NAMES[each],
                    count: each === 'ways' ? ways.length : steps.length,
                    isShown: each === view,
                    href: address(path, {
                      ...parameters,
                      cut: [...cuts],
                      view: each === 'ways' ? '' : each,
                    }),
                  }))}
                />
                {view === 'ways' ? (
                  <>
                    <WayTable
                      of={short}
                      {...{ keeping, lights, differ }}
                      addressWith={(cut) => address(path, { ...shownAt, cut })}
                    />
                    <p class="hint">
                      What remains without a step? Cut it, on the map or in the list. That changes
                      nothing.
                    </p>
                  </>
                ) : (
                  <StepTable
                    of={steps}
                    {...{ names, path, keeping, lights }}
                    parameters={shownAt}
                  />
                )}
              </>
            )}
            <Narrowing
              path={path}
              kept={{ ...ends, ...written }}
              application={null}
              types={type === '' ? [] : [type]}
              permission={permission}
              isOfOneType
            />
            <InIt
              what={what}
              of={inIt}
              allAddress={address(reachedPath(first), {
                ...keeping,
                application: applicationOf(what),
                permission,
                permission_type: type,
              })}
              wayTo={(id) => address(path, { ...parameters, resource: hide(id) })}
            />
            {isOfReached || oldest === undefined ? null : (
              <p class="asked">
                <a href={address(CSV_ADDRESSES.why, { ...askedAt, view: shownAt.view })}>
                  {truncated ? 'These' : 'All'} {view} as CSV
                </a>
                {' · '}
                <a
                  href={address(CSV_ADDRESSES.why, {
                    ...askedAt,
                    view: shownAt.view,
                    about: 'true',
                  })}
                >
                  what that file answers
                </a>
                {' · '}
                <a href={address(WHY_PICTURE, askedAt)}>the map as a picture (SVG)</a>
              </p>
            )}
            <AskedBy of={shown} />
          </>
        ),
      };
    }),
  );
};
