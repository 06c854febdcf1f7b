import * as E from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';

import { AccessGraph, type OpenedGraph, NONE } from '../../access/access-graph';
import {
  EffectiveAccess,
  type NativePermission,
  type Permissions,
} from '../../access/effective-access';
import { Humans } from '../../access/human';
import { NOW } from '../../access/instants';
import { bounded } from '../../access/memory';
import { typesIn } from '../../access/lists/lists';
import type { Summary } from '../../contract/answers/questions/access';
import type { AsOf } from '../../contract/answers/page';
import { csvHead } from '../../contract/csv';
import {
  addLine,
  exportColumns,
  frameOf,
  type LineFrame,
  type PartTexts,
  partTexts,
} from '../../contract/tables/exported-access';
import { nanosOf, present } from '../../model/instant';
import type { Graph } from '../../neo4j/driver';
import type { Path } from '../access/explanation/explanation';
import { explainedPath } from '../access/explanation/explained-path';
import type { PieceStream } from '../threads/piece-threads';
import { cursorOf, type ExportPlace, principalsFrom } from './export-place';
import { FirstWays } from './first-way';
/** What an export writes, and how. */
export interface WantedExport {
  readonly after: ExportPlace;
  /** The keys of the principals that it is about; `null` means all. */
  readonly only: readonly string[] | null;
  /** Whether each row has its first explanation. */
  readonly isExplained: boolean;
  readonly isCsv: boolean;
  /** The secret that seals cursors. */
  readonly secret: string;
  /** A client that lost its connection gets at most this many rows again. */
  readonly cursorEvery: number;
  /** How many bytes it may use in memory. */
  readonly memoryBytes: number;
  /** A copy of the access graph of the process as it was at one time, and the newest push by then. */
  readonly graph: OpenedGraph;
  readonly asOf: AsOf | null;
}

/** A row, by the numbers of its nodes. */
interface Row {
  readonly who: number;
  readonly target: number;
  readonly permissions: Permissions;
}

/** With how many permissions of its rows a piece ends early: in CSV each of them is a line. */
const MOST_HELD_OF_PIECE = 5_000;

/** How many texts of nodes are remembered. A list of all would need more memory than the graph. */
const MOST_TEXTS = 20_000;

/** The nodes with access that a list has as what is reached, in the order of their keys. */
const placesOf = (graph: AccessGraph): Int32Array => {
  const places: number[] = [];
  for (let node = 0; node < graph.nodeCount; node += 1) {
    const kind = graph.kind(node);
    if (kind?.isResource === true || kind?.isApplication === true) places.push(node);
  }
  places.sort((a, b) => graph.texts.compare(graph.keyText(a), graph.keyText(b)));
  const ranks = new Int32Array(graph.nodeCount);
  for (const [rank, node] of places.entries()) ranks[node] = rank;
  return ranks;
};

/** Finds the rows of an export in a loaded graph, and writes them. */
class Exporting {
  private readonly graph: AccessGraph;
  private readonly access: EffectiveAccess;
  private readonly humans: Humans;
  private readonly clock = nanosOf(present());
  private readonly ways: FirstWays;
  private readonly asOf: string;
  private readonly texts = new LRUCache<number, string>({ max: MOST_TEXTS });
  private readonly permissions = new WeakMap<Permissions, string>();
  private readonly nodeCells = {
    principal: new LRUCache<number, PartTexts>({ max: MOST_TEXTS }),
    human: new LRUCache<number, PartTexts>({ max: MOST_TEXTS }),
    resource: new LRUCache<number, PartTexts>({ max: MOST_TEXTS }),
  };
  private readonly permissionCells = new WeakMap<NativePermission, PartTexts>();
  /** What most lines of CSV end with. */
  private readonly usualEnd: PartTexts;
  /** The frame of the last line, and whose it is. */
  private framed: { readonly who: number; readonly frame: LineFrame } = { who: NONE, frame: [] };
  /** The principal of the last row, and the human whose account it is. */
  private human = { who: NONE, node: NONE };

  constructor(
    database: Graph,
    private readonly wanted: WantedExport,
  ) {
    this.graph = new AccessGraph(bounded(wanted.memoryBytes), wanted.graph);
    this.access = new EffectiveAccess(this.graph);
    this.humans = new Humans(this.graph);
    this.ways = new FirstWays(database, this.access, NOW, this.clock);
    this.asOf = JSON.stringify(wanted.asOf);
    this.usualEnd = this.ends(undefined, undefined);
  }

  /** All rows from the place on, in order. */
  *rows(): Generator<Row, void> {
    const { graph, access } = this;
    const { after, only } = this.wanted;
    const rankOf = placesOf(graph);
    for (const who of principalsFrom(graph, after, only)) {
      if (!graph.exists(who, NOW)) continue;
      const isBegun = after.resource !== null && graph.key(who) === after.principal;
      const reached = [...access.reachedBy(who, NOW)]
        .filter(([target]) => !isBegun || this.isBehind(target, after.resource ?? ''))
        .sort(([a], [b]) => (rankOf[a] ?? 0) - (rankOf[b] ?? 0));
      for (const [target, permissions] of reached) yield { who, target, permissions };
    }
  }

  /** Some rows as text. The last one has the cursor; the last one of all says so. */
  async text(rows: readonly Row[], isEnd: boolean): Promise<string> {
    const paths = this.wanted.isExplained
      ? await this.ways.of(rows.map(({ who, target }) => [who, target]))
      : null;
    const lastAt = rows.length - 1;
    const texts: string[] = [];
    for (const [at, row] of rows.entries()) {
      const path = paths === null ? undefined : (paths[at] ?? null);
      if (this.wanted.isCsv) this.addLines(texts, row, path, at === lastAt);
      else texts.push(this.line(row, path, at === lastAt ? this.ending(row, isEnd) : ''));
    }
    return texts.join('');
  }

