import {
  BROUGHT_PROPERTY_NAMES,
  KNOWN_PROPERTY_NAMES,
} from '../statements/property-name-statements';
import type { Runner } from '../../neo4j/transaction';

/** Names of custom and dynamic properties, as the graph stores them. */
export interface PropertyNames {
  /** The names that Neo4j knows. */
  readonly known: ReadonlySet<string>;
  /**
   * The names that Neo4j knows, and all names that pushes to any data source have brought. A push
   * may set a declared name later.
   */
  readonly all: ReadonlySet<string>;
  /** The names that pushes to any data source of the provider have brought, also to deleted ones. */
  readonly ofProvider: ReadonlySet<string>;
}

/** Reads the custom and dynamic property names of the graph, and those of a provider. */
export const readPropertyNames = async (tx: Runner, provider: string): Promise<PropertyNames> => {
  const [known, brought] = await Promise.all([
    tx.run<{ names: string[] }>(KNOWN_PROPERTY_NAMES),
    tx.run<{ name: string; of_provider: boolean }>(BROUGHT_PROPERTY_NAMES, { provider }),
  ]);
  const names = known.records[0]?.get('names') ?? [];
  const rows = brought.records.map((record) => record.toObject());
  return {
    known: new Set(names),
    all: new Set([...names, ...rows.map(({ name }) => name)]),
    ofProvider: new Set(rows.flatMap(({ name, of_provider }) => (of_provider ? [name] : []))),
  };
};
