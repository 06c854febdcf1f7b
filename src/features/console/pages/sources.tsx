import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../codec/struct';
import { countText, flagText, isTrue } from '../../../contract/parameters/query-parameters';
import type { Failure } from '../../../problem';
import { address, PATHS } from '../frame/address';
import { page, type Shown } from '../frame/page';
import {
  byName,
  MOST_SOURCES,
  type PushOfSource,
  readSources,
  readTroubledPushes,
  type WatchedSource,
} from '../overview/overview';
import { instantDaysAgo } from '../overview/days';
import { Beside } from '../parts/answer';
import { counted } from '../parts/counted';
import { ChosenPlanForm } from '../pushing/file-forms';
import { Age, isStale, USUAL_DAYS } from '../sources/age';
import { askEvents, EventList, type NewestEvents } from '../sources/events';
import { NOTHING, RegisterForm } from '../registering/register-view';
import { Failures, hasFailed, hasTroubles, Warnings } from '../sources/failures';
import { Outcome, PushCells, Troubles } from '../sources/pushes';
import { type ReviewedApplication, reviewedSources } from '../../reviews/reading/contract';
import { Reviewed } from '../reviews/reviewed';
import { SourceLink } from '../sources/source-head';
import { SourceStatus } from '../sources/source-status';
import { Time } from '../parts/time';
import { Table } from '../tables/table';

const QUERY = struct('the query of Sources', {}, { days: countText, troubled: flagText });

const PATH = PATHS.sources;
const TROUBLED = 12;
const DAYS_OF_TROUBLE = 30;

interface Listed {
  readonly days: number;
  /** Whether the reader may see what failed of imports and policies. */
  readonly administers: boolean;
  /** When applications were reviewed, by the ids of their sources; `null` if there are no reviews. */
  readonly reviewed: ReadonlyMap<string, ReviewedApplication> | null;
}

const SourceRow = ({
  of,
  days,
  administers,
  reviewed,
}: Listed & { readonly of: WatchedSource }): JSX.Element => {
  const { source, provider } = of;
  return (
    <tr>
      <th scope="row">
        <SourceLink of={of} />
        <div class="under">{provider.custom_template.replaceAll('_', ' ')}</div>
      </th>
      <td data-name="Newest push">
        <Time of={source.last_push_at} />
      </td>
      <td data-name="Age">
        <Age of={of} days={days} />
      </td>
      <td data-name="State">
        <SourceStatus of={source} />
      </td>
      <td data-name="Warnings" class="number">
        <Warnings of={of} />
      </td>
      {administers ? (
        <td data-name="Failed">
          <Failures of={of} />
        </td>
      ) : null}
      {reviewed === null ? null : (
        <td data-name="Reviewed">
          <Reviewed of={reviewed.get(source.id)} />
        </td>
      )}
      <td data-name="Rows" class="number">
        {source.rows.toLocaleString('en')}
      </td>
    </tr>
  );
};

const SourceTable = ({
  of,
  ...listed
}: Listed & { readonly of: readonly WatchedSource[] }): JSX.Element => (
  <div class="scroll">
    <table class="cards">
      <caption class="unseen">Data sources, those with the oldest push first</caption>
      <thead>
        <tr>
          <th scope="col">Provider, data source</th>
          <th scope="col">Newest push</th>
          <th scope="col">Age</th>
          <th scope="col">State</th>
          <th scope="col" class="number">
            Warnings
          </th>
          {listed.administers ? <th scope="col">Failed</th> : null}
          {listed.reviewed === null ? null : <th scope="col">Reviewed</th>}
          <th scope="col" class="number">
            Rows
          </th>
        </tr>
      </thead>
      <tbody>
        {of.map((each) => (
          <SourceRow key={each.source.id} of={each} {...listed} />
        ))}
      </tbody>
    </table>
  </div>
);

const TroubleTable = ({ of }: { readonly of: readonly PushOfSource[] }): JSX.Element => (
  <Table
    caption="Pushes with warnings or problems, newest first"
    columns={['Push', 'Provider, data source', 'Ended', 'To look at']}
  >
    {of.map((sent) => (
      <tr key={sent.push.id}>
        <PushCells of={sent} />
        <td data-name="Ended">
          <Outcome of={sent.push.outcome} />
        </td>
        <td data-name="To look at">
          <Troubles of={sent.push} />
        </td>
      </tr>
    ))}
  </Table>
);

