import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { DataSourceOfProvider } from '../../src/graph/records/provider-record';
import type { Template } from '../../src/templates/templates';
import type { AcceptedPush } from '../../src/push/run/accepted-push';
import { dumpGraph, type GraphDump } from '../support/graph-dump';
import type { FilledGraph } from '../support/push';

const FOLDER = join(__dirname, '../fixtures/pushes');
const ROOT = join(__dirname, '../..');

/** A payload of a fixture: `2-crm.json` is the second push, to the data source `crm`. */
export interface FixturePush {
  readonly source: string;
  readonly template: Template;
  readonly payload: object;
}

/** The names of all fixtures. */
export const fixtureNames = (): readonly string[] => readdirSync(FOLDER).sort();

/** The payloads of a fixture, in the order in which they are pushed. */
export const fixturePushes = (name: string): readonly FixturePush[] =>
  readdirSync(join(FOLDER, name))
    .filter((file) => file !== 'graph.json')
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map((file) => {
      const source = /^\d+-(.+)\.json$/.exec(file)?.[1];
      if (source === undefined) throw new Error(`${name}/${file} is not <number>-<source>.json`);
      const payload = JSON.parse(readFileSync(join(FOLDER, name, file), 'utf8')) as object;
      const template = 'applications' in payload ? 'application' : 'identity_provider';
      return { source, template, payload };
    });

/** What a push answered, as `graph.json` tells it. */
export interface ToldPush {
  readonly source: string;
  readonly outcome: string;
  readonly put: string;
  readonly removed: string;
  readonly warnings: readonly string[];
  /** Shared nodes and derived relationships that came (`+`) and left (`-`) with it. */
  readonly bound: readonly string[];
}

/** A graph as `graph.json` tells it: data sources by name, times of pushes by their number. */
export interface ToldGraph {
  readonly pushes: readonly ToldPush[];
  readonly nodes: readonly Readonly<Record<string, unknown>>[];
  readonly relationships: readonly string[];
}

const DERIVED = new Set([
  'KNOWN_AS',
  'SOURCE_IDENTITY_OF',
  'MANAGED_BY',
  'SYSTEM_resource_managers',
  'RESOLVES_TO',
  'ACTS_AS',
]);
const SHARED = /^(Identity|CloudRole|ExternalEntity|Tag)\b/;

const boundIn = ({ nodes, relationships }: GraphDump): ReadonlySet<string> =>
  new Set([
    ...nodes.filter(({ labels }) => SHARED.test(labels)).map(({ key }) => key),
    ...relationships
      .filter(({ type, properties }) => DERIVED.has(type) || properties.derived === true)
      .map(({ from, type, to }) => `${from} -${type}-> ${to}`),
  ]);

const counted = ({ nodes, relationships }: AcceptedPush['put']): string =>
  `${nodes} nodes, ${relationships} relationships`;

/** Pushes of a fixture as they are made, and what they left. */
export class FixtureRun {
  readonly sources = new Map<string, DataSourceOfProvider>();
  private readonly results: { readonly source: string; readonly result: AcceptedPush }[] = [];
  private readonly bound: (readonly string[])[] = [];
  private standing: ReadonlySet<string> = new Set();

  constructor(private readonly filled: FilledGraph) {}

  /** Pushes, registering what is pushed to for the first time. */
  async push({ source, template, payload }: FixturePush): Promise<AcceptedPush> {
    const to = this.sources.get(source) ?? (await this.filled.register(source, template));
    this.sources.set(source, to);
    const result = await this.filled.accept(to, payload);
    this.results.push({ source, result });
    const before = this.standing;
    const now = boundIn(await this.dump());
    this.standing = now;
    this.bound.push([
      ...[...before]
        .filter((what) => !now.has(what))
        .sort()
        .map((what) => `- ${what}`),
      ...[...now]
        .filter((what) => !before.has(what))
        .sort()
        .map((what) => `+ ${what}`),
    ]);
    return result;
  }

  /** The graph with ids and instants told by names and numbers. */
  async dump(): Promise<GraphDump> {
    const names = new Map(
      [...this.sources].map(([name, { dataSource }]) => [dataSource.id, name] as const),
    );
    const numbers = new Map(this.results.map(({ result }, index) => [result.at, index + 1]));
    const named = (key: string): string => {
      const [id = '', ...rest] = key.split('|');
      return [names.get(id) ?? id, ...rest].join('|');
    };
    const { nodes, relationships } = await dumpGraph(this.filled);
    const told = (value: unknown): unknown =>
      typeof value === 'string' ? (numbers.get(value) ?? names.get(value) ?? value) : value;
    const inTurn = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : 1);
    return {
      nodes: nodes
        .map((node) => ({
          ...Object.fromEntries(Object.entries(node).map(([name, value]) => [name, told(value)])),
          labels: node.labels,
          key: named(node.key),
        }))
        .sort(inTurn),
      relationships: relationships
        .map(({ from, type, to, properties }) => ({
          from: named(from),
          type,
          to: named(to),
          properties: { ...properties, since: told(properties.since) },
        }))
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    };
  }

  /** What `graph.json` holds; `data_source`, `provider`, hashes and look-ups are left to other tests. */
  async tell(): Promise<ToldGraph> {
    const { nodes, relationships } = await this.dump();
    return {
      pushes: this.results.map(({ source, result }, index) => ({
        source,
        outcome: result.outcome,
        put: counted(result.put),
        removed: counted(result.removed),
        warnings: result.warnings.listed.map(({ message }) => message),
        bound: this.bound[index] ?? [],
      })),
      nodes: nodes.map((node) =>
        Object.fromEntries(
          Object.entries(node).filter(
            ([name]) =>
              !['data_source', 'provider', 'row_hash'].includes(name) && !name.startsWith('fold_'),
          ),
        ),
      ),
      relationships: relationships.map(
        ({ from, type, to, properties }) =>
          `${from} -${type} ${JSON.stringify(properties)}-> ${to}`,
      ),
    };
  }
}

/** What a fixture says the graph must be. */
export const expectedGraph = (name: string): ToldGraph =>
  JSON.parse(readFileSync(join(FOLDER, name, 'graph.json'), 'utf8')) as ToldGraph;

/** Writes what a fixture says from now on; to be read before it is committed. */
export const rewriteExpected = (name: string, told: ToldGraph): void => {
  const file = join(FOLDER, name, 'graph.json');
  writeFileSync(file, JSON.stringify(told, null, 2));
  execFileSync(process.execPath, [
    join(ROOT, 'node_modules/prettier/bin/prettier.cjs'),
    '--write',
    file,
  ]);
};
