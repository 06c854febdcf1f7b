import * as E from 'fp-ts/Either';

import type { Context } from '../context';
import { eventTypesOf, type Feature, recordsOf } from '../feature';
import { createMetrics } from '../metrics';
import { type Background, type Round, runInBackground } from '../background';
import { stopper } from './stopper';

/** What a context is opened with. */
type Opened = Omit<Context, 'records' | 'eventTypes' | 'metrics' | 'wake' | 'onStop'>;

/** What tests replace of a context. */
interface Otherwise {
  /** Whether the metrics hold those of the process. */
  readonly ofProcess?: boolean;
  /** Puts other things in the place of usual ones, before any feature begins. */
  readonly replace?: (context: Context) => void;
  /** Called each time when requests leave work to the background. */
  readonly onWake?: () => void;
}

/** A context, and what starts the background work of its features. */
export interface OpenContext {
  readonly context: Context;
  /** Starts the work of all features; it begins once the graph is prepared. */
  readonly startRounds: (onStop: Context['onStop']) => void;
  /** Closes the answers that never end by themselves. */
  readonly leave: () => Promise<unknown>;
  /** Stops what features have started; it comes before the background work stops. */
  readonly stop: () => Promise<void>;
}

/** Opens a context for features. */
export const openContext = (
  features: readonly Feature[],
  opened: Opened,
  { ofProcess = true, replace, onWake }: Otherwise = {},
): OpenContext => {
  const woken: Background[] = [];
  const started = stopper(opened.log);
  const metrics = createMetrics(
    features.flatMap(({ counters = [] }) => counters),
    { ofProcess },
  );
  const context: Context = {
    ...opened,
    metrics,
    records: recordsOf(features),
    eventTypes: eventTypesOf(features),
    wake: () => {
      onWake?.();
      woken.forEach(({ wake }) => wake());
    },
    onStop: started.add,
  };
  replace?.(context);
  for (const { gauges } of features) gauges?.(context).forEach(metrics.measure);
  return {
    context,
    startRounds: (onStop) => {
      for (const work of features.flatMap(({ rounds }) => rounds?.(context) ?? [])) {
        const ready = work.rounds.map((round): Round => async (isStopping) => {
          if (E.isRight(context.checkPrepared())) await round(isStopping);
        });
        const background = runInBackground(work.name, ready, work.everySeconds, context.log);
        if (work.isWoken) woken.push(background);
        onStop(async () => {
          await background.stop();
          if (work.runsAtStop) for (const round of ready) await round(() => false);
        });
      }
    },
    leave: () =>
      Promise.all(features.flatMap(({ leave }) => (leave === undefined ? [] : [leave(context)]))),
    stop: started.stop,
  };
};
