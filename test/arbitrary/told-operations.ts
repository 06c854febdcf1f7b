import type { Label } from '../mirror/graph';
import { flatTemplates } from '../mirror/flat-templates';
import {
  isForElement,
  isForEntity,
  isForWholeEntry,
  nestedIn,
  type Entry,
} from '../mirror/operations';
import { elementLists } from '../mirror/statements';
import { knownSpelling } from '../mirror/spelling';

/** An entry or element of an increment, and what it does. */
export interface Told {
  readonly kind: Label | 'entry' | (typeof elementLists)[number];
  /** Its own operation; `context` without one, and `nested add` inside an `add`. */
  readonly operation: string;
  readonly sent: Entry;
}

/** Everything that an increment tells a data source to do, in any spelling of its fields. */
export function toldOperations(payload: object): readonly Told[] {
  const known = knownSpelling(payload) as Record<string, readonly Entry[] | undefined>;
  const isHris = 'employees' in known || 'system' in known;
  const lists: readonly (readonly [string, Label])[] = [
    ...flatTemplates[isHris ? 'hris' : 'identity_provider'].lists,
    ['applications', 'Application'],
    ['permissions', 'Permission'],
  ];
  return [
    ...lists.flatMap(([field, kind]) =>
      [known[field] ?? []].flat().flatMap((sent) => inside(kind, sent, false)),
    ),
    ...(known.identity_to_permissions ?? []).flatMap((sent): readonly Told[] => [
      { kind: 'entry', operation: sent.operation ?? 'context', sent },
      ...elementLists.flatMap((kind) =>
        ((sent[kind] ?? []) as readonly Entry[]).map((element): Told => {
          const operation = element.operation ?? sent.operation ?? 'context';
          return { kind, operation, sent: element };
        }),
      ),
    ]),
  ];
}

function inside(kind: Label, sent: Entry, isAdded: boolean): readonly Told[] {
  const own = sent.operation ?? null;
  const adds = own === null ? isAdded : own === 'add';
  const operation = own ?? (isAdded ? 'nested add' : 'context');
  return [
    { kind, operation, sent },
    ...nestedIn(kind, sent).flatMap(({ kind: nested, list }) =>
      list.flatMap((one) => {
        const isResource = nested === 'Resource' && own === 'add_resource';
        return inside(nested, one, adds || isResource);
      }),
    ),
  ];
}

const operations = [
  'add',
  'modify',
  'delete',
  'add_tag',
  'remove_tag',
  'delete_tag',
  'add_resource',
  'delete_resource',
];
const topKinds: readonly Label[] = [
  'IdpDomain',
  'IdpUser',
  'IdpGroup',
  'IdpApp',
  'Application',
  'Permission',
  'HrisSystem',
  'Employee',
  'HrisGroup',
];
const nestedKinds: readonly Label[] = [
  'LocalUser',
  'LocalGroup',
  'LocalRole',
  'LocalAgent',
  'LocalModel',
  'AccessCredential',
  'Resource',
];

/** The system of an HR system cannot leave: an increment has one entry of it, and so brings no other. */
function isPossible(kind: Label, operation: string): boolean {
  return isForEntity(kind, operation) && !(kind === 'HrisSystem' && operation === 'delete');
}

/** Every operation on every kind that has it (docs/rules.md: Increments), as `operation kind`. */
export const everyOperation: readonly string[] = [
  ...[...topKinds, ...nestedKinds].flatMap((kind) => [
    ...operations.filter((one) => isPossible(kind, one)).map((one) => `${one} ${kind}`),
    `context ${kind}`,
  ]),
  ...nestedKinds.map((kind) => `nested add ${kind}`),
  ...elementLists.flatMap((list) =>
    [...operations.filter(isForElement), 'context'].map((one) => `${one} ${list}`),
  ),
  ...[...operations.filter(isForWholeEntry), 'context'].map((one) => `${one} entry`),
];
