import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../../codec/struct';
import { choice, countText, oneText } from '../../../../contract/parameters/query-parameters';
import { toFailure } from '../../../../neo4j/failure';
import {
  type AllItems,
  ITEM_STATES,
  type ItemState,
  listAllItems,
  type ListedItem,
  type Mark,
  MARKS,
  type Numbers,
  OTHERS_MARK_WORDS,
  REMEDIATION_WORDS,
  STATE_WORDS,
} from '../../../reviews/reading/contract';
import { page } from '../../frame/page';
import { useAddresses } from '../../frame/reading';
import { counted } from '../../parts/counted';
import { Name } from '../../parts/name';
import { Time } from '../../parts/time';
import { Count } from '../../tables/chips';
import { numberHead, Table } from '../../tables/table';
import { Held, Holder, MarkTags } from '../evidence';
import { overseerOf } from '../overseeing';
import { itemsAddress, progressAddress, REVIEWS } from '../words';

/** How many items a page shows. */
const SIZE = 50;

const QUERY = struct(
  'the query of all items of a review',
  {},
  {
    state: choice('states of items', ITEM_STATES),
    mark: choice('marks', MARKS),
    reviewer: oneText,
    after: countText,
  },
);

/** What the list is narrowed to; empty: to nothing. */
interface Narrowing {
  readonly state: string;
  readonly mark: string;
  readonly reviewer: string;
}

interface Listed {
  readonly of: AllItems;
  readonly by: Narrowing;
  readonly after: number;
}

/** What was decided, when, by whom and why, and what became of a revoke. */
const State = ({ of: { answer } }: { readonly of: ListedItem }): JSX.Element => {
  const { state, decided_at, decided_by, reason, remediation } = answer;
  return (
    <>
      {STATE_WORDS[state]}
      {decided_at === null ? null : (
        <>
          {' '}
          <Time of={decided_at} />
        </>
      )}
      {decided_by === null ? null : (
        <>
          {' by '}
          <Name>{decided_by.name ?? decided_by.alias}</Name>
        </>
      )}
      {reason === null ? null : (
        <>
          {': '}
          <Name>{reason}</Name>
        </>
      )}
      {remediation === null ? null : (
        <span class="kind"> {REMEDIATION_WORDS[remediation.state]}</span>
      )}
    </>
  );
};

const Row = ({
  of,
  review,
  by,
}: {
  readonly of: ListedItem;
  readonly review: string;
  readonly by: Narrowing;
}): JSX.Element => {
  const { number, marks, reviewer } = of.answer;
  const name = reviewer === null ? null : <Name>{reviewer.name ?? reviewer.alias}</Name>;
  const addresses = useAddresses();
  const pageOf = (node: ListedItem['held']): string | null =>
    node === null ? null : addresses.entity(node);
  return (
    <tr>
      <td data-name="Item" class="number">
        {number}
      </td>
      <th scope="row">
        <Holder of={of} href={pageOf(of.holder)} />
        <MarkTags of={marks} words={OTHERS_MARK_WORDS} />
      </th>
      <td data-name="Held">
        <Held of={of} href={pageOf(of.held)} />
      </td>
      <td data-name="Reviewer">
        {reviewer === null || by.reviewer !== '' ? (
          name
        ) : (
          <a href={itemsAddress(review, { ...by, reviewer: reviewer.alias })}>{name}</a>
        )}
      </td>
      <td data-name="State">
        <State of={of} />
      </td>
    </tr>
  );
};

const Choice = ({
  words,
  count = null,
  isChosen,
  href,
}: {
  readonly words: string;
  readonly count?: number | null;
  readonly isChosen: boolean;
  readonly href: string;
}): JSX.Element => (
  <a href={href} aria-current={isChosen ? 'true' : undefined}>
    {words} <Count of={count} />
  </a>
);

/** How many of some items a list has that is narrowed to a state, or to none. */
const countIn = (numbers: Numbers | undefined, { state }: Pick<Narrowing, 'state'>): number =>
  numbers?.[state === '' ? 'items' : (state as ItemState)] ?? 0;

