/** One step of a JSON pointer, not yet escaped: a key or an index. */
export type Step = string | number;

const escapeStep = (step: Step): string =>
  typeof step === 'number' ? `${step}` : step.replace(/~/g, '~0').replace(/\//g, '~1');

/** The JSON pointer with these steps (RFC 6901). */
export const pointerOf = (...steps: readonly Step[]): string =>
  steps.map((step) => `/${escapeStep(step)}`).join('');

/** The steps of a JSON pointer (RFC 6901). Indexes are returned as texts. */
export const stepsOf = (pointer: string): readonly string[] => {
  const steps = pointer.split('/').slice(1);
  return pointer.includes('~')
    ? steps.map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
    : steps;
};
