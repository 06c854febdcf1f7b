import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../codec/struct';
import { choice, countText } from '../../../contract/parameters/query-parameters';
import { toFailure } from '../../../neo4j/failure';
import type { Failure } from '../../../problem';
import {
  type ItemState,
  listOwnItems,
  MOST_KEPT_AT_ONCE,
  type OwnItem,
  type OwnItems,
  type OwnItemsPage,
  readOwnItems,
} from '../../reviews/reading/contract';
import { FormToken } from '../frame/form-token';
import { page, type Request, type Shown } from '../frame/page';
import { counted } from '../parts/counted';
import { Name, Unseen } from '../parts/name';
import { Time } from '../parts/time';
import {
  AlsoThrough,
  canDecide,
  Decided,
  Gives,
  Held,
  Holder,
  MarkTags,
  nameOf,
  SincePush,
  WhyReviewer,
} from './evidence';
import { Progress } from './progress';
import { Refused } from './review-crumbs';
import { decideAddress, reviewAddress, REVIEWS, rowId } from './words';

/** How many items a page shows. */
const SIZE = 25;

/** What a list of items is narrowed to, and the states that this means. */
const VIEWS = {
  todo: ['pending'],
  decided: ['keep', 'revoke', 'excepted'],
  carried: ['carried'],
  gone: ['gone'],
} as const satisfies Readonly<Record<string, readonly ItemState[]>>;
type View = keyof typeof VIEWS;

const VIEW_WORDS: Readonly<Record<View, string>> = {
  todo: 'to decide',
  decided: 'decided',
  carried: 'carried over',
  gone: 'gone',
};

const QUERY = struct(
  'the query of the items of a reviewer',
  {},
  {
    view: choice('views', Object.keys(VIEWS)),
    page: countText,
    item: countText,
    after: countText,
  },
);

/** What the list of a reviewer's items shows. */
interface Listed {
  readonly own: OwnItemsPage;
  readonly view: View;
  /** The item that was decided last, if it is the reader's. */
  readonly last: OwnItem | null;
  /** Why the last step was refused. */
  readonly refused: string | null;
}

/** The order of items: what is new or has changed first, then by what is held. */
const isAfter = (one: OwnItem, other: OwnItem): boolean => {
  const rankOf = ({ answer: { marks } }: OwnItem): number =>
    marks.includes('new') || marks.includes('changed') ? 0 : 1;
  if (rankOf(one) !== rankOf(other)) return rankOf(one) > rankOf(other);
  if (one.entitlement !== other.entitlement) return one.entitlement > other.entitlement;
  return one.answer.number > other.answer.number;
};

/** The item that is next after one that is done: the one that follows it on a page, or else the first. */
const nextOf = (items: readonly OwnItem[], done: OwnItem | null): OwnItem | undefined =>
  (done === null ? undefined : items.find((each) => isAfter(each, done))) ?? items[0];

const Decision = ({
  of,
  review,
  form,
}: {
  readonly of: OwnItem;
  readonly review: string;
  readonly form: string;
}): JSX.Element => {
  const { number, state, needs_reason, shown } = of.answer;
  const about = <Unseen>{shown?.holder.name ?? ''}</Unseen>;
  if (state !== 'pending') {
    return (
      <>
        <Decided of={of} />{' '}
        {canDecide(of) ? (
          <a href={decideAddress(review, { item: number })}>Correct it{about}</a>
        ) : null}
      </>
    );
  }
  return (
    <span class="choices">
      {needs_reason ? (
        <a
          class="button"
          href={decideAddress(review, { item: number, act: 'keep' })}
          data-press="y"
        >
          Keep …{about}
        </a>
      ) : (
        <button form={form} name="act" value={`keep.${number}`} data-press="y">
          Keep{about}
        </button>
      )}{' '}
      <a
        class="button danger"
        href={decideAddress(review, { item: number, act: 'revoke' })}
        data-press="n"
      >
        Revoke …{about}
      </a>
    </span>
  );
};

const Row = ({
  of,
  review,
  form,
  isNext,
}: {
  readonly of: OwnItem;
  readonly review: string;
  readonly form: string;
  readonly isNext: boolean;
}): JSX.Element => {
  const { number, digest, marks, shown, state } = of.answer;
  return (
    <tr id={rowId(number)}>
      <th scope="row">
        {state === 'pending' ? (
          <>
            <input type="hidden" form={form} name="seen" value={`${number}.${digest}`} />
            <input
              type="checkbox"
              form={form}
              name="items"
              value={number}
              aria-label={`Mark ${nameOf(of)}`}
              data-press="x"
            />{' '}
          </>
        ) : null}
        <Holder
          of={of}
          href={decideAddress(review, { item: number })}
          id={isNext ? 'next' : undefined}
        />
        <MarkTags of={marks} />
      </th>
      <td data-name="Can">{shown === null ? null : <Gives of={shown} />}</td>
      <td data-name="Since">{shown === null ? null : <SincePush of={shown} />}</td>
      <td data-name="Evidence">
        {shown === null ? null : <AlsoThrough of={shown} />}{' '}
        <span class="quiet">
          <WhyReviewer of={of} />
        </span>
      </td>
      <td data-name="Decision">
        <Decision {...{ of, review, form }} />
      </td>
    </tr>
  );
};

