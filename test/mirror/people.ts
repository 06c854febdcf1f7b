import type { Access } from './access';
import type { Graph, Node } from './graph';

const JOINS = new Set(['HAS_ACCOUNT', 'SOURCE_IDENTITY_OF', 'KNOWN_AS', 'IDENTITY_OF']);
const GAINS = new Set([
  ...JOINS,
  'MEMBER_OF',
  'HAS_CREDENTIAL',
  'ASSIGNED_TO',
  'ASSUMES_ROLE',
  'ACTS_AS',
  'HOLDS',
  'OF',
  'INCLUDES',
]);

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Who can be whom (docs/rules.md: One human, Access answers). */
export class People {
  private readonly nodes: ReadonlyMap<string, Node>;
  private readonly joined = new Map<string, Set<string>>();
  private readonly gained = new Map<string, Set<string>>();
  private readonly named = new Map<string, Set<string>>();

  constructor(private readonly graph: Graph) {
    this.nodes = new Map(graph.nodes.map((node) => [node.key, node]));
    for (const { type, from, to } of graph.relationships) {
      if (JOINS.has(type)) note(this.joined, to.key, from.key);
      if (GAINS.has(type)) note(this.gained, to.key, from.key);
      if (type === 'IDENTITY_OF' && to.label === 'LocalUser') note(this.named, from.key, to.key);
    }
  }

  /** The people who have access to something, by key, each with those identities and accounts of theirs that have it too. */
  with(access: Access, what: string): ReadonlyMap<string, readonly string[]> {
    const holders = this.graph.nodes.filter(({ key }) => has(access, key, what));
    const having = new Set(holders.map(({ key }) => key));
    const people = holders.filter((node) => this.isPerson(node, having));
    return new Map(
      people.map(({ key }) => [
        key,
        holders
          .filter((other) => other.key !== key && this.peopleOf(other).has(key))
          .map((other) => other.key)
          .toSorted(),
      ]),
    );
  }

  /** Which of some humans are not employees: those without an employee, and who has left (docs/rules.md: Marks). */
  notEmployees(humans: readonly string[]): readonly string[] {
    const employees = this.graph.nodes.filter(({ label }) => label === 'Employee');
    const active = new Set(
      employees.filter(({ properties }) => properties.is_active !== false).map(({ key }) => key),
    );
    return employees.length === 0 ? [] : humans.filter((key) => !active.has(key));
  }

  /** Those who have access to something, and behind whom is no person. */
  nobodyBehind(access: Access, what: string): readonly string[] {
    const having = new Set(
      this.graph.nodes.map(({ key }) => key).filter((key) => has(access, key, what)),
    );
    // What an identity gives is all told in the lines of those who are known by it, or of accounts that have no less.
    const isOfOthers = (key: string): boolean => {
      if (this.nodes.get(key)?.label !== 'Identity') return false;
      if ((this.joined.get(key)?.size ?? 0) > 0) return true;
      const accounts = [...(this.named.get(key) ?? [])].filter((one) => having.has(one));
      const theirs = new Set(accounts.flatMap((one) => [...(access.get(one)?.get(what) ?? [])]));
      const own = access.get(key)?.get(what) ?? new Set();
      return accounts.length > 0 && [...own].every((permission) => theirs.has(permission));
    };
    return [...having]
      .filter(
        (key) => ![...leadingTo(this.gained, key)].some((other) => this.isSomebody(other, having)),
      )
      .filter((key) => !isOfOthers(key))
      .toSorted();
  }

  /** The human to whom a node certainly belongs: the key that gains all, and all other nodes of the human. */
  human(key: string): { readonly key: string; readonly accounts: readonly string[] } | null {
    const first = this.firstOf(key);
    if (first === null) return null;
    const accounts = this.graph.nodes.filter(
      (node) => node.key !== first && canBeHuman(node) && this.firstOf(node.key) === first,
    );
    return { key: first, accounts: accounts.map((node) => node.key).toSorted() };
  }

  /** Whether a node is there that can be a human's. */
  has(key: string): boolean {
    const node = this.nodes.get(key);
    return node !== undefined && canBeHuman(node);
  }

  /** The nodes whose human is one of these. */
  nodesOf(humans: ReadonlySet<string>): readonly string[] {
    return this.graph.nodes
      .map(({ key }) => key)
      .filter((key) => humans.has(this.human(key)?.key ?? ''));
  }

