import type { DecodedPush } from '../contract/decode';
import { inPayloadOrder } from '../codec/payload-order';
import { fold } from '../model/fold';
import type { Trusts } from '../templates/graph/trusts';
import type { Template } from '../templates/templates';
import { subjectOf, titleOf, type Warning } from '../warning';

/** An entry of a payload, as far as it says by what somebody is known. */
interface Entry {
  readonly operation?: unknown;
  readonly name?: unknown;
  readonly id?: unknown;
  readonly identity?: unknown;
  readonly email?: unknown;
  readonly idp_id?: unknown;
  readonly source_identity?: unknown;
}

const texts = (...values: readonly unknown[]): readonly string[] =>
  values.filter((value): value is string => typeof value === 'string' && value !== '');

const sourceOf = ({ source_identity }: Entry): unknown =>
  typeof source_identity === 'object' && source_identity !== null && 'identity' in source_identity
    ? source_identity.identity
    : undefined;

/** The texts by which an entry claims that somebody is known, by the list that holds it. */
const CLAIMED: Readonly<Record<string, (entry: Entry) => readonly string[]>> = {
  users: (entry) => texts(entry.name, entry.email, entry.identity, sourceOf(entry)),
  groups: (entry) => texts(entry.name, entry.identity, sourceOf(entry)),
  // The first of them counts. What an increment leaves out stands, so an id says nothing there.
  employees: ({ operation, idp_id, email, id }) =>
    texts(idp_id, email, operation === 'modify' ? undefined : id).slice(0, 1),
};

const LISTS: Readonly<Record<Template, readonly (readonly [string, string])[]>> = {
  identity_provider: [
    ['users', 'user'],
    ['groups', 'group'],
  ],
  hris: [['employees', 'employee']],
  application: [],
};

const STATING: ReadonlySet<unknown> = new Set(['add', 'modify']);

/** Whether an entry says what somebody is, and not that something goes or only a context. */
const states = (entry: Entry, isIncrement: boolean): boolean =>
  !isIncrement || STATING.has(entry.operation);

/**
 * Warnings about entries whose names the provider may not claim, so that they join nobody
 * (docs/rules.md: Trusts). In payload order.
 */
export const untrustedClaims = (
  { payload, pointerAsSent, _tag }: DecodedPush<Template>,
  template: Template,
  provider: string,
  trusts: Trusts,
): readonly Warning[] => {
  if (trusts.areNone) return [];
  const lists: Readonly<Record<string, unknown>> = payload;
  const warnings = LISTS[template].flatMap(([list, word]) => {
    const entries = lists[list];
    if (!Array.isArray(entries)) return [];
    return (entries as readonly Entry[]).flatMap((entry, index): readonly Warning[] => {
      if (!states(entry, _tag === 'Increment')) return [];
      const claimed = CLAIMED[list]?.(entry) ?? [];
      const untrusted = [
        ...new Map(
          claimed
            .filter((text) => !trusts.mayClaim(provider, fold(text)))
            .map((text) => [fold(text), text]),
        ).values(),
      ];
      if (untrusted.length === 0) return [];
      const subject = subjectOf(word, texts(entry.name, entry.identity, entry.id)[0] ?? '');
      return [
        {
          message: `This provider may not claim ${JSON.stringify(untrusted)}, so they join nobody: an administrator decides who may (${titleOf(subject)})`,
          code: 'UNTRUSTED_CLAIM',
          pointer: `/${list}/${index}`,
          subject,
        },
      ];
    });
  });
  return inPayloadOrder(payload, warnings).map((warning) => ({
    ...warning,
    pointer: pointerAsSent(warning.pointer),
  }));
};
