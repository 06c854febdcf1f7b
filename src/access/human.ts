import { type AccessGraph, NONE } from './access-graph';
import type { Moment } from './instants';
import { Joins } from './joins';
import { JOINS } from './relationship-types';
import { typesOf, Walk } from './walk';

const JOIN = typesOf(JOINS);
const IDENTITY_OF = typesOf(['IDENTITY_OF']);

/** The labels of nodes that can be a human's. */
export const OF_HUMANS: readonly string[] = ['Employee', 'IdpUser', 'Identity', 'LocalUser'];

/** How many nodes, and joins of them, the service looks at to find a human. */
export const MOST_JOINED = 1_000;

/** Finds whose accounts nodes certainly are (docs/rules.md: One human). */
export class Humans {
  private readonly walk: Walk;

  constructor(private readonly graph: AccessGraph) {
    this.walk = new Walk(graph);
  }

  /**
   * The human whose account a node certainly is; `NONE` if it is nobody's, or several people's. `null`
   * if more is joined with it than the service looks at.
   */
  humanOf(node: number, moment: Moment): number | null {
    const { graph, walk } = this;
    const labelOf = (each: number): string => graph.kind(each)?.label ?? '';
    if (!OF_HUMANS.includes(labelOf(node))) return NONE;
    const above = walk.to([node], JOIN, moment, MOST_JOINED + 1);
    if (above.length > MOST_JOINED) return null;
    const nodes = above.map((each) => ({
      id: graph.key(each),
      label: labelOf(each),
      name: graph.name(graph.version(each, moment)),
      node: each,
    }));
    const known = new Map(nodes.map((each) => [each.node, each.id]));
    const joins = nodes.flatMap(
      ({ node: to, id, label }): readonly (readonly [string, string])[] => [
        ...walk
          .previous(to, JOIN, moment)
          .flatMap((from) => (known.has(from) ? [[known.get(from) ?? '', id] as const] : [])),
        // Whether an identity names one account or several distinguishes identities.
        ...(label === 'Identity' ? this.accountsOf(to, moment) : []).flatMap((account) =>
          known.has(account) ? [] : [[id, graph.key(account)] as const],
        ),
      ],
    );
    const joined = new Joins(nodes, joins);
    const human = joined.humanOf([graph.key(node)]);
    return (human === null ? null : joined.node(human)?.node) ?? NONE;
  }

  /** Up to two accounts that an identity names. */
  private accountsOf(identity: number, moment: Moment): readonly number[] {
    return this.walk
      .next(identity, IDENTITY_OF, moment)
      .filter((account) => this.graph.kind(account)?.label === 'LocalUser')
      .slice(0, 2);
  }
}
