import type { DecodedPush } from '../contract/decode';
import { inPayloadOrder } from '../codec/payload-order';
import type { Warning, WarningCode } from '../warning';
import type { Template } from '../templates/templates';
import { inexactNumbers } from './inexact-numbers';
import type { Mention } from './row/context';
import type { Rows } from './row/rows';

/** The keys of the shared nodes that must match something. If one does not, the push warns. */
export interface Awaited {
  readonly identities: readonly string[];
  readonly cloudRoles: readonly string[];
}

const keysOf = (mentions: readonly Mention[], missing: Mention['missing']): readonly string[] => [
  ...new Set(
    mentions
      .filter((mention) => mention.missing === missing)
      .flatMap(({ names }) => [...names.keys()]),
  ),
];

/**
 * What a push may have to warn about, as far as the payload shows it. The graph decides the rest.
 */
export interface PossibleWarnings {
  /** The shared nodes that another data source should match. */
  readonly awaited: Awaited;
  /** In payload order. */
  readonly inOrder: readonly (Mention | Warning)[];
  readonly pointerAsSent: Pointing['pointerAsSent'];
}

/** The fields of a decoded payload that warnings need. */
type Pointing = Pick<DecodedPush<Template>, 'payload' | 'pointerAsSent'>;

const CODE_OF: { readonly [M in Mention['missing']]: WarningCode } = {
  identity: 'UNKNOWN_IDENTITY',
  'IAM role': 'UNKNOWN_IAM_ROLE',
};

/** Collects what a push may have to warn about (docs/rules.md: Warnings). */
export const possibleWarningsOf = (
  { payload, pointerAsSent }: Pointing,
  { mentions, remarks }: Pick<Rows, 'mentions' | 'remarks'>,
): PossibleWarnings => ({
  awaited: {
    identities: keysOf(mentions, 'identity'),
    cloudRoles: keysOf(mentions, 'IAM role'),
  },
  inOrder: inPayloadOrder<Mention | Warning>(payload, [
    ...mentions,
    ...remarks,
    ...inexactNumbers(payload),
  ]),
  pointerAsSent,
});

/**
 * The warnings of a push, in payload order. `unmatched` has the keys of the shared nodes that match
 * nothing (docs/rules.md: Warnings).
 */
export const warningsOf = (
  { inOrder, pointerAsSent }: PossibleWarnings,
  unmatched: ReadonlySet<string>,
): readonly Warning[] =>
  inOrder.flatMap((concern): readonly Warning[] => {
    if ('message' in concern) return [{ ...concern, pointer: pointerAsSent(concern.pointer) }];
    const { names, missing, subject, where } = concern;
    const listed = [...names].filter(([key]) => unmatched.has(key)).map(([, name]) => name);
    if (listed.length === 0) return [];
    const message = `Cannot find ${missing} by names ${JSON.stringify(listed)} (${where()})`;
    const pointer = pointerAsSent(concern.pointer);
    return [{ message, code: CODE_OF[missing], pointer, subject: subject() }];
  });
