import {
  type Earlier,
  type Item,
  type OtherReview,
  type ReviewedGraph,
  type Scope,
  textOf,
} from './review';

/*
 * What becomes of the items of a review, written plainly a second time (docs/rules.md: Access reviews).
 */

const MOST_KEPT = 20;
const DAY = 86_400_000;
const REASONED = ['privileged', 'nobodys', 'new'];
const NOT_CARRIED = ['gone'];

/** An item of an open or closed review. People are named by their places among those of the review. */
export interface ReviewedItem {
  readonly number: number;
  readonly planned: Item;
  readonly fact: string;
  readonly holder: number | null;
  state: string;
  reviewer: number | null;
  decidedBy: number | null;
  reason: string;
  remediation: string | null;
  /** The push that proves it, or those of which one does. */
  pushes: readonly string[];
  exceptedUntil: number;
}

/** The graphs and pushes that a round looks at. */
export interface Looked {
  readonly then: ReviewedGraph;
  readonly now: ReviewedGraph;
  readonly clock: number;
  /** The push that ended a fact last; empty if no push did. */
  readonly endedBy: (fact: string) => string;
  /** The pushes that brought a fact. */
  readonly broughtBy: (fact: string) => readonly string[];
}

/** What a review was opened with. */
export interface Opened {
  readonly id: string;
  readonly scope: Scope;
  readonly due: number;
  readonly graceDays: number;
  readonly onSilence: 'except' | 'revoke';
  /** The keys of the people, in the order of their aliases. */
  readonly people: readonly string[];
  readonly owner: number;
  readonly fallback: number;
  /** The key by which the draft names the fallback. */
  readonly fallbackKey: string;
  readonly items: readonly ReviewedItem[];
}

/** Statuses with which a request may be refused; none if it is accepted. */
export type Refusals = ReadonlySet<number>;

const left = (remediation: string | null): boolean =>
  remediation === 'ordered' || remediation === 'blocked' || remediation === 'came_back';

/** One review, from its opening on. */
export class ReviewStates {
  state: 'open' | 'closed' | 'cancelled' = 'open';
  isRemediated = false;
  readonly people: string[];
  readonly items: readonly ReviewedItem[];
  owner: number;
  fallback: number;
  private attestation = '';
  private fallbackKey: string;
  private isOverdue = false;
  /** Which items who gave to whom. */
  private readonly given = new Set<string>();

  constructor(readonly opened: Opened) {
    this.people = [...opened.people];
    this.items = opened.items;
    ({ owner: this.owner, fallback: this.fallback, fallbackKey: this.fallbackKey } = opened);
  }

  /** How many items are in each state. */
  numbers(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = { items: this.items.length };
    for (const state of ['pending', 'keep', 'revoke', 'gone', 'carried', 'excepted']) {
      counts[state] = this.items.filter((item) => item.state === state).length;
    }
    return counts;
  }

  /** Its items as the review after it sees them, which carries over what was kept, or nothing. */
  earlier(carries: boolean): ReadonlyMap<string, Earlier> {
    const known = this.items.filter(({ state }) => !NOT_CARRIED.includes(state));
    return new Map(
      known.map(({ fact, state, planned: { gives, marks } }) => [
        fact,
        {
          gave: gives,
          marks,
          wasKept: carries && (state === 'keep' || state === 'carried'),
        },
      ]),
    );
  }

  /** Its items as other reviews see them. */
  asOther(): OtherReview {
    const known = this.items.filter(({ state }) => state !== 'gone');
    return {
      id: this.opened.id,
      scope: this.opened.scope,
      facts: new Map(known.map(({ fact, planned }) => [fact, planned.gives])),
    };
  }

  /** Keeps or revokes items. */
  decide(
    { now, clock }: Looked,
    asked: {
      readonly by: string;
      readonly decision: 'keep' | 'revoke';
      readonly reason: string;
      readonly items: readonly number[];
      readonly isSeen: boolean;
    },
  ): Refusals {
    const keys = now.person(asked.by, clock);
    const items = this.some(asked.items);
    const who = this.placesOf(keys);
    const hasReason = asked.reason.trim() !== '';
    const reasoned = items.some(({ planned }) =>
      planned.marks.some((mark) => REASONED.includes(mark)),
    );
    const isKeep = asked.decision === 'keep';
    const refused = refusals({
      400: [
        keys === null,
        !isKeep && !hasReason,
        isKeep && reasoned && (items.length > 1 || !hasReason),
        isKeep && items.length > MOST_KEPT,
        isKeep && new Set(items.map(({ planned }) => planned.entitlement)).size > 1,
      ],
      403: [
        items.some(({ reviewer }) => reviewer === null || !who.includes(reviewer)),
        items.some((item) => this.isOwn(item, keys, who, now)),
      ],
      409: [
        this.state !== 'open',
        items.some(({ state }) => !['pending', 'keep', 'revoke', 'carried'].includes(state)),
        items.some(({ remediation }) => remediation === 'confirmed'),
        !asked.isSeen,
      ],
    });
    if (refused.size > 0) return refused;
    for (const item of items) {
      const isSame =
        item.state === asked.decision &&
        item.decidedBy === item.reviewer &&
        item.reason === asked.reason;
      if (isSame) continue;
      item.state = asked.decision;
      item.decidedBy = item.reviewer;
      item.reason = asked.reason;
      if (!isKeep) {
        if (item.remediation === null || item.remediation === 'withdrawn') this.order(item);
      } else if (item.remediation !== null) item.remediation = 'withdrawn';
    }
    return refused;
  }

