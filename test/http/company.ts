import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { asOfWeek, type Week, weeksIn } from '../../src/demo/weeks';
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

/** Pushes to a data source; gives the instant of the push. */
const push = async (
  service: ServiceUnderTest,
  { path, template: _template, ...envelope }: PushedSource,
): Promise<string> => {
  const answer = await service.post(path, envelope);
  expect(answer.status).toBe(200);
  return (answer.body as { readonly at: string }).at;
};

const registered = async (service: ServiceUnderTest): Promise<readonly PushedSource[]> => {
  const sources: PushedSource[] = [];
  for (const [name, template] of SOURCES) {
    const json_data = readFileSync(join(FOLDER, `${name}.json`), 'utf8');
    sources.push({ ...(await service.register(template)), template, json_data });
  }
  return sources;
};

/** The example company in the graph, pushed as connectors push it. Gives its data sources. */
export const pushCompany = async (service: ServiceUnderTest): Promise<readonly PushedSource[]> => {
  const sources = await registered(service);
  for (const source of sources) await push(service, source);
  return sources;
};

/** The same after its first week. Gives the instant at which that week was over. */
export const pushCompanyTwice = async (service: ServiceUnderTest): Promise<string> => {
  const [week = {}] = await weeksIn(FOLDER);
  const sources = await registered(service);
  let last = '';
  for (const [at, source] of sources.entries()) {
    const otherwise = week[`${SOURCES[at]?.[0] ?? ''}.json`] ?? {};
    const then = asOfWeek(JSON.parse(source.json_data) as Week, otherwise);
    last = await push(service, { ...source, json_data: JSON.stringify(then) });
  }
  for (const source of sources) await push(service, source);
  return last;
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
