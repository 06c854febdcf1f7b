import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { editsBetween, LONGEST_COMPARED } from '../../../codec/hints/nearness';
import type { Context } from '../../../context';
import { fold } from '../../../model/fold';
import type { Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import { ask } from './ask';
import { quoted } from './search';

/** A name in a filter that nothing has, and names that exist instead. */
export interface UnknownName {
  readonly field: 'application' | 'permission';
  readonly name: string;
  /** Names that exist, the nearest first. */
  readonly known: readonly string[];
  /** Whether there are others. */
  readonly isCut: boolean;
}

/** The names in the filters of a table. */
export interface FilterNames {
  readonly application?: string;
  readonly permission?: string;
  /** The data source to which permissions must belong; `null`: any. */
  readonly dataSource: string | null;
}

const LABELS = { application: 'Application', permission: 'Permission' } as const;

/** How many entities the service reads to find names that exist. */
const MOST_READ = 500;
const MOST_OFFERED = 10;

/** The nearest of some names: first those that contain the text, then those that differ least. */
const nearest = (names: readonly string[], text: string): readonly string[] => {
  const compared = (name: string): string => fold(name).slice(0, LONGEST_COMPARED);
  const wanted = compared(text);
  const distance = (name: string): number =>
    fold(name).includes(wanted) ? 0 : 1 + editsBetween(compared(name), wanted);
  return [...new Set(names)]
    .map((name) => [distance(name), name] as const)
    .toSorted(([a, one], [b, other]) => a - b || (one < other ? -1 : 1))
    .slice(0, MOST_OFFERED)
    .map(([, name]) => name);
};

const unknownName = (
  context: Context,
  field: UnknownName['field'],
  name: string,
  within: string,
): TE.TaskEither<Failure, readonly UnknownName[]> => {
  const search = (filter: readonly string[], size: number) =>
    ask(
      interfaceOf(context).entities.search,
      { endpoint: questions.search },
      {
        label: LABELS[field],
        filter: filter.filter((condition) => condition !== '').join(' and '),
        page_size: size,
        order_by: 'name',
      },
    );
  return pipe(
    search([`name eq ${quoted(name)}`, within], 1),
    TE.flatMap(({ answer }) =>
      answer.total > 0
        ? TE.right([])
        : pipe(
            search([within], MOST_READ),
            TE.map(({ answer: { values, total } }): readonly UnknownName[] => {
              const names = new Set(values.map((each) => each.name));
              const known = nearest([...names], name);
              const isCut = total > values.length || names.size > known.length;
              return [{ field, name, known, isCut }];
            }),
          ),
    ),
    // A name that no filter can hold, such as one of many kilobytes, gets no offer.
    TE.orElse((failure) => (failure._tag === 'Invalid' ? TE.right([]) : TE.left(failure))),
  );
};

/**
 * Finds which names in the filters of an empty table nothing has now, so that a mistyped name does
 * not read as nobody's access.
 */
export const unknownNames = (
  context: Context,
  { application = '', permission = '', dataSource }: FilterNames,
): TE.TaskEither<Failure, readonly UnknownName[]> => {
  const within = dataSource === null ? '' : `data_source eq ${quoted(dataSource)}`;
  const asked = [
    ...(application === '' ? [] : [unknownName(context, 'application', application, '')]),
    ...(permission === '' ? [] : [unknownName(context, 'permission', permission, within)]),
  ];
  return pipe(
    TE.sequenceArray(asked),
    TE.map((found) => found.flat()),
  );
};
