import type { Access } from './access';
import type { Graph, Node } from './graph';

/** The people who have access to something, by key, each with the identities and accounts of theirs that have it too. */
export function peopleWith(
  graph: Graph,
  access: Access,
  what: string,
): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map(graph.nodes.map((node) => [node.key, node]));
  const along = (type: string, from: string, to: string): ReadonlyMap<string, readonly Node[]> => {
    const found = new Map<string, Node[]>();
    for (const one of graph.relationships) {
      const target = byKey.get(one.to.key);
      if (one.type !== type || one.from.label !== from || one.to.label !== to) continue;
      if (target !== undefined)
        found.set(one.from.key, [...(found.get(one.from.key) ?? []), target]);
    }
    return found;
  };
  const identitiesOf = along('KNOWN_AS', 'IdpUser', 'Identity');
  const accountsOf = along('IDENTITY_OF', 'Identity', 'LocalUser');
  const usersOf = along('HAS_ACCOUNT', 'Employee', 'IdpUser');
  const keysIn = (all: ReadonlyMap<string, readonly Node[]>): ReadonlySet<string> =>
    new Set([...all.values()].flat().map(({ key }) => key));
  // Whom an employee stands for.
  const employed = keysIn(usersOf);
  const has = (key: string): boolean => (access.get(key)?.get(what)?.size ?? 0) > 0;
  const accountsOfUsers = new Set(
    [...keysIn(identitiesOf)].flatMap((key) => (accountsOf.get(key) ?? []).map((one) => one.key)),
  );
  // Groups are known as identities too.
  const known = new Set(
    graph.relationships.filter(({ type }) => type === 'KNOWN_AS').map(({ to }) => to.key),
  );
  const isPerson = ({ label, key, properties }: Node): boolean => {
    if (label === 'Employee') return true;
    if (label === 'IdpUser') return properties.identity_type !== 'NONHUMAN' && !employed.has(key);
    if (label === 'LocalUser')
      return properties.user_type !== 'service_account' && !accountsOfUsers.has(key);
    return label === 'Identity' && !known.has(key) && !accountsOf.has(key);
  };
  const belongings = ({ label, key }: Pick<Node, 'label' | 'key'>): readonly string[] => {
    if (label === 'Employee') {
      const users = usersOf.get(key) ?? [];
      return users.flatMap((user) => [user.key, ...belongings(user)]);
    }
    if (label === 'IdpUser') {
      const identities = (identitiesOf.get(key) ?? []).map((one) => one.key);
      return [
        ...identities,
        ...identities.flatMap((one) => (accountsOf.get(one) ?? []).map((account) => account.key)),
      ];
    }
    if (label !== 'LocalUser') return [];
    return [...accountsOf]
      .filter(([, accounts]) => accounts.some((one) => one.key === key))
      .map(([identity]) => identity);
  };
  return new Map(
    graph.nodes
      .filter((node) => isPerson(node) && has(node.key))
      .map((node) => [node.key, [...new Set(belongings(node))].filter(has).toSorted()]),
  );
}
