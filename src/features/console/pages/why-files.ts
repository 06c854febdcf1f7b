import type { Response } from 'express';
import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import type { AccessExplanation } from '../../../contract/answers/questions/access';
import type { EntityPage } from '../../../contract/answers/questions/entities';
import { CSV } from '../../../contract/csv';
import {
  choice,
  flagText,
  isTrue,
  neededText,
  neededTexts,
  oneText,
  textsOf,
} from '../../../contract/parameters/query-parameters';
import type { Context } from '../../../context';
import { kindInSentence } from '../frame/kinds';
import type { Failure } from '../../../problem';
import { streamed } from '../../../web/exchange/answer-stream';
import { asCsv, type AsTable, exportedFile } from '../../../web/lists/listed';
import { queryOf } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { page, READERS, visitorOf } from '../../sign-in/contract';
import { instantNamed } from '../asking/moment';
import { askEntity } from '../asking/person';
import { askNamedWays, askWhy, sourceInWords, type SourceNames } from '../asking/why';
import { aboutFile, forPeople, type InOnePage, inOnePage } from '../tables/about-file';
import { CSV_ADDRESSES, WHY_PICTURE } from '../frame/address';
import { trimmed } from '../frame/trimmed';
import { pathMap } from '../map/layout';
import { pictureFile } from '../map/path-map';
import { type ShortWay, shortWays } from '../map/short-ways';
import { stepsIn } from '../map/tables';
import type { Stop } from '../map/ways';
import { dayOf, whyFileName } from '../words/file-names';
import { UTC } from '../words/time-zone';
import { wordsFor } from '../words/permission-types';
import { VIEWS } from './why-view';

const QUERY = struct(
  'the query of a file of Why',
  { principal: neededTexts, resource: neededText },
  {
    person: flagText,
    permission: oneText,
    permission_type: oneText,
    at: oneText,
    view: choice('view', VIEWS),
    about: flagText,
  },
);

type Asked = typeof QUERY._A;

/** The ways of a question, and what a file says about it. */
interface WhyAnswer {
  readonly short: readonly ShortWay[];
  readonly names: SourceNames;
  readonly who: string;
  readonly what: string;
  /** The providers that say that they exist. */
  readonly whoFrom: string;
  readonly whatFrom: string;
  readonly asOf: AccessExplanation['as_of'];
  /** The instant of the question; empty: now. */
  readonly at: string;
  readonly isTruncated: boolean;
}

const providersOf = ({ sources }: EntityPage): string =>
  [...new Set(sources.map(({ provider_name }) => provider_name))].join(', ');

const answerOf = (context: Context, query: Asked): TE.TaskEither<Failure, WhyAnswer> => {
  const principal = textsOf(query.principal);
  const { resource, person } = query;
  return pipe(
    instantNamed(context, query.at, UTC),
    TE.bindTo('at'),
    TE.bind('answers', ({ at }) =>
      sequenceT(TE.ApplyPar)(
        askWhy(context, {
          principal,
          resource,
          at,
          person: person ?? '',
          permission: trimmed(query.permission),
          type: query.permission_type ?? '',
        }),
        askEntity(context, { id: principal[0] ?? '', at }),
        askEntity(context, { id: resource, at }),
      ),
    ),
    TE.bind('named', ({ answers: [{ answer }] }) => askNamedWays(context, answer.value)),
    TE.map(({ at, named, answers: [{ answer }, one, what] }) => ({
      short: shortWays(named.ways, answer),
      names: named.names,
      who: (answer.principal ?? one).name,
      what: what.name,
      at,
      isTruncated: answer.value.truncated,
      asOf: answer.as_of,
      whoFrom: answer.principal?.provider ?? providersOf(one),
      whatFrom: providersOf(what),
    })),
  );
};

/** The provider of a stop, if it must be said. */
const fromInWords = ({ provider }: Stop): string => (provider ? `, from ${provider}` : '');

const waysTable = ({
  whoFrom,
  whatFrom,
}: Pick<WhyAnswer, 'whoFrom' | 'whatFrom'>): AsTable<InOnePage<ShortWay>, ShortWay> => ({
  columns: () => [
    { name: 'Way', cell: ({ number }) => number },
    { name: 'Who', cell: ({ start }) => start.name },
    { name: 'Who is from', cell: () => whoFrom },
    { name: 'Account', cell: ({ account }) => account?.name },
    { name: 'Can', cell: ({ way }) => wordsFor([way.permission]) },
    { name: 'Permission', cell: ({ way }) => way.permission.name },
    {
      name: 'Through',
      cell: ({ steps }) =>
        steps
          .slice(0, -1)
          .map(({ to }) => `${to.name} (${kindInSentence(to.label)}${fromInWords(to)})`)
          .join(' → '),
    },
    { name: 'Resource', cell: ({ steps }) => steps.at(-1)?.to.name },
    { name: 'Resource is from', cell: () => whatFrom },
    { name: 'Holds on', cell: ({ steps }) => steps.at(-1)?.label?.on?.name },
    { name: 'Since', cell: ({ way }) => way.since },
    { name: 'Push', cell: ({ way }) => way.push },
  ],
  rowsOf: ({ values }) => values,
});

