import type { Provider } from '../contract/records/provider';
import { oncePerContext } from '../context';
import { graphDeletions } from '../push/graph/contract';
import { graphRegistry, providersOf } from '../graph/records/registry';
import { pushLimitsOf, pushLineOf } from '../push/contract';
import type { PushTarget } from '../push/receive/contract';
import { createDataSource } from './create-data-source';
import { deleteDataSource, deleteProvider, type DeletionRequest } from './deletion';
import { listDataSources, listProviders } from './list-providers';
import { registerProvider } from './register-provider';
import { allowRemoval, changeProvider } from './change-provider';
import { eventWriterOf } from '../graph/records/event-record';

/** What deletes providers and data sources, in steps. */
export const deletionsOf = oncePerContext((context) =>
  graphDeletions(context.graph, pushLimitsOf(context), context.records),
);

/** Providers and data sources. */
export const registryOf = oncePerContext((context) => {
  const registry = providersOf(context);
  const { inTurn, removalGuard } = pushLineOf(context);
  const lists = { registry: graphRegistry(context.asked) };
  const deleting = {
    deletions: deletionsOf(context),
    atOnce: context.config.limits.deletionRows,
    wake: context.wake,
    removalGuard,
    writeEvent: eventWriterOf(context),
  };
  return {
    registerProvider: registerProvider({ registry }),
    listProviders: listProviders(lists),
    changeProvider: changeProvider({ registry }),
    deleteProvider: (provider: Provider, request: DeletionRequest) =>
      inTurn(request, deleteProvider(deleting)(provider, request)),
    createDataSource: createDataSource({ registry }),
    listDataSources: listDataSources(lists),
    deleteDataSource: (source: PushTarget, request: DeletionRequest) =>
      inTurn({ ...request, source }, deleteDataSource(deleting)(source, request)),
    /** Lets the next push pass the removal guard; gives the time until which it may. */
    allowRemoval: allowRemoval({ registry }),
  };
});

export { createDataSource } from './create-data-source';
