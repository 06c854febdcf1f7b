import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../codec/struct';
import { text } from '../../../codec/text';
import {
  choice,
  neededTexts,
  oneText,
  texts,
  textsOf,
} from '../../../contract/parameters/query-parameters';
import { toFailure } from '../../../neo4j/failure';
import { badField, type Failure } from '../../../problem';
import {
  decide,
  type Loss,
  lossesOf,
  MOST_KEPT_AT_ONCE,
  type OwnItem,
  type OwnItems,
  readOwnItems,
  reassign,
  responsibleFor,
} from '../../reviews/reading/contract';
import { type FormOutcome, pageForm, type SentForm } from '../forms/page-form';
import { FormToken } from '../frame/form-token';
import { page, type Request, type Shown } from '../frame/page';
import { Facts } from '../parts/facts';
import { HiddenInputs } from '../parts/hidden-inputs';
import { Name } from '../parts/name';
import {
  AlsoThrough,
  canDecide,
  Decided,
  Gives,
  Held,
  Holder,
  isHeldElse,
  LossView,
  MarkTags,
  nameOf,
  SincePush,
  WhyReviewer,
} from './evidence';
import { isNumber, numbersIn } from './item-numbers';
import { addressAfterGiven, FIRST_ITEMS, showOwnItems } from './own-items';
import { REASON, Reason } from './reason';
import { Refused } from './review-crumbs';
import { orSaid } from './said';
import { decideAddress, reviewAddress, REVIEWS, rowId } from './words';

const PATH = `${REVIEWS}/:id/decide`;

const ACTS = ['keep', 'revoke', 'reassign'] as const;
type Act = (typeof ACTS)[number];

const QUERY = struct(
  'the query of a decision',
  { item: neededTexts },
  { act: choice('acts', ACTS) },
);

const FIELDS = struct(
  'form of a decision',
  {},
  { act: text, items: texts, seen: texts, to: oneText, reason: REASON },
  {
    docs: {
      act: '`keep`, `revoke` or `reassign`, with the numbers of items if the marked are not meant: `keep.7`.',
      items: 'The numbers of marked items.',
      seen: 'Items that the page showed: each its number, a point and its digest.',
      to: '`owner` or `fallback`: to whom items are given.',
      reason: 'Why. Without one, a revoke shows its effect first.',
    },
  },
);

const NO_ITEMS: Failure = badField(
  '/items',
  'MISSING_FIELD',
  `Mark one item at least, and at most ${MOST_KEPT_AT_ONCE}`,
);

/** What a page of a decision shows. */
interface Deciding {
  readonly own: OwnItems;
  readonly act: Act | null;
  readonly losses: ReadonlyMap<number, Loss> | null;
  readonly refused: string | null;
  readonly reason: string;
}

const Item = ({ of, losses, act }: { readonly of: OwnItem } & Pick<Deciding, 'losses' | 'act'>) => {
  const { answer } = of;
  const { shown } = answer;
  return (
    <section aria-label={nameOf(of)}>
      <h2>
        <Holder of={of} />
        <MarkTags of={answer.marks} />
      </h2>
      <Facts
        of={[
          ['Holds', <Held of={of} />],
          ['Can do by it', shown === null ? null : <Gives of={shown} />],
          ['Since', shown === null ? null : <SincePush of={shown} />],
          ['Also', shown !== null && isHeldElse(shown) ? <AlsoThrough of={shown} /> : null],
          ['Why you', <WhyReviewer of={of} />],
          ['State', <Decided of={of} />],
        ]}
      />
      {act === 'keep' || act === 'reassign' || !canDecide(of) ? null : (
        <>
          <h3>What a revoke changes now</h3>
          <LossView of={losses?.get(answer.number)} />
        </>
      )}
    </section>
  );
};

const Seen = ({ of }: { readonly of: readonly OwnItem[] }): JSX.Element => (
  <HiddenInputs
    of={{
      items: of.map(({ answer }) => answer.number).map(String),
      seen: of.map(({ answer }) => `${answer.number}.${answer.digest}`),
    }}
  />
);

