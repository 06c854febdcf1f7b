import { struct } from '../../../codec/struct';
import {
  choice,
  flagText,
  neededText,
  neededTexts,
  oneText,
  texts,
  textsOf,
} from '../../../contract/parameters/query-parameters';
import { PATHS, personAddress } from '../frame/address';
import { page } from '../frame/page';
import { showWhy, VIEWS } from './why-view';

const QUERY = struct(
  'the query of Why',
  { principal: neededTexts, resource: neededText },
  {
    person: flagText,
    permission: oneText,
    permission_type: oneText,
    at: oneText,
    against: oneText,
    cut: texts,
    view: choice('view', VIEWS),
  },
);

/** Through what somebody reaches a resource, since when, and what would remain without a step. */
export const why = page({
  path: PATHS.why,
  summary: 'Through what somebody reaches a resource, as a map and as tables.',
  readers: 'role',
  query: QUERY,
  show: ({ context, query, reader: { handles, zone } }) => {
    const principal = textsOf(query.principal);
    const { resource } = query;
    const person = query.person ?? '';
    return showWhy(
      context,
      {
        path: PATHS.why,
        ends: { principal, resource, person },
        principal,
        person,
        resource,
        isOfReached: false,
        mayNamePush: true,
        zone,
        hide: handles.hide,
        reachedPath: personAddress,
      },
      query,
    );
  },
});
