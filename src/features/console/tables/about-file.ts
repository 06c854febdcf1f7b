import type { Request, Response } from 'express';
import type * as TE from 'fp-ts/TaskEither';
import { right } from 'fp-ts/TaskEither';

import type { PageEnd } from '../../../contract/answers/page';
import type { AccessList } from '../../../contract/answers/questions/access';
import type { TableFile } from '../../../contract/csv';
import type { Failure } from '../../../problem';
import type { Sent } from '../../../web/exchange/answer-stream';
import { asCsv, type AsTable } from '../../../web/lists/listed';
import { visitorOf } from '../../sign-in/contract';
import { aboutFileName } from '../words/file-names';

/** A file that people hand over. */
export const forPeople = (name: string): TableFile => ({ name, isForPeople: true });

/** A table that is one page. */
export type InOnePage<R> = PageEnd & { readonly values: readonly R[] };

/** All rows of a table in one page. */
export const inOnePage = <R>(values: readonly R[]): InOnePage<R> => ({
  values,
  has_more: false,
  next_page_token: '',
});

interface Fact {
  readonly name: string;
  readonly value: unknown;
}

/** What a file answers. */
export interface FileFacts {
  readonly question: string;
  /** The instant of the question; `null`: the time of the request. */
  readonly instant: string | null;
  readonly rows: number | undefined;
  /** Whether the file has all rows that there are. */
  readonly isAll?: boolean;
  /** What else one should know of the rows. */
  readonly more?: readonly Fact[];
  readonly as_of: AccessList['as_of'];
}

const FACTS: AsTable<InOnePage<Fact>, Fact> = {
  columns: () => [
    { name: 'About this file', cell: ({ name }) => name },
    { name: '', cell: ({ value }) => value },
  ],
  rowsOf: ({ values }) => values,
};

/** Parameters that narrow nothing. */
const NO_FILTERS: readonly string[] = [
  'words',
  'about',
  'details',
  'at',
  'principal',
  'resource',
  'person',
  'of',
  'directly',
  'without',
  'view',
  'order_by',
  'people_first',
  'page_size',
  'since',
  'until',
];

const filtersIn = ({ query }: Request): string =>
  Object.entries(query)
    .filter(([name, value]) => !NO_FILTERS.includes(name) && value !== '')
    .map(
      ([name, value]) => `${name.replaceAll('_', ' ')}: ${[value].flat().map(String).join(', ')}`,
    )
    .join('; ');

/** A second file that says what a file answers: for whom, when, and of which state of the graph. */
export const aboutFile =
  (file: string, { question, instant, rows, isAll = true, more = [], as_of }: FileFacts) =>
  (req: Request, res: Response): TE.TaskEither<Failure, Sent> => {
    const now = new Date().toISOString();
    const facts: readonly Fact[] = [
      { name: 'File', value: file },
      { name: 'Question', value: question },
      { name: 'As of', value: instant ?? now },
      { name: 'Filters', value: filtersIn(req) || 'none' },
      { name: 'Rows', value: `${rows ?? 'not counted'}${isAll ? '' : ', and there are more'}` },
      ...more,
      { name: 'Asked by', value: visitorOf(res).name },
      { name: 'Asked at', value: now },
      ...(as_of === null
        ? []
        : [
            { name: 'Newest push by then', value: as_of.push },
            { name: 'Time of that push', value: as_of.at },
          ]),
    ];
    return asCsv(() => right(inOnePage(facts)), FACTS, forPeople(aboutFileName(file)))(req, res);
  };
