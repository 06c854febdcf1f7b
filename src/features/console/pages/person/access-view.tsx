import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import type { ReachedResources, ReviewerList } from '../../../../contract/answers/questions/access';
import type { EntityPage } from '../../../../contract/answers/questions/entities';
import type { Context } from '../../../../context';
import type { Failure } from '../../../../problem';
import { type About, askAccess, askEntity, askReviewers, type Narrowed } from '../../asking/person';
import { unknownNames } from '../../asking/unknown-names';
import { address, type Parameters, PATHS } from '../../frame/address';
import type { Reader, Shown } from '../../frame/page';
import { AccessTable } from '../../tables/access-table';
import { AskedBy } from '../../parts/asked';
import { EntityHead, OwnFacts, Sources } from '../../parts/entity-head';
import { Entities, type FactRows, Facts, has } from '../../parts/facts';
import { MarksInWords } from '../../parts/marks';
import { counted } from '../../parts/counted';
import { Entity } from '../../parts/name';
import { CountOf, Narrowing } from '../../tables/narrowing';
import { Reviewers } from '../../parts/reviewers';
import { PageOf } from '../../tables/sorting';
import { SomeTable } from '../../tables/some-table';
import { Since } from '../../parts/time';
import { momentOf, type PersonPlace, Views } from './place';

/** Whose access the table has, if it is not only that of the node itself. */
const Whose = ({
  id,
  of,
  keeping,
  aloneAddress,
}: {
  readonly id: string;
  readonly of: ReachedResources;
  readonly keeping: Parameters;
  readonly aloneAddress: string;
}): JSX.Element | null => {
  if (of.accounts === undefined || of.accounts.length === 0) return null;
  return (
    <p class="note">
      {of.principal.id === id ? (
        'The table has the access of this one and of all accounts that belong to it.'
      ) : (
        <>
          This belongs to <Entity of={of.principal} keeping={keeping} />. The table has the access
          of all accounts that belong to that one.
        </>
      )}{' '}
      <a href={aloneAddress}>Show only what this one gains</a>
    </p>
  );
};

const factsOf = (
  entity: EntityPage,
  { accounts = [] }: ReachedResources,
  reviewers: ReviewerList,
  keeping: Parameters,
): FactRows => {
  const named = (list: 'memberships' | 'managers' | 'owners') =>
    has(entity[list]) && (
      <Entities
        of={entity[list].map(({ about }) => about)}
        total={entity.totals[list]}
        keeping={keeping}
      />
    );
  return [
    ['Accounts', has(accounts) && <Entities of={accounts} keeping={keeping} />],
    ['Groups', named('memberships')],
    ['Manager', named('managers')],
    ['Owners', named('owners')],
    ['Reviewers', has(reviewers.values) && <Reviewers of={reviewers} keeping={keeping} />],
    ['Source', has(entity.sources) && <Sources of={entity} />],
    ['Since', <Since key="since" of={entity.freshness.since} push={entity.freshness.since_push} />],
  ];
};

/** The saved query of all members of a group, nested ones too. */
const ALL_MEMBERS = 'groups/members-of-a-group';

/** Who is directly in a group, or has a role; and whether others are through these. */
const Members = ({
  of: { id, members, label },
  keeping,
}: {
  readonly of: EntityPage;
  readonly keeping: Parameters;
}): JSX.Element => {
  const { total, groups } = members;
  const isGroup = label.endsWith('Group');
  const direct = label.endsWith('Role')
    ? `${counted(total, 'member')} ${total === 1 ? 'has' : 'have'} this role directly`
    : `${counted(total, 'member')} ${total === 1 ? 'is' : 'are'} directly in it`;
  return (
    <SomeTable
      of={members}
      id="members"
      title="Members"
      kind="kind"
      keeping={keeping}
      words={
        <>
          {groups === 0
            ? `${direct}.`
            : `${direct}. ${counted(groups, 'of them is a group, app or role', 'of them are groups, apps or roles')}, whose own members gain it too and are not counted here.`}
          {isGroup ? (
            <>
              {' '}
              <a href={address(PATHS.ask, { query: ALL_MEMBERS, group: id, run: 'true' })}>
                Everybody who is in it now, in any way
              </a>
            </>
          ) : null}
        </>
      }
    />
  );
};

/** What somebody can reach, now or at an instant. */
export const showAccess = (
  context: Context,
  about: About,
  place: PersonPlace,
  narrowed: Narrowed,
  { seesAll }: Pick<Reader, 'seesAll'>,
): TE.TaskEither<Failure, Shown> => {
  const { path, written, only } = place;
  const { application, type, permission, sort, page } = narrowed;
  const kept = { only, sort: sort === 'application' ? '' : sort };
  const parameters = { ...kept, application, permission_type: type, permission };
  const keeping = { at: written };
  const filters = { application, permission, type };
  return pipe(
    sequenceT(TE.ApplyPar)(
      askEntity(context, about),
      askAccess(context, about, narrowed),
      askReviewers(context, about),
    ),
    TE.bindTo('answers'),
    TE.bind('unknown', ({ answers: [, { answer }] }) =>
      answer.total > 0 || about.at !== '' || !seesAll
        ? TE.right([])
        : unknownNames(context, { application, permission, dataSource: null }),
    ),
    TE.map(({ answers: [entity, { answer, shown }, reviewers], unknown }): Shown => {
      const by = { path, parameters: { ...parameters, at: written }, sort };
      const isHuman = answer.accounts !== undefined;
      return {
        title: entity.name,
        moment: momentOf(place, about.at, parameters),
        body: (
          <>
            <EntityHead of={entity} />
            <Facts of={factsOf(entity, answer, reviewers, keeping)} />
            <OwnFacts of={entity} />
            <Members of={entity} keeping={keeping} />
            <Views view="access" place={place} />
            <Whose
              id={about.id}
              of={answer}
              keeping={keeping}
              aloneAddress={address(path, { ...by.parameters, only: 'true' })}
            />
            {only === '' ? null : (
              <p class="note">
                Only what this one gains. <a href={address(path, keeping)}>Show the human</a>
              </p>
            )}
            <Narrowing
              {...{ path, application, type, permission }}
              kept={{ ...kept, at: written }}
            />
            <CountOf
              {...{ filters, total: answer.total }}
              allAddress={address(path, { ...keeping, ...kept })}
              offer={{
                unknown,
                addressWith: (field, name) => address(path, { ...by.parameters, [field]: name }),
              }}
            >
              {answer.total === 0
                ? 'Nothing can be reached.'
                : `${counted(answer.total, 'resource or application', 'resources and applications')} can be reached.`}
            </CountOf>
            {answer.total === 0 ? null : (
              <>
                <AccessTable
                  of={answer}
                  principal={about.id}
                  isGateway={entity.members.total > 0}
                  keeping={{
                    ...keeping,
                    person: isHuman ? 'true' : '',
                    permission,
                    permission_type: type,
                  }}
                  by={by}
                />
                <PageOf
                  shown={answer.values.length}
                  total={answer.total}
                  token={answer.next_page_token}
                  isFirst={page === ''}
                  by={by}
                />
                <MarksInWords />
              </>
            )}
            <AskedBy of={shown} />
          </>
        ),
      };
    }),
  );
};
