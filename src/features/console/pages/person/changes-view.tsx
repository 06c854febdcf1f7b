import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import type { AccessChangeList } from '../../../../contract/answers/questions/access-changes';
import type { Context } from '../../../../context';
import { instantOf, nanosOf, parseInstant } from '../../../../model/instant';
import type { Failure } from '../../../../problem';
import { interfaceOf } from '../../../../questions/contract';
import { instantNamed } from '../../asking/moment';
import { type About, askChanges, askEntity } from '../../asking/person';
import { address } from '../../frame/address';
import type { Shown } from '../../frame/page';
import { Answer } from '../../parts/answer';
import { AskedBy } from '../../parts/asked';
import { type Bar, Bars } from '../../parts/bars';
import { counted } from '../../parts/counted';
import { DateField } from '../../parts/date-field';
import { EntityHead } from '../../parts/entity-head';
import { HiddenInputs } from '../../parts/hidden-inputs';
import { Time } from '../../parts/time';
import { ChangeTable } from '../../tables/change-table';
import { PageOf } from '../../tables/sorting';
import { FROM_BEGINNING, ONLY_INSTANTS } from '../../words/causes';
import { askReached, type PersonPlace, Views } from './place';

/** The two instants that a reader compares. */
export interface Compared {
  readonly since: string;
  readonly until: string;
  readonly page: string;
  /** Whether the reader sees all, and so may name an instant by a push. */
  readonly seesAll: boolean;
  /** The time zone of the reader. */
  readonly zone: string;
}

const BARS = 8;

/** The periods of the bars: as many equal parts of the time between two instants. */
const periodsIn = (from: string, to: string): readonly { since: string; until: string }[] => {
  const [begin, end] = [parseInstant(from), parseInstant(to)];
  if (begin === null || end === null) return [];
  const [first, last] = [nanosOf(begin), nanosOf(end)];
  if (last - first < BigInt(BARS)) return [];
  const edges = Array.from(
    { length: BARS + 1 },
    (_, at) => instantOf(first + ((last - first) * BigInt(at)) / BigInt(BARS)).utc,
  );
  return edges.slice(1).map((until, at) => ({ since: edges[at] ?? from, until }));
};

const NOTHING = { gained: 0, lost: 0, isCut: false };

const sumsOf = ({ values, total }: AccessChangeList): Omit<Bar, 'since' | 'until'> => ({
  gained: values.reduce((sum, { gained }) => sum + gained.length, 0),
  lost: values.reduce((sum, { lost }) => sum + lost.length, 0),
  isCut: values.length < total,
});

const askBars = (
  context: Context,
  about: About,
  { from, to }: AccessChangeList,
): TE.TaskEither<Failure, readonly Bar[]> =>
  pipe(
    periodsIn(from, to),
    TE.traverseSeqArray((period) =>
      pipe(
        askChanges(context, about, period),
        TE.map(({ answer }): Bar => ({ ...period, ...sumsOf(answer) })),
        // Somebody who came later gained and lost nothing before.
        TE.orElse((failure) =>
          failure._tag === 'NotFound' ? TE.right({ ...period, ...NOTHING }) : TE.left(failure),
        ),
      ),
    ),
  );

const Dates = ({
  place: { path, only },
  since,
  until,
}: {
  readonly place: PersonPlace;
  readonly since: string;
  readonly until: string;
}): JSX.Element => (
  <form class="narrow" method="get" action={path} aria-label="The time to compare">
    <HiddenInputs of={{ view: 'changes', only }} />
    <label>
      From <DateField name="since" value={since} />
    </label>
    <label>
      To <DateField name="until" value={until} />
    </label>
    <button>Compare</button>
    <p class="hint">From the beginning of a day to the end of a day.</p>
  </form>
);

/** What somebody gained and lost between two instants. */
export const showChanges = (
  context: Context,
  about: About,
  place: PersonPlace,
  written: Compared,
): TE.TaskEither<Failure, Shown> =>
  pipe(
    TE.Do,
    TE.bind('kept', () => interfaceOf(context).history({ query: {}, params: {} })),
    TE.bind('since', ({ kept }) =>
      pipe(
        instantNamed(context, written.since, written.zone, 'since', written.seesAll, 'begin'),
        TE.map((at) => at || (kept.value.since ?? '')),
      ),
    ),
    TE.bind('until', () =>
      instantNamed(context, written.until, written.zone, 'until', written.seesAll),
    ),
    TE.bind('compared', ({ since, until }) =>
      sequenceT(TE.ApplyPar)(
        askEntity(context, { ...about, at: until }, written.seesAll),
        askChanges(context, about, { since, until, page: written.page, details: 'true' }),
        askReached(context, { ...about, at: until }),
      ),
    ),
    TE.bind('bars', ({ compared: [, { answer }] }) => askBars(context, about, answer)),
    TE.map(({ compared: [entity, { answer, shown }, reached], bars }): Shown => {
      const { path, only } = place;
      const { since, until, page } = written;
      const by = { path, parameters: { view: 'changes', only, since, until }, sort: '' };
      return {
        title: `${entity.name}: gained and lost`,
        body: (
          <>
            <EntityHead of={entity} />
            <Answer>
              {answer.total === 0
                ? 'Nothing changed'
                : `Access to ${counted(answer.total, 'resource or application', 'resources or applications')} changed`}{' '}
              between <Time of={answer.from} /> and <Time of={answer.to} />.
              {answer.from_beginning === true ? ` ${FROM_BEGINNING}` : ''}
              {answer.total === 0 ? ` ${ONLY_INSTANTS}` : ''}
            </Answer>
            <Views of={entity} view="changes" {...{ place, reached }} seesAll={written.seesAll} />
            <Dates place={place} since={since} until={until} />
            <Bars
              of={bars}
              addressOf={(period) => address(path, { view: 'changes', only, ...period })}
            />
            {answer.total === 0 ? null : (
              <>
                <ChangeTable
                  of={answer}
                  person={about.isHuman ? 'true' : ''}
                  applicationAddress={() => null}
                  principalAddress={null}
                />
                <PageOf of={answer} isFirst={page === ''} by={by} />
              </>
            )}
            <AskedBy of={shown} />
          </>
        ),
      };
    }),
  );
