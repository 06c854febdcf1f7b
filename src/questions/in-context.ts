import { type Context, oncePerContext } from '../context';
import { eventWriterOf, placeSecretOf } from '../features/events/contract';
import { graphAccessChanges } from './changes/access-changes';
import { graphAccess } from './access/access';
import { graphAccessExport } from './access/access-export';
import { graphAnswers } from './answers';
import { answerQueries } from './answer-queries';
import { readKeptHistory } from '../graph/records/past-facts';
import { checkAccess, explainAccess, listAccess } from './access/ask-access';
import { findChanges } from './changes/ask-changes';
import { exportAccess, EXPORT_SIZES } from './access/export-access';
import { search, searchOf, type WantedEntities } from './entity-search';

const answered = ({ config: { limits } }: Context) => ({
  seconds: limits.answerSeconds,
  instantFacts: limits.instantFacts,
});

/** Who can do what, whether somebody can, and through what. */
export const accessOf = oncePerContext((context) => {
  const access = graphAccess(context.asked, answered(context));
  return {
    list: listAccess({ access }),
    check: checkAccess({ access }),
    explain: explainAccess({ access }),
  };
});

/** Finds who gained and who lost what. */
export const accessChangesOf = oncePerContext(({ asked, config }) =>
  findChanges({ changes: graphAccessChanges(asked, config.limits.answerSeconds) }),
);

/** How much of an export is read and sent at once. */
export const exportSizesOf = oncePerContext(() => EXPORT_SIZES);

/** Exports the access of everybody. */
export const accessExportsOf = oncePerContext((context) =>
  exportAccess({
    accessExport: graphAccessExport(context.asked, context.config.limits.answerSeconds),
    sizes: exportSizesOf(context),
    placeSecret: placeSecretOf(context),
    writeEvent: eventWriterOf(context),
  }),
);

/** The Cypher query behind an answer. */
export const cypherOf = oncePerContext(({ asked, config }) => {
  const cypher = answerQueries(asked, config.limits.answerSeconds);
  return {
    ...cypher,
    search: (wanted: WantedEntities, meaning: number) => cypher.search(searchOf(wanted), meaning),
  };
});

/** Answers of the graph to all other questions. */
export const graphAnswersOf = oncePerContext((context) => {
  const { queryRows: rows, queryBytes: bytes } = context.config.limits;
  return graphAnswers(context.asked, { ...answered(context), rows, bytes });
});

/** Searches, pages of entities, reviewers, and queries in Cypher. */
export const answersOf = oncePerContext((context) => {
  const answers = graphAnswersOf(context);
  return { ...answers, search: search({ answers }) };
});

/** How much of the past is kept, and for how many days; `null` means for ever. */
export const keptHistoryOf = oncePerContext(({ asked, config }) => ({
  read: readKeptHistory(asked),
  days: config.retention.historyDays ?? null,
}));
