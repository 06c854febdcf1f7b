import { checkApplication } from '../check/application';
import type { Checked } from '../check/checked';
import type { Definitions } from '../check/definitions';
import { checkFlat } from '../check/flat';
import { mergeProblems } from '../codec/payload-order';
import { type PayloadOf, type Template, templates } from '../templates/templates';
import type { ProblemList } from '../problem';
import { applicationRows } from './application';
import { flatRows } from './flat';
import type { Rows } from './row/rows';

/** The desired rows of a full push, or the problems for which the service refuses it. */
export interface FullPayload {
  readonly rows: Rows;
  /** All problems of stage 2, in payload order (docs/rules.md: Problems). */
  readonly problems: ProblemList;
  /** The custom properties that the payload itself declares. */
  readonly definitions: Definitions;
}

const checked = (payload: object, { problems, definitions }: Checked, rows: Rows): FullPayload => ({
  rows,
  problems: mergeProblems(payload, [problems, rows.problems]),
  definitions,
});

/**
 * Checks a payload of a template and makes its rows. It checks the rules first, then looks up
 * references.
 */
export const payloadRows = <T extends Template>(
  template: T,
  payload: PayloadOf[T],
  remembered: Definitions,
): FullPayload => {
  const { flat } = templates[template];
  if (flat !== null) {
    const rules = checkFlat(flat, payload, remembered);
    return checked(payload, rules, flatRows(flat, payload, rules.definitions));
  }
  const application = payload as PayloadOf['application'];
  const rules = checkApplication(application, remembered);
  return checked(application, rules, applicationRows(application, rules.definitions));
};
