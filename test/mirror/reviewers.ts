import type { Graph, Node, Relationship } from './graph';

const BEHIND = ['KNOWN_AS', 'IDENTITY_OF', 'HAS_CREDENTIAL'];
const FAR = 1_000;

/** Why somebody should review, and how far away they are. */
interface Reason {
  readonly reviewer: string;
  readonly type: string;
  readonly of: string;
  readonly distance: number;
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isInactive = (node: Node | undefined): boolean => node?.properties.is_active === false;

const nameOf = (node: Node | undefined): string => {
  const name = node?.properties.name;
  return typeof name === 'string' ? name : '';
};

/** Who should review the access of principals, or the access to a place (docs/rules.md: Reviewers). */
export class Reviewers {
  private readonly nodes: ReadonlyMap<string, Node>;

  constructor(private readonly graph: Graph) {
    this.nodes = new Map(graph.nodes.map((node) => [node.key, node]));
  }

  ofPrincipals(keys: readonly string[]): readonly string[] {
    const people = keys.flatMap((who) => this.all(who, BEHIND));
    return this.inOrder(keys, [
      ...people.flatMap((person) => this.managersOf(person, keys.includes(person) ? 0 : 1)),
      ...keys.flatMap((who) => [...this.ownersOf(who, 0), ...this.owningByName(who)]),
    ]);
  }

  ofPlace(key: string): readonly string[] {
    const places = this.all(key, ['CONTAINS']);
    const reasons = places.flatMap((place, distance) => [
      ...this.ownersOf(place, distance),
      ...this.to(place, 'SYSTEM_resource_managers')
        .filter(({ to }) => ['IdpUser', 'IdpGroup'].includes(to.label))
        .map(({ type, to }): Reason => ({ reviewer: to.key, type, of: place, distance })),
    ]);
    return this.inOrder([key], reasons);
  }

  /** Each reviewer as a line, in order, with their reasons. */
  private inOrder(own: readonly string[], first: readonly Reason[]): readonly string[] {
    const gone = new Set(first.map(({ reviewer }) => reviewer));
    const instead = [...gone]
      .filter((key) => isInactive(this.nodes.get(key)))
      .flatMap((key) => this.managersOf(key, FAR));
    const found = new Map<string, Reason[]>();
    for (const reason of [...first, ...instead]) {
      if (own.includes(reason.reviewer)) continue;
      found.set(reason.reviewer, [...(found.get(reason.reviewer) ?? []), reason]);
    }
    return [...found]
      .map(([key, reasons]) => ({
        key,
        node: this.nodes.get(key),
        distance: Math.min(...reasons.map(({ distance }) => distance)),
        lines: [...new Set(reasons.map(({ type, of, distance }) => `${type} ${of} ${distance}`))],
      }))
      .sort(
        (a, b) =>
          Number(isInactive(a.node)) - Number(isInactive(b.node)) ||
          a.distance - b.distance ||
          byCodeUnits(nameOf(a.node), nameOf(b.node)) ||
          byCodeUnits(a.key, b.key),
      )
      .map(({ key, lines }) => `${key}: ${lines.sort().join(', ')}`);
  }

  private managersOf(person: string, distance: number): readonly Reason[] {
    if (distance < FAR && this.nodes.get(person)?.label !== 'IdpUser') return [];
    return this.to(person, 'MANAGED_BY')
      .filter(({ to }) => to.label === 'IdpUser')
      .map(({ to }) => ({ reviewer: to.key, type: 'manager', of: person, distance }));
  }

  private ownersOf(of: string, distance: number): readonly Reason[] {
    return this.to(of, 'OWNED_BY').flatMap(({ to: identity }) => {
      const people = this.leadingTo(identity.key, 'KNOWN_AS')
        .filter(({ from }) => ['IdpUser', 'IdpGroup'].includes(from.label))
        .map(({ from }) => from.key);
      return (people.length === 0 ? [identity.key] : people).map((reviewer) => ({
        reviewer,
        type: 'owner',
        of,
        distance,
      }));
    });
  }

  private owningByName(who: string): readonly Reason[] {
    return this.leadingTo(who, 'RESOLVES_TO').flatMap(({ from: name }) =>
      this.leadingTo(name.key, 'OWNS').map(({ from }) => ({
        reviewer: from.key,
        type: 'entities_owned',
        of: who,
        distance: 0,
      })),
    );
  }

  private to(key: string, type: string): readonly Relationship[] {
    return this.graph.relationships.filter((one) => one.type === type && one.from.key === key);
  }

  private leadingTo(key: string, type: string): readonly Relationship[] {
    return this.graph.relationships.filter((one) => one.type === type && one.to.key === key);
  }

  /** A node, and all that lead to it, the nearest first. */
  private all(key: string, types: readonly string[]): readonly string[] {
    const met = new Set([key]);
    for (const each of met) {
      for (const type of types) {
        for (const one of this.leadingTo(each, type)) met.add(one.from.key);
      }
    }
    return [...met];
  }
}
