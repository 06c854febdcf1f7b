import type { Graph, Node } from './graph';
import { fold } from './text';

/** The rules of docs/rules.md: Effective access, each by a name, so that each can be left out. */
export const rules = [
  // What is gained along one relationship.
  'MEMBER_OF',
  'KNOWN_AS',
  'IDENTITY_OF',
  'SOURCE_IDENTITY_OF',
  'HAS_ACCOUNT',
  'HAS_CREDENTIAL',
  'ASSIGNED_TO',
  'ASSUMES_ROLE',
  'ACTS_AS',
  'role as holder',
  'included role as holder',
  // What is held, and where.
  'grant',
  'grant on application',
  'role assignment',
  'permissions of included roles',
  'role on whole application',
  'inheritance from resources',
  'inheritance from application',
  // What is kept from holding.
  'typed permissions through roles',
  'types ignored in grants',
  'application_type',
  'types compared folded',
  // Who answers.
  'connections',
  'inactive keep access',
] as const;

/** A rule of docs/rules.md: Effective access. */
export type Rule = (typeof rules)[number];

/** Who → on what → the permissions held there, each with its canonical types. */
export type Access = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Effective access of every principal and connected resource, by key (docs/rules.md: Effective access). */
export function effectiveAccess(graph: Graph, among: ReadonlySet<Rule> = new Set(rules)): Access {
  return accessIn(new GraphReader(graph), (rule) => among.has(rule));
}

/**
 * The same where what a resource or application contains counts too: who → on what → the
 * permissions held on it or on something in it (docs/rules.md: Access answers).
 */
export function accessWithContents({ relationships }: Graph, access: Access): Access {
  const around = new Map<string, string[]>();
  for (const { type, from, to } of relationships) {
    if (type === 'CONTAINS') around.set(to.key, [...(around.get(to.key) ?? []), from.key]);
  }
  const withAll = (what: string): ReadonlySet<string> => {
    const found = new Set([what]);
    for (const key of found) for (const outer of around.get(key) ?? []) found.add(outer);
    return found;
  };
  return new Map(
    [...access].map(([who, held]) => {
      const counted = new Map<string, Set<string>>();
      for (const [what, permissions] of held) {
        for (const place of withAll(what)) {
          counted.set(place, new Set([...(counted.get(place) ?? []), ...permissions]));
        }
      }
      return [who, counted];
    }),
  );
}

/** For each rule, how many answers change when it alone is left out. */
export function answersThatChange(graph: Graph): ReadonlyMap<Rule, number> {
  const reader = new GraphReader(graph);
  const all = accessIn(reader, () => true);
  return new Map(
    rules.map((left) => [
      left,
      differentAnswers(
        all,
        accessIn(reader, (rule) => rule !== left),
      ),
    ]),
  );
}

/** How many (who, on what) pairs have different answers. */
function differentAnswers(a: Access, b: Access): number {
  const differing = [...new Set([...a.keys(), ...b.keys()])].map((who) => {
    const [ofA, ofB] = [a.get(who), b.get(who)];
    return [...new Set([...(ofA?.keys() ?? []), ...(ofB?.keys() ?? [])])].filter(
      (what) => !isSameSet(ofA?.get(what) ?? new Set(), ofB?.get(what) ?? new Set()),
    ).length;
  });
  return differing.reduce((sum, count) => sum + count, 0);
}

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((one) => b.has(one));
}

type Has = (rule: Rule) => boolean;
type Answer = Map<string, Set<string>>;

function accessIn(graph: GraphReader, has: Has): Access {
  const holdings = new Map<Node, Answer>();
  const holdingsOf = (holder: Node): Answer => {
    const known = holdings.get(holder) ?? heldBy(holder, graph, has);
    holdings.set(holder, known);
    return known;
  };
  const accessOf = (principal: Node): Answer =>
    principal.properties.is_active === false && !has('inactive keep access')
      ? unite([])
      : unite([...reached(principal, graph, has)].map(holdingsOf));

  const principals = graph.nodes.filter((node) => node.labels.includes('Principal'));
  const answers = new Map(principals.map((principal) => [principal.key, accessOf(principal)]));
  if (!has('connections')) return answers;
  for (const resource of graph.nodes.filter(({ label }) => label === 'Resource')) {
    const connected = connectedPrincipals(resource, graph);
    if (connected.length > 0) {
      answers.set(resource.key, unite(connected.map(({ key }) => answers.get(key) ?? unite([]))));
    }
  }
  return answers;
}

