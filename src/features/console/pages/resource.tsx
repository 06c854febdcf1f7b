import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../codec/struct';
import type { Reviewer } from '../../../contract/answers/questions/access';
import type { EntityPage } from '../../../contract/answers/questions/entities';
import type { Gateways, WithoutGateway } from '../../../contract/answers/questions/gateways';
import { oneText } from '../../../contract/parameters/query-parameters';
import type { Failure } from '../../../problem';
import { type Answered } from '../asking/ask';
import { instantNamed } from '../asking/moment';
import { askEntity } from '../asking/person';
import { askGateways, askResourceReviewers, askWho, askWithout } from '../asking/resource';
import { address, type Parameters, resourceAddress } from '../frame/address';
import { page, type Shown } from '../frame/page';
import { AskedBy } from '../parts/asked';
import { EntityHead, OwnFacts, Sources } from '../parts/entity-head';
import { Entities, type FactRows, Facts, has } from '../parts/facts';
import { GatewayList, LossTable } from '../tables/gateway-list';
import { MarksInWords } from '../parts/marks';
import { Name } from '../parts/name';
import { CountOf, Narrowing } from '../tables/narrowing';
import { PeopleTable } from '../tables/people-table';
import { Reviewers } from '../parts/reviewers';
import { PageOf } from '../tables/sorting';
import { Since } from '../parts/time';

const QUERY = struct(
  'the query of a resource',
  {},
  {
    ...{ at: oneText, without: oneText, permission: oneText, permission_type: oneText },
    ...{ sort: oneText, page: oneText },
  },
);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const factsOf = (
  entity: EntityPage,
  reviewers: readonly Reviewer[],
  keeping: Parameters,
): FactRows => {
  const { properties, owners, resource_managers } = entity;
  const path = textOf(properties.path);
  const application = textOf(properties.application);
  return [
    ['Path', path !== '' && path !== entity.name && <Name>{path}</Name>],
    [
      'Application',
      application !== '' && entity.label !== 'Application' && <Name>{application}</Name>,
    ],
    ['Owners', has(owners) && <Entities of={owners.map(({ about }) => about)} keeping={keeping} />],
    [
      'Managers',
      has(resource_managers) && (
        <Entities of={resource_managers.map(({ about }) => about)} keeping={keeping} />
      ),
    ],
    ['Reviewers', has(reviewers) && <Reviewers of={reviewers} keeping={keeping} />],
    ['Source', has(entity.sources) && <Sources of={entity} />],
    ['Since', <Since key="since" of={entity.freshness.since} push={entity.freshness.since_push} />],
  ];
};

/** Gateways are of no use where too many people reach something; then the page says so. */
const orTooLarge = <A,>(
  asked: TE.TaskEither<Failure, Answered<A>>,
): TE.TaskEither<Failure, Answered<A> | string> =>
  pipe(
    asked,
    TE.orElse((failure): TE.TaskEither<Failure, Answered<A> | string> =>
      failure._tag === 'TooLarge' ? TE.right(failure.message) : TE.left(failure),
    ),
  );

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
      <h2 id="gateways">Through which groups, for any permission</h2>
      <GatewayList of={of.answer} {...{ path, keeping, narrowed }} />
      <AskedBy of={of.shown} />
    </section>
  );
};

const LossSection = ({
  of,
  backAddress,
  keeping,
}: {
  readonly of: Answered<WithoutGateway>;
  readonly backAddress: string;
  readonly keeping: Parameters;
}): JSX.Element => (
  <section aria-labelledby="losses">
    <h2 id="losses">Who would lose access, of any permission</h2>
    <LossTable of={of.answer} {...{ keeping, backAddress }} />
    <MarksInWords />
    <AskedBy of={of.shown} />
  </section>
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
    const written = (query.at ?? '').trim();
    const keeping = { at: written };
    const without = query.without ?? '';
    const permission = query.permission ?? '';
    const type = query.permission_type ?? '';
    const narrowed = { permission, permission_type: type };
    const filters = { permission, type };
    const sort = query.sort || 'name';
    const token = query.page ?? '';
    const kept = { sort: sort === 'name' ? '' : sort };
    const asked = { ...kept, without, ...narrowed };
    const by = { path, parameters: { ...asked, at: written }, sort };
    const head = (entity: EntityPage, reviewers: readonly Reviewer[]): JSX.Element => (
      <>
        <EntityHead of={entity} />
        <Facts of={factsOf(entity, reviewers, keeping)} />
        <OwnFacts of={entity} />
      </>
    );
    return pipe(
      TE.Do,
      TE.bind('at', () => instantNamed(context, query.at)),
      TE.bind('facts', ({ at }) =>
        sequenceT(TE.ApplyPar)(
          askEntity(context, { id, at }),
          askResourceReviewers(context, { id, at }),
        ),
      ),
      TE.flatMap(({ at, facts: [entity, reviewers] }): TE.TaskEither<Failure, Shown> => {
        const moment = { written, at, path, parameters: asked };
        const top = head(entity, reviewers.values);
        if (without !== '') {
          return pipe(
            askWithout(context, { id, at }, without),
            TE.map((losses) => ({
              title: `${entity.name} without a group`,
              moment,
              body: (
                <>
                  {top}
                  <LossSection
                    of={losses}
                    keeping={keeping}
                    backAddress={address(path, { ...keeping, ...kept, ...narrowed })}
                  />
                </>
              ),
            })),
          );
        }
        return pipe(
          sequenceT(TE.ApplyPar)(
            askWho(context, { id, at }, { type, permission, sort, page: token }),
            orTooLarge(askGateways(context, { id, at })),
          ),
          TE.map(([{ answer, shown }, gateways]) => {
            const people = answer.people ?? 0;
            return {
              title: entity.name,
              moment,
              body: (
                <>
                  {top}
                  <GatewaySection
                    of={gateways}
                    {...{ path, keeping }}
                    narrowed={{ ...kept, ...narrowed }}
                  />
                  <h2>Who</h2>
                  <Narrowing
                    {...{ path, type, permission }}
                    kept={{ ...kept, at: written }}
                    application={null}
                  />
                  <CountOf
                    {...{ filters, total: answer.total }}
                    allAddress={address(path, { ...keeping, ...kept })}
                  >
                    {answer.total === 0
                      ? 'Nobody can reach it.'
                      : `${people} people can reach it, and ${answer.total - people} accounts, groups and others that belong to nobody.`}
                  </CountOf>
                  {answer.total === 0 ? null : (
                    <>
                      <PeopleTable of={answer} resource={id} {...{ keeping, narrowed, by }} />
                      <PageOf
                        shown={answer.values.length}
                        total={answer.total}
                        token={answer.next_page_token}
                        isFirst={token === ''}
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
      }),
    );
  },
});