/** The buttons of a group of items of one entitlement. */
const GroupButtons = ({
  of,
  form,
}: {
  readonly of: readonly OwnItem[];
  readonly form: string;
}): JSX.Element | null => {
  const pending = of.filter(({ answer }) => answer.state === 'pending');
  if (pending.length < 2) return null;
  const plain = pending
    .filter(({ answer }) => !answer.needs_reason)
    .map(({ answer }) => answer.number)
    .slice(0, MOST_KEPT_AT_ONCE);
  return (
    <span class="choices">
      {plain.length < 2 ? null : (
        <button form={form} name="act" value={`keep.${plain.join('.')}`} class="quieter">
          Keep these {plain.length}
        </button>
      )}{' '}
      <button form={form} name="act" value="keep" class="quieter" data-press="a">
        Keep the marked
      </button>{' '}
      <button form={form} name="act" value="revoke" class="quieter">
        Revoke the marked …
      </button>{' '}
      <button form={form} name="act" value="reassign" class="quieter">
        Give the marked away …
      </button>
    </span>
  );
};

/** Items next to each other with the same entitlement. */
const groupsOf = (items: readonly OwnItem[]): readonly (readonly OwnItem[])[] => {
  const groups: OwnItem[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.[0]?.entitlement === item.entitlement) last.push(item);
    else groups.push([item]);
  }
  return groups;
};

const COLUMNS = ['Who', 'Can do by it', 'Since', 'Evidence', 'Decision'];

