import { boundKinds } from '../templates/graph/derivations';
import { rowLevel } from '../templates/graph/row-levels';
import { UNKNOWN_HASH } from '../rows/row/row-hash';
import { type HashedRow, isOwn, type Link, NO_DIFFERENCE, NO_LINKS, withLink } from './difference';
import { grouped } from './grouped';
import { joined, marked, type Part, type Piece, slices } from './pieces';

/** A row of which nothing stands that would have to change. */
interface FreshRow {
  readonly hashed: HashedRow;
  /** Whether its node is new; else an earlier attempt has put it. */
  readonly isNew: boolean;
  /** Relationships to other fresh rows, in whose way nobody else is. */
  early: Link[];
  /** Those of them that are drawn only once all fresh rows stand. */
  deferred: readonly Link[];
  /** Relationships to what others may touch. */
  late: Link[];
  /** In which part of its level it is put. */
  part: number;
}

/** Rows of which nothing stands that would have to change, in parts. A row's hash is written with the last that it states. */
export class FreshRows {
  private readonly rows = new Map<string, FreshRow>();

  /** Of some rows that are new and some that an earlier attempt has put, with what is to be drawn; `most` is how much a part holds. */
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
   * Rows with what they state, by the levels of their kinds: once a level stands, the next one finds all that its rows lead to. What binds them comes
   * after them in the same part. The parts of a level may be written in any order.
   */
  levels(): readonly Iterable<Part>[] {
    return [...grouped(this.rows.values(), ({ hashed }) => rowLevel(hashed.row.kind))]
      .sort(([a], [b]) => a - b)
      .map(([, rows]) => ({ [Symbol.iterator]: () => this.level(rows) }));
  }

  /** Relationships between fresh rows that were put off, once all levels stand; in any order. */
  *links(): Generator<Piece, void> {
    for (const row of this.rows.values()) {
      const { deferred, hashed } = row;
      if (deferred.length === 0) continue;
      const some = (linked: readonly Link[]): Piece => ({ linked });
      if (this.isLast(row)) yield* slices(deferred, this.most, some, some);
      else yield { linked: deferred, proven: [hashed] };
    }
  }

  /** What binds rows that were not whole before, in this order. */
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

  /** Rows in parts. Put off is what leads to rows of their own kind in other parts, and what one part does not hold. */
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

  /** The node of a row with what it states of others that stand by then, and its hash if that is all there is of it. */
  private own(row: FreshRow): Piece {
    const { hashed, isNew, early } = row;
    const deferred = new Set(row.deferred);
    const linked = deferred.size === 0 ? early : early.filter((link) => !deferred.has(link));
    const isWhole = deferred.size === 0 && !this.binds(row);
    if (!isNew) return { linked, proven: isWhole ? [hashed] : [] };
    return { linked, created: [isWhole ? hashed : { row: hashed.row, hash: UNKNOWN_HASH }] };
  }

  /** Whether a row is whole only once it is bound. */
  private binds({ hashed, late }: FreshRow): boolean {
    return late.length > 0 || boundKinds.has(hashed.row.kind);
  }

  /** Whether a row is bound only once all that was put off is drawn. */
  private isLast(row: FreshRow): boolean {
    return (
      (row.deferred.length > 0 && (this.binds(row) || row.deferred.length > this.most)) ||
      row.late.length >= this.most
    );
  }
}
