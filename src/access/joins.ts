/** A node that is joined with others. */
export interface JoinedNode {
  readonly id: string;
  readonly label: string;
  readonly name: string;
}

const isUser = (label: string): boolean => label === 'Employee' || label.startsWith('Idp');

/**
 * Finds out which nodes belong to one human (docs/rules.md: One human). It knows nodes, and joins
 * that lead from the one who is known to what is theirs.
 */
export class Joins<N extends JoinedNode> {
  private readonly nodes: ReadonlyMap<string, N>;
  private readonly before = new Map<string, string[]>();
  private readonly after = new Map<string, string[]>();
  private readonly known = new Map<string, ReadonlySet<string>>();
  private readonly firsts = new Map<string, string | null>();

  constructor(nodes: readonly N[], joins: readonly (readonly [from: string, to: string])[]) {
    this.nodes = new Map(nodes.map((node) => [node.id, node]));
    for (const [from, to] of joins) {
      this.before.set(to, [...(this.before.get(to) ?? []), from]);
      this.after.set(from, [...(this.after.get(from) ?? []), to]);
    }
  }

  /** All nodes that it knows, by their ids. */
  get ids(): readonly string[] {
    return [...this.nodes.keys()];
  }

  node(id: string): N | null {
    return this.nodes.get(id) ?? null;
  }

  /** The one human to whom all these nodes belong; `null` if they are nobody's, or not one's. */
  humanOf(ids: readonly string[]): string | null {
    const [first, ...others] = new Set(ids.flatMap((id) => this.firstsOf(id)));
    const isOne = first !== undefined && others.length === 0;
    return isOne && this.nodes.get(first)?.label !== 'IdpGroup' ? first : null;
  }

  /** The other nodes that certainly belong to a human, and to nobody else, by their ids. */
  accountsOf(human: string): readonly N[] {
    const theirs = [...this.closure([human], this.after)].sort();
    return theirs.flatMap((id) =>
      id !== human && this.humanOf([id]) === human ? (this.nodes.get(id) ?? []) : [],
    );
  }

  /**
   * Who leads to a node, if nobody else leads to them: employees, users and groups. Without such,
   * identities count that nobody is known by. Of those who lead to each other, the one with the
   * smallest id counts.
   */
  private firstsOf(id: string): readonly string[] {
    const users = this.usersAbove(id);
    if (users.length > 0) {
      return [...new Set(users.flatMap((user) => this.firstUserOf(user) ?? []))];
    }
    const counted = new Set(
      [...this.above(id)].filter((node) => node === id || this.joinsAccounts(node)),
    );
    const firsts = [...counted].flatMap(
      (node) =>
        this.firstOf(
          node,
          [...this.above(node)].filter((each) => counted.has(each)),
        ) ?? [],
    );
    return [...new Set(firsts)];
  }

  /** The users, employees and groups who lead to a node, itself among them if it is one. */
  private usersAbove(id: string): readonly string[] {
    return [...this.above(id)].filter((node) => isUser(this.nodes.get(node)?.label ?? ''));
  }

  /** The same for a user, in every question: each user above them is above all that they lead to. */
  private firstUserOf(user: string): string | null {
    const known = this.firsts.get(user);
    if (known !== undefined) return known;
    const first = this.firstOf(user, this.usersAbove(user));
    this.firsts.set(user, first);
    return first;
  }

  /** The smallest id of those `leading` to a node if it leads to all of them too; `null` if not. */
  private firstOf(node: string, leading: readonly string[]): string | null {
    if (!leading.every((other) => this.above(other).has(node))) return null;
    return [...leading].sort()[0] ?? node;
  }

  /** Without a user, an address joins accounts of several applications. A bare name does not. */
  private joinsAccounts(identity: string): boolean {
    const accounts = this.after.get(identity) ?? [];
    return accounts.length === 1 || this.nodes.get(identity)?.name.includes('@') === true;
  }

  private above(id: string): ReadonlySet<string> {
    const known = this.known.get(id) ?? this.closure([id], this.before);
    this.known.set(id, known);
    return known;
  }

  private closure(
    starts: readonly string[],
    along: ReadonlyMap<string, readonly string[]>,
  ): ReadonlySet<string> {
    const found = new Set(starts);
    // A loop over a set also visits what is added to the set during the loop.
    for (const node of found) for (const next of along.get(node) ?? []) found.add(next);
    return found;
  }
}
