import { randomUUID } from 'node:crypto';

import type { Config } from '../config';
import { graphAccessChanges } from '../graph/changes/access-changes';
import { graphErasures } from '../graph/erasure/erasure';
import { graphAccess } from '../graph/questions/access';
import { graphAccessExport } from '../graph/questions/access-export';
import { graphScimImports } from '../graph/provisioning/scim-imports';
import { graphStandingAccounts } from '../graph/provisioning/imported-accounts';
import { graphAnswers } from '../graph/questions/answers';
import { toldCypher } from '../graph/questions/answer-queries';
import { graphEventFeed } from '../graph/records/event-feed';
import { graphEventWriter } from '../graph/records/event-record';
import { graphHistory } from '../graph/records/lists/push-and-event-lists';
import { readKeptHistory } from '../graph/records/past-facts';
import { graphRegistry } from '../graph/records/registry';
import { graphTeamKeys } from '../graph/records/team-keys';
import { graphDirectory } from '../graph/scim-server/directory';
import { graphTrusts } from '../graph/verification/trusts';
import { graphVerifier } from '../graph/verification/verification';
import type { Log } from '../log';
import type { Background } from '../service/background/background';
import { watchEvents } from '../service/events/event-watch';
import { EXPORT_SIZES } from '../service/questions/export-access';
import { pushTurns } from '../service/threads/push-turns';
import { useCases } from '../service/use-cases';
import type { CountAction } from '../service/lifecycle/dependencies';
import { lifecycleRound } from '../service/lifecycle/round';
import type { WorkHere } from '../service/scim-server/writing';
import { composeLifecycle } from './compose-lifecycle';
import { composeProvisioning } from './compose-provisioning';
import type { Pushes } from './compose-pushes';
import type { OpenGraph } from './open-graph';

/** The thread that answers works on so much for some 50 ms. */
const SCIM_WORK_HERE: WorkHere = { members: 1_000, compared: 10_000 };

/** Puts together what the service can do for its callers. */
export const composeUseCases = (
  config: Config,
  { graph, asked }: OpenGraph,
  { taking, parts, deletions, limits: pushLimits, memory }: Pushes,
  { wake }: Background,
  log: Log,
  count: CountAction,
) => {
  const { events, limits, retention } = config;
  const feed = graphEventFeed(graph);
  const watch = watchEvents(
    feed,
    {
      everySeconds: events.pollSeconds,
      most: limits.eventStreams,
      mostOfOwner: limits.streamsOfKey,
    },
    log,
  );
  const { listedChanges } = limits;
  const answered = { seconds: limits.answerSeconds, instantFacts: limits.instantFacts };
  const registry = graphRegistry(graph, limits.dataSources);
  const provisioning = composeProvisioning(config, graph, memory);
  const lifecycle = composeLifecycle(graph, { fullHours: config.scim.readHours, count });
  const cases = useCases({
    registry,
    lists: graphRegistry(asked),
    push: taking,
    parts: { ...parts, wake },
    deletion: { deletions, atOnce: limits.deletionRows, wake },
    erasure: { erasures: graphErasures(graph, pushLimits), listed: listedChanges, wake },
    trusts: { trusts: graphTrusts(graph, pushLimits), listed: listedChanges },
    history: graphHistory(asked),
    past: { read: readKeptHistory(asked), days: retention.historyDays },
    events: { feed, watch, heartbeatSeconds: events.heartbeatSeconds },
    teamKeys: graphTeamKeys(graph),
    writeEvent: graphEventWriter(graph),
    verify: { verifier: graphVerifier(graph, pushLimits), listedChanges },
    access: graphAccess(asked, answered),
    changes: graphAccessChanges(asked, limits.answerSeconds),
    exports: {
      accessExport: graphAccessExport(asked, limits.answerSeconds),
      sizes: EXPORT_SIZES,
    },
    scimImports: {
      imports: graphScimImports(graph),
      standing: (dataSource, application) => graphStandingAccounts(graph, dataSource, application),
    },
    scimServer: {
      directory: graphDirectory(graph),
      asked: graphDirectory(asked, limits.answerSeconds),
      answerSeconds: limits.answerSeconds,
      turns: pushTurns(limits.pushesAtOnce, limits.pushWaitSeconds),
      ...(taking.large !== null && { here: SCIM_WORK_HERE }),
      newId: randomUUID,
    },
    ...{ provisioning, lifecycle },
    toldCypher: toldCypher(asked, limits.answerSeconds),
    answers: graphAnswers(asked, {
      ...answered,
      rows: limits.queryRows,
      bytes: limits.queryBytes,
    }),
  });
  return { cases, watch, policies: lifecycleRound({ ...lifecycle, registry, provisioning }) };
};
