import type { WayOfRow } from '../../contract/answers/questions/access';

/** A step of the way through which a row is there. */
export type StepOfWay = WayOfRow['steps'][number];

/** A node as a step of a way. */
export const stepOf = ({ id, label, name, provider }: StepOfWay): StepOfWay => ({
  id,
  label,
  name,
  provider,
});
