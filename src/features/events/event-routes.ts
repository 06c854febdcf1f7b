import { EventAnswer, EventPage } from '../../contract/answers/events';
import { fieldColumns } from '../../contract/csv';
import { EventsParameters } from '../../contract/parameters/question-parameters';
import { callerOf } from '../../web/admission/caller';
import { listed } from '../../web/lists/listed';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { eventAnswersOf } from './contract';

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
        listed((asking, res) => eventAnswersOf(context)(asking, callerOf(res).providers), {
          columns: () => COLUMNS,
          rowsOf: ({ values }) => values,
        }),
      ),
    }),
  );
