import { LAST_STEPS_OF_WAY, type WayOfRow } from '../../contract/answers/questions/access';

/** A step of the way through which a row is there. */
export type StepOfWay = WayOfRow['steps'][number];

/** How many steps of a way a row lists: groups may be nested by the ten thousand. */
const MOST_STEPS = 16;

/** The first steps of a way and its last ones, and how many are left out between these; 0 for a short way. */
export const shortened = <A>(
  steps: readonly A[],
): { readonly listed: readonly A[]; readonly leftOut: number } =>
  steps.length <= MOST_STEPS
    ? { listed: steps, leftOut: 0 }
    : {
        listed: [
          ...steps.slice(0, MOST_STEPS - LAST_STEPS_OF_WAY),
          ...steps.slice(-LAST_STEPS_OF_WAY),
        ],
        leftOut: steps.length - MOST_STEPS,
      };

/** The steps of the way of a row. */
export const stepsOf = (
  listed: readonly StepOfWay[],
  leftOut: number,
): Pick<WayOfRow, 'steps' | 'more_steps'> => ({
  steps: [...listed],
  ...(leftOut === 0 ? {} : { more_steps: leftOut }),
});

/** A node as a step of a way. */
export const stepOf = ({ id, label, name, provider }: StepOfWay): StepOfWay => ({
  id,
  label,
  name,
  provider,
});
