import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../codec/struct';
import type {
  PrincipalsWithAccess,
  ReviewerList,
} from '../../../contract/answers/questions/access';
import type { EntityPage } from '../../../contract/answers/questions/entities';
import type { Gateways, WithoutGateway } from '../../../contract/answers/questions/gateways';
import { flagText, isTrue, oneText } from '../../../contract/parameters/query-parameters';
import type { Failure } from '../../../problem';
import { type Answered } from '../asking/ask';
import { instantNamed } from '../asking/moment';
import { askEntity } from '../asking/person';
import { orTooLarge } from '../asking/too-large';
import { type UnknownName, unknownNames } from '../asking/unknown-names';
import { askGateways, askResourceReviewers, askWho, askWithout } from '../asking/resource';
import { address, changesAddress, type Parameters, resourceAddress } from '../frame/address';
import { page, type Shown } from '../frame/page';
import { trimmed } from '../frame/trimmed';
import { AskedBy } from '../parts/asked';
import { EntityHead, OwnFacts, Sources } from '../parts/entity-head';
import { Entities, type FactRows, Facts, has } from '../parts/facts';
import { GatewayList, LossTable } from '../tables/gateway-list';
import { counted } from '../parts/counted';
import { MarksInWords } from '../parts/marks';
import { Name } from '../parts/name';
import { CountOf, type Filters, Narrowing } from '../tables/narrowing';
import { PeopleTable } from '../tables/people-table';
import { SomeTable } from '../tables/some-table';
import { Reviewers } from '../parts/reviewers';
import { PageOf, type Sorting } from '../tables/sorting';
import { Since } from '../parts/time';
import { orGone } from './gone';

const QUERY = struct(
  'the query of a resource',
  {},
  {
    ...{ at: oneText, without: oneText, permission: oneText, permission_type: oneText },
    ...{ contents: flagText, sort: oneText, page: oneText },
  },
);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const factsOf = (entity: EntityPage, reviewers: ReviewerList, keeping: Parameters): FactRows => {
  const { properties, owners, resource_managers, totals } = entity;
  const path = textOf(properties.path);
  const application = textOf(properties.application);
  return [
    ['Path', path !== '' && path !== entity.name && <Name>{path}</Name>],
    [
      'Application',
      application !== '' && entity.label !== 'Application' && <Name>{application}</Name>,
    ],
    [
      'Owners',
      has(owners) && (
        <Entities of={owners.map(({ about }) => about)} total={totals.owners} keeping={keeping} />
      ),
    ],
    [
      'Managers',
      has(resource_managers) && (
        <Entities
          of={resource_managers.map(({ about }) => about)}
          total={totals.resource_managers}
          keeping={keeping}
        />
      ),
    ],
    ['Reviewers', has(reviewers.values) && <Reviewers of={reviewers} keeping={keeping} />],
    ['Source', has(entity.sources) && <Sources of={entity} />],
    [
      'Changes',
      <a
        key="changes"
        href={changesAddress(
          entity.label === 'Application' ? { application: entity.name } : { resource: entity.id },
        )}
      >
        Who gained and lost {entity.label === 'Application' ? 'what in it' : 'it'}
      </a>,
    ],
    ['Since', <Since key="since" of={entity.freshness.since} push={entity.freshness.since_push} />],
  ];
};

const GatewaySection = ({
  of,
  path,
  keeping,
  narrowed,
}: {
  readonly of: Answered<Gateways> | string;
  readonly path: string;
  readonly keeping: Parameters;
  readonly narrowed: Parameters;
}): JSX.Element | null => {
  if (typeof of === 'string') return <p class="note">{of}</p>;
  if (of.answer.people === 0) return null;
  return (
    <section aria-labelledby="gateways">
      <h2 id="gateways">Through which groups</h2>
      <GatewayList of={of.answer} {...{ path, keeping, narrowed }} />
      <AskedBy of={of.shown} />
    </section>
  );
};

