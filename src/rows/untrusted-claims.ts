import type { DecodedPush } from '../contract/decode';
import { inPayloadOrder } from '../codec/payload-order';
import { fold } from '../model/fold';
import type { Trusts } from '../templates/graph/trusts';
import type { EntityKind, Entry, RowKind } from '../templates/kind';
import { type Template, templates } from '../templates/templates';
import { subjectOf, titleOf, type Warning } from '../warning';

const texts = (values: readonly unknown[]): readonly string[] =>
  values.filter((value): value is string => typeof value === 'string' && value !== '');

const isEntity = (row: RowKind): row is EntityKind => 'list' in row;

const STATING: ReadonlySet<unknown> = new Set(['add', 'modify']);

/**
 * Whether an entry states what somebody is. It does not if it removes the entity or only gives a
 * context.
 */
const states = (entry: Entry, isIncrement: boolean): boolean =>
  !isIncrement || STATING.has(entry.operation);

/**
 * Warnings about entries whose names the provider may not claim, so that the service links them to
 * nobody (docs/rules.md: Trusts). In payload order.
 */
export const untrustedClaims = (
  { payload, pointerAsSent, _tag }: DecodedPush<Template>,
  template: Template,
  provider: string,
  trusts: Trusts,
): readonly Warning[] => {
  if (trusts.areNone) return [];
  const lists: Readonly<Record<string, unknown>> = payload;
  const warnings = templates[template].rows.flatMap((row) => {
    if (!isEntity(row) || row.claims === null) return [];
    const { list, word } = row;
    const claimsOf = row.claims;
    const entries = lists[list];
    if (!Array.isArray(entries)) return [];
    return (entries as readonly Entry[]).flatMap((entry, index): readonly Warning[] => {
      if (!states(entry, _tag === 'Increment')) return [];
      const claimed = texts(claimsOf(entry));
      const untrusted = [
        ...new Map(
          claimed
            .filter((text) => !trusts.mayClaim(provider, fold(text)))
            .map((text) => [fold(text), text]),
        ).values(),
      ];
      if (untrusted.length === 0) return [];
      const subject = subjectOf(word, texts([entry.name, entry.identity, entry.id])[0] ?? '');
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
