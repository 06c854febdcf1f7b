import * as E from 'fp-ts/Either';

import {
  type PolicyRequest,
  policyRecord,
  type Selector,
  type SelectorRequest,
  type WantedPolicy,
} from './records';
import type { Rules } from '../../contract/records/record';
import { filterMeanings } from './graph/people';
import { nfc } from '../../model/fold';
import { badField, badRequest, type Failure } from '../../problem';
import { mappingOf } from '../actions/mapping';

const KINDS = ['filter', 'group', 'department'] as const;

const selectorOf = (request: SelectorRequest, pointer: string): E.Either<Failure, Selector> => {
  const [kind, other] = KINDS.filter((each) => typeof request[each] === 'string');
  if (kind === undefined) {
    return E.left(badField(pointer, 'MISSING_FIELD', `needs one of ${KINDS.join(', ')}`));
  }
  if (other !== undefined) {
    const message = `is named together with "${kind}": name only one of them`;
    return E.left(badField(`${pointer}/${other}`, 'UNKNOWN_FIELD', message));
  }
  if (request.in?.length === 0) {
    return E.left(badField(`${pointer}/in`, 'OUT_OF_RANGE', 'names no data source'));
  }
  const value = request[kind] ?? '';
  if (kind === 'filter') {
    const meanings = filterMeanings(value);
    if (E.isLeft(meanings)) {
      const { problems, total } = meanings.left;
      const placed = problems.map((each) => ({ ...each, pointer: `${pointer}${each.pointer}` }));
      return E.left(badRequest({ problems: placed, total }));
    }
  }
  // Without names it can mean only one directory (`resolvedSelectors`).
  return E.right({ [kind]: value, in: request.in ?? [] });
};

type GroupRequest = NonNullable<PolicyRequest['groups']>[number];

const groupOf = (
  request: GroupRequest,
  pointer: string,
): E.Either<Failure, WantedPolicy['groups'][number]> => {
  const { name, who = null } = typeof request === 'string' ? { name: request } : request;
  if (who === null) return E.right({ name, who });
  return E.map((selector: Selector) => ({ name, who: selector }))(selectorOf(who, pointer));
};

/** What the codec of a policy cannot say of its fields. */
const RULES: Rules<typeof policyRecord.fields> = {
  who: (asked, pointer) =>
    asked.length === 0
      ? E.left(badField(pointer, 'MISSING_FIELD', 'needs at least one selector of people'))
      : E.traverseArrayWithIndex((index, each: SelectorRequest) =>
          selectorOf(each, `${pointer}/${index}`),
        )(asked),
  groups: E.traverseArrayWithIndex((index, asked) => groupOf(asked, `/groups/${index}/who`)),
  attributes: (asked) =>
    E.map(() =>
      Object.fromEntries(
        Object.entries(asked).map(([path, value]) => [
          path,
          (value === null ? [] : typeof value === 'string' ? [value] : value).map(nfc),
        ]),
      ),
    )(mappingOf(asked)),
  leavers: (leavers, pointer) =>
    leavers.action === 'delete' || leavers.after_days === 0
      ? E.right(leavers)
      : E.left(badField(`${pointer}/after_days`, 'UNKNOWN_FIELD', 'goes with "delete" alone')),
  guard: (guard, pointer) =>
    guard.share >= 0 && guard.share <= 1
      ? E.right(guard)
      : E.left(badField(`${pointer}/share`, 'OUT_OF_RANGE', 'must be a number from 0 to 1')),
};

/** Reads a request to set a policy, and refuses what can be seen from the request itself. */
export const policyOf = (request: PolicyRequest): E.Either<Failure, WantedPolicy> =>
  policyRecord.wanted(request, RULES);

/** The selectors of a policy, each with its place in the request. */
export const placedSelectors = ({
  who,
  groups,
}: Pick<WantedPolicy, 'who' | 'groups'>): readonly (readonly [
  pointer: string,
  selector: Selector,
])[] => [
  ...who.map((selector, index) => [`/who/${index}`, selector] as const),
  ...groups.flatMap((group, index) =>
    group.who === null ? [] : [[`/groups/${index}/who`, group.who] as const],
  ),
];