type StepRow = ReturnType<typeof stepsIn>[number];

const stepsTable = (names: SourceNames): AsTable<InOnePage<StepRow>, StepRow> => ({
  columns: () => [
    { name: 'From', cell: ({ step }) => step.from.name },
    {
      name: 'From kind',
      cell: ({ step: { from } }) => `${kindInSentence(from.label)}${fromInWords(from)}`,
    },
    { name: 'Step', cell: ({ step }) => step.words },
    { name: 'To', cell: ({ step }) => step.to.name },
    {
      name: 'To kind',
      cell: ({ step: { to } }) => `${kindInSentence(to.label)}${fromInWords(to)}`,
    },
    { name: 'Since', cell: ({ step }) => step.since },
    { name: 'Push', cell: ({ step }) => step.push },
    {
      name: 'Source',
      cell: ({ step: { source } }) =>
        source === null ? null : (sourceInWords(names, source) ?? source),
    },
    { name: 'Ways', cell: ({ numbers }) => numbers.join(', ') },
  ],
  rowsOf: ({ values }) => values,
});

/**
 * The caption of a picture: its instant, who asked, what it leaves out, and the providers of both
 * ends.
 */
const aboutPicture = (
  { short, at, isTruncated, who, what, whoFrom, whatFrom }: WhyAnswer,
  shown: number,
  res: Response,
): string => {
  const now = new Date().toISOString();
  const left = short.length - shown;
  // The words of the service come first, so that no long or forged name can take their place.
  return [
    `as of ${at || now}`,
    `asked by ${visitorOf(res).name} at ${now}`,
    ...(left > 0 ? [`${left} more ways are not in the picture`] : []),
    ...(isTruncated ? ['there are more ways'] : []),
    ...(whoFrom === '' ? [] : [`${who} from ${whoFrom}`]),
    ...(whatFrom === '' ? [] : [`${what} from ${whatFrom}`]),
  ].join(', ');
};

const SVG = 'image/svg+xml';

/** The ways from somebody to something as files: a table of ways or of steps, and a picture. */
export const whyFiles = (
  { question }: Pick<Web, 'question'>,
  context: Context,
): readonly Route[] => [
  page({
    path: CSV_ADDRESSES.why,
    summary: 'The ways from somebody to a resource, or their steps, as a file.',
    query: QUERY,
    people: READERS,
    mediaTypes: [CSV],
    handler: question((req, res) =>
      pipe(
        TE.fromEither(queryOf(QUERY, req)),
        TE.bindTo('query'),
        TE.bind('answer', ({ query }) => answerOf(context, query)),
        TE.flatMap(({ query: { view, about }, answer }) => {
          const { short, who, what, at } = answer;
          const ways = short.map(({ way }) => way);
          const steps = view === 'steps' ? stepsIn(ways) : null;
          const name = whyFileName(who, what, dayOf(at), 'csv');
          const file = forPeople(name);
          if (isTrue(about)) {
            return aboutFile(name, {
              question: `Through what ${who} reaches ${what}${steps === null ? '' : ', step by step'}`,
              instant: at || null,
              rows: (steps ?? short).length,
              as_of: answer.asOf,
              isAll: !answer.isTruncated,
            })(req, res);
          }
          if (steps === null) {
            return asCsv(() => TE.right(inOnePage(short)), waysTable(answer), file)(req, res);
          }
          const table = stepsTable(answer.names);
          return asCsv(() => TE.right(inOnePage(steps)), table, file)(req, res);
        }),
      ),
    ),
  }),
  page({
    path: WHY_PICTURE,
    summary: 'The map of the ways from somebody to a resource as a picture.',
    query: QUERY,
    people: READERS,
    mediaTypes: [SVG],
    handler: question((req, res) =>
      pipe(
        TE.fromEither(queryOf(QUERY, req)),
        TE.flatMap((query) => answerOf(context, query)),
        TE.flatMap((answer) => {
          const { short, who, what, at } = answer;
          const map = pathMap(short, 'few');
          const picture = pictureFile({
            of: map,
            title: `Through what ${who} reaches ${what}`,
            about: aboutPicture(answer, map.shown, res),
          });
          return streamed(
            res,
            SVG,
            (async function* () {
              yield await Promise.resolve(picture);
            })(),
            {
              file: whyFileName(who, what, dayOf(at), 'svg'),
              exported: exportedFile(req, res, 'svg'),
            },
          );
        }),
      ),
    ),
  }),
];
