import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ask } from '../../src/neo4j/ask';
import type { RegisteredIds, ServiceUnderTest } from './service-under-test';

const FOLDER = join(__dirname, '../../examples/company');

const SOURCES = [
  ['corporate-directory', 'identity_provider'],
  ['partner-directory', 'identity_provider'],
  ['source-code-host', 'application'],
  ['crm', 'application'],
] as const;

/** A data source of the company, and what was pushed to it. */
export interface PushedSource extends RegisteredIds {
  readonly template: string;
  readonly json_data: string;
}

/** The example company in the graph, pushed as connectors push it. Gives its data sources. */
export const pushCompany = async (service: ServiceUnderTest): Promise<readonly PushedSource[]> => {
  const pushed: PushedSource[] = [];
  for (const [name, template] of SOURCES) {
    const { path, ...ids } = await service.register(template);
    const json_data = readFileSync(join(FOLDER, `${name}.json`), 'utf8');
    const answer = await service.post(path, { ...ids, json_data });
    expect(answer.status).toBe(200);
    pushed.push({ path, template, json_data, ...ids });
  }
  return pushed;
};

/** The key of the one node of a label and a name or path. */
export const keyOf = async (
  { graph }: ServiceUnderTest,
  label: string,
  name: string,
): Promise<string> => {
  const rows = await ask(
    graph,
    'MATCH (n) WHERE $label IN labels(n) AND (n.path = $name OR n.name = $name) RETURN n.key AS key',
    { label, name },
  );
  expect(rows).toHaveLength(1);
  return String(rows[0]?.key);
};