/** The list, at the first of the items. */
const backAddress = ({ review, items: [first] }: OwnItems): string => {
  if (first === undefined) return reviewAddress(review.id);
  const { number } = first.answer;
  return `${reviewAddress(review.id, { item: number })}#${rowId(number)}`;
};

const DecideForm = ({ own, act, reason }: Deciding): JSX.Element | null => {
  const { review, items } = own;
  if (review.state !== 'open' || !items.every(canDecide)) return null;
  const isReasoned = items.some(({ answer }) => answer.needs_reason);
  const isNeeded = act === 'revoke' || (act === 'keep' && isReasoned);
  return (
    <form class="ask" method="post" action={decideAddress(review.id)}>
      <FormToken />
      <Seen of={items} />
      <Reason
        id="reason"
        label={isNeeded ? 'Reason' : 'Reason (a revoke needs one)'}
        value={reason}
        isNeeded={isNeeded}
        isFirst
      />
      <p class="choices">
        {act === 'revoke' ? null : (
          <button name="act" value="keep">
            Keep
          </button>
        )}
        {act === 'keep' ? null : (
          <button name="act" value="revoke" class="danger">
            Revoke
          </button>
        )}{' '}
        <a href={backAddress(own)}>Back to the list</a>
      </p>
    </form>
  );
};

const GiveForm = ({ own, act, reason }: Deciding): JSX.Element | null => {
  const { review, items, owner, fallback } = own;
  const isPending = items.every(({ answer }) => answer.state === 'pending');
  if (review.state !== 'open' || !isPending || (owner === null && fallback === null)) return null;
  return (
    <form class="ask" method="post" action={decideAddress(review.id)}>
      <h2>Give to somebody else</h2>
      <FormToken />
      <Seen of={items} />
      <p>
        <label for="to">To</label>
        <select id="to" name="to">
          {owner === null ? null : (
            <option value="owner">
              <Name>{owner}</Name>, who owns the review
            </option>
          )}
          {fallback === null ? null : (
            <option value="fallback">
              <Name>{fallback}</Name>, who reviews what nobody else may
            </option>
          )}
        </select>
      </p>
      <Reason id="why" label="Reason" value={reason} isFirst={act === 'reassign'} />
      <button name="act" value="reassign" class="quieter">
        Give away
      </button>
    </form>
  );
};

const TITLES: Readonly<Record<Act, string>> = {
  keep: 'Keep, with a reason',
  revoke: 'Revoke: what it changes, and why',
  reassign: 'Give to somebody else',
};

const DecideBody = (of: Deciding): JSX.Element => {
  const { own, act, refused } = of;
  return (
    <>
      <p class="crumbs">
        <a href={REVIEWS}>My reviews</a> ›{' '}
        <a href={backAddress(own)}>
          <Name>{own.review.name}</Name>
        </a>
      </p>
      <h1>{act === null ? 'Evidence and decision' : TITLES[act]}</h1>
      <Refused of={refused} />
      {own.items.map((item) => (
        <Item key={item.answer.number} {...{ of: item, act, losses: of.losses }} />
      ))}
      {act === 'reassign' ? null : <DecideForm {...of} />}
      {act === 'keep' || act === 'revoke' ? null : <GiveForm {...of} />}
    </>
  );
};

/** Shows some items of the reader, and what becomes of them. */
const showDeciding = (
  { context, id, reader: { person } }: Pick<Request<unknown>, 'context' | 'id' | 'reader'>,
  numbers: readonly number[],
  act: Act | null,
  { refused = null, reason = '' }: { refused?: string | null; reason?: string } = {},
): TE.TaskEither<Failure, Shown> =>
  TE.tryCatch(async () => {
    const own = await readOwnItems(context, person, id, numbers);
    const isAsked = act !== 'keep' && act !== 'reassign';
    const losses = isAsked ? await lossesOf(context, person, id, numbers) : null;
    return {
      title: act === null ? 'Evidence and decision' : TITLES[act],
      body: <DecideBody {...{ own, act, losses, refused, reason }} />,
    };
  }, toFailure);

const actOf = (given: string | null | undefined): Act | null =>
  ACTS.find((each) => each === given) ?? null;

