import { type Context, oncePerContext } from '../context';
import {
  accessMemoryOf,
  humansOf,
  instantOfPush,
  kindCountsOf,
  membersOf,
  memoryWatchOf,
  sourceNames,
} from './in-context';
import type { HeldState } from './memory/held-graph';
import { compareMemory } from './memory/watch-memory';
import { accessAnswers, accessTable } from './routes/access-routes';
import { changesAnswer, changesTable } from './routes/changes-route';
import { entityAnswers, entityTable } from './routes/entity-routes';
import { gatewaysAnswer } from './routes/gateways-route';
import { historyAnswer } from './routes/history-route';
import { queryAnswer, queryTable, reviewersAnswer } from './routes/question-routes';

/** Compares the graph of access in memory with Neo4j, and reports a difference. */
export const compareAccessMemory = (context: Context): Promise<void> =>
  compareMemory(memoryWatchOf(context));

/** How far the graph of access in memory is. */
export const accessPhaseOf = (context: Context): HeldState['phase'] =>
  accessMemoryOf(context).state().phase;

/**
 * The answers of the HTTP interface, each for the parameters of a request. A page that uses them
 * shows what the interface answers, and can name the request.
 */
export const interfaceOf = oncePerContext((context) => ({
  access: accessAnswers(context),
  changes: changesAnswer(context),
  entities: entityAnswers(context),
  gateways: gatewaysAnswer(context),
  history: historyAnswer(context),
  reviewers: reviewersAnswer(context),
  query: queryAnswer(context),
  queryTable: queryTable(context),
  humansOf: humansOf(context),
  kindCounts: kindCountsOf(context),
  members: (...asked: Parameters<ReturnType<typeof membersOf>>) => membersOf(context)(...asked),
  instantOfPush: instantOfPush(context),
  sourceNames: sourceNames(context),
}));

export { accessCountingOf, accessMemoryOf } from './in-context';
export type { Member } from './search/members';
export type { AccessThen } from './memory/access-memory';
export { inPieces, TooLong } from './memory/in-pieces';
export type { Query } from './cypher/reading-query';
export { mayRun, savedQueryFor, savedQuestion as inCypher } from './saved-question';
export { reasonInWords } from '../access/reviewers';
export { nameOf, summaryOf } from './statements/summary';

/** The tables of the interface: the columns of each list as CSV. */
export const interfaceTables = {
  access: accessTable,
  changes: changesTable,
  entities: entityTable,
};
