import { isOfHumans } from '../model/access-narrowing';
import { Above } from './above';
import { type AccessGraph, NONE } from './access-graph';
import type { Moment } from './instants';
import { HELD_TYPES, JOINS } from './relationship-types';
import { typesOf, Walk } from './walk';

const JOIN = typesOf(JOINS);
const ALL = typesOf(HELD_TYPES);
const IDENTITY_OF = typesOf(['IDENTITY_OF']);

/** Stands for a node where several nodes are first and none is the only one. */
const SEVERAL = -2;

/** The one first node of two answers: `NONE` if neither has one, `SEVERAL` if they differ. */
const either = (a: number, b: number): number => {
  if (a === NONE || a === b) return b;
  return b === NONE ? a : SEVERAL;
};

/** From whom relationships lead to a set of nodes that lead to each other; `SEVERAL`: not from one only. */
interface Firsts {
  /** The employee, user or group that no other one precedes; it may be in the set. */
  readonly user: number;
  /** The identity that joins accounts and precedes the set. */
  readonly before: number;
  /** The identity that joins accounts; it may be in the set. */
  readonly joining: number;
}

/** At how many moments it knows whose nodes are: a comparison asks of each node at two of them. */
const MOMENTS = 2;

const isUser = (label: string): boolean => label === 'Employee' || label.startsWith('Idp');

/** Finds whose accounts nodes certainly are (docs/rules.md: One human). Each step is walked once. */
export class Humans {
  private readonly walk: Walk;
  private changes = 0;
  private readonly firsts = new Map<Moment, Above<Firsts>>();

  constructor(private readonly graph: AccessGraph) {
    this.walk = new Walk(graph);
  }

  /** The human whose account a node certainly is; `NONE` if it is nobody's, or several people's. */
  humanOf(node: number, moment: Moment): number {
    return this.humanOfAll([node], moment);
  }

  /** The one human to whom all these nodes belong; `NONE` if they are nobody's, or not one's. */
  humanOfAll(nodes: readonly number[], moment: Moment): number {
    const first = nodes.map((node) => this.firstOf(node, moment)).reduce(either, NONE);
    return first === SEVERAL || first === NONE || this.labelOf(first) === 'IdpGroup' ? NONE : first;
  }

  /** The other nodes that certainly belong to a human, and to nobody else, in the order of keys. */
  accountsOf(human: number, moment: Moment): readonly number[] {
    const { graph } = this;
    return this.walk
      .from([human], JOIN, moment)
      .filter((node) => node !== human && this.humanOf(node, moment) === human)
      .sort((a, b) => graph.byKey(a, b));
  }

  /** Whether a node exists at a moment. Memory has each identity at all moments, so a relationship shows it. */
  isThere(node: number, moment: Moment): boolean {
    return this.labelOf(node) === 'Identity'
      ? this.walk.isLedTo(node, ALL, moment) || this.walk.next(node, ALL, moment).length > 0
      : this.graph.exists(node, moment);
  }

  /** Whether a node can be a human's. */
  canBeHuman(node: number): boolean {
    return isOfHumans(this.labelOf(node));
  }

  /** The one who leads to a node, and to whom nobody else leads; `NONE` and `SEVERAL` are none. */
  private firstOf(node: number, moment: Moment): number {
    if (!this.canBeHuman(node)) return SEVERAL;
    const { user, before, joining } = this.firstsAt(moment).of(node);
    if (user !== NONE) return user;
    if (before !== NONE) return before;
    return joining === NONE ? node : this.graph.least([joining, node]);
  }

  private firstsAt(moment: Moment): Above<Firsts> {
    const { changes } = this.graph;
    if (this.changes !== changes) this.firsts.clear();
    this.changes = changes;
    const known = this.firsts.get(moment);
    if (known !== undefined) return known;
    if (this.firsts.size === MOMENTS) this.firsts.clear();
    const firsts = new Above<Firsts>(
      (node) => this.walk.previous(node, JOIN, moment),
      (nodes, above) => {
        let [user, before] = [NONE, NONE];
        for (const each of above) {
          user = either(user, each.user);
          before = either(before, each.joining);
        }
        if (user === NONE)
          user = this.graph.least(nodes.filter((node) => isUser(this.labelOf(node))));
        // A user leads to these nodes, so it does not matter what else joins the accounts.
        if (user !== NONE) return { user, before: NONE, joining: NONE };
        const joining =
          before === NONE
            ? this.graph.least(nodes.filter((node) => this.joinsAccounts(node, moment)))
            : before;
        return { user, before, joining };
      },
    );
    this.firsts.set(moment, firsts);
    return firsts;
  }

  /** Without a user, an address joins accounts of several applications. A bare name does not. */
  private joinsAccounts(identity: number, moment: Moment): boolean {
    const { graph, walk } = this;
    if (this.labelOf(identity) !== 'Identity') return false;
    const accounts = walk
      .next(identity, IDENTITY_OF, moment)
      .filter((account) => this.labelOf(account) === 'LocalUser');
    return (
      new Set(accounts).size === 1 || graph.name(graph.version(identity, moment)).includes('@')
    );
  }

  private labelOf(node: number): string {
    return this.graph.kind(node)?.label ?? '';
  }
}
