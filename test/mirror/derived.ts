import type { Graph, Node, Relationship, Values } from './graph';
import { tagTarget, sharedNode } from './stated-links';
import { fold, nfc } from './text';
import { mayClaim, means, type Trusts } from './trusts';
import type { ToldWarning } from './warnings';

/**
 * The name of the tag and of the relationship that mark what a resource manager manages
 * (docs/rules.md: Derived relationships).
 */
const resourceManagers = 'SYSTEM_resource_managers';

/** The labels that name principals in a node type (docs/rules.md: Derived relationships). */
const principalLabels = new Set([
  'LocalUser',
  'LocalGroup',
  'LocalRole',
  'LocalAgent',
  'AccessCredential',
  'IdpUser',
  'IdpGroup',
]);

/** All that nobody states: derived relationships, and the tags that they bring (docs/rules.md: Derived relationships, Shared nodes). */
export function derivedFrom(stated: Graph, trusts: Trusts = new Map()): Graph {
  const resolved = resolvesTo(stated);
  const managed = managers(stated, resolved, trusts);
  return {
    nodes: managed.nodes,
    relationships: [
      ...knownAs(stated, trusts),
      ...sourceIdentityOf(stated, trusts),
      ...managedBy(stated),
      ...hasAccount(stated, trusts),
      ...actsAs(stated),
      ...resolved,
      ...managed.relationships,
    ],
  };
}

/** The identity equals the entity's name, email or identity (docs/rules.md: Derived relationships). */
function knownAs(graph: Graph, trusts: Trusts): readonly Relationship[] {
  const logins = (one: Node): readonly string[] =>
    one.label === 'IdpUser'
      ? texts(one, 'name', 'email', 'identity')
      : texts(one, 'name', 'identity');
  return pairs(
    graph.nodes.filter(({ label }) => label === 'IdpUser' || label === 'IdpGroup'),
    graph.nodes.filter(({ label }) => label === 'Identity'),
    (entity, identity) =>
      foldedIncludes(logins(entity), text(identity, 'name')) &&
      mayClaim(trusts, providerOf(entity), text(identity, 'name') ?? ''),
    'KNOWN_AS',
  );
}

/** The first is the one that the second names in `source_identity` (docs/rules.md: Derived relationships). */
function sourceIdentityOf(graph: Graph, trusts: Trusts): readonly Relationship[] {
  return (['IdpUser', 'IdpGroup'] as const).flatMap((kind) => {
    const principals = graph.nodes.filter(({ label }) => label === kind);
    return pairs(
      principals,
      principals,
      (source, namer) =>
        source.properties.data_source !== namer.properties.data_source &&
        isSame(idOf(source), text(namer, 'source_identity')) &&
        isOfProviderType(source, text(namer, 'source_identity_provider_type')) &&
        mayJoin(trusts, namer, source, text(namer, 'source_identity') ?? ''),
      'SOURCE_IDENTITY_OF',
    );
  });
}

/** `custom` and `any` match any provider, the named types one whose `idp_type` is alike (docs/rules.md: Derived relationships). */
function isOfProviderType(source: Node, providerType: string | null): boolean {
  if (providerType === null) return false;
  if (providerType === 'custom' || providerType === 'any') return true;
  return bare(text(source, 'idp_type') ?? '') === bare(providerType);
}

function bare(type: string): string {
  return fold(type).replaceAll(/[_\- ]/g, '');
}

/** `manager_id` is the other's id, in the same data source (docs/rules.md: Derived relationships). */
function managedBy(graph: Graph): readonly Relationship[] {
  const users = graph.nodes.filter(({ label }) => label === 'IdpUser');
  return pairs(
    users,
    users,
    (user, manager) =>
      user !== manager &&
      user.properties.data_source === manager.properties.data_source &&
      isSame(idOf(manager), text(user, 'manager_id')),
    'MANAGED_BY',
  );
}

/**
 * An employee's `idp_id`, else `email`, else id, is the user's id or email. By the id alone a name must be the same too
 * (docs/rules.md: HRIS; docs/rules.md: Derived relationships).
 */
