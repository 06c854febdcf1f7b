import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { features } from '../src/features';
import { figuresOf } from '../src/graph/records/figures';
import { idle } from './support/idle-app';

const FOLDER = join(__dirname, '../operating');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

/** What Prometheus adds to all that it reads. */
const OF_PROMETHEUS = ['job', 'instance', 'le'];

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const rules = (
  parse(read('prometheus-alerts.yml')) as { groups: readonly { rules: readonly Rule[] }[] }
).groups.flatMap((group) => group.rules);

const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
};

/** The metrics of a service that has pushed and answered, with the labels of each. */
const told = async (): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const figures = {
    nodes: 1,
    relationships: 1,
    pastFacts: 1,
    uncountedSince: null,
    policies: [{ provider: 'p', open: 1, dead: 1, lastRunAt: new Date().toISOString() }],
    sources: [{ provider: 'p', dataSource: 'd', lastPushAt: new Date().toISOString() }],
  };
  const { metrics } = idle({}, undefined, {
    ofProcess: true,
    replace: (context) => figuresOf.replace(context, () => () => Promise.resolve(figures)),
  }).context;
  metrics.request('GET', '/', 200, 1);
  for (const counter of features.flatMap(({ counters = [] }) => counters)) {
    metrics.count(counter, Object.fromEntries(counter.labels.map((label) => [label, 'any'])));
  }
  const names = new Map<string, ReadonlySet<string>>();
  for (const line of (await metrics.text()).split('\n')) {
    const [, name, labels = ''] = /^([a-z_0-9]+)(\{[^}]*\})?/.exec(line) ?? [];
    if (name === undefined) continue;
    const found = [...labels.matchAll(/([a-z_]+)="/g)].map(([, label]) => String(label));
    names.set(name, new Set([...(names.get(name) ?? []), ...found]));
  }
  return names;
};

const expressions: readonly (readonly [string, string])[] = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr] as const),
  ),
];

test.each(expressions)('%s: each metric and label of %s is in /metrics', async (_name, expr) => {
  const names = await told();
  const found = [...expr.matchAll(/\b(?:grantgraph|process|nodejs)_[a-z_0-9]+/g)].map(
    ([name]) => name,
  );
  expect(found.length + (expr.startsWith('up{') ? 1 : 0)).toBeGreaterThan(0);
  expect(found.filter((name) => !names.has(name))).toEqual([]);
  const known = new Set([
    ...OF_PROMETHEUS,
    ...found.flatMap((name) => [...(names.get(name) ?? [])]),
  ]);
  const matched = [...expr.matchAll(/[{,]\s*([a-z_]+)\s*(?:=~|!~|!=|=)\s*"/g)].map(
    ([, label]) => label,
  );
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels]) =>
    String(labels)
      .split(',')
      .map((label) => label.trim()),
  );
  expect([...matched, ...grouped].filter((label) => !known.has(String(label)))).toEqual([]);
});

test('each alert says what it means and what to do', () => {
  for (const { alert, annotations } of rules) {
    expect([alert, Object.keys(annotations)]).toEqual([alert, ['summary', 'action']]);
  }
});

test('docs/operating.md names every file of the folder', () => {
  const page = readFileSync(join(__dirname, '../docs/operating.md'), 'utf8');
  for (const file of [
    'prometheus.yml',
    'prometheus-alerts.yml',
    'grafana-dashboard.json',
    'grantgraph.service',
  ]) {
    expect(page).toContain(`operating/${file}`);
  }
});
