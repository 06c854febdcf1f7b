import { inPayloadOrder } from '../contract/payload-order';
import type { Mention, Remark } from './context';
import type { Rows } from './rows';

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
}

/** What a push may have to warn about (graph.md 8). */
export const concernsOf = (
  payload: unknown,
  { mentions, remarks }: Pick<Rows, 'mentions' | 'remarks'>,
): Concerns => ({
  awaited: {
    identities: keysOf(mentions, 'identity'),
    cloudRoles: keysOf(mentions, 'IAM role'),
  },
  inOrder: inPayloadOrder<Mention | Remark>(payload, [...mentions, ...remarks]),
});

/** The warnings of a push, in payload order, once it is known which of the awaited ones nobody brought (graph.md 8). */
export const warningsOf = (
  { inOrder }: Concerns,
  unmatched: ReadonlySet<string>,
): readonly string[] =>
  inOrder.flatMap((concern) => {
    if ('message' in concern) return [concern.message];
    const { names, missing, subject } = concern;
    const listed = [...names].filter(([key]) => unmatched.has(key)).map(([, name]) => name);
    return listed.length === 0
      ? []
      : [`Cannot find ${missing} by names ${JSON.stringify(listed)} (${subject()})`];
  });
