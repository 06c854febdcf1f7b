import { inPayloadOrder } from '../contract/payload-order';
import type { Mention } from './context';
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

/** What others must bring for the push to be complete (graph.md 8). */
export const awaitedBy = ({ mentions }: Pick<Rows, 'mentions'>): Awaited => ({
  identities: keysOf(mentions, 'identity'),
  cloudRoles: keysOf(mentions, 'IAM role'),
});

/** The warnings of a push, in payload order, once it is known which of the awaited ones nobody brought (graph.md 8). */
export const warningsOf = (
  payload: unknown,
  { mentions, remarks }: Pick<Rows, 'mentions' | 'remarks'>,
  unmatched: ReadonlySet<string>,
): readonly string[] => {
  const missing = mentions.flatMap(({ pointer, names, missing: kind, subject }) => {
    const listed = [...names].filter(([key]) => unmatched.has(key)).map(([, name]) => name);
    return listed.length === 0
      ? []
      : [
          {
            pointer,
            message: `Cannot find ${kind} by names ${JSON.stringify(listed)} (${subject()})`,
          },
        ];
  });
  return inPayloadOrder(payload, [...missing, ...remarks]).map(({ message }) => message);
};
