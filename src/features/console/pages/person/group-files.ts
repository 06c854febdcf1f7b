import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../../codec/struct';
import type { AsOf } from '../../../../contract/answers/page';
import type { HeldPermission, Summary } from '../../../../contract/answers/questions/access';
import type { EntityPage } from '../../../../contract/answers/questions/entities';
import { CSV, type CsvColumn } from '../../../../contract/csv';
import {
  flagText,
  isTrue,
  neededText,
  oneText,
} from '../../../../contract/parameters/query-parameters';
import type { Context } from '../../../../context';
import type { EmptiedGateway, WithoutGateway } from '../../../../questions/endpoints';
import { endpoints as questions } from '../../../../questions/endpoints';
import type { Member } from '../../../../questions/contract';
import { asCsv, type Asking, type AsTable } from '../../../../web/lists/listed';
import { parameterOf, queryOf } from '../../../../web/lists/list-query';
import type { Route } from '../../../../web/routing/route';
import type { Web } from '../../../../web/routing/web';
import { page, READERS } from '../../../sign-in/contract';
import { type AboutMembers, askMembers, type SomeMembers } from './asked-members';
import { instantNamed } from '../../asking/moment';
import { askEntity } from '../../asking/person';
import { askLosses } from '../../asking/resource';
import { CSV_ADDRESSES } from '../../frame/address';
import { namesOf, ON_WHAT, WHO } from '../../frame/plain-tables';
import { aboutFile, forPeople, type InOnePage, inOnePage } from '../../tables/about-file';
import { dayOf, lossesFileName, membersFileName } from '../../words/file-names';
import { markOfRow } from '../../words/marks';
import { wordsFor } from '../../words/permission-types';
import { UTC } from '../../words/time-zone';
import { onlyProvider, toldSteps, wayInWords } from '../../words/ways';

const MEMBERS_QUERY = struct(
  'the query of a file of members',
  { of: neededText },
  { directly: flagText, at: oneText, about: flagText },
);

const { permission, permission_type } = questions.gateways.query.optional;

const LOSSES_QUERY = struct(
  'the query of a file of losses',
  { without: neededText },
  {
    resource: oneText,
    contents: flagText,
    permission,
    permission_type,
    at: oneText,
    about: flagText,
  },
);

const marksOf = ({ inactive }: Summary, isPerson: boolean): string =>
  [...(isPerson ? [] : ['not_people']), ...(inactive ? ['inactive'] : [])]
    .map(markOfRow)
    .join(', ');

/** Through what somebody is in a group, as its page says it. */
const throughOf = ({ inGroup }: Member, provider: string | null): string => {
  if (inGroup === null) return 'directly';
  const { way, more_steps: more } = inGroup;
  return toldSteps(way).length === 0 && more === 0 ? 'directly' : wayInWords(way, provider, more);
};

const membersTable = (
  provider: string | null,
): AsTable<SomeMembers, Member & { readonly who: Summary }> => ({
  columns: () => [
    ...WHO,
    {
      name: 'Marks',
      cell: ({ about, inGroup }) => marksOf(about, inGroup === null || inGroup.person),
    },
    { name: 'Through', cell: (member) => throughOf(member, provider) },
    { name: 'Since', cell: ({ since }) => since },
    { name: 'Push', cell: ({ push }) => push },
  ],
  rowsOf: ({ values }) => values.map((member) => ({ ...member, who: member.about })),
});

const membersInWords = ({ name, label }: EntityPage, directly: boolean): string => {
  if (!label.endsWith('Group')) return `Who directly has ${name}`;
  return `Who is ${directly ? 'directly ' : ''}in ${name}${directly ? '' : ' in any way, and through what'}`;
};

/** What somebody would lose on something. */
interface LossLine {
  readonly who: Summary;
  /** `null`: the answer has no room for the rest of what the person would lose. */
  readonly what: Summary | null;
  readonly lost: readonly HeldPermission[];
  readonly left: readonly HeldPermission[];
  /** How many resources the answer leaves out. */
  readonly leftOut: number;
}

/** The losses of a question, and what a file says about it. */
interface LossAnswer {
  readonly lines: readonly LossLine[];
  readonly group: Summary;
  /** `null`: anywhere. */
  readonly resource: Summary | null;
  /** How many gain through the group and belong to no human; `null`: nobody asked. */
  readonly others: number | null;
  readonly asOf: AsOf | null;
}

const anywhere = ({ without, others, values, as_of }: EmptiedGateway): LossAnswer => ({
  lines: values.flatMap(({ losses, resources, ...who }): readonly LossLine[] => {
    const leftOut = resources - losses.length;
    return [
      ...losses.map(({ lost, left, ...what }) => ({ who, what, lost, left, leftOut: 0 })),
      ...(leftOut === 0 ? [] : [{ who, what: null, lost: [], left: [], leftOut }]),
    ];
  }),
  group: without,
  resource: null,
  others,
  asOf: as_of,
});

