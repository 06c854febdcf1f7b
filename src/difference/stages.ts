import { boundKinds } from '../model/derivations';
import { removalOrder } from '../model/removal-order';
import { UNKNOWN_HASH } from '../rows/row-hash';
import {
  type ChangedRow,
  type Difference,
  type HashedRow,
  isOwn,
  isUnproven,
  type Link,
  type LinkChange,
  sizeOf,
} from './difference';
import { grouped } from './grouped';

/** Some of a difference that one transaction does not hold. The parts of a stage may be written in any order, but where it binds. */
export interface Stage {
  readonly name: 'nodes' | 'links' | 'bindings' | 'changes' | 'removals';
  /** Whether its parts touch what pushes to other data sources touch too: those are written one behind the other, under the binding lock (graph.md 5). */
  readonly isBinding: boolean;
  /** Parts, none much larger than asked for. */
  readonly parts: Iterable<Difference>;
}

/** What stays together. */
type Piece = Partial<Difference>;

/**
 * A large difference in stages, puts before removals (graph.md 6). A row's hash is written with the last that it states, so that wherever it stops
 * the rest is the difference between the same payload and what stands.
 */
export const stagesOf = (difference: Difference, most: number): readonly Stage[] => {
  const { fresh, changed } = sorted(difference, most);
  const stage = (name: Stage['name'], pieces: () => Iterable<Piece>): Stage => ({
    name,
    isBinding: name !== 'nodes' && name !== 'links',
    parts: { [Symbol.iterator]: () => inParts(pieces(), most) },
  });
  return [
    stage('nodes', () => nodePieces(difference.created, fresh)),
    stage('links', () => linkPieces(fresh.values(), most)),
    stage('bindings', () => bindingPieces(fresh.values(), most)),
    stage('changes', () => changePieces(changed, difference, most)),
    stage('removals', () => removalPieces(changed, difference, most)),
  ];
};

/** A row of which nothing stands that would have to change: its node is new, or an earlier attempt has put it. */
class FreshRow {
  /** Relationships to other fresh rows: nobody else is in their way. */
  readonly early: Link[] = [];
  /** Relationships to what others may touch. */
  readonly late: Link[] = [];

  constructor(
    readonly hashed: HashedRow,
    private readonly isNew: boolean,
    private readonly most: number,
  ) {}

  /** Whether its node is all there is to write of it. */
  get isNodeAlone(): boolean {
    return this.isNew && !this.binds && this.early.length === 0;
  }

  /** Whether it is complete only once it is bound. */
  get binds(): boolean {
    return (
      this.late.length > 0 || this.early.length > this.most || boundKinds.has(this.hashed.row.kind)
    );
  }
}

interface Sorted {
  readonly fresh: ReadonlyMap<string, FreshRow>;
  /** The other rows that change. */
  readonly changed: readonly ChangedRow[];
}

const sorted = (
  { created, changed, linked, relabelled, unlinked }: Difference,
  most: number,
): Sorted => {
  const standing = new Set([...relabelled, ...unlinked].map(({ row }) => row));
  const isFresh = (change: ChangedRow): boolean =>
    isUnproven(change) &&
    Object.keys(change.changes).length === 0 &&
    !standing.has(change.after.row.key);
  const fresh = new Map<string, FreshRow>();
  for (const hashed of created) fresh.set(hashed.row.key, new FreshRow(hashed, true, most));
  for (const { after } of changed.filter(isFresh)) {
    fresh.set(after.row.key, new FreshRow(after, false, most));
  }
  for (const link of linked) {
    const row = fresh.get(link.row);
    if (row === undefined) continue;
    (isOwn(link) && fresh.has(link.stated.other) ? row.early : row.late).push(link);
  }
  return { fresh, changed: changed.filter((change) => !isFresh(change)) };
};

