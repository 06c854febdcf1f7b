import { Fragment, type ComponentChildren } from 'preact';
import type { JSX } from 'preact';

import {
  ERASED_HOLDER,
  type ListedItem,
  type Loss,
  type Mark,
  MARK_WORDS,
  type OwnItem,
  STATE_WORDS,
} from '../../reviews/reading/contract';
import { counted } from '../parts/counted';
import { visible } from '../../../visible-text';
import { From, InApplication, Name, shortened } from '../parts/name';
import { Since, Time } from '../parts/time';
import { kindOf, PLACES } from '../frame/kinds';
import { BAD_MARKS } from './words';

/** How many names of permissions a row shows unfolded. */
const SHOWN = 4;

type Shown = NonNullable<OwnItem['answer']['shown']>;

/** Names with commas. */
const Names = ({ of }: { readonly of: readonly string[] }): JSX.Element => (
  <>
    {of.map((name, at) => (
      <Fragment key={name}>
        {at > 0 ? ', ' : ''}
        <Name>{name}</Name>
      </Fragment>
    ))}
  </>
);

const Linked = ({
  href,
  children,
}: {
  readonly href: string | null;
  readonly children: ComponentChildren;
}): JSX.Element => (href === null ? <>{children}</> : <a href={href}>{children}</a>);

/** Who or what holds an item: its name, its kind, its application, and who says so. */
export const Holder = ({
  of: { answer, holder },
  href = null,
  id,
}: {
  readonly of: ListedItem;
  readonly href?: string | null;
  readonly id?: string | undefined;
}): JSX.Element => {
  const { shown, holder: human } = answer;
  const text = shown?.holder.name ?? ERASED_HOLDER;
  const name = <Name>{text}</Name>;
  const isOther = human?.name != null && human.name !== shown?.holder.name;
  return (
    <span class="entity">
      {href === null ? (
        name
      ) : (
        <a href={href} id={id}>
          {name}
        </a>
      )}
      {shown === null ? null : (
        <span class="kind">
          {' '}
          {kindOf(shown.holder.label)}
          {shown.holder.application === null ? null : (
            <>
              {' in '}
              <Name>{shown.holder.application}</Name>
            </>
          )}
          {isOther ? (
            <>
              {' · belongs to '}
              <Name>{human?.name ?? ''}</Name>
            </>
          ) : null}
        </span>
      )}
      {holder === null ? null : <From of={holder} />}
    </span>
  );
};

/** What is held, in words, and who says that it exists. */
export const Held = ({
  of: { answer, held },
  href = null,
}: {
  readonly of: ListedItem;
  /** Where it leads. */
  readonly href?: string | null;
}): JSX.Element => (
  <>
    <Linked href={href}>
      <Name>{answer.shown?.holds ?? 'something that an erasure removed'}</Name>
    </Linked>
    {held === null || PLACES.includes(held.label) || held.application === null ? null : (
      <span class="kind">
        {' in '}
        <InApplication of={{ application: held.application }} />
      </span>
    )}
    {held === null ? null : <From of={held} />}
  </>
);

/** What an item gives, in words and counts. */
export const Gives = ({ of }: { readonly of: Shown }): JSX.Element => {
  const { permissions, permissions_total: total, resources, people } = of;
  return (
    <>
      <span class="words">
        {permissions.slice(0, SHOWN).map((name) => (
          <Fragment key={name}>
            <span class="can other">
              <Name>{name}</Name>
            </span>{' '}
          </Fragment>
        ))}
        {total > SHOWN ? (
          <details>
            <summary>and {(total - SHOWN).toLocaleString('en')} more</summary>
            <Names of={permissions.slice(SHOWN)} />
            {total > permissions.length ? ` and ${total - permissions.length} more` : ''}
          </details>
        ) : null}
      </span>
      <span class="kind">
        {total === 0 ? 'nothing in scope' : `on ${counted(resources, 'resource')}`}
        {people > 1 ? `, for ${counted(people, 'person', 'people')}` : ''}
      </span>
    </>
  );
};

/** What is remarkable about an item. */
export const MarkTags = ({
  of,
  words = MARK_WORDS,
}: {
  readonly of: readonly Mark[];
  readonly words?: Readonly<Record<Mark, string>>;
}): JSX.Element => (
  <>
    {of.map((mark) => (
      <Fragment key={mark}>
        {' '}
        <span class={BAD_MARKS.includes(mark) ? 'tag bad' : 'tag'}>{words[mark]}</span>
      </Fragment>
    ))}
  </>
);

