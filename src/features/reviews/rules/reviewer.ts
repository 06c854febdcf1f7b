import { NONE } from '../../../access/access-graph';
import { GAINED } from '../../../access/relationship-types';
import { typesOf } from '../../../access/walk';
import { byCodeUnits } from '../../../model/fold';
import { isUserOrEmployee, type View } from './facts';
import type { PopulationItem } from './population';

const GAIN = typesOf(GAINED);
const CONTAINS = typesOf(['CONTAINS']);

/** Somebody who may review, by key, and why. */
export interface Suggested {
  readonly reviewer: string;
  /** What makes them a reviewer, in words: `manages` or `owns`. */
  readonly why: string;
}

/** Who manages and owns what, by keys (docs/rules.md: Reviewers). */
export interface Responsible {
  /** Managers and owners of a resource or application. */
  readonly ofPlace: ReadonlyMap<string, readonly Suggested[]>;
  /** Owners of an account, an agent, a credential or a group. */
  readonly ofHolder: ReadonlyMap<string, readonly Suggested[]>;
  /** Managers of a person. */
  readonly ofPerson: ReadonlyMap<string, readonly Suggested[]>;
}

/** The reviewer of an item. */
export interface ChosenReviewer {
  /** The node of the human. */
  readonly human: number;
  readonly why: string;
  /** Whether they gain something by the fact that they review. */
  readonly gains: boolean;
  /** Humans who came first, but would have reviewed themselves. */
  readonly avoided: readonly number[];
}

interface Candidate {
  readonly node: number;
  readonly why: string;
}

/** A group owns a resource: so many of its members may review. */
const MOST_MEMBERS = 100;

/**
 * Whether a holder is nobody's own, as groups and roles are. All others are the own of everybody who
 * gains them, as an account that several people share.
 */
const isNobodys = ({ graph }: View, holder: number): boolean => {
  const kind = graph.kind(holder);
  return (
    kind?.label.endsWith('Group') === true ||
    kind?.isRole === true ||
    kind?.label === 'CloudRole' ||
    kind?.label === 'IdpApp'
  );
};

/**
 * Whether a fact is somebody's own, by any account: they hold it themselves, or share the account or
 * credential that holds it.
 */
export const isOwnFact = (view: View, human: number, from: string): boolean => {
  const { graph, access, humans, moment } = view;
  const node = graph.find(from);
  if (node === NONE) return false;
  if (node === human) return true;
  if (isNobodys(view, node)) return false;
  return access.walk
    .to([node], GAIN, moment)
    .some((each) => humans.canBeHuman(each) && humans.humanOf(each, moment) === human);
};

/** Chooses who reviews what (docs/rules.md: Access reviews). */
export class Reviewers {
  private readonly byPlaces = new Map<string, readonly Candidate[]>();
  private readonly membersOf = new Map<number, readonly number[]>();

  constructor(
    private readonly view: View,
    private readonly responsible: Responsible,
    private readonly fallback: number,
  ) {}

  /**
   * The places on which what an item gives is given, and all that contain them, the nearest first.
   */
  static placesOf({ graph, access, moment }: View, scopes: readonly number[]): readonly number[] {
    const chains = scopes.map((scope) => {
      const chain: number[] = [];
      for (let node: number | undefined = scope; node !== undefined && !chain.includes(node);) {
        chain.push(node);
        node = access.walk.previous(node, CONTAINS, moment)[0];
      }
      return chain;
    });
    const [first = [], ...others] = chains;
    const common = first.filter((node) => others.every((chain) => chain.includes(node)));
    if (common.length > 0) return common;
    return [...new Set(chains.map((chain) => chain.at(-1) ?? NONE))].sort((a, b) =>
      graph.byKey(a, b),
    );
  }

  /** The reviewer of an item; `null` if nobody may review it. */
  choose(item: PopulationItem): ChosenReviewer | null {
    const avoided: number[] = [];
    let gaining: ChosenReviewer | null = null;
    const whose = this.whose(item);
    for (const { node, why } of this.candidates(item)) {
      for (const human of this.humansOf(node)) {
        if (this.isInactive(human)) continue;
        if (human === item.human || (whose.isOwn && whose.nodes.has(human))) {
          if (!avoided.includes(human)) avoided.push(human);
          continue;
        }
        const gains = whose.nodes.has(human);
        const chosen = { human, why, gains, avoided };
        if (!gains) return chosen;
        gaining ??= chosen;
      }
    }
    return gaining;
  }

