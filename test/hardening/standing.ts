import type { Driver } from 'neo4j-driver';

import { Digest } from '../../src/model/digest';
import { plainInstant } from '../property/stored-graph';
import { testNeo4j } from '../support/neo4j';

/** What stands in the graph, in a few figures. */
export interface Existing {
  /** The digest of the rows of each data source that has any, reckoned from the rows themselves. */
  readonly digests: ReadonlyMap<string, string>;
  /** All instants at which something was written into a row or relationship. */
  readonly instants: ReadonlySet<string>;
  readonly providers: ReadonlySet<string>;
  readonly dataSources: ReadonlySet<string>;
}

// What the service keeps for itself, and writes for a refused push as well.
const KEPT = '(Provider|DataSource|Push|Event|Upload|UploadPart)';

/** Reads what stands; nothing in it comes from what the service says of itself. */
export const readStanding = async (driver: Driver): Promise<Existing> => {
  const { database } = testNeo4j();
  const read = async (query: string): Promise<readonly (readonly string[])[]> => {
    const { records } = await driver.executeQuery(query, {}, { database });
    return records.map((record) => [...record.values()].map(String));
  };
  const hashes = new Map<string, string[]>();
  const rows = await read(
    'MATCH (n) WHERE n.row_hash IS NOT NULL RETURN n.data_source AS source, n.row_hash AS hash',
  );
  for (const [source = '', hash = ''] of rows) {
    hashes.set(source, [...(hashes.get(source) ?? []), hash]);
  }
  const instants = await read(
    `CALL () { MATCH (n) WHERE n.row_hash IS NOT NULL UNWIND [n.since, n.changed] AS at RETURN DISTINCT at
       UNION MATCH (a)-[r]->(b) WHERE r.since IS NOT NULL AND NOT a:${KEPT} AND NOT b:${KEPT}
       RETURN DISTINCT r.since AS at }
     RETURN DISTINCT toString(at)`,
  );
  return {
    digests: new Map([...hashes].map(([source, all]) => [source, Digest.empty.with(all).hex])),
    instants: new Set(instants.flat().map(plainInstant)),
    providers: new Set((await read('MATCH (p:Provider) RETURN p.id')).flat()),
    dataSources: new Set((await read('MATCH (d:DataSource) RETURN d.id')).flat()),
  };
};
