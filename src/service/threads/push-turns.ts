import { DataSourceBusy } from '../../graph/push/store';
import { heldFailure } from '../change/push-refusal';
import { Turns } from './turns';

/**
 * The turns of pushes. Pushes to one data source run one after the other: a second one would hold a
 * connection while it waits for the lock of the data source. At most `atOnce` pushes to different
 * data sources run at once.
 */
export const pushTurns = (atOnce: number, waitSeconds: number): Turns =>
  new Turns({
    ...{ atOnce, ofOwner: 1, waitSeconds },
    ownerBusy: heldFailure(new DataSourceBusy()),
    allBusy: {
      _tag: 'Exhausted',
      message: 'Too many pushes are running; try again later.',
    },
  });