const LossSection = ({
  of,
  filters,
  backAddress,
  keeping,
  page,
  by,
}: {
  readonly of: Answered<WithoutGateway>;
  readonly filters: Filters;
  readonly backAddress: string;
  readonly keeping: Parameters;
  readonly page: string;
  readonly by: Sorting;
}): JSX.Element => (
  <section aria-labelledby="losses">
    <h2 id="losses">Who would lose access</h2>
    <LossTable
      of={of.answer}
      {...{ filters, keeping, backAddress, by }}
      after={/^\d{1,6}$/.test(page) ? Number(page) : 0}
    />
    <MarksInWords />
    <AskedBy of={of.shown} />
  </section>
);

/** How many can reach something: people, and what belongs to nobody. Together they are the rows. */
const whoInWords = (
  { total, people = 0, without_user: alone = 0 }: PrincipalsWithAccess,
  contents: boolean,
): string => {
  const what = contents ? 'it or something in it' : 'it';
  if (total === 0) return `Nobody can reach ${what}.`;
  const others = total - people;
  return [
    `${counted(people, 'person', 'people')} can reach ${what}`,
    alone === 0
      ? '.'
      : `; ${alone.toLocaleString('en')} of them ${alone === 1 ? 'is' : 'are'} known only by an account or identity that no directory names, and ${alone === 1 ? 'counts' : 'count'} as one each.`,
    others === 0
      ? ''
      : ` ${counted(others, 'account, group or other that belongs to nobody', 'accounts, groups and others that belong to nobody')} can too. That makes ${counted(total, 'row')}.`,
  ].join('');
};

/** What is directly in an application or a resource. */
const ContentsSection = ({
  of: { contains, label },
  keeping,
}: {
  readonly of: EntityPage;
  readonly keeping: Parameters;
}): JSX.Element => (
  <SomeTable
    of={contains}
    id="contents"
    title="What is in it"
    kind="type"
    keeping={keeping}
    words={`${counted(contains.total, 'resource')} ${contains.total === 1 ? 'is' : 'are'} directly in this ${label === 'Application' ? 'application' : 'resource'}. Each may contain others.`}
  />
);

/** Says whether what is in a resource counts, and leads to the other count. */
const WhatCounts = ({
  of: { label, contains },
  contents,
  otherAddress,
}: {
  readonly of: EntityPage;
  readonly contents: boolean;
  readonly otherAddress: string;
}): JSX.Element | null => {
  if (contains.total === 0 && !contents) return null;
  const what = label === 'Application' ? 'application' : 'resource';
  return (
    <p class="note">
      {contents
        ? `Who reaches the ${what} itself or anything in it counts here.`
        : `Who reaches the ${what} itself counts here, and not who reaches only what is in it.`}{' '}
      <a href={otherAddress}>
        {contents ? `Count only who reaches the ${what} itself` : 'Count what is in it too'}
      </a>
    </p>
  );
};

/** The table of who can reach something, with how many there are. */
const WhoSection = ({
  of: { answer, shown },
  entity,
  contents,
  filters,
  keeping,
  narrowed,
  by,
  isFirst,
  allAddress,
  unknown,
}: {
  readonly of: Answered<PrincipalsWithAccess>;
  readonly entity: EntityPage;
  readonly contents: boolean;
  readonly filters: Filters;
  readonly keeping: Parameters;
  readonly narrowed: Parameters;
  readonly by: Sorting;
  readonly isFirst: boolean;
  readonly allAddress: string;
  readonly unknown: readonly UnknownName[];
}): JSX.Element => (
  <>
    <CountOf
      {...{ filters, total: answer.total, allAddress }}
      offer={{
        unknown,
        addressWith: (field, name) => address(by.path, { ...by.parameters, [field]: name }),
      }}
    >
      {whoInWords(answer, contents)}
    </CountOf>
    {answer.total === 0 ? null : (
      <>
        <PeopleTable
          of={answer}
          resource={entity.id}
          within={contents ? answer.resource.application : null}
          {...{ keeping, narrowed, by }}
        />
        <PageOf
          shown={answer.values.length}
          total={answer.total}
          token={answer.next_page_token}
          {...{ isFirst, by }}
        />
        <MarksInWords />
      </>
    )}
    <AskedBy of={shown} />
  </>
);

