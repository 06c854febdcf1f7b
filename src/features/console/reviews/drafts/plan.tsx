import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../../codec/struct';
import { text } from '../../../../codec/text';
import { NoParameters, texts } from '../../../../contract/parameters/query-parameters';
import type { Failure } from '../../../../problem';
import {
  inWholeTurn,
  MOST_OF_REASON,
  openReview,
  OTHERS_MARK_WORDS,
  type Plan,
  planDraft,
  type Review,
} from '../../../reviews/reading/contract';
import { type FormOutcome, pageForm, type SentForm } from '../../forms/page-form';
import { FormToken } from '../../frame/form-token';
import { page, type Request, type Shown } from '../../frame/page';
import { Answer, Beside } from '../../parts/answer';
import { counted } from '../../parts/counted';
import { Facts } from '../../parts/facts';
import { Name } from '../../parts/name';
import { Time } from '../../parts/time';
import { numberHead, Table } from '../../tables/table';
import { actedOn, turnOf } from '../overseeing';
import { Refused, ReviewCrumbs } from '../review-crumbs';
import { orSaid } from '../said';
import { planAddress, progressAddress, REVIEWS } from '../words';

const PATH = `${REVIEWS}/:id/plan`;

/** How many reviewers the page lists. */
const MOST_REVIEWERS = 100;

interface Planned {
  readonly review: Review;
  readonly plan: Plan;
  readonly refused: string | null;
}

const Reviewers = ({ of }: { readonly of: Plan }): JSX.Element | null =>
  of.reviewers.length === 0 ? null : (
    <section aria-labelledby="reviewers">
      <h2 id="reviewers">Who reviews how much</h2>
      <Table caption="Reviewers" columns={['Reviewer', ...['Items', 'Minutes'].map(numberHead)]}>
        {of.reviewers.slice(0, MOST_REVIEWERS).map(({ reviewer, name, items, minutes }) => (
          <tr key={reviewer}>
            <th scope="row">
              <Name>{name}</Name>
            </th>
            <td data-name="Items" class="number">
              {items.toLocaleString('en')}
            </td>
            <td data-name="Minutes" class="number">
              {minutes.toLocaleString('en')}
            </td>
          </tr>
        ))}
      </Table>
      {of.reviewers.length > MOST_REVIEWERS ? (
        <p class="hint">
          These are the first {MOST_REVIEWERS} of {of.reviewers.length}.
        </p>
      ) : null}
      <p class="hint">
        {counted(of.avoided, 'item')} would have been reviewed by their own holder; somebody else
        reviews them.
      </p>
    </section>
  );

const Without = ({ of }: { readonly of: Plan }): JSX.Element | null =>
  of.without_reviewer === 0 ? null : (
    <section aria-labelledby="without">
      <h2 id="without">Items that nobody may review</h2>
      <ul>
        {of.without_reviewer_first.slice(0, 20).map((each, at) => (
          <li key={at}>
            <Name>{each}</Name>
          </li>
        ))}
      </ul>
    </section>
  );

/** How much would be reviewed, in one sentence. */
const PlanInWords = ({ of }: { readonly of: Plan }): JSX.Element => {
  const minutes = of.reviewers.reduce((sum, each) => sum + each.minutes, 0);
  return of.items === 0 ? (
    <>The scope has no items, so there is nothing to open.</>
  ) : (
    <>
      <b>{counted(of.reviewers.length, 'reviewer')}</b> would decide about{' '}
      <b>{counted(of.items - of.without_reviewer, 'item')}</b>, which needs some{' '}
      <b>{counted(minutes, 'minute')}</b>.
    </>
  );
};

const OpenForm = ({ of: { review, plan } }: { readonly of: Planned }): JSX.Element | null => {
  const doubtful = plan.sources.filter(({ is_stale, has_failed }) => is_stale || has_failed);
  if (plan.without_reviewer > 0 || plan.items === 0) return null;
  return (
    <form class="ask" method="post" action={planAddress(review.id)}>
      <h2>Open it</h2>
      <FormToken />
      <input type="hidden" name="token" value={plan.token} />
      {doubtful.map(({ data_source, name, provider, at, has_failed }) => (
        <p key={data_source}>
          <label for={`why-${data_source}`}>
            <Name>{name}</Name> of <Name>{provider}</Name>{' '}
            {has_failed ? 'failed the last time' : 'is stale'}
            {at === null ? '' : ', pushed '}
            <Time of={at} />. Why do you open the review nevertheless?
          </label>
          <input type="hidden" name="sources" value={data_source} />
          <input
            id={`why-${data_source}`}
            name="reasons"
            maxLength={MOST_OF_REASON}
            required
            autocomplete="off"
          />
        </p>
      ))}
      <p class="hint">
        It opens with exactly these items. If the graph has changed since, you see the new plan
        first.
      </p>
      <button>Open the review</button>
    </form>
  );
};

