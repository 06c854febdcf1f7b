import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../codec/struct';
import { text } from '../../../codec/text';
import { NoParameters, texts, textsOf } from '../../../contract/parameters/query-parameters';
import { toFailure } from '../../../neo4j/failure';
import { badField, type Failure } from '../../../problem';
import {
  cancelReview,
  closeReview,
  except,
  MOST_AT_ONCE,
  type OversightOfReview,
  overseeReview,
  remind,
  send,
  STATE_WORDS,
} from '../../reviews/reading/contract';
import { type FormOutcome, pageForm, type SentForm } from '../forms/page-form';
import { FormToken } from '../frame/form-token';
import { page, type Request, type Shown } from '../frame/page';
import { counted } from '../parts/counted';
import { Facts } from '../parts/facts';
import { Name } from '../parts/name';
import { Time } from '../parts/time';
import { numberHead, Table } from '../tables/table';
import { numbersIn } from './item-numbers';
import { actedOn, mayActOn, overseerOf } from './overseeing';
import { Progress } from './progress';
import { REASON, Reason } from './reason';
import { Remediation } from './revokes/remediation';
import { Sending } from './revokes/sending';
import { Refused, ReviewCrumbs } from './review-crumbs';
import { orSaid } from './said';
import {
  evidenceAddress,
  itemsAddress,
  planAddress,
  progressAddress,
  REVIEWS,
  verifiedAddress,
} from './words';

const PATH = `${REVIEWS}/:id/progress`;

type Of = OversightOfReview;
type ReviewerProgress = Of['reviewers'][number];

/** What the page of a review shows, and to whom. */
interface Overseen {
  readonly of: Of;
  /** Whether the reader may act on the review. */
  readonly mayAct: boolean;
  readonly refused: string | null;
}

const ReviewerRow = ({
  of,
  review,
}: {
  readonly of: ReviewerProgress;
  readonly review: string;
}): JSX.Element => {
  const { numbers, keepsPerMinute, keepsAll } = of;
  const isFast = keepsPerMinute !== null && keepsPerMinute > FAST;
  return (
    <tr>
      <th scope="row">
        <a href={itemsAddress(review, { reviewer: of.alias })}>
          <Name>{of.name ?? `${of.alias}, who was erased`}</Name>
        </a>
      </th>
      <td data-name="Decided">
        <Progress of={numbers} />
      </td>
      <td data-name="Pending" class="number">
        {numbers.pending === 0 ? '' : numbers.pending.toLocaleString('en')}
      </td>
      <td data-name="Kept" class="number">
        {numbers.keep.toLocaleString('en')}
      </td>
      <td data-name="Revoked" class="number">
        {numbers.revoke.toLocaleString('en')}
      </td>
      <td data-name="Carried over" class="number">
        {numbers.carried.toLocaleString('en')}
      </td>
      <td data-name="Kept in a minute" class="number">
        {keepsPerMinute === null ? '' : keepsPerMinute.toFixed(1)}
      </td>
      <td data-name="Remarkable">
        {keepsAll ? (
          <>
            <span class="tag bad">keeps everything</span>{' '}
          </>
        ) : null}
        {isFast ? <span class="tag bad">very fast</span> : null}
        {keepsAll || isFast ? null : <span class="quiet">nothing</span>}
      </td>
    </tr>
  );
};

/** The states of items of which nobody must decide, in the order of the page. */
const DECIDED = ['keep', 'revoke', 'carried', 'gone', 'excepted'] as const;

/** Nobody reads the evidence of so many items in a minute. */
const FAST = 20;

const NUMBERS = ['Pending', 'Kept', 'Revoked', 'Carried over', 'Kept in a minute'];

const Reviewers = ({ of: { review, reviewers: of } }: { readonly of: Of }): JSX.Element | null =>
  of.length === 0 ? null : (
    <section aria-labelledby="reviewers">
      <h2 id="reviewers">Reviewers</h2>
      <Table
        caption="Reviewers"
        columns={['Reviewer', 'Decided', ...NUMBERS.map(numberHead), 'Remarkable']}
      >
        {of.map((each) => (
          <ReviewerRow key={each.alias} of={each} review={review.id} />
        ))}
      </Table>
      <p class="hint">
        Carried over: kept in a review before, and unchanged since; the reviewer may still decide.
        Kept in a minute: how many items they keep in a minute in which they decide. More than{' '}
        {FAST} are very fast.
      </p>
      <p>
        <a href={itemsAddress(review.id)}>All items</a>: by state, reviewer and mark.
      </p>
    </section>
  );

