import { visible } from '../../../visible-text';
import type { Step, Stop } from './ways';
import { listAt } from '../../../model/grouped';

/** What a map needs to know of a way. */
export interface Drawable {
  readonly number: number;
  readonly start: Stop;
  readonly steps: readonly (Pick<Step, 'from' | 'to' | 'cut'> & {
    readonly label?: StepLabel | null;
  })[];
}

/** What is written at a step: what it gives or is known as, and where it holds. */
export interface StepLabel {
  readonly name: string;
  /** The parts of the name, of which a line for several ways has each once. */
  readonly words: readonly string[];
  /** What a permission holds on, if that is not the end of the way. */
  readonly on: Stop | null;
}

/** The columns of a map, in their order. */
export const COLUMNS = [
  'Who',
  'Directory',
  'Identity',
  'Account',
  'Group',
  'Role',
  'Permission',
  'Resource',
] as const;

const COLUMN_OF: Readonly<Record<string, number>> = {
  Employee: 0,
  IdpUser: 0,
  ExternalEntity: 0,
  IdpGroup: 1,
  IdpApp: 1,
  CloudRole: 1,
  Identity: 2,
  LocalUser: 3,
  LocalAgent: 3,
  AccessCredential: 3,
  LocalGroup: 4,
  LocalRole: 5,
  Grant: 5,
  RoleAssignment: 5,
  Permission: 6,
  Resource: 7,
  Application: 7,
};

/** Whether the map has a column for nodes with this label. */
export const hasColumn = (label: string): boolean => Object.hasOwn(COLUMN_OF, label);

