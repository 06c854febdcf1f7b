import { type ChangedRow, type Difference, type HashedRow, sizeOf } from './difference';

/** What stays together of a difference that is taken apart. */
export type Piece = Partial<Difference>;

/** Pieces gathered to parts: each as large as may be, but for a piece that is larger by itself. */
export function* inParts(pieces: Iterable<Piece>, most: number): Generator<Difference, void> {
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

/** Pieces as one difference. */
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

/** Has nothing of a row written but its hash; it is bound already. */
export const marked = (row: HashedRow, hash: string): ChangedRow => ({
  before: row,
  after: { row: row.row, hash },
  changes: {},
});

/** Items that belong to one row, a part's worth at a time; with the last ones what ends the row, with others what says that more comes. */
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
