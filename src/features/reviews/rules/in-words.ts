import { kindInSentence } from '../../console/frame/kinds';
import type { ItemState, Mark, RemediationState } from './words';

/** Who held an item, once an erasure has removed the name. */
export const ERASED_HOLDER = 'somebody whose data were erased';

/** What says which node is meant. Shared nodes have no provider. */
export interface NodeInWords {
  readonly label: string;
  readonly name: string;
  readonly application: string | null;
  readonly provider: string | null;
}

/**
 * Which node is meant: two providers may call something alike. Names are in quotes, so none of them
 * reads as if it said an application or a provider.
 */
export const nodeInWords = ({ label, name, application, provider }: NodeInWords): string => {
  const within =
    application === null || label === 'Application' ? '' : ` in ${JSON.stringify(application)}`;
  const from = provider === null ? '' : `, from ${JSON.stringify(provider)}`;
  return `${kindInSentence(label)} ${JSON.stringify(name)}${within}${from}`;
};

/** What a state of a revoke means to people. */
export const REMEDIATION_WORDS: Readonly<Record<RemediationState, string>> = {
  ordered: 'ordered, and not yet gone',
  blocked: 'the fact is gone, and the access is left',
  confirmed: 'confirmed by a push',
  excepted: 'left by an exception',
  came_back: 'came back',
  withdrawn: 'withdrawn',
};

/** What a mark of an item means to people. */
export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  privileged: 'privileged',
  new: 'new since the last review',
  changed: 'changed since the last review',
  inactive: 'inactive',
  nobodys: 'nobody’s',
  not_a_person: 'not a person',
  guest: 'guest',
  conflict: 'you gain by it too',
};

/** The same to people who are not the reviewer, such as the owner of the review. */
export const OTHERS_MARK_WORDS: Readonly<Record<Mark, string>> = {
  ...MARK_WORDS,
  conflict: 'the reviewer gains by it too',
};

/** What a state of an item means to people. */
export const STATE_WORDS: Readonly<Record<ItemState, string>> = {
  pending: 'to decide',
  keep: 'kept',
  revoke: 'revoked',
  gone: 'gone before anybody decided',
  carried: 'carried over from the last review',
  excepted: 'not decided in time',
};
