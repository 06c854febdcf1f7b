import {
  BROUGHT_PROPERTY_NAMES,
  KNOWN_PROPERTY_NAMES,
} from '../../translate/records/property-name-statements';
import type { Runner } from '../connection/transaction';

/** Names of custom and dynamic properties, as the graph stores them. */
export interface PropertyNames {
  /** The names that Neo4j knows. */
  readonly known: ReadonlySet<string>;
  /**
   * The names that Neo4j knows, and all names that pushes to any data source have brought. A push
   * may set a declared name later.
   */
  readonly all: ReadonlySet<string>;
}

/** Reads the custom and dynamic property names of the graph. */
export const readPropertyNames = async (tx: Runner): Promise<PropertyNames> => {
  const [known, brought] = await Promise.all(
    [KNOWN_PROPERTY_NAMES, BROUGHT_PROPERTY_NAMES].map(async (statement) => {
      const { records } = await tx.run<{ names: string[] }>(statement);
      return records[0]?.get('names') ?? [];
    }),
  );
  return { known: new Set(known), all: new Set([...(known ?? []), ...(brought ?? [])]) };
};
