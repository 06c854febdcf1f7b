import { checkApplication } from '../check/application';
import type { Checked } from '../check/checked';
import type { Definitions } from '../check/definitions';
import { checkIdentityProvider } from '../check/identity-provider';
import type { PayloadOf } from '../contract/decode';
import { mergeProblems } from '../contract/payload-order';
import type { Template } from '../model/nodes';
import type { ProblemList } from '../problem';
import { applicationRows, applicationWords } from './application';
import { identityProviderRows, identityProviderWords } from './identity-provider';
import type { Rows, Words } from './rows';

/** What a whole payload says of the graph, or why it cannot. */
export interface WholePayload {
  readonly rows: Rows;
  /** All problems of the rules, in payload order (graph.md 8). */
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

/** How a payload of each template becomes rows: its rules first, then its names and references. */
export const payloadRows: {
  readonly [T in Template]: (payload: PayloadOf[T], remembered: Definitions) => WholePayload;
} = {
  identity_provider: (payload, remembered) => {
    const rules = checkIdentityProvider(payload, remembered);
    return checked(payload, rules, identityProviderRows(payload, rules.definitions));
  },
  application: (payload, remembered) => {
    const rules = checkApplication(payload, remembered);
    return checked(payload, rules, applicationRows(payload, rules.definitions));
  },
};

/** What is to be said about a good payload of each template (graph.md 8), without making its rows. */
export const payloadWords: {
  readonly [T in Template]: (payload: PayloadOf[T]) => Words;
} = {
  identity_provider: identityProviderWords,
  application: applicationWords,
};
