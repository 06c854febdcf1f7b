import type { NodeKind } from '../model/table';
import type { CatalogEntry } from '../graph/statements/catalog-entry';
import { modelPage } from '../kit/model-page';
import { BINDING_LOCK, schemaStatements } from '../graph/statements/schema';

const GENERATED = '// Generated from src/model by `npm run cypher`; do not edit.';

const OF_BATCHES = `${GENERATED}
// A list is the only item of its parameter, as in $rows[0]. Otherwise Neo4j would make a plan for each length.`;

/**
 * The generated files in `cypher/` that describe the graph, by file name. A test compares them with
 * the model.
 */
export const cypherFiles = (
  records: readonly NodeKind[],
  statements: readonly CatalogEntry[],
): Readonly<Record<string, string>> => ({
  'schema.cypher': `${[GENERATED, ...[...schemaStatements(records), BINDING_LOCK].map((text) => `${text};`)].join('\n')}\n`,
  'batches.cypher': `${[OF_BATCHES, ...statements.map(({ title, text }) => `// ${title}\n${text};`)].join('\n\n')}\n`,
  'model.md': modelPage(records),
});
