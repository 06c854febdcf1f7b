import type { Context } from '../../context';
import { asDone, asValue } from '../../web/exchange/handle';
import type { Route } from '../../web/routing/route';
import type { Web } from '../../web/routing/web';
import { aboutProvider } from './about-provider';
import { connectionsOf } from './contract';
import { endpoints } from './endpoints';

/** Sets, reads, tests and removes the connection of a provider (docs/provisioning.md: The connection). */
export const connectionRoutes = (web: Web, context: Context): readonly Route[] => {
  const connections = connectionsOf(context);
  const { asking, changing } = aboutProvider(web, context);
  return [
    changing(endpoints.set, ({ provider, body, act }) =>
      asValue(connections.set(provider, body, act)),
    ),
    asking(endpoints.read, ({ provider }) => asValue(connections.find(provider))),
    asking(endpoints.remove, ({ provider, act }) => asDone(connections.remove(provider, act))),
    asking(endpoints.test, ({ provider }) => asValue(connections.test(provider))),
  ];
};
