import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import { choice, neededText, oneText, texts } from '../../../contract/parameters/query-parameters';
import type { Failure } from '../../../problem';
import { PATHS } from '../frame/address';
import { page, type Request, type Shown } from '../frame/page';
import { PERSON_QUERY, showPerson } from './person';
import { NOT_REACHED, showWhy, VIEWS } from './why-view';

const NOBODY: Shown = {
  title: 'My access',
  body: (
    <>
      <h1>My access</h1>
      <p role="status">
        No person in the graph is certainly yours, so there is nothing to show. An administrator can
        say which identity provider names you.
      </p>
    </>
  ),
};

/** Shows a page about the reader, if a person of the graph is certainly theirs. */
const aboutReader = (
  { reader: { person } }: Pick<Request<unknown>, 'reader'>,
  show: (person: string) => TE.TaskEither<Failure, Shown>,
): TE.TaskEither<Failure, Shown> => (person === null ? TE.right(NOBODY) : show(person));

/** What the reader can do. Everybody who has signed in may open it. */
export const mine = page({
  path: PATHS.mine,
  summary: 'What the person who has signed in can do, through what, and since when.',
  link: { name: 'My access', key: 'm' },
  readers: 'everybody',
  query: PERSON_QUERY,
  show: (request) => aboutReader(request, (person) => showPerson(request, person, PATHS.mine)),
});

/** Through what the reader reaches a resource. */
export const mineWhy = page({
  path: PATHS.mineWhy,
  summary: 'Through what the person who has signed in reaches a resource.',
  readers: 'everybody',
  query: struct(
    'the query of Why',
    { resource: neededText },
    {
      permission: oneText,
      permission_type: oneText,
      at: oneText,
      against: oneText,
      cut: texts,
      view: choice('view', VIEWS),
    },
  ),
  show: (request) =>
    aboutReader(request, (person) => {
      const { seesAll, handles, zone } = request.reader;
      const written = request.query.resource;
      const resource = handles.open(written);
      if (resource === null) return TE.left(NOT_REACHED);
      return showWhy(
        request.context,
        {
          path: PATHS.mineWhy,
          ends: { resource: written },
          resource,
          isOfReached: true,
          mayNamePush: seesAll,
          zone,
          hide: handles.hide,
          principal: [person],
          person: 'true',
          reachedPath: () => PATHS.mine,
        },
        request.query,
      );
    }),
});
