import { feature } from '../../feature';
import { discoveryRoutes } from './routes/discovery-routes';
import { resourceRoutes } from './routes/resource-routes';
import { scimErrors } from './routes/scim-error';
import { searchRoutes } from './routes/search-routes';
import { scimCatalog } from './statements';

/** The service as a SCIM server: identity providers push users and groups. */
export const scimServer = feature({
  name: 'SCIM server',
  statements: scimCatalog,
  errorForm: scimErrors,
  routes: (web, context) => [
    {
      topic: { name: 'SCIM', about: 'The service as a SCIM server for one data source.' },
      routes: [
        ...discoveryRoutes(web, context),
        ...searchRoutes(web, context),
        ...resourceRoutes(web, context),
      ],
    },
  ],
});
