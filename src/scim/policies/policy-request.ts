import * as E from 'fp-ts/Either';

import type { PolicyRequest, SelectorRequest } from '../../contract/lifecycle';
import { filterMeanings } from './graph/people';
import { nfc } from '../../model/fold';
import { badField, badRequest, type Failure } from '../../problem';
import { mappingOf } from '../actions/mapping';
import type { Policy } from './planning/policy';

/** A policy as a request has it, or with the keys that its names mean. */
export type WantedPolicy = Omit<Policy, 'id' | 'found' | 'since' | 'changed'>;

const KINDS = ['filter', 'group', 'department'] as const;

const selectorOf = (
  request: SelectorRequest,
  pointer: string,
): E.Either<Failure, Policy['who'][number]> => {
  const [kind, other] = KINDS.filter((each) => typeof request[each] === 'string');
  if (kind === undefined) {
    return E.left(badField(pointer, 'MISSING_FIELD', `needs one of ${KINDS.join(', ')}`));
  }
  if (other !== undefined) {
    const message = `is for want of "${kind}": name one or the other`;
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

/** The guard of a policy that names none. */
const GUARD: Policy['guard'] = { share: 0.2, number: 100 };

const leaversOf = ({ leavers }: PolicyRequest): E.Either<Failure, Policy['leavers']> => {
  const { action = 'disable', after_days } = leavers ?? {};
  if (action === 'delete') return E.right({ action, after_days: after_days ?? 0 });
  if ((after_days ?? 0) === 0) return E.right({ action, after_days: 0 });
  return E.left(badField('/leavers/after_days', 'UNKNOWN_FIELD', 'goes with "delete" alone'));
};

const guardFrom = ({ guard }: PolicyRequest): E.Either<Failure, Policy['guard']> => {
  const share = guard?.share ?? GUARD.share;
  return share >= 0 && share <= 1
    ? E.right({ share, number: guard?.number ?? GUARD.number })
    : E.left(badField('/guard/share', 'OUT_OF_RANGE', 'must be a number from 0 to 1'));
};

const attributesOf = ({ attributes }: PolicyRequest): E.Either<Failure, Policy['attributes']> => {
  const mapping = mappingOf(attributes ?? {});
  if (E.isLeft(mapping)) return mapping;
  return E.right(
    Object.fromEntries(
      Object.entries(attributes ?? {}).map(([path, value]) => [
        path,
        (value === null ? [] : typeof value === 'string' ? [value] : value).map(nfc),
      ]),
    ),
  );
};

/** Reads a request to set a policy, and refuses what can be seen from the request itself. */
export const policyOf = (request: PolicyRequest): E.Either<Failure, WantedPolicy> => {
  if (request.who.length === 0) {
    return E.left(badField('/who', 'MISSING_FIELD', 'needs at least one selector of people'));
  }
  const who: Policy['who'][number][] = [];
  for (const [index, each] of request.who.entries()) {
    const selector = selectorOf(each, `/who/${index}`);
    if (E.isLeft(selector)) return selector;
    who.push(selector.right);
  }
  const asked = request.groups ?? [];
  const groups: Policy['groups'][number][] = [];
  for (const [index, each] of asked.entries()) {
    if (typeof each === 'string') {
      groups.push({ name: each, who: null });
      continue;
    }
    if (each.who === undefined || each.who === null) {
      groups.push({ name: each.name, who: null });
      continue;
    }
    const selector = selectorOf(each.who, `/groups/${index}/who`);
    if (E.isLeft(selector)) return selector;
    groups.push({ name: each.name, who: selector.right });
  }
  const attributes = attributesOf(request);
  if (E.isLeft(attributes)) return attributes;
  const leavers = leaversOf(request);
  if (E.isLeft(leavers)) return leavers;
  const guard = guardFrom(request);
  if (E.isLeft(guard)) return guard;
  return E.right({
    ...{ name: request.name, who, groups, attributes: attributes.right },
    ...{ leavers: leavers.right, guard: guard.right },
    state: request.state ?? 'report_only',
    drift: request.drift ?? 'report',
    adopt: request.adopt ?? false,
  });
};

/** The selectors of a policy, each with its place in the request. */
export const placedSelectors = ({
  who,
  groups,
}: Pick<WantedPolicy, 'who' | 'groups'>): readonly (readonly [
  pointer: string,
  selector: Policy['who'][number],
])[] => [
  ...who.map((selector, index) => [`/who/${index}`, selector] as const),
  ...groups.flatMap((group, index) =>
    group.who === null ? [] : [[`/groups/${index}/who`, group.who] as const],
  ),
];