const Body = (of: Planned): JSX.Element => {
  const { review, plan, refused } = of;
  const elsewhere = plan.coverage.elsewhere.reduce((sum, each) => sum + each.pairs, 0);
  const marks = Object.entries(plan.marks).map(
    ([mark, count]) =>
      `${count.toLocaleString('en')} ${OTHERS_MARK_WORDS[mark as keyof typeof OTHERS_MARK_WORDS] ?? mark}`,
  );
  return (
    <>
      <ReviewCrumbs />
      <h1>
        Plan of <Name>{review.name}</Name>
      </h1>
      <Refused of={refused} />
      <Answer>
        <PlanInWords of={plan} />
      </Answer>
      <p class="subtitle">
        If it were opened now. Nothing is written yet.{' '}
        <a href={progressAddress(review.id)}>To the review</a>
      </p>
      {plan.without_reviewer === 0 ? null : (
        <p class="note danger">
          {counted(plan.without_reviewer, 'item has', 'items have')} no reviewer. This stops the
          opening: name another fallback in a new draft, or narrow the scope.{' '}
          <a href="#without">Which they are</a>
        </p>
      )}
      <Beside
        aside={
          <Facts
            of={[
              ['Items', counted(plan.items, 'item')],
              ['Carried over', plan.carried === 0 ? null : counted(plan.carried, 'item')],
              ['Marks', marks.join(', ')],
              [
                'Redundant',
                plan.changes_nothing === 0
                  ? null
                  : `${counted(plan.changes_nothing, 'item')} whose revoke would change nothing`,
              ],
              [
                'Coverage',
                `${plan.coverage.reviewed.toLocaleString('en')} of ${counted(plan.coverage.pairs, 'pair')} of somebody and something`,
              ],
              [
                'Elsewhere',
                elsewhere === 0 ? null : `${counted(elsewhere, 'pair')} belong to other reviews`,
              ],
              ...plan.coverage.not_reviewed.map(
                ({ because, pairs }) =>
                  [
                    'Not reviewed',
                    <span key={because}>
                      {counted(pairs, 'pair')}: <Name>{because}</Name>
                    </span>,
                  ] as const,
              ),
            ]}
          />
        }
      >
        <Reviewers of={plan} />
        <Without of={plan} />
        <OpenForm of={of} />
      </Beside>
    </>
  );
};

/** What the page says once the review is open, such as after a step back. */
const NoDraft = ({
  of: { id, name, state },
  refused,
}: {
  readonly of: Review;
  readonly refused: string | null;
}): JSX.Element => (
  <>
    <ReviewCrumbs />
    <h1>
      Plan of <Name>{name}</Name>
    </h1>
    <Refused of={refused} />
    <p role="status">
      The review is {state}, so there is nothing to plan.{' '}
      <a href={progressAddress(id)}>To the review</a>
    </p>
  </>
);

const MAY_NOT = 'Only the owner of the review or an administrator plans and opens it.';

const showPlan = (
  request: Pick<Request<unknown>, 'context' | 'id' | 'reader'>,
  refused: string | null = null,
): TE.TaskEither<Failure, Shown> => {
  const { context, id, reader } = request;
  return pipe(
    actedOn(request, MAY_NOT),
    TE.flatMap((review): TE.TaskEither<Failure, Shown> =>
      review.state !== 'draft'
        ? TE.right({ title: review.name, body: <NoDraft of={review} refused={refused} /> })
        : pipe(
            inWholeTurn(context, turnOf(reader), () => planDraft(context, id)),
            TE.map((plan) => ({
              title: `Plan of ${review.name}`,
              body: <Body {...{ review, plan, refused }} />,
            })),
          ),
    ),
  );
};

/** What a draft would be if it were opened now. */
export const planPage = page({
  path: PATH,
  summary:
    'The plan of a review: items, reviewers, sources and coverage, and the form that opens it.',
  readers: 'everybody',
  query: NoParameters,
  show: (request) => showPlan(request),
});

const FIELDS = struct(
  'form that opens a review',
  { token: text },
  { sources: texts, reasons: texts },
  {
    docs: {
      token: 'The token of the plan.',
      sources: 'The ids of sources that are stale or have failed.',
      reasons: 'For each of them, why the review opens nevertheless.',
    },
  },
);

type Sent = SentForm<{
  readonly token: string;
  readonly sources?: string | readonly string[] | null;
  readonly reasons?: string | readonly string[] | null;
}>;

const listOf = (value: string | readonly string[] | null | undefined): readonly string[] =>
  [value ?? []].flat();

const open = async ({ context, id, fields, act, reader: { person } }: Sent): Promise<void> => {
  const reasons = listOf(fields.reasons);
  const acknowledged = listOf(fields.sources).flatMap((data_source, at) => {
    const reason = (reasons[at] ?? '').trim().slice(0, MOST_OF_REASON);
    return reason === '' ? [] : [{ data_source, reason }];
  });
  const by = person === null ? {} : { on_behalf_of: person };
  await openReview(context, id, { token: fields.token, acknowledged, ...by }, act);
};

/** Opens a review as its plan said. */
export const openForm = pageForm({
  path: PATH,
  summary: 'Opens a review as its plan said.',
  more: 'reviews#for-owners',
  readers: 'everybody',
  fields: FIELDS,
  send: (sent): TE.TaskEither<Failure, FormOutcome> =>
    pipe(
      actedOn(sent, MAY_NOT),
      TE.flatMap(() => inWholeTurn(sent.context, turnOf(sent.reader), () => open(sent))),
      TE.map((): FormOutcome => ({ shown: { leadsTo: progressAddress(sent.id) } })),
      TE.orElse(orSaid((refused) => showPlan(sent, refused))),
    ),
});