  private isBehind(target: number, key: string): boolean {
    return this.graph.texts.compareWith(this.graph.keyText(target), key) > 0;
  }

  /** A row as a line of JSON. Most of it is in many lines, so it is written once. */
  private line({ who, target, permissions }: Row, path: Path | null | undefined, ending: string) {
    const explanation =
      path === undefined ? '' : `,"explanation":${JSON.stringify(path && explainedPath(path))}`;
    return (
      `{"principal":${this.textOf(who)},${this.humanOf(who)}` +
      `"resource":${this.textOf(target)},"permissions":${this.held(permissions)}${explanation},` +
      `"as_of":${this.asOf}${ending}}\n`
    );
  }

  /** Adds a row as lines of CSV, one for each permission. The cursor is in the last one. */
  private addLines(
    texts: string[],
    { who, target, permissions }: Row,
    path: Path | null | undefined,
    isLast: boolean,
  ): void {
    const explanation = path && explainedPath(path);
    const usual = explanation
      ? this.frame(who, this.ends(explanation, undefined))
      : this.usualFrame(who);
    const resource = this.cells('resource', target);
    for (const [at, permission] of permissions.entries()) {
      const hasCursor = isLast && at === permissions.length - 1;
      const frame = hasCursor
        ? this.frame(who, this.ends(explanation, this.cursor(who, target)))
        : usual;
      addLine(texts, frame, { resource, held: this.heldCells(permission) });
    }
  }

  /** What lines of a principal have in common. */
  private frame(who: number, end: PartTexts): LineFrame {
    const principal = this.cells('principal', who);
    return frameOf({ principal, human: this.cells('human', this.humanNode(who)), end });
  }

  /** The frame of most lines of a principal. All rows of a principal follow each other. */
  private usualFrame(who: number): LineFrame {
    if (this.framed.who !== who) this.framed = { who, frame: this.frame(who, this.usualEnd) };
    return this.framed.frame;
  }

  private ends(
    explanation: ReturnType<typeof explainedPath> | null | undefined,
    cursor: string | undefined,
  ): PartTexts {
    return partTexts('end', { explanation, as_of: this.wanted.asOf, cursor });
  }

  /** What lines of CSV say of a node in one of its parts. `NONE` is nobody. */
  private cells(part: 'principal' | 'human' | 'resource', node: number): PartTexts {
    const cells = this.nodeCells[part];
    const known = cells.get(node);
    if (known !== undefined) return known;
    const about = node === NONE ? null : this.summary(node);
    const made = partTexts(part, about as Summary);
    cells.set(node, made);
    return made;
  }

  private heldCells(permission: NativePermission): PartTexts {
    const known = this.permissionCells.get(permission);
    if (known !== undefined) return known;
    const { name } = permission;
    const made = partTexts('held', { name, permission_type: typesIn(permission) });
    this.permissionCells.set(permission, made);
    return made;
  }

  /** What the last line of a piece has in addition to others. */
  private ending({ who, target }: Row, isEnd: boolean): string {
    return `,"cursor":${JSON.stringify(this.cursor(who, target))}${isEnd ? ',"is_last":true' : ''}`;
  }

  private cursor(who: number, target: number): string {
    const { graph } = this;
    const place = {
      label: graph.kind(who)?.label ?? '',
      principal: graph.key(who),
      resource: graph.key(target),
    };
    return cursorOf(place, this.wanted.secret);
  }

  private textOf(node: number): string {
    const known = this.texts.get(node) ?? JSON.stringify(this.summary(node));
    this.texts.set(node, known);
    return known;
  }

  private summary(node: number): Summary {
    return this.graph.summary(node, NOW, this.clock);
  }

  private held(permissions: Permissions): string {
    const known =
      this.permissions.get(permissions) ??
      `[${permissions.map(({ name, types }) => `{"name":${JSON.stringify(name)},"permission_type":${types}}`).join(',')}]`;
    this.permissions.set(permissions, known);
    return known;
  }

  private humanOf(who: number): string {
    const human = this.humanNode(who);
    return `"human":${human === NONE ? 'null' : this.textOf(human)},`;
  }

  /** The human whose account a principal certainly is. All rows of a principal follow each other. */
  private humanNode(who: number): number {
    if (this.human.who !== who) {
      this.human = { who, node: this.humans.humanOf(who, NOW) };
    }
    return this.human.node;
  }
}

/** Writes an export from the graph that it gets, piece by piece (docs/api.md: Exports of access). */
export async function* exportedPieces(database: Graph, wanted: WantedExport): PieceStream {
  const encoder = new TextEncoder();
  if (wanted.isCsv) yield E.right(encoder.encode(csvHead(exportColumns)));
  const exporting = new Exporting(database, wanted);
  let [rows, held]: [Row[], number] = [[], 0];
  const piece = async (isEnd: boolean) =>
    E.right(encoder.encode(await exporting.text(rows, isEnd)));
  for (const row of exporting.rows()) {
    // Rows wait until more follow, or until it is certain that none do.
    if (rows.length === wanted.cursorEvery || held >= MOST_HELD_OF_PIECE) {
      yield await piece(false);
      [rows, held] = [[], 0];
    }
    rows.push(row);
    held += row.permissions.length;
  }
  if (rows.length > 0) yield await piece(true);
}
