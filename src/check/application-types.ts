import type { ApplicationEntity as Application } from '../templates/application/payload';
import { fold, nfc } from '../model/fold';

type Types = Map<string, string | null>;

const enter = (types: Types, name: string, type: string): void => {
  types.set(name, types.has(name) ? null : type);
};

/**
 * Makes a function that finds the application type of the application that a reference names. It
 * tries an exact match first, then one without regard to case (docs/rules.md: References). It
 * returns `null` if nothing or several things match; the step that makes the rows reports those.
 */
export const applicationTypes = (
  applications: readonly Application[],
): ((reference: string) => string | null) => {
  const exact: Types = new Map();
  const folded: Types = new Map();
  for (const { name, application_type } of applications) {
    enter(exact, nfc(name), application_type);
    enter(folded, fold(name), application_type);
  }
  return (reference) => {
    const name = nfc(reference);
    return (exact.has(name) ? exact.get(name) : folded.get(fold(reference))) ?? null;
  };
};
