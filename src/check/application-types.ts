import type { ApplicationEntity as Application } from '../templates/application/payload';
import { fold, nfc } from '../model/fold';

type Types = Map<string, string | null>;

const enter = (types: Types, name: string, type: string): void => {
  types.set(name, types.has(name) ? null : type);
};

/**
 * Finds the application type that a reference to an application leads to, exactly before without regard to case; `null` if it leads to none
 * or to several, which is for the names to report (docs/rules.md: Keys).
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
