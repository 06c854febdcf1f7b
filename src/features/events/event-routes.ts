import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { EventAnswer, EventPage } from '../../contract/answers/events';
import { fieldColumns } from '../../contract/csv';
import { TIMED_TOKEN_PLACES } from '../../contract/page';
import { EventsParameters } from '../../contract/parameters/question-parameters';
import { callerOf } from '../../web/admission/caller';
import { listed } from '../../web/lists/listed';
import { type ListFields, listQuery } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { historyOf } from './contract';

/** The fields by which callers filter and order events. */
export const EVENT_FIELDS: ListFields = {
  filtered: [
    'id',
    'timestamp',
    'category',
    'severity',
    'name',
    'message',
    'event_type',
    'entity',
    'entity_id',
    'entity_name',
    'provider_id',
  ],
  ordered: ['timestamp'],
  usual: { field: 'timestamp', isDescending: true },
  tokenPlaces: TIMED_TOKEN_PLACES,
};

const COLUMNS = fieldColumns(...(Object.keys(EventAnswer.fields) as (keyof EventAnswer)[]));

/** Lists events, newest first (docs/rules.md: Lists, Events). */
export const eventRoutes = ({ question }: Web, context: Context): readonly Route[] =>
  ['/api/v1/events', '/api/preview/events'].map((path) =>
    route({
      method: 'get',
      path,
      access: { scopes: ['read'], limitedKeys: 'shown in part' },
      summary: 'Lists what happened, newest first.',
      answer: EventPage,
      query: EventsParameters,
      alsoAs: 'text/csv',
      handler: question(
        listed(
          (asking, res) =>
            pipe(
              TE.fromEither(listQuery(asking, EVENT_FIELDS)),
              TE.flatMap((wanted) => historyOf(context).events(wanted, callerOf(res).providers)),
              TE.map(({ values, ...page }) => ({ values, events: values, ...page })),
            ),
          { columns: () => COLUMNS, rowsOf: ({ values }) => values },
        ),
      ),
    }),
  );