/** Some of the reader's items, with all evidence, the effect of a revoke, and the decision. */
export const decidePage = page({
  path: PATH,
  summary:
    'Items about which the person who has signed in decides, and what a revoke would change.',
  readers: 'everybody',
  query: QUERY,
  show: (request) => {
    const numbers = numbersIn(textsOf(request.query.item), MOST_KEPT_AT_ONCE);
    if (numbers === null) return TE.left(NO_ITEMS);
    return showDeciding(request, numbers, actOf(request.query.act));
  },
});

/** What a form of a decision means. */
interface Meant {
  readonly act: Act;
  readonly numbers: readonly number[];
  readonly seen: ReadonlyMap<number, string>;
}

const meantBy = ({ act = '', items, seen }: Fields): Meant | null => {
  const [verb, ...named] = (act ?? '').split('.');
  const meant = actOf(verb);
  const numbers = numbersIn(named.length > 0 ? named : textsOf(items), MOST_KEPT_AT_ONCE);
  if (meant === null || numbers === null) return null;
  const digests = textsOf(seen).flatMap((each) => {
    const [number = '', digest = ''] = each.split('.');
    return isNumber(number) ? [[Number(number), digest] as const] : [];
  });
  return { act: meant, numbers, seen: new Map(digests) };
};

type Fields = SentFields['fields'];
type SentFields = SentForm<{
  readonly act?: string | null;
  readonly items?: string | readonly string[] | null;
  readonly seen?: string | readonly string[] | null;
  readonly to?: string | null;
  readonly reason?: string | null;
}>;

/** Decides about items, or gives them to somebody else, as the reader. Returns where the reader goes on. */
const carryOut = async (sent: SentFields, { act, numbers, seen }: Meant): Promise<string> => {
  const { context, id, fields, reader, act: by } = sent;
  const person = reader.person ?? '';
  const reason = (fields.reason ?? '').trim();
  // Nobody learns more of an item of somebody else than of one that does not exist.
  const own = await readOwnItems(context, person, id, numbers);
  if (act === 'reassign') {
    const to = await responsibleFor(context, id, fields.to === 'owner' ? 'owner' : 'fallback');
    await reassign(context, id, { on_behalf_of: person, to, items: numbers, reason }, by);
    const last = own.items.at(-1);
    return last === undefined ? reviewAddress(id) : addressAfterGiven(sent, last);
  }
  const items = numbers.map((number) => ({ number, digest: seen.get(number) ?? '' }));
  const said = reason === '' ? {} : { reason };
  await decide(context, id, { on_behalf_of: person, decision: act, items, ...said }, by);
  return `${reviewAddress(id, { after: numbers.at(-1) })}#next`;
};

/** What becomes of items that a reviewer has marked, or of one. */
export const decisionForm = pageForm({
  path: PATH,
  summary: 'Keeps or revokes items, or gives them away, as the person who has signed in.',
  more: 'reviews#for-reviewers',
  readers: 'everybody',
  fields: FIELDS,
  send: (sent): TE.TaskEither<Failure, FormOutcome> => {
    const { id, fields } = sent;
    const meant = meantBy(fields);
    const reason = (fields.reason ?? '').trim();
    const showList =
      (item: number | null) =>
      (refused: string): TE.TaskEither<Failure, Shown> =>
        showOwnItems(sent, { ...FIRST_ITEMS, item }, refused);
    if (meant === null) return orSaid(showList(null))(NO_ITEMS);
    const { act, numbers } = meant;
    if (act !== 'keep' && reason === '') {
      const leadsTo = decideAddress(id, { item: numbers.map(String), act });
      return TE.right({ shown: { leadsTo } });
    }
    return pipe(
      TE.tryCatch(() => carryOut(sent, meant), toFailure),
      TE.map((leadsTo): FormOutcome => ({ shown: { leadsTo } })),
      TE.orElse(
        orSaid((refused) => {
          const isFromList = fields.reason === undefined && numbers.length > 1;
          return isFromList
            ? showList(numbers[0] ?? null)(refused)
            : showDeciding(sent, numbers, act, { refused, reason });
        }),
      ),
    );
  },
});