function hasAccount(graph: Graph, trusts: Trusts): readonly Relationship[] {
  return pairs(
    graph.nodes.filter(({ label }) => label === 'Employee'),
    graph.nodes.filter(({ label }) => label === 'IdpUser'),
    (employee, user) =>
      foldedIncludes(
        [idOf(user) ?? '', ...texts(user, 'email')],
        texts(employee, 'idp_id', 'email', 'id')[0] ?? null,
      ) &&
      (texts(employee, 'idp_id', 'email').length > 0 || haveCommonName(employee, user)) &&
      mayJoin(trusts, employee, user, texts(employee, 'idp_id', 'email', 'id')[0] ?? ''),
    'HAS_ACCOUNT',
  );
}

/** Warnings about employees, of some rows, whose bare id is that of a user with another name (docs/rules.md: Derived relationships). */
export function doubtfulAccounts(
  { nodes, relationships }: Graph,
  trusts: Trusts,
  rows: ReadonlySet<string>,
): readonly ToldWarning[] {
  const users = nodes.filter(({ label }) => label === 'IdpUser');
  const isJoined = (key: string): boolean =>
    relationships.some(({ type, from }) => type === 'HAS_ACCOUNT' && from.key === key);
  return nodes
    .filter(({ label, key }) => label === 'Employee' && rows.has(key) && !isJoined(key))
    .filter((employee) => texts(employee, 'idp_id', 'email').length === 0)
    .flatMap((employee): readonly ToldWarning[] => {
      const id = text(employee, 'id') ?? '';
      const namesakes = users.filter((user) =>
        foldedIncludes([idOf(user) ?? '', ...texts(user, 'email')], id),
      );
      if (!namesakes.some((user) => mayJoin(trusts, employee, user, id))) return [];
      const name = JSON.stringify(text(employee, 'name') ?? '');
      const message = `A directory has a user with the id ${JSON.stringify(id)} and another name, so they are not joined: send idp_id or email (employee ${name})`;
      return [{ message, code: 'DOUBTFUL_ACCOUNT', pointer: '' }];
    });
}

/** Whether trusts let one row mean another by a text (docs/rules.md: Trusts). */
function mayJoin(trusts: Trusts, namer: Node, named: Node, by: string): boolean {
  const [from, to] = [providerOf(namer), providerOf(named)];
  return mayClaim(trusts, from, by) && mayClaim(trusts, to, by) && means(trusts, from, to);
}

function providerOf(one: Node): string {
  return text(one, 'provider') ?? '';
}

function haveCommonName(employee: Node, user: Node): boolean {
  const known = texts(user, 'name', 'full_name');
  return texts(employee, 'name', 'display_full_name').some((name) => foldedIncludes(known, name));
}

/** The role one of whose ids, or whose name, is that ARN, exactly (docs/rules.md: Derived relationships, Keys). */
function actsAs(graph: Graph): readonly Relationship[] {
  return pairs(
    graph.nodes.filter(({ label }) => label === 'CloudRole'),
    graph.nodes.filter(({ label }) => label === 'LocalRole'),
    (cloudRole, role) =>
      texts(role, 'unique_id', 'id', 'name').includes(text(cloudRole, 'arn') ?? ''),
    'ACTS_AS',
  );
}

/** What `entities_owned` and `connections` name, across all data sources (docs/rules.md: Derived relationships). */
function resolvesTo(graph: Graph): readonly Relationship[] {
  const idPaths = new Map(
    graph.nodes
      .filter(({ label }) => label === 'Resource')
      .map((resource) => [resource.key, idPathOf(resource, graph)]),
  );
  return pairs(
    graph.nodes.filter(({ label }) => label === 'ExternalEntity'),
    graph.nodes.filter(
      ({ label }) => label === 'Resource' || label === 'Application' || principalLabels.has(label),
    ),
    (external, target) => {
      const type = text(external, 'node_type') ?? '';
      const id = text(external, 'id') ?? '';
      if (target.label === 'Resource') {
        return (
          resourceTypes(target).some((spelling) => isSame(spelling, type)) &&
          foldedIncludes([...resourceIds(target), idPaths.get(target.key) ?? ''], id)
        );
      }
      if (target.label === 'Application') {
        const types = ['Application', text(target, 'application_type') ?? ''];
        return foldedIncludes(types, type) && isSame(text(target, 'name'), id);
      }
      const isNamed = foldedIncludes(principalIds(target), id);
      const isArnOfRole = target.label === 'LocalRole' && id.startsWith('arn:');
      return isNamed && (isSame(target.label, type) || isArnOfRole);
    },
    'RESOLVES_TO',
  );
}

