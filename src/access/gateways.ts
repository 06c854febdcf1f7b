import { type Pieces, STEPS } from './pieces';
import type { EffectiveAccess, Permissions } from './effective-access';
import type { Moment } from './instants';
import { typesOf } from './walk';

/** The relationships that lead from somebody to the groups that they are in. */
export const TO_GROUPS = typesOf([
  'MEMBER_OF',
  'KNOWN_AS',
  'IDENTITY_OF',
  'SOURCE_IDENTITY_OF',
  'HAS_ACCOUNT',
]);

const GROUPS: readonly string[] = ['IdpGroup', 'LocalGroup'];

/** Through which groups humans reach a resource. */
export interface GatewaysFound {
  /** The groups in which at least one of the humans is, in any order. */
  readonly groups: readonly { readonly node: number; readonly people: number }[];
  /** How many of the humans are in none of the groups. */
  readonly direct: number;
  /** The humans who are in one of the groups. */
  readonly members: ReadonlySet<number>;
}

/**
 * Finds the groups among `holders` in which some `humans` are (docs/rules.md: Gateways). It walks
 * from each group to its members, so it looks at each membership once for each group above it.
 */
export function* gatewaysAmong(
  { graph, walk }: EffectiveAccess,
  holders: Iterable<number>,
  humans: readonly number[],
  moment: Moment,
): Pieces<GatewaysFound> {
  const wanted = new Set(humans);
  const within = new Set<number>();
  const groups: { node: number; people: number }[] = [];
  let walked = 0;
  for (const node of holders) {
    if (!GROUPS.includes(graph.kind(node)?.label ?? '')) continue;
    const all = walk.to([node], TO_GROUPS, moment);
    const members = all.filter((member) => wanted.has(member));
    if (members.length > 0) groups.push({ node, people: members.length });
    for (const member of members) within.add(member);
    walked += all.length;
    if (walked < STEPS) continue;
    walked = 0;
    yield;
  }
  return { groups, direct: wanted.size - within.size, members: within };
}

/** Whether somebody is in a group among `holders`; of few people this walks less than from all groups. */
export const isInGateway = (
  { graph, walk }: EffectiveAccess,
  holders: { readonly has: (node: number) => boolean },
  human: number,
  moment: Moment,
): boolean =>
  walk
    .from([human], TO_GROUPS, moment)
    .some((node) => holders.has(node) && GROUPS.includes(graph.kind(node)?.label ?? ''));

/** What a holder would lose, and what would remain. */
export interface LossFound {
  readonly node: number;
  readonly lost: Permissions;
  readonly left: Permissions;
}

/** What some holders have, and would not have by what would be `left`. */
export const lossesOf = (
  holders: Iterable<readonly [number, Permissions]>,
  left: ReadonlyMap<number, Permissions>,
): readonly LossFound[] => {
  const losses: LossFound[] = [];
  for (const [node, permissions] of holders) {
    const remaining = left.get(node);
    // Equal sets are often the same array.
    if (remaining === permissions) continue;
    const still = new Set(remaining);
    const lost = permissions.filter((permission) => !still.has(permission));
    if (lost.length === 0) continue;
    losses.push({ node, lost, left: permissions.filter((permission) => still.has(permission)) });
  }
  return losses;
};