/** A permission or a role that a grant or an assignment gives on one place, and what that is in effect. */
export interface Given {
  readonly on: Node;
  readonly given: Node;
  /** On what → the permissions held there, each with its canonical types. */
  readonly rights: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What a grant or an assignment gives, for each thing that it is of and each place that it is on. */
export function givenBy(held: Node, graph: GraphReader): readonly Given[] {
  const has: Has = () => true;
  return graph.to(held, 'OF').flatMap((given) =>
    graph.to(held, 'ON').map((on) => {
      const rights: Answer = new Map();
      for (const permission of permissionsIn(held, given, graph, has)) {
        for (const target of targetsOn(held, permission, on, graph, has)) {
          add(rights, target, permission);
        }
      }
      return { on, given, rights };
    }),
  );
}

/** What one node holds itself: its grants, and what the roles assigned to it allow. */
function heldBy(holder: Node, graph: GraphReader, has: Has): Answer {
  const answer: Answer = new Map();
  for (const held of graph.to(holder, 'HOLDS')) {
    for (const permission of permissionsOf(held, graph, has)) {
      for (const target of targets(held, permission, graph, has)) {
        add(answer, target, permission);
      }
    }
  }
  return answer;
}

/** Every node that a principal reaches along what gives it more (docs/rules.md: Effective access). */
function reached(principal: Node, graph: GraphReader, has: Has): ReadonlySet<Node> {
  return closure([principal], (node) => gained(node, graph, has));
}

/** What a node gains in one step. */
export function gained(node: Node, graph: GraphReader, has: Has = () => true): readonly Node[] {
  const along = (rule: Rule, type: string): readonly Node[] =>
    has(rule) ? graph.to(node, type) : [];
  return [
    ...along('MEMBER_OF', 'MEMBER_OF'),
    ...along('KNOWN_AS', 'KNOWN_AS'),
    ...along('IDENTITY_OF', 'IDENTITY_OF'),
    ...along('SOURCE_IDENTITY_OF', 'SOURCE_IDENTITY_OF'),
    ...along('HAS_ACCOUNT', 'HAS_ACCOUNT'),
    ...along('HAS_CREDENTIAL', 'HAS_CREDENTIAL'),
    ...along('ASSIGNED_TO', 'ASSIGNED_TO'),
    ...along('ASSUMES_ROLE', 'ASSUMES_ROLE'),
    ...along('ACTS_AS', 'ACTS_AS'),
    ...along('included role as holder', 'INCLUDES'),
    // HOLDS then OF, to a role: everyone who holds an assignment of it, on whatever scope.
    ...along('role as holder', 'HOLDS')
      .filter(({ label }) => label === 'RoleAssignment')
      .flatMap((assignment) => graph.to(assignment, 'OF')),
  ];
}

/** A grant's permission; what an assignment's role and those included in it allow. */
function permissionsOf(held: Node, graph: GraphReader, has: Has): readonly Node[] {
  return graph.to(held, 'OF').flatMap((given) => permissionsIn(held, given, graph, has));
}

/** The permissions in one thing that a grant or an assignment is of. */
function permissionsIn(held: Node, given: Node, graph: GraphReader, has: Has): readonly Node[] {
  if (held.label === 'Grant') return has('grant') ? [given] : [];
  if (!has('role assignment')) return [];
  const roles = closure([given], (role) =>
    has('permissions of included roles') ? graph.to(role, 'INCLUDES') : [],
  );
  return [...roles].flatMap((role) => graph.to(role, 'ALLOWS'));
}

/** Where a permission holds: scope and inheritance first, then the filters. */
function targets(held: Node, permission: Node, graph: GraphReader, has: Has): readonly Node[] {
  return graph.to(held, 'ON').flatMap((on) => targetsOn(held, permission, on, graph, has));
}

/** Where a permission on one place holds. */
function targetsOn(
  held: Node,
  permission: Node,
  on: Node,
  graph: GraphReader,
  has: Has,
): readonly Node[] {
  if (held.label === 'Grant' && on.label === 'Application' && !has('grant on application')) {
    return [];
  }
  return [on, ...(spreads(held, permission, on, has) ? contents(on, graph) : [])]
    .filter((target) => isOfType(held, permission, target, has))
    .filter((target) => isOfApplicationType(permission, target, has));
}

/** Whether a permission on a scope also holds on all that the scope contains. */
function spreads(held: Node, permission: Node, on: Node, has: Has): boolean {
  const isInherited = permission.properties.apply_to_sub_resources === true;
  if (on.label === 'Resource') return isInherited && has('inheritance from resources');
  return (
    (isInherited && has('inheritance from application')) ||
    (held.label === 'RoleAssignment' && has('role on whole application'))
  );
}

function contents(on: Node, graph: GraphReader): readonly Node[] {
  const inside = closure(graph.to(on, 'CONTAINS'), (node) => graph.to(node, 'CONTAINS'));
  return [...inside];
}

/** Through a role a typed permission holds on resources of its type only; granted directly, anywhere. */
function isOfType(held: Node, permission: Node, target: Node, has: Has): boolean {
  const type = permission.properties.resource_type;
  if (typeof type !== 'string') return true;
  if (held.label === 'Grant' && has('types ignored in grants')) return true;
  if (held.label === 'RoleAssignment' && !has('typed permissions through roles')) return true;
  return isSameType(type, target.properties.resource_type, has);
}

/** A permission with application types holds in applications of a listed type only. */
function isOfApplicationType(permission: Node, target: Node, has: Has): boolean {
  const types = permission.properties.application_types;
  if (!Array.isArray(types) || !has('application_type')) return true;
  return types.some((type) => isSameType(type, target.properties.application_type, has));
}

function isSameType(a: unknown, b: unknown, has: Has): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  return has('types compared folded') ? fold(a) === fold(b) : a === b;
}