  /** Gives pending items to somebody else. */
  reassign(
    { now, clock }: Looked,
    asked: { readonly by: string; readonly to: string; readonly items: readonly number[] },
  ): Refusals {
    const [by, to] = [now.person(asked.by, clock), now.person(asked.to, clock)];
    const items = this.some(asked.items);
    const [who, whom] = [this.placesOf(by), this.placesOf(to)];
    const mayAll = who.includes(this.owner);
    const known = whom[0] ?? null;
    const isTheirs = items.every(({ reviewer }) => reviewer !== null && whom.includes(reviewer));
    // The same request again.
    const isAgain =
      isTheirs &&
      items.every(({ number }) => who.some((by) => this.given.has(`${number} ${by} ${known}`)));
    const refused = refusals({
      400: [by === null, to === null, !now.isKnown(to?.[0] ?? '')],
      403: [
        who.length === 0,
        !isAgain &&
          !mayAll &&
          items.some(({ reviewer }) => reviewer === null || !who.includes(reviewer)),
        !isAgain &&
          items.some(
            (item) => !who.includes(item.reviewer ?? -1) && this.isOwn(item, by, who, now),
          ),
        items.some((item) => this.isOwn(item, to, whom, now)),
      ],
      409: [
        this.state !== 'open',
        items.some(({ reviewer, state }) => !whom.includes(reviewer ?? -1) && state !== 'pending'),
      ],
    });
    if (refused.size > 0) return refused;
    const place = known ?? this.add(to);
    for (const item of items) {
      if (whom.includes(item.reviewer ?? -1)) continue;
      const by = who.find((each) => each === item.reviewer) ?? this.owner;
      this.given.add(`${item.number} ${by} ${place}`);
      item.reviewer = place;
    }
    return refused;
  }

  /** Makes an exception of revokes whose access is left. */
  except(
    { now, clock }: Looked,
    asked: { readonly by: string; readonly until: number; readonly items: readonly number[] },
  ): Refusals {
    const keys = now.person(asked.by, clock);
    const items = this.some(asked.items);
    const who = this.placesOf(keys);
    const refused = refusals({
      400: [keys === null],
      403: [
        items.some(({ decidedBy }) => decidedBy !== null && who.includes(decidedBy)),
        items.some((item) => this.isOwn(item, keys, who, now)),
      ],
      409: [
        this.state === 'cancelled',
        items.some(({ remediation }) => remediation !== 'excepted' && !left(remediation)),
      ],
    });
    if (refused.size > 0) return refused;
    if (who.length === 0) this.add(keys);
    for (const item of items) {
      item.remediation = 'excepted';
      item.exceptedUntil = asked.until;
    }
    this.seal();
    return refused;
  }

  /** Names another owner or fallback. */
  appoint(
    { now, clock }: Looked,
    asked: { readonly part: 'owner' | 'fallback'; readonly key: string },
  ): Refusals {
    const keys = now.person(asked.key, clock);
    const refused = refusals({
      400: [keys === null, !now.isKnown(asked.key)],
      409: [this.state !== 'open'],
    });
    if (refused.size > 0) return refused;
    const who = this.placesOf(keys);
    if (asked.part === 'fallback') this.fallbackKey = asked.key;
    if (who.includes(this[asked.part])) return refused;
    this[asked.part] = who[0] ?? this.add(keys);
    if (asked.part === 'fallback') this.isOverdue = false;
    return refused;
  }

  /** Closes the review. */
  close(
    { now, clock }: Looked,
    asked: { readonly by: string; readonly attestation: string },
  ): Refusals {
    const keys = now.person(asked.by, clock);
    const isAgain = this.state === 'closed' && this.attestation === asked.attestation;
    const refused = refusals({
      400: [keys === null],
      403: [!this.placesOf(keys).includes(this.owner)],
      409: [!isAgain && this.state !== 'open', this.items.some(({ state }) => state === 'pending')],
    });
    if (refused.size > 0 || isAgain) return refused;
    this.state = 'closed';
    this.attestation = asked.attestation;
    this.seal();
    return refused;
  }

