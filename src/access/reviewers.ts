import { NONE, type NodeSummary } from './access-graph';
import { type Pieces, STEPS } from './pieces';
import type { EffectiveAccess } from './effective-access';
import type { Moment } from './instants';
import { firstOf } from './lists/lists';
import type { HeldType } from './relationship-types';
import { typesOf } from './walk';

/** Why somebody should review. */
export type ReviewBy = 'manager' | 'owner' | 'entities_owned' | 'SYSTEM_resource_managers';

/** A reason for which somebody should review. */
export interface ReviewReasonFound {
  readonly type: ReviewBy;
  /** Whom or what the reviewer manages or owns. */
  readonly of: NodeSummary;
  /** In nanoseconds. */
  readonly since: bigint | null;
}

/** A suggested reviewer, with the first reasons, the nearest ones first. */
export interface ReviewerFound {
  readonly about: NodeSummary;
  readonly reasons: readonly ReviewReasonFound[];
  /** How many reasons there are. */
  readonly reasonsTotal: number;
}

interface Suggestion {
  readonly reviewer: number;
  readonly type: ReviewBy;
  readonly of: number;
  readonly since: bigint | null;
  /** The number of steps from the reviewed node to the node that the reviewer manages or owns. */
  readonly distance: number;
}

const BEHIND = typesOf(['KNOWN_AS', 'IDENTITY_OF', 'HAS_CREDENTIAL']);
const CONTAINS = typesOf(['CONTAINS']);
const KNOWN_AS = typesOf(['KNOWN_AS']);
const MANAGED_BY = typesOf(['MANAGED_BY']);
const OWNED_BY = typesOf(['OWNED_BY']);
const OWNS = typesOf(['OWNS']);
const RESOLVES_TO = typesOf(['RESOLVES_TO']);
const RESOURCE_MANAGERS = typesOf(['SYSTEM_resource_managers'] satisfies readonly HeldType[]);

const USERS = ['IdpUser'];
const USERS_AND_GROUPS = ['IdpUser', 'IdpGroup'];
const PLACES = ['Application', 'Resource'];

/** Farther than anything that contains a resource: who manages only those who have left comes last. */
const FARTHEST = 1_000;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Finds who should review access at a moment (docs/rules.md: Reviewers). */
class ReviewerSearch {
  private readonly found = new Map<number, Map<string, Suggestion>>();
  private readonly summaries = new Map<number, NodeSummary>();

  constructor(
    private readonly access: EffectiveAccess,
    private readonly moment: Moment,
    /** The time by which accounts count as deactivated, in nanoseconds. */
    private readonly clock: bigint,
  ) {}

  *ofPrincipals(nodes: readonly number[]): Pieces<void> {
    const { walk } = this.access;
    const own = new Set(nodes);
    let steps = 0;
    for (const who of nodes) {
      for (const person of walk.to([who], BEHIND, this.moment)) {
        if ((steps += 1) % STEPS === 0) yield;
        if (this.isOne(person, USERS)) this.managers(person, own.has(person) ? 0 : 1);
      }
      yield* this.owners(who, 0);
      for (const place of walk.linesTo(who, RESOLVES_TO, this.moment)) {
        const { from, since } = this.access.graph.relationship(place);
        for (const reviewer of walk.previous(from, OWNS, this.moment)) {
          if ((steps += 1) % STEPS === 0) yield;
          if (this.isOne(reviewer, USERS_AND_GROUPS)) {
            this.add({ reviewer, type: 'entities_owned', of: who, since, distance: 0 });
          }
        }
      }
    }
  }

  *ofPlace(target: number): Pieces<void> {
    const { walk } = this.access;
    // A resource is in one other.
    for (const [distance, place] of walk.to([target], CONTAINS, this.moment).entries()) {
      if (!this.isOne(place, PLACES)) continue;
      for (const [reviewer, since] of this.leadingFrom(place, RESOURCE_MANAGERS)) {
        if (this.isOne(reviewer, USERS_AND_GROUPS)) {
          this.add({ reviewer, type: 'SYSTEM_resource_managers', of: place, since, distance });
        }
      }
      yield* this.owners(place, distance);
      yield;
    }
  }

  /** Adds the managers of reviewers who have left. */
  *managersInstead(): Pieces<void> {
    for (const [place, person] of [...this.found.keys()].entries()) {
      if (place % STEPS === STEPS - 1) yield;
      if (this.summary(person).inactive) this.managers(person, FARTHEST);
    }
  }

