import type * as t from 'io-ts';

import { exact, has } from '../../codec/exact';
import { anyText, enumeration } from '../../codec/text';
import { count } from '../../contract/answers/values';
import { NoParameters } from '../../contract/parameters/query-parameters';
import type { Endpoints } from '../../web/routing/route';

/** The process lives (docs/rules.md: Requests). */
const Health = exact('health', {
  status: has(enumeration('health status', ['ok']), 'Always `ok`.'),
  version: has(anyText, 'The version of the program.'),
  commit: has(
    anyText,
    'The commit that it was built from; `unknown` if the build did not record it.',
  ),
  rules_version: has(count, 'The version of the rules that make rows from payloads.'),
});

/** Neo4j answers and has its schema (docs/rules.md: Requests). */
const Readiness = exact('readiness', {
  status: has(enumeration('readiness status', ['ready']), 'Always `ready`.'),
  store_version: has(count, 'The version of the way in which the graph is written.'),
  access_graph: has(
    enumeration('state of the graph of access', ['waiting', 'loading', 'ready', 'too large']),
    'Whether the process has the graph of access in memory. `too large`: it needs more than `ACCESS_MEMORY`; questions about access are answered 503.',
  ),
});
export type Readiness = t.TypeOf<typeof Readiness>;

/** The endpoints of health, without their handlers. */
export const endpoints = {
  health: {
    method: 'get',
    path: '/healthz',
    access: 'open',
    summary: 'The process lives, and of which build it is.',
    query: NoParameters,
    isForMonitors: true,
    answer: Health,
  },
  readiness: {
    method: 'get',
    path: '/readyz',
    access: 'open',
    summary:
      'Neo4j answers and has its schema, of which store version the graph is, and whether it answers questions about access.',
    query: NoParameters,
    isForMonitors: true,
    answer: Readiness,
  },
  metrics: {
    method: 'get',
    path: '/metrics',
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary:
      'Metrics for Prometheus: requests, pushes, rows, seconds by step, threads, streams, Neo4j, size of the graph, age of the last push to each data source, build, the process.',
    query: NoParameters,
    isWithoutGraph: true,
    answer: { mediaTypes: ['text/plain'] },
  },
} as const satisfies Endpoints;
