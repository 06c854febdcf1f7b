import { EventAnswer } from '../../contract/answers/events';
import { fieldColumns } from '../../contract/csv';
import { callerOf } from '../../web/admission/caller';
import { listed } from '../../web/lists/listed';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { eventAnswersOf } from './contract';
import { endpoints } from './endpoints';

const COLUMNS = fieldColumns(...(Object.keys(EventAnswer.fields) as (keyof EventAnswer)[]));

/** Lists events, newest first (docs/rules.md: Lists, Events). */
export const eventRoutes = ({ question }: Web, context: Context): readonly Route[] =>
  [endpoints.list, endpoints.preview].map((endpoint) =>
    route({
      ...endpoint,
      handler: question(
        listed((asking, res) => eventAnswersOf(context)(asking, callerOf(res).providers), {
          columns: () => COLUMNS,
          rowsOf: ({ values }) => values,
        }),
      ),
    }),
  );
