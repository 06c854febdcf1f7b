import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { payloadReference } from '../contract/payload-reference';
import { RESOURCE_LEVELS } from '../templates/application/payload';
import { type Template, TEMPLATES, templates } from '../templates/templates';

/** The name of the page of a template. */
export const payloadPage = (template: Template): string => `${template.replaceAll('_', '-')}.md`;

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
