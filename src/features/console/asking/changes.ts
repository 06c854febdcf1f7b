import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import type { Context } from '../../../context';
import { badField, type Failure } from '../../../problem';
import { interfaceOf } from '../../../questions/contract';
import { CSV_ADDRESSES } from '../frame/address';
import type { TimeOfPushes } from '../overview/overview';
import { type Answered, ask } from './ask';
import { instantNamed } from './moment';
import { PEOPLE, PLACES } from './results';
import { meantByName } from './search';

/** What a page about changes is narrowed to, as its address says it. Empty: not narrowed. */
export interface Filtered {
  readonly since: string;
  readonly until: string;
  readonly push: string;
  readonly principal: string;
  readonly resource: string;
  readonly application: string;
  readonly dataSource: string;
  readonly change: string;
}

/** The time that a page is about; `usual` is its beginning if the address names none. */
export const timeOf = (
  context: Context,
  { since, until }: Pick<Filtered, 'since' | 'until'>,
  usual: string,
): TE.TaskEither<Failure, TimeOfPushes> =>
  pipe(
    TE.Do,
    TE.bind('from', () => instantNamed(context, since)),
    TE.bind('to', () => instantNamed(context, until)),
    TE.map(({ from, to }) => ({ from: from || usual, to: to || new Date().toISOString() })),
  );

/** The keys of what a name means, or the key itself. */
const keysMeant = (
  context: Context,
  field: 'principal' | 'resource',
  text: string,
): TE.TaskEither<Failure, readonly string[]> => {
  if (text === '' || text.includes('|')) return TE.right(text === '' ? [] : [text]);
  return pipe(
    meantByName(context, text, field === 'principal' ? PEOPLE : PLACES),
    TE.flatMap((found): TE.TaskEither<Failure, readonly string[]> => {
      const ids = found.map(({ id }) => id);
      if (ids.length === 0) {
        return TE.left(badField(`/${field}`, 'UNKNOWN_ENTITY', 'names nothing in the graph'));
      }
      if (field === 'principal' || ids.length === 1) return TE.right(ids);
      const some = ids.slice(0, 5).join(', ');
      return TE.left(
        badField(`/${field}`, 'AMBIGUOUS_REFERENCE', `means ${ids.length}. Write a key: ${some}`),
      );
    }),
  );
};

/** Who gained and who lost what, as the interface answers it. */
export const askEverybodysChanges = (
  context: Context,
  { until, push, principal, resource, application, dataSource, change }: Filtered,
  time: TimeOfPushes,
  page: string,
): TE.TaskEither<Failure, Answered<AccessChangeList>> =>
  pipe(
    TE.Do,
    TE.bind('who', () => keysMeant(context, 'principal', principal)),
    TE.bind('what', () => keysMeant(context, 'resource', resource)),
    TE.flatMap(({ who, what }) =>
      ask(
        interfaceOf(context).changes,
        { path: '/api/v1/access:changes', csvAt: CSV_ADDRESSES.changes },
        {
          ...(push === '' ? { since: time.from, until: until === '' ? '' : time.to } : { push }),
          ...{ principal: who, person: who.length === 0 ? '' : 'true', resource: what },
          ...{ application, data_source: dataSource, change, page_token: page },
        },
      ),
    ),
  );