/** Who can reach a resource or an application, people first, and through which groups. */
export const resource = page({
  path: '/console/resources/:id',
  summary:
    'Who can reach a resource or application, now or at an instant, and through which groups.',
  readers: 'role',
  query: QUERY,
  show: ({ context, id, query }) => {
    const path = resourceAddress(id);
    const at = trimmed(query.at);
    const keeping = { at };
    const without = query.without ?? '';
    const permission = trimmed(query.permission);
    const type = query.permission_type ?? '';
    const narrowed = { permission, permission_type: type };
    const filters = { permission, type };
    const sort = query.sort || 'name';
    const token = query.page ?? '';
    const kept = { sort: sort === 'name' ? '' : sort, contents: query.contents ?? '' };
    const asked = { ...kept, without, ...narrowed };
    const by = { path, parameters: { ...asked, at }, sort };
    const head = (entity: EntityPage, reviewers: ReviewerList): JSX.Element => (
      <>
        <EntityHead of={entity} />
        <Facts of={factsOf(entity, reviewers, keeping)} />
        <OwnFacts of={entity} />
      </>
    );
    return pipe(
      TE.Do,
      TE.bind('instant', () => instantNamed(context, at)),
      TE.bind('facts', ({ instant }) =>
        sequenceT(TE.ApplyPar)(
          askEntity(context, { id, at: instant }),
          askResourceReviewers(context, { id, at: instant }),
        ),
      ),
      TE.flatMap(({ instant, facts: [entity, reviewers] }): TE.TaskEither<Failure, Shown> => {
        const moment = { written: at, at: instant, path, parameters: asked };
        const top = head(entity, reviewers);
        const isApplication = entity.label === 'Application';
        // Who asks about an application means what is in it.
        const contents = query.contents ? isTrue(query.contents) : isApplication;
        const about = { id, at: instant, contents };
        const counts = (
          <WhatCounts
            of={entity}
            contents={contents}
            otherAddress={address(path, { ...by.parameters, contents: String(!contents) })}
          />
        );
        if (without !== '') {
          return pipe(
            askWithout(context, about, { type, permission }, without),
            TE.map((losses) => ({
              title: `${entity.name} without a group`,
              moment,
              body: (
                <>
                  {top}
                  {counts}
                  <Narrowing
                    {...{ path, type, permission }}
                    kept={{ ...kept, at, without }}
                    application={null}
                  />
                  <LossSection
                    of={losses}
                    {...{ filters, keeping, by }}
                    page={token}
                    backAddress={address(path, { ...keeping, ...kept, ...narrowed })}
                  />
                </>
              ),
            })),
          );
        }
        return pipe(
          sequenceT(TE.ApplyPar)(
            orTooLarge(askWho(context, about, { type, permission, sort, page: token }), contents),
            orTooLarge(askGateways(context, about, { type, permission }), contents),
          ),
          TE.bindTo('answers'),
          TE.bind('unknown', ({ answers: [who] }) =>
            typeof who === 'string' || who.answer.total > 0 || instant !== ''
              ? TE.right([])
              : unknownNames(context, { permission, dataSource: entity.data_source }),
          ),
          TE.map(({ answers: [who, gateways], unknown }) => ({
            title: entity.name,
            moment,
            body: (
              <>
                {top}
                <ContentsSection of={entity} keeping={keeping} />
                {counts}
                <Narrowing
                  {...{ path, type, permission }}
                  kept={{ ...kept, at }}
                  application={null}
                />
                <GatewaySection
                  of={gateways}
                  {...{ path, keeping }}
                  narrowed={{ ...kept, ...narrowed }}
                />
                <h2>Who</h2>
                {typeof who === 'string' ? (
                  <p class="note warn" role="status">
                    {who} Choose a permission above
                    {contents ? ', or count only the resource itself' : ''}.
                  </p>
                ) : (
                  <WhoSection
                    of={who}
                    {...{ entity, contents, filters, keeping, narrowed, by, unknown }}
                    isFirst={token === ''}
                    allAddress={address(path, { ...keeping, ...kept })}
                  />
                )}
              </>
            ),
          })),
        );
      }),
      orGone(context, id, at),
    );
  },
});
