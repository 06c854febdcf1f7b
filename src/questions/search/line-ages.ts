import type { Neighbour, ShownLine } from '../../access/around';
import { type Instant, instantOf } from '../../model/instant';
import type { Runner } from '../../neo4j/transaction';
import { createdOf, type EndedLine } from '../memory/created';

/** An instant in nanoseconds as a text; `null` stays. */
export const utcOf = (nanos: bigint | null): string | null =>
  nanos === null ? null : instantOf(nanos).utc;

const endedLine = ({ since, ...line }: ShownLine): EndedLine => ({ ...line, since: utcOf(since) });

/** When relationships at an entity were created: of several at one neighbour the first counts. */
export const sinceOfLines = async (
  tx: Runner,
  at: Instant | null,
  neighbours: readonly Neighbour[],
): Promise<(lines: readonly ShownLine[]) => string | null> => {
  const ended = neighbours
    .flatMap(({ lines }) => lines)
    .filter(({ hasEnded }) => hasEnded)
    .map(endedLine);
  const createdAt = at === null ? () => undefined : await createdOf(tx, at, ended);
  const sinceOf = (line: ShownLine): string | null => {
    const known = endedLine(line);
    return (line.hasEnded ? createdAt(known) : undefined) ?? known.since;
  };
  return (lines) =>
    lines
      .flatMap((line) => sinceOf(line) ?? [])
      .reduce<string | null>(
        (first, one) => (first === null || isEarlier(one, first) ? one : first),
        null,
      );
};

/** Texts of instants in order of time have no order of their own: `Z` may come after a fraction. */
const isEarlier = (one: string, other: string): boolean =>
  one.replace('Z', '') < other.replace('Z', '');
