import { badField, type Failure } from '../../problem';

/** A name as a page shows it: without blanks at its ends, and with one blank where there are several. */
export const plainName = (name: string): string => name.trim().replace(/ +/g, ' ');

const AT_ENDS =
  'has blanks at its ends, which pages do not show: send the name without them, or choose another one';

const ALIKE =
  'differs only by blanks from a name that exists, and pages show the two alike: send that name, or choose another one';

/**
 * Why a new name could be taken for another one, since pages do not show all blanks; `null` if it could
 * not. Names that exist stay (docs/rules.md: Requests).
 */
export const blanksRefusal = (name: string, others: readonly string[]): Failure | null => {
  if (name !== name.trim()) return badField('/name', 'BAD_NAME', AT_ENDS);
  const plain = plainName(name);
  return others.some((other) => plainName(other) === plain)
    ? badField('/name', 'BAD_NAME', ALIKE)
    : null;
};
