import { feature } from '../../feature';
import { discoveryRoutes } from './routes/discovery-routes';
import { resourceRoutes } from './routes/resource-routes';
import { searchRoutes } from './routes/search-routes';
import { scimCatalog } from './statements';

/** The service as a SCIM server: identity providers push users and groups. */
export const scimServer = feature({
  name: 'SCIM server',
  statements: scimCatalog,
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
