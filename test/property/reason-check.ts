import type { Reason } from '../../src/questions/access/explanation/reasons';
import type { Graph, Node } from '../mirror/graph';
import { fold } from '../mirror/text';

/** A relationship as it stands in Neo4j. */
export interface Line {
  readonly from: string;
  readonly type: string;
  readonly to: string;
}

const gain = new Set([
  'MEMBER_OF',
  'KNOWN_AS',
  'IDENTITY_OF',
  'SOURCE_IDENTITY_OF',
  'HAS_ACCOUNT',
  'HAS_CREDENTIAL',
  'HOLDS',
  'OF',
  'ASSIGNED_TO',
  'ASSUMES_ROLE',
  'ACTS_AS',
  'INCLUDES',
]);

/** Follows reasons hop by hop in the mirror's graph (docs/rules.md: Effective access). */
export class ReasonCheck {
  private readonly nodes: ReadonlyMap<string, Node>;
  private readonly standing: ReadonlySet<string>;

  constructor(
    { nodes, relationships }: Graph,
    private readonly lines: ReadonlyMap<string, Line>,
  ) {
    this.nodes = new Map(nodes.map((node) => [node.key, node]));
    this.standing = new Set(
      relationships.map(({ type, from, to }) => textOf({ type, from: from.key, to: to.key })),
    );
  }

  /** What reasons give, each looked at; shortest first. */
  permissionsOf(reasons: readonly Reason[], who: Node, what: Node): readonly string[] {
    const lengths = reasons.map(({ hops }) => hops.length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    const told = reasons.map((reason) => JSON.stringify(reason));
    expect(new Set(told).size).toBe(told.length);
    return [...new Set(reasons.map((reason) => this.permissionOf(reason, who, what)))].sort();
  }

  private permissionOf({ hops, scope }: Reason, who: Node, what: Node): string {
    expect(hops.length).toBeLessThanOrEqual(16);
    const way = this.follow(hops, who);
    const permission = way.at(-1) ?? who;
    expect(permission.label).toBe('Permission');
    // The last thing held on the way is what gives the permission.
    const at = way.findLastIndex(({ labels }) => labels.includes('Entitlement'));
    const held = way[at] ?? who;
    const types = hops.map((id) => this.line(id).type);
    const connected = who.label === 'Resource' ? ['CONNECTS_TO', 'RESOLVES_TO'] : [];
    expect(types.slice(0, connected.length)).toEqual(connected);
    const gained = types.slice(connected.length, at + 1);
    expect(gained.filter((type) => !gain.has(type))).toEqual([]);
    expect(types.slice(at + 1).join(' ')).toMatch(
      held.label === 'Grant' ? /^OF$/ : /^OF( INCLUDES)* ALLOWS$/,
    );

    const places = this.follow(scope, held);
    const [on] = places;
    expect(places.at(-1)).toBe(what);
    expect(scope.map((id) => this.line(id).type).join(' ')).toMatch(/^ON( CONTAINS)*$/);
    this.expectToHold(held, permission, on ?? held, what);
    const { name, permission_type } = permission.properties;
    return JSON.stringify([name, permission_type]);
  }

  /** Scope and inheritance, then the filters. */
  private expectToHold(held: Node, permission: Node, on: Node, what: Node): void {
    const { apply_to_sub_resources, resource_type, application_types } = permission.properties;
    const isRole = held.label === 'RoleAssignment';
    if (on !== what && !(isRole && on.label === 'Application')) {
      expect(apply_to_sub_resources).toBe(true);
    }
    if (isRole && resource_type !== undefined) {
      expect(folded(resource_type)).toBe(folded(what.properties.resource_type));
    }
    if (Array.isArray(application_types)) {
      expect(application_types.map(fold)).toContain(folded(what.properties.application_type));
    }
  }

  /** The nodes that relationships lead to, one after the other. */
  private follow(ids: readonly string[], start: Node): readonly Node[] {
    let at = start;
    return ids.map((id) => {
      const line = this.line(id);
      expect(line.from).toBe(at.key);
      expect(this.standing).toContain(textOf(line));
      const next = this.nodes.get(line.to);
      if (next === undefined) throw new Error(`${line.to} is not in the mirror.`);
      at = next;
      return next;
    });
  }

  private line(id: string): Line {
    const line = this.lines.get(id);
    if (line === undefined) throw new Error(`There is no relationship ${id}.`);
    return line;
  }
}

function textOf({ from, type, to }: Line): string {
  return JSON.stringify([from, type, to]);
}

function folded(value: unknown): string | null {
  return typeof value === 'string' ? fold(value) : null;
}
