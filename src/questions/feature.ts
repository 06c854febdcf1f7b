import { feature } from '../feature';
import { historyRoute } from './routes/history-route';
import { accessRoutes } from './routes/access-routes';
import { changesRoute } from './routes/changes-route';
import { entityRoutes } from './routes/entity-routes';
import { exportRoute } from './routes/export-route';
import { gatewaysRoute } from './routes/gateways-route';
import { questionRoutes } from './routes/question-routes';
import { accessMemoryOf, memoryWatchOf } from './in-context';
import { compareMemory, followCommits } from './memory/watch-memory';
import { events } from './memory/events';
import { AccessCommit } from './records';

/**
 * How often the service catches up with commits without a question, so that what is erased leaves its
 * memory, and the next question need not wait.
 */
const FOLLOW_SECONDS = 2;
/** How often it compares its memory with Neo4j. */
const COMPARE_SECONDS = 86_400;

/** Questions to the graph. They have connections, turns and deadlines of their own. */
export const questions = feature({
  name: 'questions',
  records: [AccessCommit],
  rounds: (context) => {
    const watch = memoryWatchOf(context);
    return [
      {
        name: 'graph of access in memory',
        everySeconds: FOLLOW_SECONDS,
        rounds: [followCommits(watch)],
      },
      {
        name: 'comparison of memory',
        everySeconds: COMPARE_SECONDS,
        rounds: [() => compareMemory(watch)],
      },
    ];
  },
  gauges: (context) => {
    const state = () => accessMemoryOf(context).state();
    return [
      {
        name: 'grantgraph_access_memory_nodes',
        help: 'Nodes of the graph of access in memory, also those that ended.',
        read: () => [{ value: state().nodes }],
      },
      {
        name: 'grantgraph_access_memory_relationships',
        help: 'Relationships of the graph of access in memory, also those that ended.',
        read: () => [{ value: state().relationships }],
      },
      {
        name: 'grantgraph_access_memory_bytes',
        help: 'Bytes that the graph of access uses.',
        read: () => [{ value: state().bytes }],
      },
      {
        name: 'grantgraph_access_memory_limit_bytes',
        help: 'Bytes that it may use.',
        read: () => [{ value: state().mostBytes }],
      },
      {
        name: 'grantgraph_access_memory_commit',
        help: 'Number of the commit of which it is; absent while it is loaded.',
        read: () => {
          const { commit } = state();
          return commit === null ? [] : [{ value: commit }];
        },
      },
      {
        name: 'grantgraph_access_memory_loads',
        help: 'How often it was loaded.',
        read: () => [{ value: state().loads }],
      },
    ];
  },
  events,
  routes: (web, context) => [
    {
      topic: {
        name: 'Entities',
        about: 'Search and read people, groups, resources and what else is pushed.',
      },
      routes: entityRoutes(web, context),
    },
    {
      topic: {
        name: 'Access',
        about: 'Who can do what, through what, since when, and what changed.',
      },
      routes: [
        ...accessRoutes(web, context),
        gatewaysRoute(web, context),
        changesRoute(web, context),
        exportRoute(web, context),
      ],
    },
    {
      topic: {
        name: 'Questions',
        about: 'Cypher, reviewers, freshness and what is known of the past.',
      },
      routes: [...questionRoutes(web, context), historyRoute(web, context)],
    },
  ],
});
