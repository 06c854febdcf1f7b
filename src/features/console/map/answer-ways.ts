import { nodeKinds } from '../../../templates/graph/nodes';
import { hasColumn, type Drawable } from './layout';
import { cutOf, type Stop } from './ways';

/** A node as `/api/v1/query` writes it. */
interface Node {
  readonly id: string;
  readonly labels: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A relationship as `/api/v1/query` writes it. */
interface Relationship {
  readonly id: string;
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

/** A path as `/api/v1/query` writes it: one node more than relationships, in the order of the path. */
export interface Path {
  readonly nodes: readonly Node[];
  readonly relationships: readonly Relationship[];
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value of an answer is a node. */
export const isNode = (value: unknown): value is Node =>
  isObject(value) &&
  typeof value.id === 'string' &&
  Array.isArray(value.labels) &&
  isObject(value.properties);

const isRelationship = (value: unknown): value is Relationship =>
  isObject(value) &&
  [value.id, value.type, value.from, value.to].every((x) => typeof x === 'string');

/** Whether a value of an answer is a path. */
export const isPath = (value: unknown): value is Path =>
  isObject(value) &&
  Array.isArray(value.nodes) &&
  Array.isArray(value.relationships) &&
  value.nodes.length === value.relationships.length + 1 &&
  value.nodes.every(isNode) &&
  value.relationships.every(isRelationship);

const LABELS: ReadonlySet<string> = new Set(nodeKinds.map(({ label }) => label));

const NAMES = ['name', 'path', 'arn', 'id', 'unique_id'];

/** A node as a stop: its own label, and its key, by which pages know it. */
export const stopOfNode = ({ id, labels, properties }: Node): Stop => {
  const label = labels.find((each) => LABELS.has(each)) ?? labels[0] ?? '';
  const texts = [...NAMES.map((name) => properties[name]), label];
  return {
    id: typeof properties.key === 'string' ? properties.key : id,
    label,
    name: texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '',
  };
};

/** As many values of an answer are looked at for its ways. */
const MOST_LOOKED_AT = 5_000;

/** Takes the nodes and relationships out of values, those in paths and lists too, within a bound. */
class Parts {
  private left = MOST_LOOKED_AT;

  /** Those of a value; `null` if there is no room to look at all of it. */
  of(value: unknown): readonly (Node | Relationship)[] | null {
    const found: (Node | Relationship)[] = [];
    return this.collect(value, found) ? found : null;
  }

  private collect(value: unknown, found: (Node | Relationship)[]): boolean {
    this.left -= 1;
    if (this.left < 0) return false;
    if (Array.isArray(value)) return this.fits(value) && value.every((x) => this.collect(x, found));
    if (isNode(value) || isRelationship(value)) found.push(value);
    // Looking whether it is a path looks at each of its nodes.
    else if (isObject(value) && Array.isArray(value.nodes) && !this.fits(value.nodes)) return false;
    else if (isPath(value)) this.take(value, found);
    return this.left >= 0;
  }

  private take({ nodes, relationships }: Path, found: (Node | Relationship)[]): void {
    this.left -= 2 * nodes.length;
    found.push(...nodes, ...relationships);
  }

  private fits(list: readonly unknown[]): boolean {
    return list.length <= this.left;
  }
}

/**
 * The rows of an answer as ways of a map: a step for each relationship whose two nodes the answer has
 * too, if the map has columns for both. Rows without any are left out, and so is what a page has no
 * time to look at.
 */
export const waysOfRows = (rows: readonly (readonly unknown[])[]): readonly Drawable[] => {
  const looked = new Parts();
  const parts = rows.map((row) => looked.of(row) ?? []);
  const stops = new Map(
    parts.flat().flatMap((part) => {
      const stop = isNode(part) ? stopOfNode(part) : null;
      return stop !== null && hasColumn(stop.label) ? [[part.id, stop] as const] : [];
    }),
  );
  return parts.flatMap((some, at): Drawable[] => {
    const steps = some.flatMap((part) => {
      if (!isRelationship(part)) return [];
      const [from, to] = [stops.get(part.from), stops.get(part.to)];
      return from === undefined || to === undefined
        ? []
        : [{ from, to, cut: cutOf(from.id, to.id) }];
    });
    const [first] = steps;
    return first === undefined ? [] : [{ number: at + 1, start: first.from, steps }];
  });
};
