import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { ComponentChildren, JSX } from 'preact';

import type { Context } from '../../../../context';
import type { Failure } from '../../../../problem';
import type { FindFindings } from '../../overview/finding';
import { byWeight, type Glance, glanceAt } from '../../overview/findings';
import { graphFindings } from '../../overview/graph-findings';
import { address, PATHS, resourceAddress } from '../../frame/address';
import type { Reader } from '../../frame/page';
import {
  type DayOfChanges,
  type FirstSources,
  type PushOfSource,
  readChangesByDay,
  readChangingPushes,
  readFailedSources,
  readOldestSources,
  type WatchedSource,
} from '../../overview/overview';
import { Beside } from '../../parts/answer';
import { ByDay } from '../../parts/by-day';
import { counted } from '../../parts/counted';
import { From, Name } from '../../parts/name';
import { Time } from '../../parts/time';
import { Age, isStale, USUAL_DAYS } from '../../sources/age';
import { ChangingPushes } from '../../sources/changing-pushes';
import { Failures } from '../../sources/failures';
import { SourceLink } from '../../sources/source-head';
import { clockAt, dateAfter, instantIn } from '../../words/time-zone';
import { SourceStatus } from '../../sources/source-status';
import { Table } from '../../tables/table';

const SOURCES_SHOWN = 5;
const PUSHES_SHOWN = 5;
const DAYS_SHOWN = 14;
const FINDINGS_SHOWN = 8;

/** What the overview shows: what to look at, what is old, and what has just changed. */
export interface News {
  /** The stale data sources, the oldest push first; at most `SOURCES_SHOWN` and one more. */
  readonly stale: readonly WatchedSource[];
  /** The first data sources of which something failed. */
  readonly failed: FirstSources;
  /** All data sources, the oldest push first; at most `SOURCES_SHOWN` and one more. */
  readonly sources: readonly WatchedSource[];
  readonly days: readonly DayOfChanges[];
  readonly glance: Glance;
  readonly uncounted: number;
  readonly pushes: readonly PushOfSource[];
}

/** What the overview names if a feature could not look. */
const OF_FEATURES = { id: 'features', name: 'what other features find', provider: null };

const sumOf = (days: readonly DayOfChanges[], of: 'gained' | 'lost' | 'uncounted'): number =>
  days.reduce((sum, day) => sum + day[of], 0);

/** Reads the news from the records of pushes and data sources, and looks through the applications. */
export const readNews = (
  context: Context,
  reader: Reader,
  findings: readonly FindFindings[],
): TE.TaskEither<Failure, News> => {
  const { role, administers, zone } = reader;
  const watching = { most: SOURCES_SHOWN + 1, administers };
  const now = Date.now();
  const first = dateAfter(clockAt(now, zone).date, 1 - DAYS_SHOWN);
  const from = new Date(instantIn(zone, first)).toISOString();
  const to = new Date(now).toISOString();
  return pipe(
    sequenceT(TE.ApplyPar)(
      readOldestSources(context, watching),
      readFailedSources(context, { most: SOURCES_SHOWN, administers }),
      readChangesByDay(context, { from, to }, zone),
      readChangingPushes(context, { from, to }, PUSHES_SHOWN),
      glanceAt(context),
      graphFindings(context, { role, administers }),
      pipe(
        findings,
        // What one feature cannot find must not hide the rest of the page.
        TE.traverseArray((find) =>
          pipe(
            find(context, reader),
            TE.orElseW(() => TE.right(null)),
          ),
        ),
      ),
    ),
    TE.map(([sources, failed, days, pushes, glance, more, others]) => ({
      sources,
      days,
      glance: {
        ...glance,
        findings: byWeight([
          ...glance.findings,
          ...more.findings,
          ...others.flatMap((found) => found ?? []),
        ]),
        unanswered: [
          ...glance.unanswered,
          ...more.unanswered,
          ...(others.includes(null) ? [OF_FEATURES] : []),
        ],
      },
      failed,
      stale: sources.filter((each) => isStale(each, USUAL_DAYS)),
      uncounted: sumOf(days, 'uncounted'),
      pushes,
    })),
  );
};