/** The principals that a resource connects to, one step. */
export function connectedPrincipals(resource: Node, graph: GraphReader): readonly Node[] {
  return graph
    .to(resource, 'CONNECTS_TO')
    .flatMap((external) => graph.to(external, 'RESOLVES_TO'))
    .filter(({ labels }) => labels.includes('Principal'));
}

function add(answer: Answer, target: Node, { properties }: Node): void {
  const permissions = answer.get(target.key) ?? new Set();
  permissions.add(JSON.stringify([properties.name, properties.permission_type]));
  answer.set(target.key, permissions);
}

function unite(answers: readonly Answer[]): Answer {
  const all: Answer = new Map();
  for (const answer of answers) {
    for (const [target, permissions] of answer) {
      const united = all.get(target) ?? new Set();
      for (const permission of permissions) united.add(permission);
      all.set(target, united);
    }
  }
  return all;
}

/** The starts and all that steps lead to from them, each once. */
export function closure(
  starts: readonly Node[],
  step: (node: Node) => readonly Node[],
): ReadonlySet<Node> {
  const found = new Set(starts);
  // A set visits what is added while it is walked.
  for (const node of found) {
    for (const next of step(node)) found.add(next);
  }
  return found;
}

/** A graph by what leads where. */
export class GraphReader {
  readonly nodes: readonly Node[];
  private readonly targets = new Map<string, Map<Node, Node[]>>();

  constructor({ nodes, relationships }: Graph) {
    this.nodes = nodes;
    const byKey = new Map(nodes.map((node) => [node.key, node]));
    for (const { type, from, to } of relationships) {
      const source = byKey.get(from.key);
      const target = byKey.get(to.key);
      if (source === undefined || target === undefined) continue;
      const ofType = this.targets.get(type) ?? new Map<Node, Node[]>();
      this.targets.set(type, ofType.set(source, [...(ofType.get(source) ?? []), target]));
    }
  }

  /** The nodes that relationships of a type lead to. */
  to(node: Node, type: string): readonly Node[] {
    return this.targets.get(type)?.get(node) ?? [];
  }
}
