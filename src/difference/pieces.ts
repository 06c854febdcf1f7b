import { type ChangedRow, type Difference, type HashedRow, sizeOf } from './difference';

/** A piece of a diff that must be written in one transaction. */
export type Piece = Partial<Difference>;

/**
 * Collects pieces into chunks of at most `most` nodes and relationships. A single larger piece is a
 * chunk by itself.
 */
export function* inChunks(pieces: Iterable<Piece>, most: number): Generator<Difference, void> {
  let gathered: Piece[] = [];
  let size = 0;
  for (const piece of pieces) {
    const more = sizeOf(piece);
    if (size > 0 && size + more > most) {
      yield joined(gathered);
      gathered = [];
      size = 0;
    }
    gathered.push(piece);
    size += more;
  }
  if (size > 0) yield joined(gathered);
}

/** Joins pieces to one diff. */
export const joined = (pieces: readonly Piece[]): Difference => ({
  created: pieces.flatMap(({ created = [] }) => created),
  changed: pieces.flatMap(({ changed = [] }) => changed),
  proven: pieces.flatMap(({ proven = [] }) => proven),
  followed: pieces.flatMap(({ followed = [] }) => followed),
  removed: pieces.flatMap(({ removed = [] }) => removed),
  linked: pieces.flatMap(({ linked = [] }) => linked),
  relabelled: pieces.flatMap(({ relabelled = [] }) => relabelled),
  unlinked: pieces.flatMap(({ unlinked = [] }) => unlinked),
});

/** A change that writes only the hash of a row. */
export const marked = (row: HashedRow, hash: string): ChangedRow => ({
  before: row,
  after: { row: row.row, hash },
  changes: {},
});

/**
 * Divides the items of one row into pieces of at most `most` items. `last` makes the piece that
 * completes the row, `more` makes the others.
 */
export function* slices<A>(
  items: readonly A[],
  most: number,
  more: (some: readonly A[]) => Piece,
  last: (some: readonly A[]) => Piece,
): Generator<Piece, void> {
  let at = 0;
  for (; items.length - at > most; at += most) yield more(items.slice(at, at + most));
  yield last(items.slice(at));
}
