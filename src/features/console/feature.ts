import { feature, type Feature } from '../../feature';
import { assetRoute } from './assets/assets';
import { formRoutes } from './forms/form-routes';
import { errorsAsPages } from './frame/error-page';
import { csvRoutes } from './frame/csv-routes';
import { pageRoutes } from './frame/page-routes';
import { consoleCatalog } from './overview/catalog';
import { eventStreamRoute } from './sources/event-stream';
import { suggestionRoute } from './finding/suggestions';
import { firstOpenings } from './opening/first-openings';
import * as own from './pages';
import { groupFiles } from './pages/person/group-files';
import { whyFiles } from './pages/why-files';

/** How often the service looks whether it is prepared, so that it can open its pages. */
const OPENING_SECONDS = 2;

/** The console: pages on which people see who can do what, and the pages of other features. */
export const consoleOf = (others: readonly Feature[]): Feature => {
  const findings = others.flatMap((other) => other.findings ?? []);
  const pages = [...own.pagesWith(findings), ...others.flatMap((other) => other.pages ?? [])];
  const forms = [...own.forms, ...others.flatMap((other) => other.forms ?? [])];
  return feature({
    name: 'console',
    errorForm: errorsAsPages(pages),
    statements: consoleCatalog,
    rounds: (context) => [
      {
        name: 'first openings of pages',
        everySeconds: OPENING_SECONDS,
        rounds: [firstOpenings(pages, context)],
      },
    ],
    routes: (web, context) => [
      {
        topic: { name: 'Console', about: 'Pages for people who have signed in.' },
        routes: [
          assetRoute(web.respond),
          ...pageRoutes(pages, web, context),
          ...csvRoutes(web, context),
          ...groupFiles(web, context),
          ...whyFiles(web, context),
          eventStreamRoute(web, context),
          suggestionRoute(web, context),
          ...formRoutes(forms, pages, web, context),
          ...others.flatMap((other) => other.files?.(web, context) ?? []),
        ],
      },
    ],
  });
};
