import { type HashedRow, isOwn, type Link, NO_LINKS, withLink } from '../../difference/difference';
import { grouped } from '../../difference/grouped';
import { byCodeUnits } from '../../model/fold';
import { rowLevel } from '../../templates/graph/row-levels';
import { type NodeKind, otherEnd, type RelationshipKind } from '../../model/table';
import { linksBy, ownKindsOf } from '../../translate/push/row-statements';
import { type Lists, ROWS_PER_BATCH } from '../connection/pipeline';
import { graphKey } from './current-rows';

/** Nodes and relationships of one statement: more than of others, since most of them are found by their place. */
const ELEMENTS_PER_BATCH = 2 * ROWS_PER_BATCH;

/** A row that is new, with what it states of rows that stand before it. */
interface NewRow {
  readonly hashed: HashedRow;
  links: Link[];
  isPut: boolean;
}

/** New rows with what they state of one another, kind by kind, each after those to which its rows lead. */
export class NewRows {
  /** To be drawn once all stand: what leads to rows of the same kind that come later, or carries properties. */
  readonly putOff: Link[] = [];
  /** The other relationships between own nodes. */
  readonly others: Link[] = [];
  private readonly rows = new Map<string, NewRow>();

  /** `joinsStanding`: whether new rows may be joined with rows that stand already. */
  constructor(
    private readonly dataSource: string,
    created: readonly HashedRow[],
    linked: readonly Link[],
    joinsStanding: boolean,
  ) {
    for (const hashed of created) {
      this.rows.set(hashed.row.key, { hashed, links: NO_LINKS, isPut: false });
    }
    let last: NewRow | undefined;
    for (const link of linked) {
      if (!isOwn(link)) continue;
      // Those of one row follow one another.
      if (last?.hashed.row.key !== link.row) last = this.rows.get(link.row);
      if (last === undefined || !(joinsStanding || this.rows.has(link.stated.other))) {
        this.others.push(link);
      } else {
        last.links = withLink(last.links, link);
      }
    }
  }

  /** The kinds, each with its batches: the lists of `createRows`; `nodes` gives what makes of a row of a kind what is said of it. */
  *kinds(
    nodes: (kind: NodeKind) => (hashed: HashedRow) => unknown,
  ): Generator<readonly [NodeKind, Iterable<Lists>], void> {
    const kinds = [...grouped(this.rows.values(), ({ hashed }) => hashed.row.kind)];
    kinds.sort(([a], [b]) => rowLevel(a) - rowLevel(b));
    for (const [kind, rows] of kinds) yield [kind, this.batches(kind, rows, nodes(kind))];
  }

  private *batches(
    kind: NodeKind,
    rows: readonly NewRow[],
    node: (hashed: HashedRow) => unknown,
  ): Generator<Lists, void> {
    const kinds = ownKindsOf(kind);
    let [batch, elements]: [NewRow[], number] = [[], 0];
    for (const row of rows) {
      batch.push(row);
      elements += 1 + row.links.length;
      if (elements < ELEMENTS_PER_BATCH && batch.length < ROWS_PER_BATCH) continue;
      yield this.batch(kinds, batch, elements, node);
      [batch, elements] = [[], 0];
    }
    if (batch.length > 0) yield this.batch(kinds, batch, elements, node);
  }

  private batch(
    kinds: readonly RelationshipKind[],
    rows: readonly NewRow[],
    elements: number,
    node: (hashed: HashedRow) => unknown,
  ): Lists {
    for (const row of rows) row.isPut = true;
    const ends = new Map(kinds.map((kind) => [kind, new Map<string, number[]>()]));
    rows.forEach(({ links }, place) => {
      for (const link of links) {
        const { kind, other } = link.stated;
        const byEnd = ends.get(kind);
        const isAhead = kind.from === kind.to && this.rows.get(other)?.isPut === false;
        if (byEnd === undefined || isAhead) {
          this.putOff.push(link);
          continue;
        }
        const places = byEnd.get(other);
        if (places === undefined) byEnd.set(other, [place]);
        else places.push(place);
      }
    });
    const lists: Record<string, unknown[]> = { rows: rows.map(({ hashed }) => node(hashed)) };
    for (const [kind, byEnd] of ends) {
      // Sorted: whoever joins others with the same ends meanwhile locks those in the same order.
      const sorted = [...byEnd].sort(([a], [b]) => byCodeUnits(a, b));
      lists[linksBy(kind)] = sorted.map(([other, places]) => [
        graphKey(this.dataSource, otherEnd(kind), other),
        ...places,
      ]);
    }
    return { lists, rows: elements };
  }
}
