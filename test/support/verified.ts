import { records } from '../../src/features';
import { graphRegistry } from '../../src/graph/records/registry';
import type { DataSourceOfProvider } from '../../src/graph/records/provider-record';
import { graphVerifier } from '../../src/features/verification/checks/verification';
import { verifyDataSource } from '../../src/features/verification/verify-data-source';
import type { Verification } from '../../src/features/verification/endpoints';
import { type FilledGraph, TEST_LIMITS } from './push';

/** All data sources of a graph, ordered by name. */
export const allDataSources = async (
  filled: FilledGraph,
): Promise<readonly DataSourceOfProvider[]> => {
  const rows = await filled.ask(
    'MATCH (s:DataSource)-[:FROM]->(p:Provider) RETURN s.id AS id, p.id AS provider ORDER BY s.name',
  );
  const registry = graphRegistry(filled.graph);
  return Promise.all(
    rows.map(async ({ id, provider }) => {
      const found = await registry.findDataSource(provider as string, id as string)();
      if (found._tag === 'Left') throw new Error(JSON.stringify(found.left));
      return found.right;
    }),
  );
};

/** What a verification of a data source tells. */
export const verified = async (
  filled: FilledGraph,
  source: DataSourceOfProvider,
): Promise<Verification> => {
  const verifier = graphVerifier(filled.graph, TEST_LIMITS, records);
  const result = await verifyDataSource({ verifier, listedChanges: 100 })({
    source,
    requestId: '',
    isRepairing: false,
    seesOthers: true,
    by: { keyId: null, name: 'API_KEY', address: null },
  })();
  if (result._tag === 'Left') throw new Error(JSON.stringify(result.left));
  return result.right;
};