const Coverage = ({ of: { review } }: { readonly of: Of }): JSX.Element | null => {
  const { coverage, sources } = review;
  if (coverage === null) return null;
  const elsewhere = coverage.elsewhere.reduce((sum, each) => sum + each.pairs, 0);
  const acknowledged = (sources ?? []).filter(({ reason }) => reason !== null);
  return (
    <section aria-labelledby="coverage">
      <h2 id="coverage">Coverage</h2>
      <p>
        {coverage.reviewed.toLocaleString('en')} of {counted(coverage.pairs, 'pair')} of somebody
        and something in scope belong to items of this review
        {elsewhere === 0 ? '' : `, and ${counted(elsewhere, 'pair')} to other reviews`}.
      </p>
      {coverage.not_reviewed.length === 0 ? null : (
        <ul>
          {coverage.not_reviewed.map(({ because, pairs }) => (
            <li key={because}>
              {counted(pairs, 'pair')} not reviewed: <Name>{because}</Name>
            </li>
          ))}
        </ul>
      )}
      {acknowledged.length === 0 ? null : (
        <ul>
          {acknowledged.map(({ data_source, name, is_stale, reason }) => (
            <li key={data_source}>
              <Name>{name}</Name> {is_stale ? 'was stale' : 'had failed'}, and was accepted:{' '}
              <Name>{reason ?? ''}</Name>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

const Acts = ({ of }: { readonly of: Of }): JSX.Element | null => {
  const { review, numbers, isOwner } = of;
  const isOpen = review.state === 'open';
  if (!isOpen && review.state !== 'draft') return null;
  const pending = numbers?.pending ?? 0;
  return (
    <section aria-labelledby="acts">
      <h2 id="acts">What next</h2>
      {isOpen ? null : (
        <p>
          <a href={planAddress(review.id)}>Plan it</a>: who would review what, and what stops the
          opening.
        </p>
      )}
      {isOpen && pending > 0 ? (
        <form method="post" action={progressAddress(review.id)}>
          <FormToken />
          <button name="act" value="remind" class="quieter">
            Remind those with pending items
          </button>{' '}
          <span class="hint">It reports an event for each of them.</span>
        </form>
      ) : null}
      {isOpen && pending === 0 && isOwner ? (
        <form class="ask" method="post" action={progressAddress(review.id)}>
          <FormToken />
          <Reason id="attestation" label="You close the review. What do you attest?" />
          <button name="act" value="close">
            Close the review
          </button>
        </form>
      ) : null}
      {isOpen && !isOwner ? <p class="hint">Only its owner closes the review.</p> : null}
      {isOpen && pending > 0 && isOwner ? (
        <p class="hint">You can close the review once nothing is pending.</p>
      ) : null}
      <details>
        <summary>Cancel the review</summary>
        <form class="ask" method="post" action={progressAddress(review.id)}>
          <FormToken />
          <Reason id="cancel-reason" label="Why is it cancelled?" />
          <button name="act" value="cancel" class="danger">
            Cancel the review
          </button>
        </form>
      </details>
    </section>
  );
};

const Body = ({ of, mayAct, refused }: Overseen): JSX.Element => {
  const { review, numbers, owner, fallback, isOverdue } = of;
  const isOpened = numbers !== null;
  return (
    <>
      <ReviewCrumbs />
      <h1>
        <Name>{review.name}</Name>
      </h1>
      <Refused of={refused} />
      <p class="subtitle">
        {review.state}
        {numbers === null ? null : (
          <>
            {' · '}
            <Progress of={numbers} /> · {counted(numbers.pending, 'item')} pending
            {numbers.pending > 0 && isOverdue ? <span class="tag bad">overdue</span> : null}
          </>
        )}
      </p>
      <Facts
        of={[
          ['Owner', <Name>{owner}</Name>],
          ['Fallback', <Name>{fallback}</Name>],
          ['Due', <Time of={review.due} />],
          ['Access as of', review.at === null ? null : <Time of={review.at} />],
          [
            'Decided',
            numbers === null
              ? null
              : DECIDED.map(
                  (state) => `${numbers[state].toLocaleString('en')} ${STATE_WORDS[state]}`,
                ).join(', '),
          ],
          ['Closed', review.closed_at === null ? null : <Time of={review.closed_at} />],
          ['Attested', review.attestation === null ? null : <Name>{review.attestation}</Name>],
          [
            'Second seal',
            review.state !== 'closed' ? null : review.remediated_at === null ? (
              'not yet: some revokes are neither confirmed by a push nor left by an exception'
            ) : (
              <>
                <Time of={review.remediated_at} />: each revoke is confirmed by a push or left by an
                exception
              </>
            ),
          ],
          ['Cancelled', review.reason === null ? null : <Name>{review.reason}</Name>],
        ]}
      />
      <Reviewers of={of} />
      <Remediation {...{ of, mayAct }} />
      <Coverage of={of} />
      {isOpened || review.state === 'cancelled' ? (
        <section aria-labelledby="evidence">
          <h2 id="evidence">Evidence</h2>
          <p>
            <a href={evidenceAddress(review.id)}>All evidence as a zip file</a> ·{' '}
            <a href={verifiedAddress(review.id)}>Verify the review</a>{' '}
            <span class="hint">
              The service computes digests, the chain and the population again.
            </span>
          </p>
        </section>
      ) : null}
      {mayAct ? <Acts of={of} /> : null}
    </>
  );
};

const showProgress = (
  { context, id, reader }: Pick<Request<unknown>, 'context' | 'id' | 'reader'>,
  refused: string | null = null,
): TE.TaskEither<Failure, Shown> =>
  pipe(
    TE.tryCatch(() => overseeReview(context, id, overseerOf(reader)), toFailure),
    TE.map((of) => ({
      title: of.review.name,
      body: <Body {...{ of, refused, mayAct: mayActOn(reader, of.isOwner) }} />,
    })),
  );

/** How far a review is, for its owner, administrators and auditors. */
export const oversightPage = page({
  path: PATH,
  summary: 'How far a review is: reviewers, remediation, coverage and evidence.',
  readers: 'everybody',
  query: NoParameters,
  show: (request) => showProgress(request),
});

const FIELDS = struct(
  'form of a review',
  {},
  { act: text, items: texts, until: text, reason: REASON, token: text },
  {
    docs: {
      act: '`remind`, `close`, `cancel`, `except`, `look` (what would be sent) or `send`.',
      items: 'The numbers of items of which an exception is made, or that are sent.',
      token: 'What the page said that showed what would be sent.',
      until: 'The last day of the exception.',
      reason: 'The reason, or what is attested.',
    },
  },
);

type Sent = SentForm<{
  readonly act?: string | null;
  readonly items?: string | readonly string[] | null;
  readonly until?: string | null;
  readonly reason?: string | null;
  readonly token?: string | null;
}>;

const itemsIn = ({ items }: Sent['fields']): readonly number[] | null =>
  numbersIn(textsOf(items), MOST_AT_ONCE);

const carryOut = async ({ context, id, fields, reader, act }: Sent): Promise<void> => {
  const reason = (fields.reason ?? '').trim();
  const { person } = reader;
  const on_behalf_of = person ?? '';
  if (fields.act === 'remind') await remind(context, id, act);
  if (fields.act === 'cancel')
    await cancelReview(context, id, person === null ? { reason } : { reason, on_behalf_of }, act);
  if (fields.act === 'close')
    await closeReview(context, id, { on_behalf_of, attestation: reason }, act);
  if (fields.act === 'except') {
    const items = itemsIn(fields) ?? [];
    const until = `${fields.until ?? ''}T23:59:59Z`;
    await except(context, id, { on_behalf_of, items, until, reason }, act);
  }
  if (fields.act === 'send') {
    const token = fields.token ?? '';
    const by = person === null ? {} : { on_behalf_of };
    await send(context, id, { items: itemsIn(fields) ?? [], token, ...by }, act);
    context.wake();
  }
};

/** Shows what of some revokes would be sent. */
const look = ({ context, id, fields, reader, act }: Sent): TE.TaskEither<Failure, FormOutcome> =>
  TE.tryCatch(async () => {
    const of = await overseeReview(context, id, overseerOf(reader));
    const sending = await send(context, id, { items: itemsIn(fields) ?? [] }, act);
    const body = <Sending {...{ of, sending, maySend: reader.administers }} />;
    return { shown: { title: 'What would be sent', body } };
  }, toFailure);

const NEEDS_REASON: readonly unknown[] = ['close', 'cancel', 'except'];
const NEEDS_ITEMS: readonly unknown[] = ['except', 'look', 'send'];
const ACTS: readonly unknown[] = ['remind', ...NEEDS_REASON, ...NEEDS_ITEMS];

/** Why a form is wrong before anything is done; `null` if it is not. */
const wrongIn = ({ fields, reader }: Sent): Failure | null => {
  const { act, reason } = fields;
  if (!ACTS.includes(act)) return badField('/act', 'UNKNOWN_VALUE', 'Nothing was chosen');
  if (act === 'send' && !reader.administers) {
    return { _tag: 'PermissionDenied', message: 'Only administrators send revokes.' };
  }
  if (act === 'send' && (fields.token ?? '') === '') {
    return badField('/token', 'MISSING_FIELD', 'See first what would be sent');
  }
  if (NEEDS_REASON.includes(act) && (reason ?? '').trim() === '') {
    return badField('/reason', 'MISSING_FIELD', 'A reason is needed');
  }
  return NEEDS_ITEMS.includes(act) && itemsIn(fields) === null
    ? badField('/items', 'MISSING_FIELD', `Mark one item at least, and at most ${MOST_AT_ONCE}`)
    : null;
};

/** What the owner of a review, or an administrator, does with it. */
export const oversightForm = pageForm({
  path: PATH,
  summary: 'Reminds reviewers, makes exceptions, sends revokes, closes or cancels a review.',
  more: 'reviews#for-owners',
  readers: 'everybody',
  fields: FIELDS,
  send: (sent): TE.TaskEither<Failure, FormOutcome> => {
    const wrong = wrongIn(sent);
    return pipe(
      actedOn(sent, 'Only the owner of the review or an administrator does this.'),
      TE.flatMap(() => (wrong === null ? TE.right(undefined) : TE.left(wrong))),
      TE.flatMap(() =>
        sent.fields.act === 'look'
          ? look(sent)
          : pipe(
              TE.tryCatch(() => carryOut(sent), toFailure),
              TE.map((): FormOutcome => ({ shown: { leadsTo: progressAddress(sent.id) } })),
            ),
      ),
      TE.orElse(orSaid((refused) => showProgress(sent, refused))),
    );
  },
});
