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

/** What a whole payload says of the graph, or why it cannot. */
export interface WholePayload {
  readonly rows: Rows;
  /** All problems of the rules, in payload order (docs/rules.md: Problems). */
  readonly problems: ProblemList;
  /** What the payload itself declares. */
  readonly definitions: Definitions;
}

const checked = (
  payload: object,
  { problems, definitions }: Checked,
  rows: Rows,
): WholePayload => ({
  rows,
  problems: mergeProblems(payload, [problems, rows.problems]),
  definitions,
});

/** How a payload of a template becomes rows: its rules first, then its names and references. */
export const payloadRows = <T extends Template>(
  template: T,
  payload: PayloadOf[T],
  remembered: Definitions,
): WholePayload => {
  const { flat } = templates[template];
  if (flat !== null) {
    const rules = checkFlat(flat, payload, remembered);
    return checked(payload, rules, flatRows(flat, payload, rules.definitions));
  }
  const application = payload as PayloadOf['application'];
  const rules = checkApplication(application, remembered);
  return checked(application, rules, applicationRows(application, rules.definitions));
};
