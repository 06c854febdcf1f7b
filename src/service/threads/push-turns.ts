import { DataSourceBusy } from '../../graph/push/store';
import { heldFailure } from '../change/push-refusal';
import { Turns } from './turns';

/**
 * Turns of pushes: those to one data source run one after the other (the second would only hold a connection while it waits for the data source's
 * lock), and at most so many to different ones.
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