const Choices = ({ of: { of, by } }: { readonly of: Listed }): JSX.Element => {
  const { review, numbers, ofAnyMark, byMark, reviewerName } = of;
  const at = (more: Partial<Narrowing>): string => itemsAddress(review.id, { ...by, ...more });
  return (
    <>
      <nav class="chips" aria-label="Show only items that are">
        <Choice
          words="all"
          count={numbers.items}
          isChosen={by.state === ''}
          href={at({ state: '' })}
        />
        {ITEM_STATES.filter((state) => numbers[state] > 0 || state === by.state).map((state) => (
          <Choice
            key={state}
            words={STATE_WORDS[state]}
            count={numbers[state]}
            isChosen={state === by.state}
            href={at({ state })}
          />
        ))}
      </nav>
      <nav class="chips" aria-label="Show only items with the mark">
        <Choice
          words="with any mark or none"
          count={countIn(ofAnyMark, by)}
          isChosen={by.mark === ''}
          href={at({ mark: '' })}
        />
        {MARKS.filter((mark) => countIn(byMark.get(mark), by) > 0 || mark === by.mark).map(
          (mark) => (
            <Choice
              key={mark}
              words={OTHERS_MARK_WORDS[mark]}
              count={countIn(byMark.get(mark), by)}
              isChosen={mark === by.mark}
              href={at({ mark })}
            />
          ),
        )}
      </nav>
      {by.reviewer === '' ? null : (
        <p>
          Only items of the reviewer <Name>{reviewerName ?? by.reviewer}</Name>.{' '}
          <a href={at({ reviewer: '' })}>Items of all reviewers</a>
        </p>
      )}
    </>
  );
};

const Body = (listed: Listed): JSX.Element => {
  const { of, by, after } = listed;
  const { review, numbers, items, next } = of;
  const total = countIn(numbers, by);
  return (
    <>
      <p class="crumbs">
        <a href={REVIEWS}>Reviews</a> ›{' '}
        <a href={progressAddress(review.id)}>
          <Name>{review.name}</Name>
        </a>
      </p>
      <h1>All items</h1>
      <p class="subtitle">{counted(total, 'item')} in this list</p>
      <Choices of={listed} />
      {items.length === 0 ? (
        <p role="status">There are no such items{after > 0 ? ' any more' : ''}.</p>
      ) : (
        <Table
          caption="Items of the review"
          columns={[numberHead('Item'), 'Who', 'Held', 'Reviewer', 'State']}
        >
          {items.map((item) => (
            <Row key={item.answer.number} of={item} review={review.id} by={by} />
          ))}
        </Table>
      )}
      <p class="further">
        {after > 0 ? <a href={itemsAddress(review.id, { ...by })}>From the first item on</a> : null}{' '}
        {next === null ? null : (
          <a href={itemsAddress(review.id, { ...by, after: next })}>Further items</a>
        )}
      </p>
    </>
  );
};

/** All items of a review, for its owner, administrators and auditors. */
export const allItemsPage = page({
  path: `${REVIEWS}/:id/items`,
  summary: 'All items of a review, by state, reviewer and mark.',
  readers: 'everybody',
  query: QUERY,
  show: ({ context, id, reader, query }) => {
    const by = {
      state: query.state ?? '',
      mark: query.mark ?? '',
      reviewer: query.reviewer ?? '',
    };
    const after = Number(query.after ?? 0) || 0;
    return pipe(
      TE.tryCatch(
        () =>
          listAllItems(context, id, overseerOf(reader), {
            state: by.state === '' ? null : (by.state as ItemState),
            mark: by.mark === '' ? null : (by.mark as Mark),
            reviewer: by.reviewer === '' ? null : by.reviewer,
            after,
            size: SIZE,
          }),
        toFailure,
      ),
      TE.map((of) => ({
        title: `Items of ${of.review.name}`,
        body: <Body {...{ of, by, after }} />,
      })),
    );
  },
});