/** A box of the map: one stop, or several that lead from and to the same ones. */
export interface Box {
  readonly id: string;
  readonly stops: readonly Stop[];
  readonly x: number;
  readonly y: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** All steps between two boxes. */
export interface Line {
  readonly from: Box;
  readonly to: Box;
  /** The names of its steps in an address. */
  readonly cuts: readonly string[];
  /** Where it passes between boxes. */
  readonly passed: readonly Point[];
  /** What its steps give or are known as, and on what, each once. */
  readonly names: readonly string[];
  readonly scopes: readonly string[];
  /** How long it is straight where it leaves for its last box: its names are there. */
  readonly straight: number;
  /** The numbers of the ways that pass it. */
  readonly ways: ReadonlySet<number>;
}

/** A map of ways. */
export interface PathMap {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  /** The columns that have boxes: their names, and where they begin. */
  readonly columns: readonly { readonly name: string; readonly x: number }[];
  readonly width: number;
  readonly height: number;
  /** How many ways the map shows; the table has the others. */
  readonly shown: number;
}

/** The size of a box. */
export const BOX = { width: 150, height: 40 } as const;
const GAP = { x: 34, y: 12 } as const;
/** How wide a letter of a text at a line is at the most. */
const LETTER = 6.6;
/** As many letters of each text at a line are shown. */
const LETTERS_AT_LINE = 22;
const TOP = 28;
/**
 * What a picture has at most; more is a picture that nobody reads. The tables have the rest.
 * Nothing is laid out before a way has its place in this budget.
 */
export const MOST = {
  boxes: 60,
  lines: 250,
  /** Steps of ways between the boxes; each is named in an address. */
  steps: 1_000,
} as const;
/** As many steps of ways are looked at. Those of further ways are in the table alone. */
const MOST_CONSIDERED = 2_000;
/** As many equal stops become one box. */
const MERGED = 3;

/** One column for each kind of node, or as few as the ways need. */
type Columns = 'of kinds' | 'few';

interface Node {
  readonly stop: Stop;
  readonly column: number;
  /** The place among stops of its column that lead to each other. */
  depth: number;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly cut: string;
  readonly ways: Set<number>;
  readonly names: Set<string>;
  readonly scopes: Set<string>;
}

interface Drawn {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly edges: readonly Edge[];
  /** The stops and the steps of each way, by its place in the list of ways. */
  readonly parts: readonly {
    readonly stops: readonly string[];
    readonly cuts: readonly string[];
  }[];
}

const drawn = (ways: readonly Drawable[], columns: Columns): Drawn => {
  const nodes = new Map<string, Node>();
  const edges = new Map<string, Edge>();
  const parts: Drawn['parts'][number][] = [];
  const columnOf = ({ label }: Stop): number => (columns === 'few' ? 0 : (COLUMN_OF[label] ?? 0));
  const node = (stop: Stop, column: number): Node => {
    const found = nodes.get(stop.id) ?? { stop, column, depth: 0 };
    nodes.set(stop.id, found);
    return found;
  };
  for (const { number, start, steps } of ways) {
    // A resource that acts with the access of a principal is where its ways begin.
    let before = node(start, Math.min(columnOf(start), 6));
    if (start.label === 'Resource') before = node(start, 0);
    parts.push({
      stops: [start.id, ...steps.flatMap(({ from, to }) => [from.id, to.id])],
      cuts: steps.map(({ cut }) => cut),
    });
    for (const { from, to, cut, label } of steps) {
      // A way of an answer may begin again at another stop.
      if (from.id !== before.stop.id) before = node(from, columnOf(from));
      const next = node(to, columnOf(to));
      if (next.column === before.column) next.depth = Math.max(next.depth, before.depth + 1);
      const edge = edges.get(cut) ?? {
        from: from.id,
        to: to.id,
        cut,
        ways: new Set(),
        names: new Set(),
        scopes: new Set(),
      };
      edge.ways.add(number);
      label?.words.forEach((word) => edge.names.add(word));
      if (label?.on) edge.scopes.add(label.on.name);
      edges.set(cut, edge);
      before = next;
    }
  }
  if (columns === 'few') inFewColumns(nodes, [...edges.values()]);
  return { nodes, edges: [...edges.values()], parts };
};

/** Puts each stop as far to the right as the longest way there; ways in a circle count once. */
const inFewColumns = (nodes: ReadonlyMap<string, Node>, edges: readonly Edge[]): void => {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  // Stops in the order in which a depth-first walk leaves them: each comes after all to which it
  // leads.
  const left: string[] = [];
  const state = new Map<string, 'on the way' | 'left'>();
  for (const start of nodes.keys()) {
    const open = [start];
    while (open.length > 0) {
      const id = open.at(-1) ?? '';
      if (!state.has(id)) {
        state.set(id, 'on the way');
        open.push(...(next.get(id) ?? []).filter((each) => !state.has(each)));
        continue;
      }
      open.pop();
      if (state.get(id) === 'left') continue;
      state.set(id, 'left');
      left.push(id);
    }
  }
  const place = new Map(left.map((id, at) => [id, at]));
  for (const node of nodes.values()) node.depth = 0;
  for (const id of left.toReversed()) {
    const from = nodes.get(id);
    for (const each of next.get(id) ?? []) {
      const to = nodes.get(each);
      // Later in the walk is who leads back.
      if (from === undefined || to === undefined) continue;
      if ((place.get(each) ?? 0) < (place.get(id) ?? 0)) {
        to.depth = Math.max(to.depth, from.depth + 1);
      }
    }
  }
};

/** Stops that lead from and to the same ones, in lists of at least `MERGED`; all others alone. */
const merged = ({ nodes, edges }: Pick<Drawn, 'nodes' | 'edges'>): readonly (readonly Node[])[] => {
  const ends = new Map<string, { readonly from: string[]; readonly to: string[] }>();
  const endsOf = (id: string) => {
    const found = ends.get(id) ?? { from: [], to: [] };
    ends.set(id, found);
    return found;
  };
  for (const { from, to } of edges) {
    endsOf(from).to.push(to);
    endsOf(to).from.push(from);
  }
  const alike = new Map<string, Node[]>();
  for (const [id, node] of nodes) {
    const { from, to } = endsOf(id);
    const name = JSON.stringify([node.stop.label, node.depth, from.toSorted(), to.toSorted()]);
    listAt(alike, name).push(node);
  }
  return [...alike.values()].flatMap((some) =>
    some.length >= MERGED ? [some] : some.map((each) => [each]),
  );
};

/** Orders the boxes of each layer by the middle of what leads there, so that few lines cross. */
const ordered = (
  layers: readonly (readonly string[])[],
  edges: readonly (readonly [from: string, to: string])[],
): readonly (readonly string[])[] => {
  const places = new Map<string, number>();
  const note = (layer: readonly string[]): void =>
    layer.forEach((id, at) => places.set(id, at - layer.length / 2));
  layers.forEach(note);
  const [before, after] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const link = (ends: Map<string, string[]>, one: string, other: string): void => {
    listAt(ends, one).push(other);
  };
  for (const [from, to] of edges) {
    link(before, to, from);
    link(after, from, to);
  }
  const middle = (id: string, isBack: boolean): number => {
    const others = (isBack ? after : before).get(id) ?? [];
    if (others.length === 0) return places.get(id) ?? 0;
    return others.reduce((sum, each) => sum + (places.get(each) ?? 0), 0) / others.length;
  };
  let result = layers;
  for (const isBack of [false, true, false]) {
    result = result.map((layer) => {
      const sorted = layer
        .map((id) => ({ id, value: middle(id, isBack) }))
        .sort((a, b) => a.value - b.value)
        .map(({ id }) => id);
      note(sorted);
      return sorted;
    });
  }
  return result;
};

/** All edges between the same two boxes. */
interface Bundle {
  readonly from: string;
  readonly to: string;
  readonly cuts: string[];
  readonly ways: Set<number>;
  readonly names: Set<string>;
  readonly scopes: Set<string>;
}

const bundled = (edges: readonly Edge[], boxOf: ReadonlyMap<string, string>): readonly Bundle[] => {
  const bundles = new Map<string, Bundle>();
  for (const edge of edges) {
    const [from, to] = [boxOf.get(edge.from) ?? '', boxOf.get(edge.to) ?? ''];
    const name = JSON.stringify([from, to]);
    const bundle = bundles.get(name) ?? {
      from,
      to,
      cuts: [],
      ways: new Set<number>(),
      names: new Set<string>(),
      scopes: new Set<string>(),
    };
    bundle.cuts.push(edge.cut);
    edge.ways.forEach((way) => bundle.ways.add(way));
    edge.names.forEach((each) => bundle.names.add(each));
    edge.scopes.forEach((each) => bundle.scopes.add(each));
    bundles.set(name, bundle);
  }
  return [...bundles.values()];
};

interface Layer {
  readonly column: number;
  readonly depth: number;
  /** Boxes, and the places where lines pass between them. */
  readonly ids: string[];
}

const layersOf = (groups: ReadonlyMap<string, readonly Node[]>): readonly Layer[] => {
  const layers = new Map<string, Layer>();
  for (const [id, [first]] of groups) {
    if (first === undefined) continue;
    const { column, depth } = first;
    const name = `${column} ${depth}`;
    const layer = layers.get(name) ?? { column, depth, ids: [] };
    layer.ids.push(id);
    layers.set(name, layer);
  }
  return [...layers.values()].sort((a, b) => a.column - b.column || a.depth - b.depth);
};

/** The places at which a line passes layers between its ends, so that it crosses no box. */
const placesBetween = (
  { from, to }: Bundle,
  layers: readonly Layer[],
  layerOf: ReadonlyMap<string, number>,
): readonly string[] => {
  const [first, last] = [layerOf.get(from) ?? 0, layerOf.get(to) ?? 0];
  const name = JSON.stringify([from, to]);
  return layers.slice(first + 1, last).map((_, at) => `${name} ${first + 1 + at}`);
};

const PASSAGE = 26;

const lettersIn = (text: string): number => Array.from(text).length;

/** Some texts at a line as one: those that have room, and how many more there are. */
export const textAtLine = (texts: readonly string[], before = ''): string => {
  // Each text has a letter at least, so a line has no room for more of them.
  const names = texts.slice(0, LETTERS_AT_LINE).map(visible);
  for (let count = names.length; count > 0; count -= 1) {
    const more = count < texts.length ? ` +${texts.length - count}` : '';
    const text = `${before}${names.slice(0, count).join(', ')}${more}`;
    if (lettersIn(text) <= LETTERS_AT_LINE) return text;
  }
  const [first] = names;
  if (first === undefined) return '';
  const more = texts.length === 1 ? '…' : `… +${texts.length - 1}`;
  const letters = Array.from(before + first).slice(0, LETTERS_AT_LINE - more.length);
  return letters.join('') + more;
};

const roomFor = (texts: readonly string[]): number =>
  Math.ceil(Math.max(...texts.map(lettersIn)) * LETTER);

interface Chosen {
  readonly groups: ReadonlyMap<string, readonly Node[]>;
  readonly edges: readonly Edge[];
  readonly shown: number;
}

/**
 * The ways that have a place in the picture, in one step: in their order each is taken if its boxes,
 * lines and steps fit in addition to those that are taken already.
 */
const chosen = (ways: readonly Drawable[], columns: Columns): Chosen => {
  let steps = 0;
  const considered = ways.filter((way) => {
    steps += way.steps.length;
    return steps <= MOST_CONSIDERED;
  });
  const { nodes, edges, parts } = drawn(considered, columns);
  const groups = new Map(merged({ nodes, edges }).map((some) => [some[0]?.stop.id ?? '', some]));
  const boxOf = boxesOf(groups);
  const lineOf = new Map(
    edges.map(({ from, to, cut }) => [cut, `${boxOf.get(from)} ${boxOf.get(to)}`] as const),
  );
  const taken = { boxes: new Set<string>(), lines: new Set<string>(), steps: new Set<string>() };
  const [stops, numbers] = [new Set<string>(), new Set<number>()];
  let shown = 0;
  for (const [at, { stops: of, cuts }] of parts.entries()) {
    const needed = {
      boxes: of.map((id) => boxOf.get(id) ?? ''),
      lines: cuts.map((cut) => lineOf.get(cut) ?? ''),
      steps: cuts,
    };
    if (!KINDS.every((kind) => fits(taken[kind], needed[kind], MOST[kind]))) continue;
    for (const kind of KINDS) needed[kind].forEach((each) => taken[kind].add(each));
    of.forEach((id) => stops.add(id));
    numbers.add(considered[at]?.number ?? 0);
    shown += 1;
  }
  return {
    groups: new Map(
      [...groups].flatMap(([, some]) => {
        const left = some.filter(({ stop }) => stops.has(stop.id));
        const [first] = left;
        return first === undefined ? [] : [[first.stop.id, left] as const];
      }),
    ),
    edges: edges.flatMap((edge) => {
      if (!taken.steps.has(edge.cut)) return [];
      return [{ ...edge, ways: new Set([...edge.ways].filter((way) => numbers.has(way))) }];
    }),
    shown,
  };
};

const KINDS = ['boxes', 'lines', 'steps'] as const;

const fits = (taken: ReadonlySet<string>, needed: readonly string[], most: number): boolean => {
  const fresh = new Set(needed.filter((each) => !taken.has(each)));
  return taken.size + fresh.size <= most;
};

/** The name of the box of each stop. */
const boxesOf = (groups: ReadonlyMap<string, readonly Node[]>): ReadonlyMap<string, string> =>
  new Map([...groups].flatMap(([id, some]) => some.map(({ stop }) => [stop.id, id] as const)));

/**
 * Lays out the ways on a map, from left to right: with a column for each kind of node, or with as few
 * columns as they need. Equal stops are one box. If the ways need more than a picture may have, the map
 * has those that fit, the shortest first, and the table has all.
 */
export const pathMap = (ways: readonly Drawable[], columns: Columns = 'of kinds'): PathMap => {
  const { groups, edges, shown } = chosen(ways, columns);
  const top = columns === 'few' ? GAP.y : TOP;
  const boxOf = boxesOf(groups);
  const layers = layersOf(groups);
  const layerOf = new Map(layers.flatMap(({ ids }, at) => ids.map((id) => [id, at] as const)));
  const bundles = bundled(edges, boxOf).map((bundle) => ({
    ...bundle,
    places: placesBetween(bundle, layers, layerOf),
  }));
  for (const { from, places } of bundles) {
    places.forEach((id, at) => layers[(layerOf.get(from) ?? 0) + 1 + at]?.ids.push(id));
  }
  const sorted = ordered(
    layers.map(({ ids }) => ids),
    bundles.flatMap(({ from, to, places }) => {
      const stops = [from, ...places, to];
      return stops.slice(1).map((id, at) => [stops[at] ?? '', id] as const);
    }),
  );
  const heightOf = (id: string): number => (groups.has(id) ? BOX.height : PASSAGE) + GAP.y;
  const heights = sorted.map((ids) => ids.reduce((sum, id) => sum + heightOf(id), 0));
  const most = Math.max(0, ...heights);
  const boxes = new Map<string, Box>();
  const passages = new Map<string, Point>();
  // The names at a line are in the gap before its last box.
  const straights = layers.map(() => 0);
  for (const { to, names, scopes } of bundles) {
    const gap = (layerOf.get(to) ?? 0) - 1;
    const room = roomFor([textAtLine([...names]), textAtLine([...scopes], 'on ')]);
    if (gap >= 0) straights[gap] = Math.max(straights[gap] ?? 0, room);
  }
  const lefts = [4];
  straights.forEach((room, at) => lefts.push((lefts[at] ?? 0) + BOX.width + GAP.x + room));
  sorted.forEach((ids, at) => {
    const x = lefts[at] ?? 0;
    let y = top + (most - (heights[at] ?? 0)) / 2;
    for (const id of ids) {
      const stops = (groups.get(id) ?? []).map(({ stop }) => stop);
      if (stops.length > 0) boxes.set(id, { id, stops, x, y });
      else passages.set(id, { x, y: y + PASSAGE / 2 });
      y += heightOf(id);
    }
  });
  return {
    boxes: [...boxes.values()],
    lines: bundles.flatMap(({ from, to, cuts, places, names, scopes, ways: passing }) => {
      const [first, last] = [boxes.get(from), boxes.get(to)];
      const passed = places.flatMap((id) => passages.get(id) ?? []);
      return first === undefined || last === undefined
        ? []
        : [
            {
              from: first,
              to: last,
              cuts,
              passed,
              ways: passing,
              names: [...names],
              scopes: [...scopes],
              straight: straights[(layerOf.get(to) ?? 0) - 1] ?? 0,
            },
          ];
    }),
    columns: layers.flatMap(({ column, depth }, at) =>
      columns === 'few' || (depth > 0 && layers[at - 1]?.column === column)
        ? []
        : [{ name: COLUMNS[column] ?? '', x: lefts[at] ?? 0 }],
    ),
    width: (lefts[layers.length - 1] ?? 0) + BOX.width + 4,
    height: top + most,
    shown,
  };
};
