import { feature } from '../../feature';
import { apiDescriptionRoutes } from './api-description-routes';
import { apiPageRoutes } from './api-page';
import { kitRoutes } from './kit-routes';

/** The description of the interface, and the analyst's kit. */
export const description = feature({
  name: 'description',
  routes: ({ handle, respond, routes }, { records }) => [
    {
      topic: {
        name: 'Description',
        about: 'This interface and its payloads, for people and programs.',
      },
      routes: [
        ...apiDescriptionRoutes(handle, routes),
        ...apiPageRoutes(respond),
        ...kitRoutes(respond, records),
      ],
    },
  ],
});
