import type { Driver } from 'neo4j-driver';

import type { Past } from '../mirror/past';
import { storedPast, textOfPast } from './stored-graph';

const LABELS = { PastNode: 'Past:PastNode', PastRelationship: 'Past:PastRelationship' } as const;

/** What the facts that ended differ in from those that the mirror has seen end; each is kept once. */
export async function pastDifferences(
  driver: Driver,
  expected: readonly Past[],
): Promise<readonly string[]> {
  const wanted = counted(
    expected.map(({ kind, properties }) => textOfPast(LABELS[kind], properties)),
  );
  const found = counted(await storedPast(driver));
  const all = new Set([...wanted.keys(), ...found.keys()]);
  return [...all].flatMap((text) => {
    const [want, have] = [wanted.get(text) ?? 0, found.get(text) ?? 0];
    if (want === have) return [];
    return [`${have < want ? 'missing ' : 'too much'} ${have} of ${want}: ${text}`];
  });
}

function counted(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
