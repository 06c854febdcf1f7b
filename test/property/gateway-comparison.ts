import type { ServiceUnderTest } from '../http/service-under-test';
import { type Access, accessWithContents, effectiveAccess } from '../mirror/access';
import type { Graph, Node } from '../mirror/graph';
import type { People } from '../mirror/people';

interface Answer {
  readonly people: number;
  readonly direct?: number;
  readonly values: readonly (Readonly<Record<'id', string>> & {
    readonly people?: number;
    readonly lost?: readonly Held[];
    readonly left?: readonly Held[];
  })[];
}

interface Held {
  readonly name: string;
  readonly permission_type: readonly string[];
}

const TO_GROUPS = new Set([
  'MEMBER_OF',
  'KNOWN_AS',
  'IDENTITY_OF',
  'SOURCE_IDENTITY_OF',
  'HAS_ACCOUNT',
]);

const textOf = ({ name, permission_type }: Held): string => JSON.stringify([name, permission_type]);

/** The groups that a node is in, directly or through others. */
const groupsOf = ({ relationships }: Graph, start: string): ReadonlySet<string> => {
  const found = new Set([start]);
  for (const key of found) {
    for (const { type, from, to } of relationships) {
      if (TO_GROUPS.has(type) && from.key === key) found.add(to.key);
    }
  }
  return found;
};

/** The same graph without a node and all that leads from it or to it. */
const without = ({ nodes, relationships }: Graph, key: string): Graph => ({
  nodes: nodes.filter((node) => node.key !== key),
  relationships: relationships.filter(({ from, to }) => from.key !== key && to.key !== key),
});

/** What counts: what resources contain too, and permissions of one type only. */
interface Counted {
  readonly contents?: boolean;
  readonly permissionType?: string;
}

/** The access of a graph that counts. */
const countedAccess = (
  graph: Graph,
  held: Access,
  { contents = false, permissionType }: Counted,
): Access => {
  const access = contents ? accessWithContents(graph, held) : held;
  if (permissionType === undefined) return access;
  const isOfType = (text: string): boolean =>
    (JSON.parse(text) as [string, readonly string[]])[1].includes(permissionType);
  return new Map(
    [...access].map(([who, reached]) => [
      who,
      new Map([...reached].map(([what, all]) => [what, new Set([...all].filter(isOfType))])),
    ]),
  );
};

/** Compares the gateways of some resources, and what humans lose without one, with the mirror. */
export const compareGateways = async (
  service: ServiceUnderTest,
  graph: Graph,
  people: People,
  all: Access,
  what: readonly Node[],
  counted: Counted = {},
): Promise<number> => {
  const access = countedAccess(graph, all, counted);
  const { contents = false, permissionType: permission_type = '' } = counted;
  const ask = async (query: Readonly<Record<string, string>>): Promise<Answer> => {
    const asked = new URLSearchParams({ ...query, contents: String(contents), permission_type });
    const path = `/api/v1/access:gateways?${asked.toString()}`;
    const answer = await service.send('get', path);
    const body = answer.body as Answer;
    expect([answer.status, answer.status === 200 ? '' : body]).toEqual([200, '']);
    return body;
  };
  let compared = 0;
  for (const [at, { key: resource }] of what.entries()) {
    const humans = [...people.with(access, resource).keys()];
    const groups = graph.nodes
      .filter(({ label }) => label === 'IdpGroup' || label === 'LocalGroup')
      .map(({ key }) => key)
      .filter((key) => (access.get(key)?.get(resource)?.size ?? 0) > 0);
    const through = new Map(humans.map((key) => [key, groupsOf(graph, key)]));
    const counts = new Map(
      groups
        .map((key) => [key, humans.filter((human) => through.get(human)?.has(key)).length] as const)
        .filter(([, count]) => count > 0),
    );
    // Of what no group leads to, a few suffice.
    if (counts.size === 0 && at % 8 > 0) continue;
    const answer = await ask({ resource });
    const told = new Map(answer.values.map(({ id, people: count }) => [id, count]));
    expect([resource, answer.people, told]).toEqual([resource, humans.length, counts]);
    const isIn = (human: string): boolean => groups.some((key) => through.get(human)?.has(key));
    expect(answer.direct).toBe(humans.filter((human) => !isIn(human)).length);
    const [gateway] = counts.keys();
    if (gateway === undefined) continue;
    const left = without(graph, gateway);
    const rest = countedAccess(left, effectiveAccess(left), counted);
    const expected = humans.flatMap((human) => {
      const now = [...(access.get(human)?.get(resource) ?? [])];
      const still = rest.get(human)?.get(resource) ?? new Set<string>();
      const lost = now.filter((each) => !still.has(each));
      return lost.length === 0
        ? []
        : [[human, lost.toSorted(), now.filter((each) => still.has(each)).toSorted()] as const];
    });
    const { values } = await ask({ resource, without: gateway });
    expect([
      resource,
      values.map(({ id, lost = [], left = [] }) => [
        id,
        lost.map(textOf).toSorted(),
        left.map(textOf).toSorted(),
      ]),
    ]).toEqual([resource, expect.arrayContaining(expected as unknown[])]);
    expect(values).toHaveLength(expected.length);
    compared += 1;
  }
  return compared;
};
