import { feature } from '../../feature';
import { eraseRoute } from './erase-route';
import { ErasedName, ErasedNames } from './records';
import { erasureCatalog } from './catalog';
import { events } from './events';

/** Removes what the service stores of a person. */
export const erasure = feature({
  name: 'erasure',
  records: [ErasedName, ErasedNames],
  statements: erasureCatalog,
  events,
  routes: (web, context) => [
    {
      topic: { name: 'Erasure', about: 'Removes what the service stores of a person.' },
      routes: [eraseRoute(web, context)],
    },
  ],
});