  /** Cancels the review. */
  cancel(): Refusals {
    const refused = refusals({ 409: [this.state === 'closed'] });
    if (refused.size === 0) this.state = 'cancelled';
    return refused;
  }

  /** A round of the background after pushes, or once time has passed. Returns the items that came back. */
  round(looked: Looked): readonly number[] {
    const returned: number[] = [];
    if (this.state === 'cancelled') return returned;
    for (const item of this.items) if (this.follow(item, looked)) returned.push(item.number);
    if (this.state === 'closed') this.seal();
    if (!this.isRemediated) {
      for (const item of this.items) {
        if (item.remediation !== 'excepted' || item.exceptedUntil > looked.clock) continue;
        item.remediation = 'ordered';
      }
    }
    if (this.state === 'open') this.endSilence(looked);
    return returned;
  }

  /** Looks at the fact of an item; whether a fact that was confirmed as gone came back. */
  private follow(item: ReviewedItem, looked: Looked): boolean {
    const { now, then } = looked;
    const isThere = now.facts().some((fact) => textOf(fact) === item.fact);
    if (this.state === 'open' && item.state === 'pending' && !isThere) item.state = 'gone';
    else if (this.state === 'open' && item.state === 'gone' && isThere) item.state = 'pending';
    if (item.state !== 'revoke') return false;
    if (item.remediation === 'confirmed') {
      // It may have come back and gone again since the round before.
      if (!isThere && item.pushes.includes(looked.endedBy(item.fact))) return false;
      item.remediation = 'came_back';
      item.pushes = looked.broughtBy(item.fact);
      return true;
    }
    if (!left(item.remediation) || isThere) return false;
    const push = looked.endedBy(item.fact);
    const { from } = item.planned.fact;
    const whose = [now.human(from)?.key, then.human(from)?.key, from].flatMap((key) => key ?? []);
    const gave = then.namesGivenBy(item.planned.fact);
    const has = whose.some((key) =>
      [...now.namesOf(key)].some(([target, names]) =>
        [...names].some((name) => gave.get(target)?.has(name) === true),
      ),
    );
    item.remediation = has || push === '' ? 'blocked' : 'confirmed';
    item.pushes = [push];
    return false;
  }

  private endSilence({ clock, now }: Looked): void {
    const { due, graceDays, onSilence } = this.opened;
    if (clock < due) return;
    const pending = this.items.filter(({ state }) => state === 'pending');
    if (clock < due + graceDays * DAY) {
      if (this.isOverdue) return;
      const human = now.human(this.fallbackKey)?.key;
      for (const item of pending) {
        const { from } = item.planned.fact;
        if (item.holder === this.fallback) continue;
        if (human !== undefined && now.isOwn(human, from)) continue;
        item.reviewer = this.fallback;
      }
      this.isOverdue = true;
      return;
    }
    const { revoke = 0, excepted = 0 } = this.numbers();
    const silent = pending.length + revoke + excepted;
    const isTooMuch = silent > Math.max(100, this.items.length * 0.2);
    for (const item of pending) {
      item.reason =
        onSilence === 'revoke' && isTooMuch
          ? 'Nobody decided in time, and to revoke so many needs somebody who decides.'
          : 'Nobody decided in time.';
      item.state = onSilence === 'revoke' && !isTooMuch ? 'revoke' : 'excepted';
      if (item.state === 'revoke') this.order(item);
    }
  }

  private order(item: ReviewedItem): void {
    item.remediation = 'ordered';
    item.pushes = [];
  }

  /** The second seal. */
  private seal(): void {
    if (this.state !== 'closed') return;
    if (!this.items.some(({ remediation }) => left(remediation))) this.isRemediated = true;
  }

  private some(numbers: readonly number[]): readonly ReviewedItem[] {
    return this.items.filter(({ number }) => numbers.includes(number));
  }

  /** The people of the review who are somebody now. Two whom the review knew apart may be one by now. */
  private placesOf(keys: readonly string[] | null): readonly number[] {
    return this.people.flatMap((key, place) => (keys?.includes(key) === true ? [place] : []));
  }

  private add(keys: readonly string[] | null): number {
    return this.people.push(keys?.[0] ?? '') - 1;
  }

  /** Whether an item is somebody's own, then or now. */
  private isOwn(
    { holder, planned }: ReviewedItem,
    keys: readonly string[] | null,
    who: readonly number[],
    now: ReviewedGraph,
  ): boolean {
    const [human = ''] = keys ?? [];
    return (holder !== null && who.includes(holder)) || now.isOwn(human, planned.fact.from);
  }
}

/** The statuses of which a condition holds. */
function refusals(conditions: Readonly<Record<number, readonly boolean[]>>): Refusals {
  return new Set(
    Object.entries(conditions).flatMap(([status, all]) =>
      all.includes(true) ? [Number(status)] : [],
    ),
  );
}
