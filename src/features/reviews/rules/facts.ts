import type { AccessGraph } from '../../../access/access-graph';
import type { EffectiveAccess } from '../../../access/effective-access';
import type { Humans } from '../../../access/human';
import type { Moment } from '../../../access/instants';
import { inOrder, type Pieces, STEPS } from '../../../access/pieces';
import { typesOf } from '../../../access/walk';

/*
 * The facts that somebody can remove, and what the rules of reviews see of the graph.
 */

/** The relationships that somebody can remove. Others say whose account something is, or follow. */
export const FACT_TYPES = ['HOLDS', 'MEMBER_OF', 'ASSIGNED_TO', 'ASSUMES_ROLE'] as const;
export type FactType = (typeof FACT_TYPES)[number];

/** These types as a set. */
export const FACTS = typesOf(FACT_TYPES);
const OF = typesOf(['OF']);
const ON = typesOf(['ON']);

/** Who can do what at a moment, as a review sees it. */
export interface View {
  readonly graph: AccessGraph;
  readonly access: EffectiveAccess;
  readonly humans: Humans;
  readonly moment: Moment;
  /** The time by which accounts count as deactivated, in nanoseconds. */
  readonly clock: bigint;
}

/** A fact that somebody can remove, by the keys of its nodes. */
export interface Fact {
  readonly type: FactType;
  readonly from: string;
  readonly to: string;
}

/** The text of a fact, by which reviews compare facts. */
export const factText = ({ type, from, to }: Fact): string => JSON.stringify([type, from, to]);

const KNOWN_BY: readonly string[] = ['IdpUser', 'Employee'];

/**
 * Whether a node is a user of an identity provider or an employee. A human whose node is neither is a name
 * that only applications say, and may be anybody.
 */
export const isUserOrEmployee = ({ graph }: Pick<View, 'graph'>, node: number): boolean =>
  KNOWN_BY.includes(graph.kind(node)?.label ?? '');

const NAMES_IN_WORDS = 5;

const placeName = ({ graph, moment, clock }: View, node: number): string => {
  const { name, path, application } = graph.summary(node, moment, clock);
  const text = path ?? name;
  return application === null || application === name ? text : `${application}: ${text}`;
};

/** The texts of nodes, in order. */
function* sorted(
  nodes: readonly number[],
  textOf: (node: number) => string,
): Pieces<readonly string[]> {
  const texts: string[] = [];
  for (const [place, node] of nodes.entries()) {
    if (place % STEPS === STEPS - 1) yield;
    texts.push(textOf(node));
  }
  return yield* inOrder(texts, (text) => text);
}

/** What is held, in words, and as a text that is equal for all who hold the same. */
export function* heldInWords(
  view: View,
  to: number,
): Pieces<{ readonly holds: string; readonly entitlement: string }> {
  const { graph, access, moment } = view;
  const quoted = (node: number): string => JSON.stringify(graph.name(graph.version(node, moment)));
  const kind = graph.kind(to);
  if (kind?.isEntitlement !== true) {
    const label = kind?.label ?? '';
    const word = label.endsWith('Group') ? 'group' : label.endsWith('Role') ? 'role' : 'app';
    return { holds: `${word} ${quoted(to)}`, entitlement: graph.key(to) };
  }
  const given = access.walk.next(to, OF, moment);
  const scopes = access.walk.next(to, ON, moment);
  const what = yield* sorted(
    given,
    (node) => `${graph.kind(node)?.isRole === true ? 'role' : 'permission'} ${quoted(node)}`,
  );
  const places = yield* sorted(scopes, (node) => placeName(view, node));
  const first = places.slice(0, NAMES_IN_WORDS);
  const more = scopes.length - first.length;
  const keyOf = (node: number): string => graph.key(node);
  return {
    holds: `${what.join(', ')} on ${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    entitlement: JSON.stringify([yield* sorted(given, keyOf), yield* sorted(scopes, keyOf)]),
  };
}
