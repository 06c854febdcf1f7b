import { DataSourceBusy } from '../../graph/push/store';
import { heldFailure } from '../change/push-refusal';
import { keyShare, Turns } from './turns';

/**
 * The turns of pushes. Pushes to one data source run one after the other: a second one would hold a
 * connection while it waits for the lock of the data source. At most `atOnce` pushes to different
 * data sources run at once, and half of them may be of one key.
 */
export const pushTurns = (atOnce: number, waitSeconds: number): Turns =>
  new Turns({
    ...{ atOnce, ofKey: keyShare(atOnce) },
    patience: {
      seconds: waitSeconds,
      dataSourceBusy: heldFailure(new DataSourceBusy()),
      keyBusy: {
        _tag: 'Exhausted',
        message: `The key has ${keyShare(atOnce)} pushes running; try again when one is done.`,
      },
      allBusy: {
        _tag: 'Exhausted',
        message: 'Too many pushes are running; try again later.',
      },
    },
  });