  /** The one to whom a node belongs, and who belongs to nobody else. */
  private firstOf(key: string): string | null {
    const node = this.nodes.get(key);
    if (node === undefined || !canBeHuman(node)) return null;
    const above = [...leadingTo(this.joined, key)];
    const users = above.filter((other) =>
      /^(Employee|Idp)/.test(this.nodes.get(other)?.label ?? ''),
    );
    const counted =
      users.length > 0
        ? users
        : above.filter((other) => {
            const accounts = this.graph.relationships.filter(
              ({ type, from, to }) =>
                type === 'IDENTITY_OF' && from.key === other && to.label === 'LocalUser',
            );
            const isAddress = other.startsWith('Identity|') && other.includes('@');
            return other === key || accounts.length === 1 || isAddress;
          });
    // Those who lead to each other are one; the first by key stands for them.
    const circles = counted.map((one) =>
      counted
        .filter((other) => this.leads(one, other) && this.leads(other, one))
        .toSorted(byCodeUnits),
    );
    const roots = circles.filter((circle) =>
      counted.every((other) => circle.includes(other) || !this.leads(other, circle[0] ?? '')),
    );
    const firsts = [...new Set(roots.map(([one = '']) => one))];
    const [first] = firsts;
    if (first === undefined || firsts.length > 1) return null;
    return this.nodes.get(first)?.label === 'IdpGroup' ? null : first;
  }

  private leads(from: string, to: string): boolean {
    return leadingTo(this.joined, to).has(from);
  }

  /** Whoever a node may be: itself, users and employees that lead to it, accounts that it names. */
  private peopleOf({ key, label }: Node): ReadonlySet<string> {
    const people = new Set([key, ...(this.named.get(key) ?? [])]);
    if (!['Identity', 'LocalUser', 'IdpUser'].includes(label)) return people;
    for (const other of leadingTo(this.joined, key)) {
      if (['IdpUser', 'Employee'].includes(this.nodes.get(other)?.label ?? '')) people.add(other);
    }
    return people;
  }

  /** Whether a node is a line of its own in a list of people, of whom all have access. */
  private isPerson(node: Node, having: ReadonlySet<string>): boolean {
    if (node.label !== 'IdpUser') return this.isSomebody(node.key, having);
    if (!this.isSomebody(node.key, having)) return false;
    const isBefore = (other: string): boolean => {
      const { label } = this.nodes.get(other) ?? {};
      if (label === 'Employee') return true;
      if (label !== 'IdpUser' || !this.isSomebody(other, having)) return false;
      return !this.leads(node.key, other) || byCodeUnits(other, node.key) < 0;
    };
    return ![...leadingTo(this.joined, node.key)].some(
      (other) => other !== node.key && isBefore(other),
    );
  }

  /** Whether there is a human of this node, or before it, in a list of those who have access. */
  private isSomebody(key: string, having: ReadonlySet<string>): boolean {
    const { label, properties = {} } = this.nodes.get(key) ?? {};
    if (label === 'Employee') return true;
    if (label === 'IdpUser') return properties.identity_type !== 'NONHUMAN';
    const before = [...(this.joined.get(key) ?? [])];
    if (label === 'Identity') {
      return (
        before.length === 0 && ![...(this.named.get(key) ?? [])].some((one) => having.has(one))
      );
    }
    if (label !== 'LocalUser' || properties.user_type === 'service_account') return false;
    return ![...leadingTo(this.joined, key)].some(
      (other) => this.nodes.get(other)?.label === 'IdpUser',
    );
  }
}

/** A human between two instants: what counts as theirs at each of them. */
export interface HumanOfPeriod {
  /** The node that stands for them, at the later instant if there is one then. */
  readonly key: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * The human whose node a key is, between two instants (docs/rules.md: One human). A node counts at the earlier one if its human
 * was one of their nodes then. The human of then goes on as that of later only if they are gone, and if the later one was nobody
 * else. `null` if it is nobody's.
 */
export function humanOfPeriod(from: People, to: People, key: string): HumanOfPeriod | null {
  const earlier = from.human(key);
  const known = earlier === null ? [key] : [key, earlier.key, ...earlier.accounts];
  const left = to.has(key) ? [key] : known.filter((node) => to.has(node));
  const humans = new Set(left.map((node) => to.human(node)?.key ?? null));
  const [only = null] = humans.size === 1 ? humans : [];
  if (left.length > 0 ? only === null : earlier === null) return null;
  const after = only === null ? [] : to.nodesOf(new Set([only]));
  const goesOn =
    earlier !== null &&
    !to.has(earlier.key) &&
    (only === null || !from.has(only) || from.human(only)?.key === earlier.key);
  const before = from.nodesOf(new Set([...after, ...(goesOn ? [earlier.key] : [])]));
  return { key: only ?? earlier?.key ?? key, before, after };
}

function canBeHuman({ label }: Node): boolean {
  return ['Employee', 'IdpUser', 'Identity', 'LocalUser'].includes(label);
}

function has(access: Access, key: string, what: string): boolean {
  return (access.get(key)?.get(what)?.size ?? 0) > 0;
}

function note(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value));
}

/** A node and all from which relationships lead to it. */
function leadingTo(before: ReadonlyMap<string, ReadonlySet<string>>, key: string): Set<string> {
  const found = new Set([key]);
  for (const node of found) for (const other of before.get(node) ?? []) found.add(other);
  return found;
}
