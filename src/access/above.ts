/** A node on the way of a search, and what is known of it so far. */
interface Open<V> {
  readonly node: number;
  readonly place: number;
  readonly previous: readonly number[];
  readonly before: Set<V>;
  next: number;
  /** The least place of an open node to which it leads back. */
  least: number;
}

/**
 * Gives each node a value that follows from the values of all that lead to it. Nodes that lead to
 * each other have one value. Each node and each relationship counts once, however many ways lead
 * there (Tarjan's strongly connected components).
 */
export class Above<V> {
  private readonly known = new Map<number, V>();

  constructor(
    /** The nodes that lead to a node in one step. */
    private readonly previous: (node: number) => readonly number[],
    /** The value of nodes that lead to each other. `before` has the values of what leads to them. */
    private readonly valueOf: (nodes: readonly number[], before: ReadonlySet<V>) => V,
  ) {}

  /** The value of a node. */
  of(node: number): V {
    const known = this.known.get(node);
    if (known !== undefined) return known;
    this.search(node);
    return this.known.get(node) as V;
  }

  private search(start: number): void {
    const open = new Map<number, Open<V>>();
    const stack: number[] = [];
    const way: Open<V>[] = [];
    const enter = (node: number): void => {
      const place = stack.push(node) - 1;
      const entered = {
        node,
        place,
        previous: this.previous(node),
        before: new Set<V>(),
        next: 0,
        least: place,
      };
      open.set(node, entered);
      way.push(entered);
    };
    enter(start);
    for (let last = way.at(-1); last !== undefined; last = way.at(-1)) {
      const before = last.previous[last.next];
      last.next += 1;
      if (before === undefined) {
        way.pop();
        this.leave(last, way.at(-1), stack, open);
        continue;
      }
      const value = this.known.get(before);
      if (value !== undefined) last.before.add(value);
      else {
        const met = open.get(before);
        if (met === undefined) enter(before);
        else last.least = Math.min(last.least, met.place);
      }
    }
  }

  /** Ends the search from a node. */
  private leave(
    last: Open<V>,
    behind: Open<V> | undefined,
    stack: number[],
    open: Map<number, Open<V>>,
  ): void {
    if (last.least < last.place) {
      if (behind !== undefined) behind.least = Math.min(behind.least, last.least);
      return;
    }
    const nodes = stack.splice(last.place);
    const [first, ...others] = nodes.map((node) => (open.get(node) as Open<V>).before);
    const before = first ?? new Set<V>();
    for (const each of others) for (const value of each) before.add(value);
    const value = this.valueOf(nodes, before);
    for (const node of nodes) {
      this.known.set(node, value);
      open.delete(node);
    }
    behind?.before.add(value);
  }
}
