import { join } from 'node:path';

import { pipe } from 'fp-ts/function';
import type { TaskEither } from 'fp-ts/TaskEither';
import * as TE from 'fp-ts/TaskEither';

import { NONE } from '../access/access-graph';

import { type Context, oncePerContext } from '../context';
import { placeSecretOf } from '../secrets/vault-key';
import { accessQuestions } from './access/access';
import { gatewayQuestions } from './access/gateways';
import { graphAnswers } from './answers';
import { reviewerQuestion } from './access/reviewers';
import { answerQueries } from './answer-queries';
import { readStoredHistory } from '../graph/records/past-facts';
import { listAccess } from './access/ask-access';
import { accessCounting } from './changes/counting';
import { findChanges } from './changes/find-changes';
import { exportAccess, type ExportSizes } from './export/export-access';
import type { WantedExport } from './export/exported-rows';
import type { WantedQuery } from './cypher/query-pieces';
import { type QueryLimits, refused } from './cypher/reading-query';
import { untilEnded } from './cypher/still-running';
import { PieceThreads } from './threads/piece-threads';
import { plannedMemoryOf } from '../memory/memory-at-hand';
import { keyShare, Turns } from '../web/admission/turns';
import { type Instant, nanosOf, present } from '../model/instant';
import { inTransaction } from '../neo4j/transaction';
import { buffersOf } from './memory/access-copy';
import { accessMemory } from './memory/access-memory';
import { askMemory } from './memory/asked-in-memory';
import type { MemoryWatch } from './memory/watch-memory';
import type { Summary } from '../contract/answers/questions/access';
import type { Failure } from '../problem';
import { SOURCE_NAMES } from './statements/access-statements';
import { INSTANT_OF_PUSH } from './statements/change-statements';
import { search, searchOf, type WantedEntities } from './entity-search';
import { entityQuestion } from './search/entity-page';
import { kindCounts } from './search/kind-counts';
import { membersQuestion } from './search/members';

/** How much a query in Cypher may answer. */
export const queryLimitsOf = ({ config: { limits } }: Context): QueryLimits => ({
  seconds: limits.answerSeconds,
  rows: limits.queryRows,
  bytes: limits.queryBytes,
});

/** The part of the memory at hand that graphs of access may use. */
const SHARE_OF_MEMORY = 4;

/** A client that lost its connection gets at most this many rows again. */
const CURSOR_EVERY = 1_000;

/** The parts into which that memory is divided: one for the graph of the process, one for exports. */
const PARTS = 2;

/** How much memory the access graph of the process may use. Exports together may use as much. */
const accessBytesOf = (context: Context): number =>
  (context.config.memory.accessBytes ?? plannedMemoryOf(context).memory / SHARE_OF_MEMORY) / PARTS;

/** How much an export may use, and what it sends at once. */
export const exportSizesOf = oncePerContext((context): ExportSizes => {
  const memoryBytes = accessBytesOf(context) / context.config.limits.exportsAtOnce;
  return { cursorEvery: CURSOR_EVERY, memoryBytes };
});

/** The access graph of the process. */
export const accessMemoryOf = oncePerContext((context) => {
  const { answerSeconds, loadSeconds } = context.config.limits;
  const memoryBytes = accessBytesOf(context);
  const limits = { memoryBytes, loadSeconds, seconds: answerSeconds };
  const memory = accessMemory(context.asked, limits);
  context.onStop(() => Promise.resolve(memory.stop()));
  return memory;
});

/** Finds who gained and who lost what. */
export const accessChangesOf = oncePerContext((context) =>
  findChanges(context.asked, accessMemoryOf(context), context.config.limits.answerSeconds),
);

/** Answers questions from the access graph of the process. */
export const askMemoryOf = oncePerContext((context) =>
  askMemory(accessMemoryOf(context), context.asked, context.config.limits.answerSeconds),
);

/** Who can do what, whether somebody can, and through what. */
export const accessOf = oncePerContext((context) => {
  const { asked, config } = context;
  const questions = accessQuestions(askMemoryOf(context), asked, config.limits.answerSeconds);
  return { ...questions, list: listAccess(questions) };
});

/** What watches that graph. */
export const memoryWatchOf = (context: Context): MemoryWatch => ({
  memory: () => accessMemoryOf(context),
  graph: context.graph,
});

/** Counts what pushes changed in effective access. */
export const accessCountingOf = oncePerContext((context) =>
  accessCounting(context.graph, accessMemoryOf(context)),
);

/** JavaScript heap of an export: rows of the driver, and texts. The graph itself is outside of it. */
const EXPORT_HEAP_MB = 512;

/** Writes exports, each in a thread of its own. */
export const exportWriterOf = oncePerContext(
  ({ address, asked: graph, log }) =>
    new PieceThreads<WantedExport>({
      file: join(__dirname, 'export', 'export-worker.js'),
      kind: 'an export',
      buffersOf: ({ graph: copied }) => buffersOf(copied),
      heapMb: EXPORT_HEAP_MB,
      address,
      graph,
      log,
    }).write,
);

/**
 * JavaScript heap of a query of a caller: the rows of the driver, and the text of the answer. While a
 * thread ends that has used all of it, the main thread waits: some 60 ms.
 */
const QUERY_HEAP_MB = 192;
/** A program that sends one query after the other waits for a thread only once. */
const QUERY_IDLE_SECONDS = 30;

