import type { DecodedPush } from '../contract/decode';
import { inPayloadOrder } from '../codec/payload-order';
import type { Warning, WarningCode } from '../warning';
import type { Template } from '../templates/templates';
import type { Mention, Remark } from './row/context';
import type { Rows } from './row/rows';

/** Keys of the shared nodes about which a push may have to warn. */
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

/** What a push may have to warn about, as its payload alone tells. */
export interface Concerns {
  /** What others must bring for the push to be complete. */
  readonly awaited: Awaited;
  /** In payload order. */
  readonly inOrder: readonly (Mention | Remark)[];
  readonly pointerAsSent: Pointing['pointerAsSent'];
}

/** A decoded payload, as far as its warnings need it. */
type Pointing = Pick<DecodedPush<Template>, 'payload' | 'pointerAsSent'>;

const CODE_OF: { readonly [M in Mention['missing']]: WarningCode } = {
  identity: 'UNKNOWN_IDENTITY',
  'IAM role': 'UNKNOWN_IAM_ROLE',
};

/** What a push may have to warn about (docs/rules.md: Warnings). */
export const concernsOf = (
  { payload, pointerAsSent }: Pointing,
  { mentions, remarks }: Pick<Rows, 'mentions' | 'remarks'>,
): Concerns => ({
  awaited: {
    identities: keysOf(mentions, 'identity'),
    cloudRoles: keysOf(mentions, 'IAM role'),
  },
  inOrder: inPayloadOrder<Mention | Remark>(payload, [...mentions, ...remarks]),
  pointerAsSent,
});

/** The warnings of a push, in payload order, once it is known which of the awaited ones nobody brought (docs/rules.md: Warnings). */
export const warningsOf = (
  { inOrder, pointerAsSent }: Concerns,
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