  /**
   * All reviewers other than some nodes. Active ones come first, then near ones (the managers of those
   * who have left are the farthest), then by name and key. Each has the first `most` reasons.
   */
  *united(except: ReadonlySet<number>, most: number): Pieces<readonly ReviewerFound[]> {
    const all: (ReviewerFound & { readonly distance: number })[] = [];
    let steps = 0;
    for (const [reviewer, suggestions] of this.found) {
      if (except.has(reviewer)) continue;
      const reasons: ReviewReasonFound[] = [];
      const order: { readonly distance: number; readonly words: string }[] = [];
      for (const { type, of, since, distance } of suggestions.values()) {
        if ((steps += 1) % STEPS === 0) yield;
        const reason = { type, of: this.summary(of), since };
        reasons.push(reason);
        order.push({ distance, words: reasonInWords(reason) });
      }
      const first = yield* firstOf([...reasons.keys()], most, (a, b) => {
        const [one, other] = [order[a], order[b]] as [(typeof order)[0], (typeof order)[0]];
        return one.distance - other.distance || compare(one.words, other.words);
      });
      all.push({
        about: this.summary(reviewer),
        distance: order[first[0] ?? NONE]?.distance ?? FARTHEST,
        reasons: first.map((place) => reasons[place] as ReviewReasonFound),
        reasonsTotal: reasons.length,
      });
    }
    yield;
    return all.sort(
      (a, b) =>
        Number(a.about.inactive) - Number(b.about.inactive) ||
        a.distance - b.distance ||
        compare(a.about.name, b.about.name) ||
        compare(a.about.id, b.about.id),
    );
  }

  private managers(person: number, distance: number): void {
    for (const [reviewer, since] of this.leadingFrom(person, MANAGED_BY)) {
      if (this.isOne(reviewer, USERS)) {
        this.add({ reviewer, type: 'manager', of: person, since, distance });
      }
    }
  }

  private *owners(of: number, distance: number): Pieces<void> {
    for (const [place, [identity, since]] of this.leadingFrom(of, OWNED_BY).entries()) {
      if (place % STEPS === STEPS - 1) yield;
      const people = this.access.walk
        .previous(identity, KNOWN_AS, this.moment)
        .filter((node) => this.isOne(node, USERS_AND_GROUPS));
      for (const reviewer of people.length === 0 ? [identity] : people) {
        this.add({ reviewer, type: 'owner', of, since, distance });
      }
    }
  }

  private leadingFrom(
    node: number,
    types: Uint8Array,
  ): readonly (readonly [to: number, since: bigint | null])[] {
    const { walk, graph } = this.access;
    return walk.linesFrom(node, types, this.moment).map((place) => {
      const { to, since } = graph.relationship(place);
      return [to, since];
    });
  }

  private add(one: Suggestion): void {
    const ofReviewer = this.found.get(one.reviewer) ?? new Map<string, Suggestion>();
    this.found.set(one.reviewer, ofReviewer);
    ofReviewer.set(`${one.type} ${one.of} ${one.since} ${one.distance}`, one);
  }

  private isOne(node: number, labels: readonly string[]): boolean {
    return labels.includes(this.access.graph.kind(node)?.label ?? '');
  }

  private summary(node: number): NodeSummary {
    const known =
      this.summaries.get(node) ?? this.access.graph.summary(node, this.moment, this.clock);
    this.summaries.set(node, known);
    return known;
  }
}

const SENTENCES: Readonly<Record<ReviewBy, string>> = {
  manager: 'is the manager of',
  owner: 'is an owner of',
  entities_owned: 'owns by entities_owned',
  SYSTEM_resource_managers: 'manages',
};

/** The reason in words. `kind` is what the label of the node is called. */
export const reasonInWords = (
  { type, of }: { readonly type: ReviewBy; readonly of: Omit<NodeSummary, 'id'> },
  kind: string = of.label,
): string =>
  `${SENTENCES[type]} ${kind} ${JSON.stringify(of.path ?? of.name)}${of.inactive ? ', which is inactive' : ''}`;

/**
 * Who should review the access of a principal, or of all nodes of a human; or the access to a resource
 * or application. Nobody reviews their own access. Each reviewer has `mostReasons` at most.
 */
export function* reviewersOf(
  access: EffectiveAccess,
  of: 'principal' | 'resource',
  nodes: readonly number[],
  moment: Moment,
  clock: bigint,
  mostReasons = Infinity,
): Pieces<readonly ReviewerFound[]> {
  const known = nodes.filter((node) => node !== NONE);
  const search = new ReviewerSearch(access, moment, clock);
  if (of === 'principal') yield* search.ofPrincipals(known);
  else for (const node of known) yield* search.ofPlace(node);
  yield* search.managersInstead();
  return yield* search.united(new Set(known), mostReasons);
}