/** Writes answers to queries of callers, which may be as heavy as a caller wants, in threads. */
export const queryWriterOf = oncePerContext((context) => {
  const { address, asked: graph, log, onStop } = context;
  const threads = new PieceThreads<WantedQuery>({
    file: join(__dirname, 'cypher', 'query-worker.js'),
    kind: 'a query in Cypher',
    heapMb: QUERY_HEAP_MB,
    tooLarge: refused(
      'BAD_CYPHER',
      'has an answer that needs more memory than the service has for it: give what it collects as rows',
    ),
    idleSeconds: QUERY_IDLE_SECONDS,
    untilEnded: (transaction) => untilEnded(graph, transaction),
    address,
    graph,
    log,
  });
  onStop(() => threads.stop());
  return threads.write;
});

/** The turns of exports: each holds a graph of access in memory. */
export const exportTurnsOf = oncePerContext(({ config: { limits } }) => {
  const { exportsAtOnce, questionWaitSeconds } = limits;
  return new Turns({
    atOnce: exportsAtOnce,
    ofKey: keyShare(exportsAtOnce),
    patience: {
      seconds: questionWaitSeconds,
      keyBusy: `The key has ${keyShare(exportsAtOnce)} exports running; ask again when one is answered.`,
      allBusy: `The service has ${exportsAtOnce} exports running; ask again later.`,
    },
  });
});

/** Exports the access of everybody. */
export const accessExportsOf = oncePerContext((context) =>
  exportAccess({
    ask: askMemoryOf(context),
    sizes: exportSizesOf(context),
    memory: accessMemoryOf(context),
    placeSecret: placeSecretOf(context),
    write: exportWriterOf(context),
  }),
);

/** Through which groups humans reach a resource, and who would lose it without one. */
export const gatewaysOf = oncePerContext((context) => gatewayQuestions(askMemoryOf(context)));

/** The Cypher query behind an answer. */
export const cypherOf = oncePerContext((context) => {
  const { asked, config } = context;
  const cypher = answerQueries(askMemoryOf(context), asked, config.limits.answerSeconds);
  return {
    ...cypher,
    search: (wanted: WantedEntities, meaning: number) => cypher.search(searchOf(wanted), meaning),
  };
});

/** Answers of the graph to all other questions. */
export const graphAnswersOf = oncePerContext((context) =>
  graphAnswers(context.asked, queryLimitsOf(context)),
);

/** Suggests reviewers. */
export const reviewersOf = oncePerContext((context) =>
  reviewerQuestion(askMemoryOf(context), context.asked, context.config.limits.answerSeconds),
);

/** Reads pages of entities. */
export const entityPageOf = oncePerContext((context) =>
  entityQuestion(askMemoryOf(context), context.asked, context.config.limits.answerSeconds),
);

/** Lists who is in a group, or who has a role. */
export const membersOf = oncePerContext((context) =>
  membersQuestion(askMemoryOf(context), context.asked, context.config.limits.answerSeconds),
);

/** Searches, and queries in Cypher. */
export const answersOf = oncePerContext((context) => {
  const answers = graphAnswersOf(context);
  return { ...answers, search: search({ answers }) };
});

/** How much of the past is kept, and for how many days; `null` means for ever. */
export const storedHistoryOf = oncePerContext(({ asked, config }) => ({
  read: readStoredHistory(asked),
  days: config.retention.historyDays ?? null,
}));

/** The name of a data source, and that of its provider. */
export interface SourceName {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
}

/** Finds the names of those of the data sources that exist. */
export const sourceNames =
  ({ asked, config }: Context) =>
  (ids: readonly string[]): TaskEither<Failure, readonly SourceName[]> =>
    inTransaction(
      asked,
      { mode: 'read', timeoutSeconds: config.limits.answerSeconds },
      async (tx) => {
        const { records } = await tx.run<{ [F in keyof SourceName]: SourceName[F] }>(SOURCE_NAMES, {
          ids,
        });
        return records.map((record) => record.toObject());
      },
    );

/**
 * The human to whom each principal certainly belongs, by key, now or at an instant (docs/rules.md:
 * One human). `null`: it belongs to nobody, or to several people. Principals that do not exist then
 * are left out.
 */
export const humansOf =
  (context: Context) =>
  (
    principals: readonly string[],
    at: Instant | null = null,
  ): TaskEither<Failure, ReadonlyMap<string, Summary | null>> =>
    pipe(
      accessMemoryOf(context).then(at, '/at'),
      TE.map(({ graph, humans, moment }) => {
        const clock = nanosOf(at ?? present());
        const entries = principals.flatMap((key): readonly [string, Summary | null][] => {
          const node = graph.find(key);
          if (node === NONE || !graph.exists(node, moment)) return [];
          const human = humans.humanOf(node, moment);
          return [[key, human === NONE ? null : graph.summary(human, moment, clock)]];
        });
        return new Map(entries);
      }),
    );

/** Counts the entities of some labels, now or at an instant. */
export const kindCountsOf =
  (context: Context): ReturnType<typeof kindCounts> =>
  (labels, at) =>
    kindCounts(askMemoryOf(context))(labels, at);

/** Finds the instant of a push; gives `null` if no push has this id. */
export const instantOfPush =
  ({ asked, config }: Context) =>
  (push: string): TaskEither<Failure, string | null> =>
    inTransaction(
      asked,
      { mode: 'read', timeoutSeconds: config.limits.answerSeconds },
      async (tx) => {
        const { records } = await tx.run<{ at: string }>(INSTANT_OF_PUSH, { push });
        return records[0]?.get('at') ?? null;
      },
    );