/** How many data sources there are, and which a reader should not trust without a look. */
const Summary = ({
  of,
  days,
  isTroubled,
}: {
  readonly of: readonly WatchedSource[];
  readonly days: number;
  /** Whether the page lists only those that somebody should look at. */
  readonly isTroubled: boolean;
}): JSX.Element => {
  const stale = of.filter((each) => isStale(each, days)).length;
  const waiting = of.filter(
    (each) => each.source.last_push_at === null && !isStale(each, days),
  ).length;
  const others = of.length - stale - waiting;
  const refused = of.filter(({ source }) => source.status === 'ERROR').length;
  const failed = of.filter((each) => hasFailed(each) && each.source.status !== 'ERROR').length;
  const troubled = of.filter(hasTroubles).length;
  return (
    <p role="status">
      {counted(of.length, 'data source')}.{' '}
      {stale === 0
        ? ''
        : `${stale} of them ${stale === 1 ? 'is' : 'are'} stale: no push was accepted for more than ${counted(days, 'day')}.`}{' '}
      {waiting === 0
        ? ''
        : `${waiting} of them ${waiting === 1 ? 'is new and waits' : 'are new and wait'} for a first push.`}{' '}
      {stale > 0 || others === 0
        ? ''
        : `All ${waiting === 0 ? '' : 'others '}were pushed to within ${counted(days, 'day')}.`}{' '}
      {refused === 0 ? '' : `The newest push to ${refused} of them was refused.`}{' '}
      {failed === 0 ? '' : `Imports or actions of ${counted(failed, 'data source')} failed.`}{' '}
      {isTroubled ? (
        <a href={address(PATH, { days })}>Show all</a>
      ) : troubled === 0 ? null : (
        <a href={address(PATH, { days, troubled: 'true' })}>
          Only the {troubled} with warnings or failures
        </a>
      )}
    </p>
  );
};

/** Where the forms of the page are, which a narrow screen shows below the tables. */
const Actions = ({ hasSources }: { readonly hasSources: boolean }): JSX.Element => (
  <p class="on-narrow">
    {hasSources ? (
      <>
        <a href="#push">Push a file</a>,{' '}
      </>
    ) : null}
    <a href="#register">register a system</a>
  </p>
);

/** What an administrator does with data sources: pushes a file, or registers another one. */
const Forms = ({ of }: { readonly of: readonly WatchedSource[] }): JSX.Element => (
  <>
    {of.length === 0 ? null : (
      <section aria-labelledby="push">
        <h2 id="push">Push a file</h2>
        <ChosenPlanForm of={of} />
      </section>
    )}
    <section aria-labelledby="register">
      <h2 id="register">Register a system</h2>
      <RegisterForm written={NOTHING} />
      <p>
        <a href={PATHS.register}>Another data source of a system that is registered</a>
      </p>
    </section>
  </>
);

const pushedAt = ({ source: { last_push_at } }: WatchedSource): number =>
  last_push_at === null ? Infinity : Date.parse(last_push_at);

/** Data sources with the oldest push first, and those without a push last. */
const oldestFirst = (of: readonly WatchedSource[]): readonly WatchedSource[] =>
  byName(of).toSorted((one, other) =>
    pushedAt(one) === pushedAt(other) ? 0 : pushedAt(one) - pushedAt(other),
  );

/** How fresh all data sources are, and what pushes warned of. */
export const sources = page({
  path: PATH,
  summary: 'How fresh each data source is, the stale ones first, and which pushes warned.',
  link: { name: 'Sources', key: 's' },
  readers: 'role',
  query: QUERY,
  show: ({ context, query, reader }) => {
    const days = Number(query.days || USUAL_DAYS);
    const isTroubled = isTrue(query.troubled);
    const { administers } = reader;
    return pipe(
      sequenceT(TE.ApplyPar)(
        readSources(context, { most: MOST_SOURCES + 1, administers }),
        readTroubledPushes(context, instantDaysAgo(DAYS_OF_TROUBLE), TROUBLED),
        reader.seesEvents ? askEvents(context) : TE.right<Failure, NewestEvents | null>(null),
        reviewedSources(context),
      ),
      TE.map(([found, troubled, events, reviewed]): Shown => {
        const shown = found.slice(0, MOST_SOURCES);
        const listed = oldestFirst(isTroubled ? shown.filter(hasTroubles) : shown);
        const lists = (
          <>
            <form class="narrow" method="get" action={PATH} aria-label="What counts as stale">
              <label>
                Stale after days <input name="days" value={days} inputMode="numeric" size={4} />
              </label>
              {isTroubled ? <input type="hidden" name="troubled" value="true" /> : null}
              <button>Show</button>
            </form>
            {listed.length === 0 ? null : (
              <SourceTable of={listed} {...{ days, administers, reviewed }} />
            )}
            <h2>Warnings and problems</h2>
            {troubled.length === 0 ? (
              <p>No push of the last {DAYS_OF_TROUBLE} days had any.</p>
            ) : (
              <TroubleTable of={troubled} />
            )}
            {events === null ? null : <EventList of={events} />}
          </>
        );
        return {
          title: 'Sources',
          body: (
            <>
              <h1>Sources</h1>
              <Summary of={shown} {...{ days, isTroubled }} />
              {administers ? <Actions hasSources={shown.length > 0} /> : null}
              {found.length > MOST_SOURCES ? (
                <p class="note">
                  There are more than {MOST_SOURCES} data sources. The page has the newest of each
                  provider.
                </p>
              ) : null}
              {administers ? <Beside aside={<Forms of={shown} />}>{lists}</Beside> : lists}
            </>
          ),
        };
      }),
    );
  },
});
