import * as E from 'fp-ts/Either';

import type { Config } from '../config';
import type { Graph } from '../graph/connection/driver';
import { graphAccessCounting } from '../graph/changes/counting';
import { graphRetention } from '../graph/records/retention';
import type { Log } from '../log';
import { type Background, type Round, runInBackground } from '../service/background/background';
import { idleProcessor, quietMoment } from '../service/background/quiet-moment';
import { countingRound } from '../service/push/count-changes';
import type { Preparation } from '../service/background/prepare-graph';
import { removeWhatIsOld } from '../service/background/retention';
import { removeOldUploads } from '../service/multipart/multipart-upload';
import { finishUnfinished } from '../service/push/unfinished-pushes';
import { finishDeletions } from '../service/registry/deletion';
import type { Pushes } from './compose-pushes';
import type { Stopper } from './stopper';

// How often the service looks for unfinished work of other processes.
const BACKGROUND_SECONDS = 30;
// How often it looks for pushes whose changes of access are not counted.
const COUNTING_SECONDS = 1;
// How long pushes without a pause may keep it from counting.
const PATIENCE_SECONDS = 60;

/** Runs rounds once the graph is prepared. */
export const onceReady =
  (schema: Preparation, round: Round): Round =>
  async (isStopping) => {
    if (E.isRight(schema.check())) await round(isStopping);
  };

/**
 * Starts the work in the background. Gives the rounds that finish deletions and remove old uploads,
 * which requests can wake.
 */
export const startRounds = (
  config: Config,
  graph: Graph,
  schema: Preparation,
  { deletions, uploads, unfinished, threads, taking }: Pushes,
  log: Log,
  started: Stopper,
): Background => {
  const start = (work: string, everySeconds: number, ...rounds: readonly Round[]): Background => {
    const ready = rounds.map((round) => onceReady(schema, round));
    const background = runInBackground(work, ready, everySeconds, log);
    started.add(background.stop);
    return background;
  };
  const retention = graphRetention(graph);
  const woken = start(
    'deletions and uploads',
    BACKGROUND_SECONDS,
    (isStopping) => finishDeletions(deletions, isStopping),
    (isStopping) => removeOldUploads(uploads, isStopping),
  );
  start('unfinished pushes', config.parts.resumeSeconds, (isStopping) =>
    finishUnfinished(unfinished, isStopping),
  );
  const counting = graphAccessCounting(graph, config.limits.answerSeconds);
  const isQuiet = quietMoment({
    pushes: () => {
      const { busy, waiting } = threads.load();
      return taking.turns.count + busy + waiting;
    },
    isProcessorIdle: idleProcessor(),
    patienceSeconds: PATIENCE_SECONDS,
  });
  start('changes of access', COUNTING_SECONDS, countingRound(counting, log, isQuiet));
  start('retention', config.retention.everySeconds, (isStopping) =>
    removeWhatIsOld(retention, config.retention, isStopping),
  );
  return woken;
};
