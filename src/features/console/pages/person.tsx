import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import {
  choice,
  choices,
  flagText,
  isTrue,
  oneText,
  texts,
  textsOf,
} from '../../../contract/parameters/query-parameters';
import { MARKS_OF_REACHED } from '../../../model/access-narrowing';
import { badField, type Failure } from '../../../problem';
import { instantsIn, instantsNamed, timeOfChanges } from '../asking/moment';
import { USUAL_ORDER } from '../asking/person';
import { personAddress } from '../frame/address';
import { page, type Reader, type Request, type Shown } from '../frame/page';
import { trimmed } from '../frame/trimmed';
import { orGone } from './gone';
import { showAccess } from './person/access-view';
import { showChanges } from './person/changes-view';
import { showEmptied } from './person/emptied-view';

/** The parameters of the page of a person. */
export const PERSON_QUERY = struct(
  'the query of a person',
  {},
  {
    at: oneText,
    against: oneText,
    view: choice('view', ['access', 'members', 'without', 'changes']),
    only: flagText,
    application: oneText,
    permission_type: texts,
    permission: oneText,
    mark: choices('marks', MARKS_OF_REACHED),
    sort: oneText,
    page: oneText,
    since: oneText,
    until: oneText,
  },
);

/** The token of a list that an address has. */
const tokenIn = (written: string, { handles }: Pick<Reader, 'handles'>) =>
  TE.fromNullable(badField('/page', 'BAD_PAGE_TOKEN', 'is no token of this list'))(
    handles.open(written),
  );

/** Shows a principal or a human at an address. */
export const showPerson = (
  { context, query, reader }: Pick<Request<typeof PERSON_QUERY._A>, 'context' | 'query' | 'reader'>,
  id: string,
  path: string,
): TE.TaskEither<Failure, Shown> =>
  pipe(
    instantsNamed(context, instantsIn(query), reader.zone, reader.seesAll),
    TE.bindTo('instants'),
    TE.bind('token', () => tokenIn(query.page ?? '', reader)),
    TE.flatMap(({ instants, token }) => {
      const written = instantsIn(query);
      const about = { id, at: instants.at, isHuman: !isTrue(query.only) };
      const isOfChanges = query.view === 'changes';
      // A reader who comes from a page about an instant wants the changes until that instant.
      const until = trimmed(query.until) || written.at;
      const place = {
        path,
        only: query.only ?? '',
        written: isOfChanges ? until : written.at,
        against: written.against,
        time: timeOfChanges(written, instants),
      };
      // It shows the access of others.
      if (query.view === 'without' && reader.seesAll) return showEmptied(context, about, place);
      return isOfChanges
        ? showChanges(context, about, place, {
            since: trimmed(query.since),
            until,
            page: token,
            seesAll: reader.seesAll,
            zone: reader.zone,
          })
        : showAccess(
            context,
            about,
            instants,
            place,
            {
              application: trimmed(query.application),
              types: textsOf(query.permission_type),
              permission: trimmed(query.permission),
              marks: textsOf(query.mark),
              sort: query.sort || USUAL_ORDER,
              page: token,
            },
            reader,
            query.view === 'members',
          );
    }),
  );

/** What a person, an account, a group, a role or an agent can do, through what, and since when. */
export const person = page({
  path: '/console/people/:id',
  summary: 'What a person, account, group, role or agent can do, now or at an instant.',
  readers: 'role',
  query: PERSON_QUERY,
  show: (request) => {
    const { context, id, query } = request;
    return pipe(showPerson(request, id, personAddress(id)), orGone(context, id, trimmed(query.at)));
  },
});
