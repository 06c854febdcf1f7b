import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { NodeKind } from '../model/table';
import type { CatalogEntry } from '../graph/statements/catalog-entry';
import { modelPage } from '../kit/model-page';
import { BINDING_LOCK, schemaStatements } from '../graph/statements/schema';
import { parseSavedQuery } from '../kit/parse-saved-query';
import { readme } from '../kit/readme';
import { queryFiles } from '../kit/saved-queries';
import { withSharedRules } from '../kit/shared-rules';
import { styleSheet } from '../kit/style';
import { payloadReference } from '../contract/payload-reference';
import { RESOURCE_LEVELS } from '../templates/application/payload';
import { type Template, TEMPLATES, templates } from '../templates/templates';

/** The name of the page of a template. */
const payloadPage = (template: Template): string => `${template.replaceAll('_', '-')}.md`;

/**
 * The pages of all templates' payloads, by their names in `docs/payloads`. The examples are the
 * payloads in a folder. Each belongs to the template whose codec accepts it.
 */
export const payloadPages = (folder: string): Readonly<Record<string, string>> => {
  const payloads = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown);
  return Object.fromEntries(
    TEMPLATES.map((template) => {
      const codec = templates[template].whole(RESOURCE_LEVELS);
      const examples = payloads.filter((payload) => codec.is(payload));
      return [payloadPage(template), payloadReference(template, examples)];
    }),
  );
};

/**
 * The files that `npm run cypher` writes for the kit, by their path below `cypher/`. It updates the
 * shared rules in the queries.
 */
export const kitFiles = (records: readonly NodeKind[]): Readonly<Record<string, string>> => {
  const fresh = queryFiles().map(([file, text]) => [file, withSharedRules(file, text)] as const);
  return {
    'README.md': readme(fresh.map(([file, text]) => parseSavedQuery(file, text))),
    'style.grass': styleSheet(records),
    ...Object.fromEntries(fresh.map(([file, text]) => [`queries/${file}`, text])),
  };
};

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