  /** The humans who gain something by an item, and whether the holder is the account of one of them. */
  private whose({ holder }: PopulationItem): {
    readonly nodes: ReadonlySet<number>;
    readonly isOwn: boolean;
  } {
    const { access, humans, moment } = this.view;
    const known = this.above.get(holder);
    if (known !== undefined) return known;
    const nodes = new Set<number>();
    for (const node of access.walk.to([holder], GAIN, moment)) {
      if (!humans.canBeHuman(node)) continue;
      const human = humans.humanOf(node, moment);
      nodes.add(human === NONE ? node : human);
    }
    const found = { nodes, isOwn: !isNobodys(this.view, holder) };
    this.above.set(holder, found);
    return found;
  }

  private readonly above = new Map<
    number,
    { readonly nodes: ReadonlySet<number>; readonly isOwn: boolean }
  >();

  private *candidates(item: PopulationItem): Generator<Candidate> {
    const { graph, humans, moment } = this.view;
    const { ofHolder, ofPerson } = this.responsible;
    const isNoPerson = item.marks.includes('not_a_person');
    if (isNoPerson) yield* this.suggested(ofHolder, [item.holder]);
    yield* this.ofPlaces(item.effect.scopes);
    const to = graph.find(item.fact.to);
    yield* this.suggested(ofHolder, [to]);
    if (!isNoPerson) yield* this.suggested(ofHolder, [item.holder]);
    const own = item.human === NONE ? [] : [item.human, ...humans.accountsOf(item.human, moment)];
    yield* this.suggested(ofPerson, own);
    if (this.fallback !== NONE) yield { node: this.fallback, why: 'is the fallback of the review' };
  }

  private ofPlaces(scopes: readonly number[]): readonly Candidate[] {
    const name = scopes.join(' ');
    const known = this.byPlaces.get(name);
    if (known !== undefined) return known;
    const found = [
      ...this.suggested(this.responsible.ofPlace, Reviewers.placesOf(this.view, scopes)),
    ];
    this.byPlaces.set(name, found);
    return found;
  }

  private *suggested(
    by: ReadonlyMap<string, readonly Suggested[]>,
    nodes: readonly number[],
  ): Generator<Candidate> {
    const { graph, moment } = this.view;
    for (const node of nodes) {
      const suggested = [...(by.get(graph.key(node)) ?? [])];
      suggested.sort((a, b) => byCodeUnits(a.why, b.why) || byCodeUnits(a.reviewer, b.reviewer));
      for (const { reviewer, why } of suggested) {
        const found = graph.find(reviewer);
        if (found === NONE || !graph.exists(found, moment)) continue;
        yield {
          node: found,
          why: `${why} ${JSON.stringify(graph.name(graph.version(node, moment)))}`,
        };
      }
    }
  }

  /** The one human of a node; of a group the humans in it. Whom only applications know counts as nobody. */
  private humansOf(node: number): readonly number[] {
    const { graph, access, humans, moment } = this.view;
    const known = this.membersOf.get(node);
    if (known !== undefined) return known;
    const isGroup = graph.kind(node)?.label.endsWith('Group') === true;
    const nodes = isGroup ? access.walk.to([node], GAIN, moment) : [node];
    const found = new Set<number>();
    for (const each of nodes) {
      if (!humans.canBeHuman(each) || graph.isNotHuman(graph.version(each, moment))) continue;
      const human = humans.humanOf(each, moment);
      if (isUserOrEmployee(this.view, human)) found.add(human);
    }
    const sorted = [...found].sort((a, b) => graph.byKey(a, b)).slice(0, MOST_MEMBERS);
    this.membersOf.set(node, sorted);
    return sorted;
  }

  private isInactive(human: number): boolean {
    const { graph, moment, clock } = this.view;
    return graph.isInactive(graph.version(human, moment), clock);
  }
}
