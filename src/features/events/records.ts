import { number, service } from '../../model/table';

/** The write lock of this node puts the events of the live stream in order. */
export const EventOrder = service('EventOrder', {
  holds: { of: 'service', by: null, days: null },
  doc: 'One node. A process holds its write lock while it gives events their places in the live stream.',
  properties: {
    places: number('How many places have been given.'),
  },
});
