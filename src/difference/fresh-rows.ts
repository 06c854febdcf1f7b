import { boundKinds } from '../templates/graph/derivations';
import { rowLevel } from '../templates/graph/row-levels';
import { UNKNOWN_HASH } from '../rows/row/row-hash';
import { type HashedRow, isOwn, type Link, NO_DIFFERENCE, NO_LINKS, withLink } from './difference';
import { grouped } from './grouped';
import { joined, marked, type Part, type Piece, slices } from './pieces';

/**
 * A row that is new, or that an interrupted push has created in part. Nothing that exists of it has
 * to change.
 */
interface FreshRow {
  readonly hashed: HashedRow;
  /** Whether its node is new. Otherwise an earlier attempt has created the node. */
  readonly isNew: boolean;
  /** Relationships to other fresh rows. No other push can touch these rows. */
  early: Link[];
  /** Those of the early relationships that are drawn only when all fresh rows exist. */
  deferred: readonly Link[];
  /** Relationships to nodes that other pushes may touch. */
  late: Link[];
  /** The number of the chunk of its level that creates it. */
  part: number;
}

/**
 * Divides fresh rows into chunks. A row's hash is written in the transaction that completes the
 * row.
 */
export class FreshRows {
  private readonly rows = new Map<string, FreshRow>();

  /**
   * Takes new rows, rows of an earlier attempt, and the relationships to draw. `most` is the size
   * of a chunk.
   */
  constructor(
    created: readonly HashedRow[],
    standing: readonly HashedRow[],
    linked: readonly Link[],
    private readonly most: number,
  ) {
    const add = (hashed: HashedRow, isNew: boolean): unknown =>
      this.rows.set(hashed.row.key, {
        ...{ hashed, isNew, early: NO_LINKS, deferred: NO_LINKS, late: NO_LINKS },
        part: 0,
      });
    for (const hashed of created) add(hashed, true);
    for (const hashed of standing) add(hashed, false);
    for (const link of linked) {
      const row = this.rows.get(link.row);
      if (row === undefined) continue;
      if (isOwn(link) && this.rows.has(link.stated.other)) row.early = withLink(row.early, link);
      else row.late = withLink(row.late, link);
    }
  }

  /**
   * The rows with what they state, by the levels of their kinds. When one level is written, the
   * rows of the next find all rows that they refer to. A chunk writes its rows first, and then what
   * needs the derivation lock. The chunks of a level may be written in any order.
   */
  levels(): readonly Iterable<Part>[] {
    return [...grouped(this.rows.values(), ({ hashed }) => rowLevel(hashed.row.kind))]
      .sort(([a], [b]) => a - b)
      .map(([, rows]) => ({ [Symbol.iterator]: () => this.level(rows) }));
  }

  /**
   * The deferred relationships between fresh rows, for the time when all levels are written. Their
   * order does not matter.
   */
  *links(): Generator<Piece, void> {
    for (const row of this.rows.values()) {
      const { deferred, hashed } = row;
      if (deferred.length === 0) continue;
      const some = (linked: readonly Link[]): Piece => ({ linked });
      if (this.isLast(row)) yield* slices(deferred, this.most, some, some);
      else yield { linked: deferred, proven: [hashed] };
    }
  }

  /**
   * What needs the derivation lock of the rows that were incomplete until now. Its order matters.
   */
  *bindings(): Generator<Piece, void> {
    for (const row of this.rows.values()) {
      if (!this.isLast(row)) continue;
      yield* slices(
        row.late,
        this.most,
        (linked) => ({ linked, changed: [marked(row.hashed, UNKNOWN_HASH)] }),
        (linked) => ({ linked, proven: [row.hashed] }),
      );
    }
  }

  private *level(rows: readonly FreshRow[]): Generator<Part, void> {
    for (const some of this.cut(rows)) {
      const bound = some.flatMap((row): Piece[] =>
        this.binds(row) && !this.isLast(row) ? [{ linked: row.late, proven: [row.hashed] }] : [],
      );
      yield {
        own: joined(some.map((row) => this.own(row))),
        bound: bound.length === 0 ? NO_DIFFERENCE : joined(bound),
      };
    }
  }

  /**
   * Divides rows into chunks. It defers relationships to rows of the same kind in other chunks, and
   * those of a row that has too many for one chunk.
   */
  private cut(rows: readonly FreshRow[]): readonly (readonly FreshRow[])[] {
    const parts: FreshRow[][] = [];
    let [own, bound] = [this.most, this.most];
    for (const row of rows) {
      own += 1 + row.early.length;
      bound += 1 + row.late.length;
      if (own > this.most || bound > this.most) {
        parts.push([]);
        [own, bound] = [1 + row.early.length, 1 + row.late.length];
      }
      row.part = parts.length;
      parts.at(-1)?.push(row);
    }
    for (const row of rows) {
      if (row.early.length >= this.most) row.deferred = row.early;
      else if (row.early.some((link) => this.isElsewhere(row, link))) {
        row.deferred = row.early.filter((link) => this.isElsewhere(row, link));
      }
    }
    return parts;
  }

  private isElsewhere({ part }: FreshRow, { stated: { kind, other } }: Link): boolean {
    if (kind.from !== kind.to) return false;
    const end = this.rows.get(other);
    return end?.isNew === true && end.part !== part;
  }

  /**
   * Creates the row's node and its relationships to nodes that exist by then. Writes the hash too
   * if that completes the row.
   */
  private own(row: FreshRow): Piece {
    const { hashed, isNew, early } = row;
    const deferred = new Set(row.deferred);
    const linked = deferred.size === 0 ? early : early.filter((link) => !deferred.has(link));
    const isWhole = deferred.size === 0 && !this.binds(row);
    if (!isNew) return { linked, proven: isWhole ? [hashed] : [] };
    return { linked, created: [isWhole ? hashed : { row: hashed.row, hash: UNKNOWN_HASH }] };
  }

  /** Whether the row is complete only after a transaction under the derivation lock. */
  private binds({ hashed, late }: FreshRow): boolean {
    return late.length > 0 || boundKinds.has(hashed.row.kind);
  }

  /** Whether that transaction comes only after all deferred relationships are drawn. */
  private isLast(row: FreshRow): boolean {
    return (
      (row.deferred.length > 0 && (this.binds(row) || row.deferred.length > this.most)) ||
      row.late.length >= this.most
    );
  }
}
