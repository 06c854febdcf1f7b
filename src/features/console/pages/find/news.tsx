import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import type { Context } from '../../../../context';
import type { Failure } from '../../../../problem';
import { address, changesAddress, PATHS } from '../../frame/address';
import type { Reader } from '../../frame/page';
import { endOf, instantDaysAgo } from '../../overview/days';
import {
  type DayOfChanges,
  type PushOfSource,
  readChangesByDay,
  readChangingPushes,
  readFailedSources,
  readSources,
  type WatchedSource,
} from '../../overview/overview';
import { counted } from '../../parts/counted';
import { Age, isStale, USUAL_DAYS } from '../../sources/age';
import { ChangingPushes } from '../../sources/changing-pushes';
import { Failures } from '../../sources/failures';
import { SourceLink } from '../../sources/source-head';
import { SourceStatus } from '../../sources/source-status';

const SOURCES_SHOWN = 5;
const PUSHES_SHOWN = 5;

/** What Find shows to somebody who searches nothing: what is old, and what has just changed. */
export interface News {
  /** The stale data sources, the oldest push first; at most `SOURCES_SHOWN` and one more. */
  readonly stale: readonly WatchedSource[];
  /** Data sources of which something failed; as many. */
  readonly failed: readonly WatchedSource[];
  readonly yesterday: { readonly since: string; readonly until: string };
  readonly gained: number;
  readonly lost: number;
  readonly uncounted: number;
  readonly pushes: readonly PushOfSource[];
}

const sumOf = (days: readonly DayOfChanges[], of: Exclude<keyof DayOfChanges, 'day'>): number =>
  days.reduce((sum, day) => sum + day[of], 0);

/** Reads the news from the records of pushes and data sources. No access is walked. */
export const readNews = (
  context: Context,
  { administers }: Pick<Reader, 'administers'>,
): TE.TaskEither<Failure, News> => {
  const watching = { most: SOURCES_SHOWN + 1, administers };
  const date = instantDaysAgo(1).slice(0, 10);
  const [from, to] = [`${date}T00:00:00.000Z`, endOf(date)];
  return pipe(
    sequenceT(TE.ApplyPar)(
      readSources(context, watching),
      readFailedSources(context, watching),
      readChangesByDay(context, { from, to }),
      readChangingPushes(context, { from, to }, PUSHES_SHOWN + 1),
    ),
    TE.map(([sources, failed, days, pushes]) => ({
      failed,
      stale: sources.filter(({ source }) => isStale(source, USUAL_DAYS)),
      yesterday: { since: from, until: to },
      gained: sumOf(days, 'gained'),
      lost: sumOf(days, 'lost'),
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
        None: each had a push within {counted(USUAL_DAYS, 'day')}.{' '}
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
  failed.length === 0 ? null : (
    <section aria-labelledby="failed">
      <h2 id="failed">What failed</h2>
      <ul class="found">
        {failed.slice(0, SOURCES_SHOWN).map((each) => (
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
        {failed.length > SOURCES_SHOWN ? 'There are more. ' : null}
        <a href={address(PATHS.sources, { troubled: 'true' })}>All with warnings or failures</a>
      </p>
    </section>
  );

const Yesterday = ({
  of: { yesterday, gained, lost, uncounted, pushes },
}: {
  readonly of: News;
}): JSX.Element => {
  const href = changesAddress(yesterday);
  return (
    <section aria-labelledby="yesterday">
      <h2 id="yesterday">Yesterday’s changes</h2>
      {pushes.length === 0 ? (
        <p>No push of yesterday changed access.</p>
      ) : (
        <>
          <p>
            <a href={href}>
              <span class="gain">{`+${gained.toLocaleString('en')}`}</span>{' '}
              <span class="loss">{`−${lost.toLocaleString('en')}`}</span> permissions
            </a>
            {uncounted === 0
              ? null
              : `, without ${counted(uncounted, 'push', 'pushes')} that nobody has counted`}
          </p>
          <ChangingPushes of={pushes.slice(0, PUSHES_SHOWN)} />
          {pushes.length > PUSHES_SHOWN ? (
            <p>
              There were more. <a href={href}>All changes of yesterday</a>
            </p>
          ) : null}
        </>
      )}
    </section>
  );
};

/** Which data sources are stale, what failed, and what yesterday's pushes gained and lost. */
export const NewsOfFind = ({ of }: { readonly of: News }): JSX.Element => (
  <>
    <Stale of={of} />
    <Failed of={of} />
    <Yesterday of={of} />
  </>
);