const ItemTable = ({ of: { own, last } }: { readonly of: Listed }): JSX.Element => {
  const { review, items } = own;
  const groups = groupsOf(items);
  const next = nextOf(items, last);
  return (
    <>
      {groups.map((_, at) => (
        <form key={at} id={`group-${at}`} method="post" action={decideAddress(review.id)}>
          <FormToken />
        </form>
      ))}
      <div class="scroll">
        <table class="cards items">
          <caption class="unseen">Items by what is held</caption>
          <thead>
            <tr>
              {COLUMNS.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map((group, at) => (
            <tbody key={at}>
              <tr class="group">
                <th colSpan={COLUMNS.length} scope="rowgroup">
                  <Held of={group[0] as OwnItem} /> <GroupButtons of={group} form={`group-${at}`} />
                </th>
              </tr>
              {group.map((item) => (
                <Row
                  key={item.answer.number}
                  {...{ of: item, review: review.id, form: `group-${at}` }}
                  isNext={item === next}
                />
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </>
  );
};

const countsOf = ({ numbers }: OwnItems): Readonly<Record<View, number>> => ({
  todo: numbers.pending,
  decided: numbers.keep + numbers.revoke + numbers.excepted,
  carried: numbers.carried,
  gone: numbers.gone,
});

const Pages = ({ of: { own, view } }: { readonly of: Listed }): JSX.Element | null => {
  const { page: now, pages: last } = own;
  if (last === 1) return null;
  const at = (to: number): string => reviewAddress(own.review.id, { view, page: to });
  return (
    <p class="further">
      {now > 1 ? <a href={at(now - 1)}>Before</a> : null} Page {now} of {last}{' '}
      {now < last ? <a href={at(now + 1)}>Further items</a> : null}
    </p>
  );
};

const Last = ({ of, review }: { readonly of: OwnItem; readonly review: string }): JSX.Element => (
  <p class="note" role="status">
    {of.answer.state === 'pending' ? 'Not decided: ' : ''}
    <b>
      <Name>{of.answer.shown?.holder.name ?? ''}</Name>
    </b>
    {', '}
    <Name>{of.answer.shown?.holds ?? ''}</Name>: <Decided of={of} />{' '}
    <a href={decideAddress(review, { item: of.answer.number })}>Correct it</a>
  </p>
);

const Empty = ({ of: { own, view } }: { readonly of: Listed }): JSX.Element => (
  <p role="status">
    {view === 'todo' && own.numbers.pending === 0
      ? 'You have decided about all your items of this review. You may correct a decision until the review closes.'
      : 'There are no such items.'}
  </p>
);

const ItemsBody = (of: Listed): JSX.Element => {
  const { own, view, last, refused } = of;
  const { review, numbers, items } = own;
  const counts = countsOf(own);
  return (
    <>
      <p class="crumbs">
        <a href={REVIEWS}>My reviews</a>
      </p>
      <h1>
        <Name>{review.name}</Name>
      </h1>
      <p class="subtitle">
        <Progress of={numbers} /> · {counted(numbers.pending, 'item')} to decide until{' '}
        <Time of={review.due} /> · access as of <Time of={review.at} />
        {review.state === 'open' ? '' : ` · the review is ${review.state}`}
      </p>
      <Refused of={refused} />
      {last === null ? null : <Last of={last} review={review.id} />}
      <nav class="chips" aria-label="Show only">
        {(Object.keys(VIEWS) as readonly View[])
          .filter((each) => counts[each] > 0 || each === view || each === 'todo')
          .map((each) => (
            <a
              key={each}
              href={reviewAddress(review.id, { view: each === 'todo' ? '' : each })}
              aria-current={each === view ? 'true' : undefined}
            >
              {VIEW_WORDS[each]} <span class="count">{counts[each].toLocaleString('en')}</span>
            </a>
          ))}
      </nav>
      {items.length === 0 ? (
        <Empty of={of} />
      ) : (
        <>
          <p class="hint">
            By keyboard: <kbd>j</kbd> <kbd>k</kbd> choose a row, <kbd>y</kbd> keeps, <kbd>n</kbd>{' '}
            revokes (you see the effect first), <kbd>x</kbd> marks, <kbd>a</kbd> keeps the marked,{' '}
            <kbd>Enter</kbd> shows all evidence.
          </p>
          <ItemTable of={of} />
        </>
      )}
      <Pages of={of} />
    </>
  );
};

/** Which items a reader wants to see. */
interface WantedList {
  readonly view: View;
  readonly page: number;
  /** The item to which they come back: it says the view and the page. */
  readonly item: number | null;
  /** The item that was decided last: what follows it is next. */
  readonly after: number | null;
}

/** The first items that nobody has decided. */
export const FIRST_ITEMS: WantedList = { view: 'todo', page: 1, item: null, after: null };

const viewOf = ({ answer }: OwnItem): View =>
  (Object.keys(VIEWS) as readonly View[]).find((view) =>
    (VIEWS[view] as readonly ItemState[]).includes(answer.state),
  ) ?? 'todo';

/** Shows the items of the reader in a review, and why their last step was refused. */
export const showOwnItems = (
  { context, id, reader: { person } }: Pick<Request<unknown>, 'context' | 'id' | 'reader'>,
  wanted: WantedList,
  refused: string | null = null,
): TE.TaskEither<Failure, Shown> => {
  const itemIfOwn = async (number: number | null): Promise<OwnItem | null> =>
    number === null
      ? null
      : readOwnItems(context, person, id, [number]).then(
          ({ items }) => items[0] ?? null,
          () => null,
        );
  return pipe(
    TE.tryCatch(async () => {
      const item = await itemIfOwn(wanted.item);
      const last = await itemIfOwn(wanted.after);
      const view = item === null ? wanted.view : viewOf(item);
      const near = (item ?? last)?.answer.number ?? null;
      const list = { states: VIEWS[view], page: wanted.page, near, size: SIZE };
      return { own: await listOwnItems(context, person, id, list), view, last };
    }, toFailure),
    TE.map(({ own, view, last }) => ({
      title: own.review.name,
      body: <ItemsBody {...{ own, view, last, refused }} />,
    })),
  );
};

/**
 * Where a reader goes on who gave an item away: the row that is next, on its page. Who has no item of the
 * review any more goes on with their reviews.
 */
export const addressAfterGiven = async (
  { context, id, reader: { person } }: Pick<Request<unknown>, 'context' | 'id' | 'reader'>,
  given: OwnItem,
): Promise<string> => {
  const list = { states: VIEWS.todo, page: 1, near: given.answer.number, size: SIZE };
  const own = await listOwnItems(context, person, id, list).catch(() => null);
  if (own === null) return REVIEWS;
  const next = nextOf(own.items, given);
  if (next === undefined) return reviewAddress(id);
  const { number } = next.answer;
  return `${reviewAddress(id, { item: number })}#${rowId(number)}`;
};

/** The reader's own items of a review, with the evidence of each. */
export const ownItemsPage = page({
  path: `${REVIEWS}/:id`,
  summary: 'The items of a review about which the person who has signed in decides.',
  readers: 'everybody',
  query: QUERY,
  show: (request) => {
    const { view, page: wanted, item, after } = request.query;
    return showOwnItems(request, {
      view: (view as View | undefined) ?? 'todo',
      page: Number(wanted ?? 1) || 1,
      item: item ? Number(item) : null,
      after: after ? Number(after) : null,
    });
  },
});