/** Whether the holder has some of it in another way too. */
export const isHeldElse = ({ also, changes_nothing }: Shown): boolean =>
  also.length > 0 || changes_nothing;

/** Through what else the holder has the same. */
export const AlsoThrough = ({ of }: { readonly of: Shown }): JSX.Element | null =>
  !isHeldElse(of) ? null : (
    <span>
      {of.changes_nothing ? <b>Revoking changes nothing: </b> : 'Some of it '}
      also through <Names of={of.also} />.
    </span>
  );

const YOU: Readonly<Record<string, string>> = { manages: 'manage', owns: 'own', is: 'are' };

/** Says to the reviewer what the service says of them. */
const toYou = (why: string): string => `You ${why.replace(/^\w+/, (verb) => YOU[verb] ?? verb)}`;

/** Why somebody is the reviewer of an item. */
export const WhyReviewer = ({
  of: { answer, isGiven },
}: {
  readonly of: OwnItem;
}): JSX.Element | null => {
  const { shown } = answer;
  if (isGiven) return <>Somebody gave this item to you.</>;
  const avoided = shown?.instead_of.length ?? 0;
  return shown?.why_reviewer == null ? null : (
    <>
      <Name>{toYou(shown.why_reviewer)}</Name>
      {avoided === 0
        ? ''
        : ` (${counted(avoided, 'person', 'people')} before you would have reviewed themselves)`}
      .
    </>
  );
};

/** Since when, and by which push. */
export const SincePush = ({ of }: { readonly of: Shown }): JSX.Element =>
  of.since === null ? (
    <span class="quiet">nobody knows</span>
  ) : (
    <Since of={of.since} push={of.since_push} />
  );

/** Who holds an item, where a page has no room for more than a text. */
export const nameOf = ({ answer: { shown, number } }: OwnItem): string =>
  shown === null ? `item ${number}` : visible(shortened(shown.holder.name));

/** Whether the reviewer may decide about an item, or decide otherwise. */
export const canDecide = ({ answer: { state, remediation } }: OwnItem): boolean =>
  state !== 'gone' && state !== 'excepted' && remediation?.state !== 'confirmed';

/** What was decided, when and why. */
export const Decided = ({ of: { answer } }: { readonly of: OwnItem }): JSX.Element => (
  <>
    {STATE_WORDS[answer.state]}
    {answer.decided_at === null ? null : (
      <>
        {' '}
        <Time of={answer.decided_at} />
      </>
    )}
    {answer.reason === null ? null : (
      <>
        {': '}
        <Name>{answer.reason}</Name>
      </>
    )}
  </>
);

type Loser = Loss['losers'][number];

const Loses = ({ of }: { readonly of: Loser }): JSX.Element => (
  <li>
    <Name>{of.who.name}</Name>
    <From of={of.who} /> <b class="loss">loses</b> <Names of={of.permissions} /> on{' '}
    {of.firstPlaces.map((place, at) => (
      <Fragment key={place.id}>
        {at > 0 ? ', ' : ''}
        <Name>{place.path ?? place.name}</Name>
      </Fragment>
    ))}
    {of.places > of.firstPlaces.length
      ? ` and ${(of.places - of.firstPlaces.length).toLocaleString('en')} more`
      : ''}
  </li>
);

const Effect = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <p class="note">{children}</p>
);

/** What a revoke would change now: who loses what. What is nobody's counts too, so these are not all people. */
export const LossView = ({ of }: { readonly of: Loss | null | undefined }): JSX.Element => {
  if (of === null || of === undefined)
    return <Effect>The service did not find in time what a revoke would change.</Effect>;
  if (!of.holds)
    return <Effect>The source has removed it already. A revoke changes nothing.</Effect>;
  const lose = of.losers.filter(({ places }) => places > 0);
  const rest = of.people - of.losers.length;
  if (lose.length === 0 && rest === 0)
    return (
      <Effect>
        <b>A revoke changes nothing now.</b> All can do the same in other ways.
      </Effect>
    );
  return (
    <div class="note">
      <ul>
        {lose.map((each) => (
          <Loses key={each.who.id} of={each} />
        ))}
      </ul>
      {lose.length < of.losers.length
        ? `${counted(of.losers.length - lose.length, 'other')} can do the same in other ways. `
        : ''}
      {rest > 0 ? `${rest.toLocaleString('en')} more may lose something too.` : ''}
    </div>
  );
};