function* inParts(pieces: Iterable<Piece>, most: number): Generator<Difference, void> {
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

const joined = (pieces: readonly Piece[]): Difference => ({
  created: pieces.flatMap(({ created = [] }) => created),
  changed: pieces.flatMap(({ changed = [] }) => changed),
  followed: pieces.flatMap(({ followed = [] }) => followed),
  removed: pieces.flatMap(({ removed = [] }) => removed),
  linked: pieces.flatMap(({ linked = [] }) => linked),
  relabelled: pieces.flatMap(({ relabelled = [] }) => relabelled),
  unlinked: pieces.flatMap(({ unlinked = [] }) => unlinked),
});

/** Each row's node; with its hash where there is nothing else of it. */
function* nodePieces(
  created: readonly HashedRow[],
  fresh: ReadonlyMap<string, FreshRow>,
): Generator<Piece, void> {
  for (const hashed of created) {
    const isWhole = fresh.get(hashed.row.key)?.isNodeAlone === true;
    yield { created: [isWhole ? hashed : { ...hashed, hash: UNKNOWN_HASH }] };
  }
}

/** The last of a row that nobody has bound yet. */
const proof = (after: HashedRow): ChangedRow => ({
  before: { ...after, hash: UNKNOWN_HASH },
  after,
  changes: {},
});

/** Has nothing of a row written but its hash; it is bound already. */
const marked = (row: HashedRow, hash: string): ChangedRow => ({
  before: row,
  after: { ...row, hash },
  changes: {},
});

/** Relationships of one row, a part's worth at a time; with the last ones what ends the row, with others what says that more comes. */
function* slices<A>(
  items: readonly A[],
  most: number,
  more: (some: readonly A[]) => Piece,
  last: (some: readonly A[]) => Piece,
): Generator<Piece, void> {
  let at = 0;
  for (; items.length - at > most; at += most) yield more(items.slice(at, at + most));
  yield last(items.slice(at));
}

function* linkPieces(rows: Iterable<FreshRow>, most: number): Generator<Piece, void> {
  const unfinished = (linked: readonly Link[]): Piece => ({ linked });
  for (const row of rows) {
    if (row.isNodeAlone) continue;
    if (!row.binds) yield { linked: row.early, changed: [proof(row.hashed)] };
    else if (row.early.length > 0) yield* slices(row.early, most, unfinished, unfinished);
  }
}

function* bindingPieces(rows: Iterable<FreshRow>, most: number): Generator<Piece, void> {
  for (const { binds, late, hashed } of rows) {
    if (!binds) continue;
    yield* slices(
      late,
      most,
      (linked) => ({ linked, changed: [marked(hashed, UNKNOWN_HASH)] }),
      (linked) => ({ linked, changed: [proof(hashed)] }),
    );
  }
}

type Put = { readonly link: Link } | { readonly relabel: LinkChange };

function* changePieces(
  changed: readonly ChangedRow[],
  { followed, linked, relabelled, unlinked }: Difference,
  most: number,
): Generator<Piece, void> {
  const left = new Set(unlinked.map(({ row }) => row));
  const links = grouped(linked, ({ row }) => row);
  const labels = grouped(relabelled, ({ row }) => row);
  for (const change of changed) {
    const { after } = change;
    const { key } = after.row;
    const puts: Put[] = [
      ...(links.get(key) ?? []).map((link) => ({ link })),
      ...(labels.get(key) ?? []).map((relabel) => ({ relabel })),
    ];
    const put = (some: readonly Put[], hash: string): Piece => ({
      // The first says all that changes; what comes after that changes nothing more.
      changed: [
        some[0] === puts[0] ? { ...change, after: { ...after, hash } } : marked(after, hash),
      ],
      linked: some.flatMap((one) => ('link' in one ? [one.link] : [])),
      relabelled: some.flatMap((one) => ('relabel' in one ? [one.relabel] : [])),
    });
    yield* slices(
      puts,
      most,
      (some) => put(some, UNKNOWN_HASH),
      (some) => put(some, left.has(key) ? UNKNOWN_HASH : after.hash),
    );
  }
  for (const one of followed) yield { followed: [one] };
}

function* removalPieces(
  changed: readonly ChangedRow[],
  { removed, unlinked }: Difference,
  most: number,
): Generator<Piece, void> {
  const links = grouped(unlinked, ({ row }) => row);
  const unfinished =
    (row: HashedRow) =>
    (some: readonly Link[]): Piece => ({ unlinked: some, changed: [marked(row, UNKNOWN_HASH)] });
  for (const { after } of changed) {
    const left = links.get(after.row.key);
    if (left === undefined) continue;
    yield* slices(left, most, unfinished(after), (some) => ({
      unlinked: some,
      changed: [marked(after, after.hash)],
    }));
  }
  const byKind = grouped(removed, ({ row }) => row.kind);
  for (const kind of removalOrder([...byKind.keys()])) {
    for (const row of byKind.get(kind) ?? []) {
      const left = links.get(row.row.key) ?? [];
      yield* slices(left, most, unfinished(row), (some) => ({ unlinked: some, removed: [row] }));
    }
  }
}
