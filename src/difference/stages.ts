import { removalOrder } from '../templates/graph/removal-order';
import { UNKNOWN_HASH } from '../rows/row/row-hash';
import {
  type ChangedRow,
  type Difference,
  type HashedRow,
  isUnproven,
  type Link,
  type LinkChange,
} from './difference';
import { FreshRows } from './fresh-rows';
import { grouped } from '../model/grouped';
import { inChunks, marked, type Piece, slices } from './pieces';

/**
 * A stage of a large diff, in chunks. Each chunk is written in one transaction, and none is much
 * larger than `most`.
 */
export interface Stage {
  readonly name: 'rows' | 'links' | 'changes' | 'removals';
  /** Whether the stage touches what pushes to other data sources touch. */
  readonly isBinding: boolean;
  readonly chunks: Iterable<Difference>;
}

/**
 * Divides a large diff into stages. Rows and relationships are written before others are removed
 * (docs/rules.md: Removal guard). The push writes the hash of a row together with the last
 * relationship that the row states. So if the push stops anywhere, a new comparison of the payload
 * with the current rows finds the rest.
 */
export function* stagesOf(difference: Difference, most: number): Generator<Stage, void> {
  const { fresh, changed } = sorted(difference, most);
  const stage = (name: Stage['name'], isBinding: boolean, pieces: Iterable<Piece>): Stage => ({
    name,
    isBinding,
    chunks: inChunks(pieces, most),
  });
  yield stage('rows', false, fresh.nodes());
  yield stage('links', true, fresh.links());
  yield stage('changes', true, changePieces(changed, difference, most));
  yield stage('removals', true, removalPieces(changed, difference, most));
}

interface Sorted {
  readonly fresh: FreshRows;
  /** The changed rows that are not fresh. Their nodes exist already. */
  readonly changed: readonly ChangedRow[];
}

const sorted = (difference: Difference, most: number): Sorted => {
  const { changed, relabelled, unlinked } = difference;
  const current = new Set([...relabelled, ...unlinked].map(({ row }) => row));
  const isFresh = (change: ChangedRow): boolean =>
    isUnproven(change) &&
    Object.keys(change.changes).length === 0 &&
    !current.has(change.after.row.key);
  const [put, others] = [changed.filter(isFresh), changed.filter((change) => !isFresh(change))];
  const fresh = new FreshRows(
    difference.created,
    put.map(({ after }) => after),
    difference.linked,
    most,
  );
  return { fresh, changed: others };
};

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
      // The first piece writes all changed properties. The later ones only add relationships and
      // the hash.
      changed: [
        some[0] === puts[0] ? { ...change, after: { row: after.row, hash } } : marked(after, hash),
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
