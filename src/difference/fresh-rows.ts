import { boundKinds } from '../templates/graph/derivations';
import { UNKNOWN_HASH } from '../rows/row/row-hash';
import { type HashedRow, type Link, NO_LINKS, withLink } from './difference';
import { marked, type Piece, slices } from './pieces';

/**
 * A row that is new, or that an interrupted push has created in part. Nothing that exists of it has
 * to change.
 */
interface FreshRow {
  readonly hashed: HashedRow;
  /** Whether its node is new. Otherwise an earlier attempt has created the node. */
  readonly isNew: boolean;
  links: Link[];
}

/**
 * New rows, and rows that an interrupted push has created in part. The push first writes their
 * nodes, then what they state.
 */
export class FreshRows {
  private readonly rows = new Map<string, FreshRow>();

  /**
   * `created` rows are new. An earlier attempt has created the nodes of `current` rows. A chunk
   * holds at most `most` items.
   */
  constructor(
    created: readonly HashedRow[],
    current: readonly HashedRow[],
    linked: readonly Link[],
    private readonly most: number,
  ) {
    const add = (hashed: HashedRow, isNew: boolean): unknown =>
      // A spread would take three times the memory.
      this.rows.set(hashed.row.key, { hashed, isNew, links: NO_LINKS });
    for (const hashed of created) add(hashed, true);
    for (const hashed of current) add(hashed, false);
    for (const link of linked) {
      const row = this.rows.get(link.row);
      if (row !== undefined) row.links = withLink(row.links, link);
    }
  }

  /** The new nodes. A node gets its hash now if the row states nothing else. */
  *nodes(): Generator<Piece, void> {
    for (const row of this.rows.values()) {
      const { hashed, isNew } = row;
      if (!isNew) continue;
      yield { created: [isWhole(row) ? hashed : { row: hashed.row, hash: UNKNOWN_HASH }] };
    }
  }

  /** What the rows state. The last piece of each row writes the row's hash. */
  *links(): Generator<Piece, void> {
    for (const row of this.rows.values()) {
      if (row.isNew && isWhole(row)) continue;
      yield* slices(
        row.links,
        this.most,
        (linked) => ({ linked, changed: [marked(row.hashed, UNKNOWN_HASH)] }),
        (linked) => ({ linked, proven: [row.hashed] }),
      );
    }
  }
}

/** Whether the row is complete with its node: it states nothing, and nothing is derived from it. */
const isWhole = ({ hashed, links }: FreshRow): boolean =>
  links.length === 0 && !boundKinds.has(hashed.row.kind);