/** A resource's type, bare and in both long forms (docs/rules.md: Derived relationships). */
function resourceTypes(resource: Node): readonly string[] {
  const type = text(resource, 'resource_type') ?? '';
  const long = `OAA.${text(resource, 'application_type') ?? ''}.${type}`;
  return [type, `${long}.Resource`, `${long}.SubResource`];
}

/** A resource's id, or its name if it has no id, and its path by names (docs/rules.md: Derived relationships). */
function resourceIds(resource: Node): readonly string[] {
  const id = texts(resource, 'id');
  return [...(id.length > 0 ? id : texts(resource, 'name')), ...texts(resource, 'path')];
}

/** A resource's path with the id of each step that has one (docs/rules.md: References). */
function idPathOf(resource: Node, graph: Graph): string {
  const own = text(resource, 'id') ?? text(resource, 'name') ?? '';
  const above = graph.relationships.find(
    ({ type, from, to }) =>
      type === 'CONTAINS' && from.label === 'Resource' && to.key === resource.key,
  );
  const parent = graph.nodes.find(({ key }) => key === above?.from.key);
  return parent === undefined ? own : `${idPathOf(parent, graph)}.${own}`;
}

/** Any id of a principal, or its name (docs/rules.md: Derived relationships). */
function principalIds(principal: Node): readonly string[] {
  return texts(principal, 'identity', 'unique_id', 'id', 'name');
}

/** SYSTEM_resource_managers from what is owned to its owners, and the tag beside it (docs/rules.md: Derived relationships). */
function managers(stated: Graph, resolved: readonly Relationship[], trusts: Trusts): Graph {
  const byKey = new Map(stated.nodes.map((one) => [one.key, one]));
  const isMeant = (target: string, owner: string): boolean => {
    const [managed, manager] = [byKey.get(target), byKey.get(owner)];
    if (managed === undefined || manager === undefined) return true;
    return means(trusts, providerOf(managed), providerOf(manager));
  };
  const owned = stated.relationships.filter(({ type }) => type === 'OWNS');
  const found = owned.flatMap(({ from: owner, to: external }) =>
    resolved
      .filter(({ from, to }) => from.key === external.key && isManaged(to.label))
      .filter(({ to }) => isMeant(to.key, owner.key))
      .map(({ to: target }) => ({ target, owner })),
  );
  const derived = found.flatMap(({ target, owner }) => {
    const node = stated.nodes.find(({ key }) => key === owner.key);
    const tag = tagTarget({
      name: resourceManagers,
      value: node === undefined ? '' : (idOf(node) ?? ''),
    });
    const managed: Relationship = {
      type: resourceManagers,
      from: target,
      to: owner,
      properties: {},
    };
    const tagged: Relationship = {
      type: 'TAGGED',
      from: target,
      to: { label: tag.label, key: tag.key },
      properties: { derived: true },
    };
    return [{ tag: sharedNode(tag), relationships: [managed, tagged] }];
  });
  return {
    nodes: derived.map(({ tag }) => tag).filter((tag) => tag !== null),
    relationships: derived.flatMap(({ relationships }) => relationships),
  };
}

function isManaged(label: string): boolean {
  return label === 'Resource' || label === 'Application';
}

/** An identity provider principal's own id (docs/rules.md: Keys). */
function idOf(principal: Node): string | null {
  return text(principal, 'identity') ?? text(principal, 'name');
}

function pairs(
  froms: readonly Node[],
  tos: readonly Node[],
  binds: (from: Node, to: Node) => boolean,
  type: string,
): readonly Relationship[] {
  const end = ({ label, key }: Node) => ({ label, key });
  const properties: Values = {};
  return froms.flatMap((from) =>
    tos
      .filter((to) => binds(from, to))
      .map((to) => ({ type, from: end(from), to: end(to), properties })),
  );
}

function text({ properties }: Node, name: string): string | null {
  const value = properties[name];
  return typeof value === 'string' ? nfc(value) : null;
}

function texts(one: Node, ...names: readonly string[]): readonly string[] {
  return names.map((name) => text(one, name)).filter((value) => value !== null);
}

function isSame(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && fold(a) === fold(b);
}

function foldedIncludes(among: readonly string[], wanted: string | null): boolean {
  return among.some((one) => isSame(one, wanted));
}