const onOne = ({ resource, without, values, as_of }: WithoutGateway): LossAnswer => ({
  lines: values.map(({ lost, left, ...who }) => ({ who, what: resource, lost, left, leftOut: 0 })),
  group: without,
  resource,
  others: null,
  asOf: as_of,
});

const ofResource: readonly CsvColumn<LossLine>[] = ON_WHAT.map(({ name, cell }) => ({
  name,
  cell: ({ what }) => (what === null ? null : cell({ what })),
}));

const LOSSES_TABLE: AsTable<InOnePage<LossLine>, LossLine> = {
  columns: () => [
    ...WHO,
    { name: 'Marks', cell: ({ who }) => marksOf(who, true) },
    ...ofResource,
    {
      name: 'Would lose',
      cell: ({ what, lost, leftOut }) =>
        what === null ? `more, on ${leftOut} that this file leaves out` : wordsFor(lost),
    },
    { name: 'Permissions lost', cell: ({ lost }) => namesOf(lost) },
    {
      name: 'Would still have',
      cell: ({ what, left }) => {
        if (what === null) return null;
        return left.length === 0 ? 'nothing' : wordsFor(left);
      },
    },
    { name: 'Permissions left', cell: ({ left }) => namesOf(left) },
  ],
  rowsOf: ({ values }) => values,
};

const placeInWords = ({ path, name }: Summary): string => path ?? name;

const lossesInWords = ({ group, resource }: LossAnswer): string =>
  resource === null
    ? `Who would lose what if nobody were in ${group.name}`
    : `Who would lose what on ${placeInWords(resource)} without ${group.name}`;

const othersInWords = (others: number): string =>
  others === 0 ? 'none' : `${others}, not in this file`;

const answerOf = (answer: WithoutGateway | EmptiedGateway): LossAnswer =>
  'others' in answer ? anywhere(answer) : onOne(answer);

/** The members of a group or role, and who would lose what without a group, as files. */
export const groupFiles = (
  { question }: Pick<Web, 'question'>,
  context: Context,
): readonly Route[] => [
  page({
    path: CSV_ADDRESSES.members,
    summary: 'The members of a group or role as a file.',
    query: MEMBERS_QUERY,
    people: READERS,
    mediaTypes: [CSV],
    handler: question((req, res) =>
      pipe(
        TE.fromEither(queryOf(MEMBERS_QUERY, req)),
        TE.bindTo('query'),
        TE.bind('at', ({ query }) => instantNamed(context, query.at, UTC)),
        TE.bind('entity', ({ query: { of }, at }) => askEntity(context, { id: of, at })),
        TE.flatMap(({ query: { of, ...query }, at, entity }) => {
          const isGroup = entity.label.endsWith('Group');
          const directly = isTrue(query.directly);
          const asked: AboutMembers = { of, directly: directly || !isGroup, at };
          const name = membersFileName(entity.name, directly && isGroup, dayOf(at));
          if (!isTrue(query.about)) {
            const work = (asking: Asking) =>
              askMembers(context, asked, parameterOf(asking, 'page_token'));
            const table = membersTable(onlyProvider(entity.sources));
            return asCsv(work, table, forPeople(name))(req, res);
          }
          return pipe(
            askMembers(context, asked, '', 1),
            TE.flatMap(({ total, as_of }) =>
              aboutFile(name, {
                question: membersInWords(entity, directly),
                instant: at || null,
                rows: total,
                as_of,
              })(req, res),
            ),
          );
        }),
      ),
    ),
  }),
  page({
    path: CSV_ADDRESSES.losses,
    summary: 'Who would lose what without a group, on a resource or anywhere, as a file.',
    query: LOSSES_QUERY,
    people: READERS,
    mediaTypes: [CSV],
    handler: question((req, res) =>
      pipe(
        TE.fromEither(queryOf(LOSSES_QUERY, req)),
        TE.bindTo('query'),
        TE.bind('at', ({ query }) => instantNamed(context, query.at, UTC)),
        TE.bind('losses', ({ query: { about: _about, ...asked }, at }) =>
          pipe(askLosses(context, { ...asked, at }), TE.map(answerOf)),
        ),
        TE.flatMap(({ query, at, losses }) => {
          const { lines, group, resource, others } = losses;
          const name = lossesFileName(group.name, resource?.name ?? null, dayOf(at));
          return isTrue(query.about)
            ? aboutFile(name, {
                question: lossesInWords(losses),
                instant: at || null,
                rows: lines.length,
                isAll: lines.every(({ what }) => what !== null),
                more:
                  others === null
                    ? []
                    : [{ name: 'Others that belong to nobody', value: othersInWords(others) }],
                as_of: losses.asOf,
              })(req, res)
            : asCsv(() => TE.right(inOnePage(lines)), LOSSES_TABLE, forPeople(name))(req, res);
        }),
      ),
    ),
  }),
];