const Stale = ({ of: { stale } }: { readonly of: News }): JSX.Element => (
  <section aria-labelledby="stale">
    <h2 id="stale">Stale data sources</h2>
    {stale.length === 0 ? (
      <p>
        None: each had a push, or was registered, within {counted(USUAL_DAYS, 'day')}.{' '}
        <a href={PATHS.sources}>All data sources</a>
      </p>
    ) : (
      <>
        <ul class="found">
          {stale.slice(0, SOURCES_SHOWN).map((each) => (
            <li key={each.source.id}>
              <SourceLink of={each} />
              <span class="apart">
                newest push: <Age of={each} days={USUAL_DAYS} />
                {each.source.last_push_at === null ? null : ' ago'}
              </span>
            </li>
          ))}
        </ul>
        <p>
          {stale.length > SOURCES_SHOWN ? 'There are more. ' : null}
          <a href={PATHS.sources}>All data sources</a>
        </p>
      </>
    )}
  </section>
);

const Failed = ({ of: { failed } }: { readonly of: News }): JSX.Element | null =>
  failed.total === 0 ? null : (
    <section aria-labelledby="failed">
      <h2 id="failed">What failed</h2>
      <ul class="found">
        {failed.first.map((each) => (
          <li key={each.source.id}>
            <SourceLink of={each} />
            <span class="apart">
              {each.source.status === 'ERROR' ? <SourceStatus of={each.source} /> : null}
              {each.failedImports + each.failedActions === 0 ? null : (
                <span>
                  failed: <Failures of={each} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p>
        {failed.total > failed.first.length
          ? `Of ${counted(failed.total - failed.first.length, 'more data source')} something failed. `
          : null}
        <a href={address(PATHS.sources, { troubled: 'true' })}>All with warnings or failures</a>
      </p>
    </section>
  );

/** When pushes changed access, day by day, and the newest of them. */
const Recently = ({ of: { days, uncounted, pushes } }: { readonly of: News }): JSX.Element => (
  <section aria-labelledby="recently">
    <h2 id="recently">Permissions gained and lost in two weeks</h2>
    {pushes.length === 0 ? (
      <p>No push of these days changed access.</p>
    ) : (
      <>
        <ByDay of={days} />
        {uncounted === 0 ? null : (
          <p class="hint">
            Without {counted(uncounted, 'push', 'pushes')} that nobody has counted.
          </p>
        )}
        <ChangingPushes of={pushes} />
        <p>
          <a href={PATHS.changes}>Who gained and lost what</a>
        </p>
      </>
    )}
  </section>
);

/** How a number differs from that of a week ago; empty: nobody knows. */
const changeOf = (count: number, before: number | undefined): string => {
  if (before === undefined) return '';
  const difference = count - before;
  if (difference === 0) return 'no change this week';
  const number = Math.abs(difference).toLocaleString('en');
  return `${difference > 0 ? '+' : '−'}${number} this week`;
};

const Card = ({
  count,
  words,
  change,
  more,
  href,
  isAtLeast = false,
}: {
  /** What changed within a week, in words; empty: nobody knows. */
  readonly change: string;
  readonly count: number;
  readonly words: string;
  readonly more?: ComponentChildren;
  /** The list that has as many rows, if one has. */
  readonly href?: string | undefined;
  readonly isAtLeast?: boolean;
}): JSX.Element => (
  <div class="card">
    {isAtLeast ? 'at least ' : null}
    {href === undefined ? (
      <span class="big">{count.toLocaleString('en')}</span>
    ) : (
      <a href={href}>
        <span class="big">{count.toLocaleString('en')}</span>
      </a>
    )}{' '}
    {words}
    {change === '' ? null : <span class="under"> {change}</span>}
    {more === undefined ? null : <div class="under">{more}</div>}
  </div>
);

const PRIVILEGED_SHOWN = 2;

/** How many are privileged in each of the first applications; each leads to a list of as many rows. */
const PrivilegedByApplication = ({
  of,
}: {
  readonly of: Glance['privilegedIn'];
}): JSX.Element | null =>
  of.length === 0 ? null : (
    <>
      {': '}
      {of.slice(0, PRIVILEGED_SHOWN).map(({ application, people, others, href }, at) => (
        <span key={application.id}>
          {at > 0 ? ', ' : ''}
          <a href={href}>
            <Name>{application.name}</Name> {people.toLocaleString('en')}
            {others === 0 ? '' : ` and ${counted(others, 'other')}`}
          </a>
          <From of={application} />
        </span>
      ))}
      {of.length > PRIVILEGED_SHOWN ? ` and ${of.length - PRIVILEGED_SHOWN} more` : ''}
    </>
  );

/** The list of all of a kind; none if there are none. */
const listOfKind = (label: string, count: number): string | undefined =>
  count === 0 ? undefined : address(PATHS.find, { kind: label });

/** How many of a kind there are, which leads to their list. */
const OfKind = ({
  label,
  count,
  one,
}: {
  readonly label: string;
  readonly count: number;
  readonly one: string;
}): JSX.Element => {
  const href = listOfKind(label, count);
  return href === undefined ? <>{counted(count, one)}</> : <a href={href}>{counted(count, one)}</a>;
};

/** The list that has exactly these people: that of the one application in which somebody is. */
const listOf = ({ privileged, privilegedIn, isAtLeast }: Glance): string | undefined => {
  const [only, another] = privilegedIn;
  const isIt =
    !isAtLeast && another === undefined && only?.people === privileged && only.others === 0;
  return isIt ? only.href : undefined;
};

const Cards = ({
  of,
  of: { counts, before, privileged, privilegedIn, newlyPrivileged, isAtLeast, looked },
}: {
  readonly of: Glance;
}): JSX.Element => (
  <div class="cards-row">
    <Card
      count={counts.users}
      words={counts.users === 1 ? 'directory user' : 'directory users'}
      change={changeOf(counts.users, before?.users)}
      href={listOfKind('IdpUser', counts.users)}
      more={<OfKind label="IdpGroup" count={counts.groups} one="directory group" />}
    />
    <Card
      count={counts.accounts}
      words={counts.accounts === 1 ? 'account' : 'accounts'}
      change={changeOf(counts.accounts, before?.accounts)}
      href={listOfKind('LocalUser', counts.accounts)}
      more={
        <>
          {'in '}
          <OfKind label="Application" count={counts.applications} one="application" />
        </>
      }
    />
    <Card
      count={privileged}
      isAtLeast={isAtLeast}
      words={privileged === 1 ? 'person is privileged' : 'people are privileged'}
      change={
        before === null || newlyPrivileged === 0
          ? ''
          : `${newlyPrivileged.toLocaleString('en')} since this week`
      }
      href={listOf(of)}
      more={
        <>
          {looked < counts.applications
            ? `in the first ${looked} applications by name`
            : privilegedIn.length === 0
              ? 'on something in an application'
              : 'on something'}
          <PrivilegedByApplication of={privilegedIn} />
        </>
      }
    />
  </div>
);

const andMore = (more: number): string => (more > 0 ? ` and ${more} more` : '');

/** Findings as rows; each leads to its list. */
const FindingTable = ({
  of,
  caption,
}: {
  readonly of: Glance['findings'];
  readonly caption: string;
}): JSX.Element => (
  <Table caption={caption} columns={['What', 'Where', 'Who']}>
    {of.map(({ href, count, words, names, more, application, place }) => (
      <tr key={href}>
        <th scope="row">
          <a href={href}>
            <b>{count.toLocaleString('en')}</b> {words}
          </a>
        </th>
        <td data-name="Where">
          {place !== undefined ? (
            <a href={place.href}>
              <Name>{place.name}</Name>
            </a>
          ) : application === null ? (
            'anywhere'
          ) : (
            <>
              <a href={resourceAddress(application.id)}>
                <Name>{application.name}</Name>
              </a>
              <From of={application} />
            </>
          )}
        </td>
        <td data-name="Who" class="quiet">
          {names.map(({ name, provider, href: own }, at) => (
            <span key={at}>
              {at > 0 ? ', ' : ''}
              {own === null ? (
                <Name>{name}</Name>
              ) : (
                <a href={own}>
                  <Name>{name}</Name>
                </a>
              )}
              <From of={{ provider }} />
            </span>
          ))}
          {names.length > 0 ? andMore(more ?? count - names.length) : ''}
        </td>
      </tr>
    ))}
  </Table>
);

/** What somebody should look at, what weighs most first; each leads to its list. */
const LookAt = ({
  of: { findings, looked, counts, unanswered, takenAt },
}: {
  readonly of: Glance;
}): JSX.Element => (
  <section aria-labelledby="look">
    <h2 id="look">Look at these</h2>
    {unanswered.length === 0 ? null : (
      <p class="note warn" role="status">
        The service could not look at all of{' '}
        {unanswered.map(({ id, name, provider }, at) => (
          <span key={id}>
            {at > 0 ? ', ' : ''}
            <Name>{name}</Name>
            <From of={{ provider }} />
          </span>
        ))}
        : its lists are too large now, or need too long. Load the page again later.
      </p>
    )}
    {findings.length > 0 ? null : unanswered.length > 0 ? (
      <p>Nothing was found elsewhere.</p>
    ) : (
      <p>Nothing: no inactive and no unknown account has access, and no guest is privileged.</p>
    )}
    {findings.length === 0 ? null : (
      <FindingTable caption="What to look at" of={findings.slice(0, FINDINGS_SHOWN)} />
    )}
    {findings.length > FINDINGS_SHOWN ? (
      <details>
        <summary>
          {counted(findings.length - FINDINGS_SHOWN, 'more finding')}, which{' '}
          {findings.length === FINDINGS_SHOWN + 1 ? 'weighs' : 'weigh'} less
        </summary>
        <FindingTable caption="What weighs less" of={findings.slice(FINDINGS_SHOWN)} />
      </details>
    ) : null}
    {takenAt === null ? null : (
      <p class="hint">
        Counted at <Time of={takenAt} />. The numbers, and the findings in single applications, do
        not include later pushes.
      </p>
    )}
    {looked < counts.applications ? (
      <p class="hint">Looked at the first {looked} applications by name.</p>
    ) : null}
  </section>
);

/** How somebody begins with a graph without pushes. */
export const Begin = ({ administers }: { readonly administers: boolean }): JSX.Element => (
  <section aria-labelledby="begin">
    <h2 id="begin">Nothing has been pushed yet</h2>
    <p>
      A provider stands for a system, such as a directory or an application, and its data source
      receives what that system says about people and access.{' '}
      {administers ? null : 'An administrator registers both, and pushes.'}
    </p>
    {administers ? (
      <p>
        <a class="button" href={PATHS.register}>
          Register a system
        </a>{' '}
        Then you get a key, and lines that push with it.
      </p>
    ) : null}
    <ul>
      <li>
        <a href="/manual/connectors">How to push</a>: what a connector sends, and CSV files
      </li>
      <li>
        <a href={PATHS.sources}>Data sources</a>
      </li>
    </ul>
  </section>
);

/** The overview: numbers, what to look at, what changed, and the data sources with their age. */
export const Overview = ({
  of,
  administers,
}: {
  readonly of: News;
  readonly administers: boolean;
}): JSX.Element =>
  of.sources.length === 0 ? (
    <Begin administers={administers} />
  ) : (
    <>
      <Cards of={of.glance} />
      <Beside
        aside={
          <>
            <Failed of={of} />
            <Stale of={of} />
          </>
        }
      >
        <LookAt of={of.glance} />
        <Recently of={of} />
      </Beside>
    </>
  );
