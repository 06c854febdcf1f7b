import type { ServiceUnderTest } from '../http/service-under-test';
import {
  type Earlier,
  type Item,
  type OtherReview,
  type Planned,
  type ReviewedGraph,
  type Scope,
  textOf,
  type Wanted,
} from '../mirror/review';
import {
  type Looked,
  type Refusals,
  type ReviewedItem,
  ReviewStates,
} from '../mirror/review-states';
import { byCodeUnits } from '../mirror/text';
import { ask } from '../../src/neo4j/ask';
import type { Luck } from './luck';
import type { ReviewWorld } from './review-world';
import type { Tally } from './tally';

const REVIEWS = '/api/v1/reviews';
const DAY = 86_400_000;

type Body = Readonly<Record<string, unknown>>;

/** What a draft was created with. */
interface Draft {
  readonly id: string;
  readonly owner: string;
  readonly fallback: string;
  readonly scope: Scope;
  readonly privilegedTypes: readonly string[];
  readonly carries: boolean;
  readonly due: number;
  readonly graceDays: number;
  readonly onSilence: 'except' | 'revoke';
  readonly before: ReadonlyMap<string, Earlier> | null;
}

interface PlanAnswer {
  readonly token: string;
  readonly at: string;
  readonly items: number;
  readonly carried: number;
  readonly marks: Readonly<Record<string, number>>;
  readonly changes_nothing: number;
  readonly avoided: number;
  readonly without_reviewer: number;
  readonly reviewers: readonly { readonly reviewer: string; readonly items: number }[];
  readonly sources: readonly {
    readonly data_source: string;
    readonly push: string | null;
    readonly is_stale: boolean;
    readonly has_failed: boolean;
  }[];
  readonly coverage: {
    readonly pairs: number;
    readonly reviewed: number;
    readonly elsewhere: readonly { readonly review: string; readonly pairs: number }[];
    readonly not_reviewed: readonly { readonly pairs: number }[];
  };
}

interface StoredItem {
  readonly number: number;
  readonly digest: string;
  readonly fact: string;
  readonly state: string;
  readonly marks: readonly string[];
  readonly holder: string;
  readonly reviewer: string;
  readonly decided_by: string;
  readonly reason: string;
  readonly remediation: string | null;
  readonly push: string;
  readonly shown: string;
}

interface Shown {
  readonly permissions: readonly string[];
  readonly permissions_total: number;
  readonly resources: number;
  readonly people: number;
  readonly changes_nothing: boolean;
  readonly instead_of: readonly string[];
}

/** A plan of the service, and the same one of the mirror. */
interface BothPlans {
  readonly answer: PlanAnswer;
  readonly planned: Planned;
}

/** One review in the service, and the same one in the mirror. */
export class ReviewRun {
  states: ReviewStates | null = null;
  private then: ReviewedGraph | null = null;
  private digests = new Map<number, string>();
  private readonly returned: number[] = [];

  private constructor(
    private readonly service: ServiceUnderTest,
    private readonly world: ReviewWorld,
    private readonly luck: Luck,
    private readonly tally: Tally,
    readonly draft: Draft,
  ) {}

  /** Creates a draft with random settings. */
  static async created(
    service: ServiceUnderTest,
    world: ReviewWorld,
    luck: Luck,
    tally: Tally,
    before: ReviewRun | null = null,
  ): Promise<ReviewRun> {
    const { graph } = world;
    const responsible = graph
      .keysOf('IdpUser', 'Employee')
      .filter((key) => graph.person(key, Date.now()) !== null);
    const auditor = (name: string): string =>
      responsible.find((key) => key.endsWith(`|${name}`)) ?? '';
    const draft = {
      owner: luck.chance(0.5) ? auditor('olga') : (luck.one(responsible) ?? ''),
      fallback: luck.chance(0.7) ? auditor('fay') : (luck.one(responsible) ?? ''),
      scope: before !== null && luck.chance(0.6) ? before.draft.scope : scopeIn(graph, luck),
      privilegedTypes: luck.one([['MetadataWrite', 'MetadataDelete'], ['DataWrite'], []]) ?? [],
      carries: !luck.chance(0.15),
      due: Math.floor(Date.now() / DAY + 30) * DAY,
      graceDays: luck.below(3),
      onSilence: luck.one(['except', 'revoke'] as const) ?? 'except',
    };
    const wanted = {
      name: `Review ${luck.below(1000)}`,
      owner: draft.owner,
      fallback: draft.fallback,
      due: new Date(draft.due).toISOString(),
      grace_days: draft.graceDays,
      on_silence: draft.onSilence,
      carries: draft.carries,
      privileged_types: draft.privilegedTypes,
      ...(before === null ? {} : { before: before.draft.id }),
    };
    // Of the scope of the review before, pushes may have removed something.
    const scope = withoutGone(graph, draft.scope);
    if (JSON.stringify(scope) !== JSON.stringify(draft.scope)) {
      const refused = await service.send('post', REVIEWS, { ...wanted, scope: draft.scope });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('/scope/')]);
      tally.count('refused', 'create 400');
    }
    const answer = await service.send('post', REVIEWS, { ...wanted, scope });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const { id } = (answer.body as { value: { review: { id: string } } }).value.review;
    const earlier = before?.states?.earlier(draft.carries) ?? null;
    return new ReviewRun(service, world, luck, tally, { ...draft, scope, id, before: earlier });
  }

  get id(): string {
    return this.draft.id;
  }

  /** Whether the owner and the fallback are people who may act now. */
  hasPeople(): boolean {
    const { owner, fallback } = this.draft;
    return [owner, fallback].every((key) => this.world.graph.person(key, Date.now()) !== null);
  }

  /** Plans the review; the plan is the mirror's. `null` if its owner or fallback has left. */
  async planned(others: readonly OtherReview[]): Promise<BothPlans | null> {
    if (!this.hasPeople()) {
      await this.refused(':plan', {}, [400]);
      return null;
    }
    const answer = await this.sent<{ value: PlanAnswer }>(':plan', {}, [200]);
    const plan = answer.body.value;
    const planned = this.expected(others, Date.parse(plan.at));
    this.tally.count('compared', 'plans');
    this.expectPlan(plan, planned);
    return { answer: plan, planned };
  }

  /** Opens the review as planned, unless the rules forbid it; then it is refused. Whether it is open. */
  async opened({ answer, planned }: BothPlans): Promise<boolean> {
    const failed = answer.sources.filter(({ has_failed }) => has_failed);
    const isForbidden = answer.without_reviewer > 0;
    if (failed.length > 0 || isForbidden) {
      await this.refused(':open', { token: answer.token }, [409]);
      this.tally.count('openings', isForbidden ? 'without a reviewer' : 'not acknowledged');
      if (isForbidden) return false;
    }
    const acknowledged = failed.map(({ data_source }) => ({ data_source, reason: 'It is known.' }));
    const body = { token: answer.token, acknowledged };
    if (answer.items === 0) {
      await this.refused(':open', body, [400]);
      this.tally.count('openings', 'without items');
      return false;
    }
    await this.refused(':open', { ...body, token: 'another' }, [409]);
    await this.sent(':open', body, [200]);
    await this.refused(':open', body, [200]);
    this.tally.count('openings', 'opened');
    await this.takeOpened(planned);
    return true;
  }

  /** A plan that is no longer the plan is not opened. */
  async refusedOpening({ answer }: BothPlans): Promise<void> {
    await this.refused(':open', { token: answer.token }, [409]);
  }

  /** What the mirror would open now. */
  expected(others: readonly OtherReview[], clock: number): Planned {
    const { draft, world } = this;
    const isFiltered = (['roles', 'groups', 'people', 'marks'] as const).some(
      (name) => draft.scope[name].length > 0,
    );
    const wanted: Wanted = {
      scope: draft.scope,
      privilegedTypes: draft.privilegedTypes,
      before: draft.before,
      clock,
      others: isFiltered ? others : [],
      fallback: world.graph.human(draft.fallback)?.key ?? '',
    };
    return world.graph.planned(wanted);
  }

  /** Whether the plan would be another one by now. */
  hasChanged({ answer, planned }: BothPlans, others: readonly OtherReview[]): boolean {
    const now = this.expected(others, Date.now());
    const text = ({ items, coverage, sources }: Planned): string =>
      JSON.stringify([
        items
          .map(({ fact, gives, marks, reviewer }) =>
            JSON.stringify([textOf(fact), gives, marks, reviewer]),
          )
          .toSorted(),
        coverage,
        [...sources].toSorted(),
      ]);
    const isPushed = answer.sources.some(
      ({ data_source, push }) => (this.world.newest.get(data_source) ?? null) !== push,
    );
    return isPushed || text(now) !== text(planned);
  }

  /** Something that somebody does, by chance. */
  async act(): Promise<void> {
    const { luck, states } = this;
    if (states === null) return;
    const way =
      luck.one([
        'decide',
        'decide',
        'decide',
        'decide',
        'decide',
        'decide',
        'bulk',
        'reassign',
        'except',
        'appoint',
        'close',
        'stranger',
        'unseen',
      ]) ?? 'decide';
    if (way === 'reassign') return this.reassignByChance();
    if (way === 'except') return this.exceptByChance();
    if (way === 'appoint') return this.appointByChance();
    if (luck.chance(0.02))
      return this.answered(':cancel', states.cancel(), { reason: 'not needed' });
    if (way === 'close') return this.close(luck.chance(0.7));
    const first = luck.one(this.likely(['pending', 'keep', 'revoke', 'carried', 'gone']));
    if (first === undefined) return;
    const alike = states.items.filter(
      ({ planned, reviewer }) =>
        planned.entitlement === first.planned.entitlement && reviewer === first.reviewer,
    );
    const items = way === 'bulk' ? luck.some(alike, 5) : [first];
    const decision = luck.one(['keep', 'revoke', 'revoke'] as const) ?? 'keep';
    const by =
      way === 'stranger' ? this.somebody() : (this.keyOf(first.reviewer) ?? this.somebody());
    await this.decide(by, decision, items, luck.chance(0.85) ? 'as the work demands' : '', {
      isSeen: way !== 'unseen',
    });
  }

  /** Decides what is pending, and closes. `later` makes rounds at a later time. */
  async finish(later: (clock: number) => Promise<void>): Promise<void> {
    const { states, luck } = this;
    if (states === null) return;
    for (const item of states.items) {
      if (item.state !== 'pending') continue;
      const decision = luck.chance(0.5) ? 'keep' : 'revoke';
      await this.decide(this.keyOf(item.reviewer) ?? '', decision, [item], 'at the end', {
        isSeen: true,
      });
    }
    if (states.items.some(({ state }) => state === 'pending')) {
      // Who has left decides nothing.
      await later(this.draft.due + 1000);
      await later(this.draft.due + (this.draft.graceDays + 1) * DAY);
    }
    await this.close(true);
  }

  /** A round of the background, which the service has made. */
  async round(clock: number): Promise<void> {
    const returned = this.states?.round(this.looked(clock)) ?? [];
    this.returned.push(...returned);
    this.tally.count('remediation', 'returns', returned.length);
    await this.expectSame();
  }

  /** What the service says came back, by events. */
  private async toldReturns(): Promise<readonly number[]> {
    const events = await ask(
      this.service.graph,
      `MATCH (e:Event {event_type: 'REVIEW_ACCESS_RETURNED'}) WHERE e.metadata CONTAINS $id
      RETURN e.metadata AS metadata`,
      { id: this.id },
    );
    return events.flatMap(
      ({ metadata }) => (JSON.parse(String(metadata)) as { items: readonly number[] }).items,
    );
  }

  /** The review in Neo4j is the mirror's, and verifies. */
  async expectSame(): Promise<void> {
    const { states, tally } = this;
    if (states === null) return;
    const stored = await this.stored();
    const people = await this.peopleByAlias();
    const placeOf = (alias: string): number | null =>
      alias === '' ? null : Number(alias.slice(1)) - 1;
    expect([...people.values()]).toEqual(states.people);
    const found = stored.map((item) => ({
      number: item.number,
      state: item.state,
      reviewer: placeOf(item.reviewer),
      decidedBy: placeOf(item.decided_by),
      reason: item.reason,
      remediation: item.remediation,
      push: item.push,
    }));
    const expected = states.items.map((item, at) => ({
      number: item.number,
      state: item.state,
      reviewer: item.reviewer,
      decidedBy: item.decidedBy,
      reason: item.reason,
      remediation: item.remediation,
      push: pushOf(item, stored[at]?.push ?? ''),
    }));
    expect(found).toEqual(expected);
    for (const { state, remediation } of states.items) {
      tally.count('items', state);
      if (remediation !== null) tally.count('remediation', remediation);
    }
    // Every return is an event.
    const order = (a: number, b: number): number => a - b;
    expect((await this.toldReturns()).toSorted(order)).toEqual(this.returned.toSorted(order));
    const answer = await this.service.send('get', `${REVIEWS}/${this.id}`);
    const { review, numbers } = (answer.body as { value: { review: Body; numbers: Body } }).value;
    expect(numbers).toEqual(states.numbers());
    expect([review.state, review.remediated_at !== null]).toEqual([
      states.state,
      states.isRemediated,
    ]);
    if (states.isRemediated) tally.count('reviews', 'remediated');
    tally.count('reviews', states.state);
    await this.expectVerified();
  }

  /** Nothing differs from the chain and the history. */
  async expectVerified(): Promise<void> {
    const answer = await this.service.send('post', `${REVIEWS}/${this.id}:verify`);
    expect(answer.body).toMatchObject({ verified: true, findings: [] });
    expect((answer.body as { checked: readonly string[] }).checked.join()).not.toContain('not the');
    this.tally.count('compared', 'verifications');
  }

  private async close(byOwner: boolean): Promise<void> {
    const { states, luck } = this;
    if (states === null) return;
    const by = byOwner ? (this.keyOf(states.owner) ?? this.somebody()) : this.somebody();
    const asked = { by, attestation: luck.one(['I attest it.', 'It is so.']) ?? '' };
    const refused = states.close(this.looked(), asked);
    await this.answered(':close', refused, {
      on_behalf_of: by,
      attestation: asked.attestation,
    });
  }

  private async decide(
    by: string,
    decision: 'keep' | 'revoke',
    items: readonly ReviewedItem[],
    reason: string,
    { isSeen }: { readonly isSeen: boolean },
  ): Promise<void> {
    const numbers = items.map(({ number }) => number);
    const asked = { by, decision, reason, items: numbers, isSeen };
    const refused = this.states?.decide(this.looked(), asked) ?? new Set();
    await this.answered(':decide', refused, {
      on_behalf_of: by,
      decision,
      items: numbers.map((number) => ({
        number,
        digest: isSeen ? this.digests.get(number) : 'other',
      })),
      ...(reason === '' ? {} : { reason }),
    });
  }

  private async reassignByChance(): Promise<void> {
    const { luck, states } = this;
    if (states === null) return;
    const items = luck.some(this.likely(['pending']), 3);
    if (items.length === 0) return;
    const numbers = items.map(({ number }) => number);
    const by =
      (luck.chance(0.4) ? this.keyOf(states.owner) : this.keyOf(items[0]?.reviewer ?? null)) ??
      this.somebody();
    const to = luck.chance(0.5) ? this.somebody() : (this.keyOf(states.fallback) ?? '');
    const refused = states.reassign(this.looked(), { by, to, items: numbers });
    const body = { on_behalf_of: by, to, items: numbers, reason: 'on leave' };
    await this.answered(':reassign', refused, body);
  }

  private async exceptByChance(): Promise<void> {
    const { luck, states } = this;
    if (states === null) return;
    const items = luck.some(this.likely(['revoke']), 2);
    if (items.length === 0) return;
    const numbers = items.map(({ number }) => number);
    const by = this.somebody();
    const until = Date.now() + (1 + luck.below(20)) * DAY;
    const refused = states.except(this.looked(), { by, until, items: numbers });
    await this.answered(':except', refused, {
      on_behalf_of: by,
      items: numbers,
      reason: 'until spring',
      until: new Date(until).toISOString(),
    });
  }

  private async appointByChance(): Promise<void> {
    const { luck, states } = this;
    if (states === null) return;
    const part = luck.one(['owner', 'fallback'] as const) ?? 'owner';
    const key = this.somebody();
    const refused = states.appoint(this.looked(), { part, key });
    await this.answered(':appoint', refused, { [part]: key, reason: 'who did it left' });
  }

  /** Sends a request: it is refused with one of these statuses and changes nothing, or accepted and sent again. */
  private async answered(path: string, refused: Refusals, body: Body): Promise<void> {
    if (refused.size > 0) {
      await this.refused(path, body, [...refused]);
      this.tally.count('refused', `${path} ${[...refused].toSorted()[0]}`);
      return;
    }
    await this.sent(path, body, [200]);
    this.tally.count('acts', path);
    if (this.luck.chance(0.3)) await this.refused(path, body, [200]);
    await this.expectSame();
  }

  /** Sends what changes nothing. */
  private async refused(path: string, body: Body, statuses: readonly number[]): Promise<void> {
    const before = await this.records();
    await this.sent(path, body, statuses);
    expect(await this.records()).toEqual(before);
  }

  private async sent<A = unknown>(
    path: string,
    body: Body,
    statuses: readonly number[],
  ): Promise<{ readonly body: A }> {
    const answer = await this.service.send('post', `${REVIEWS}/${this.id}${path}`, body);
    if (!statuses.includes(answer.status)) {
      throw new Error(
        `${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text}, expected ${statuses.join()}`,
      );
    }
    return { body: answer.body as A };
  }

  /** All that Neo4j stores of the review. */
  private async records(): Promise<readonly string[]> {
    const found = await ask(
      this.service.graph,
      `MATCH (n:Review|ReviewItem|ReviewDecision|ReviewPerson|ReviewRemediation)
      WHERE n.key = $id OR n.review STARTS WITH $id
      RETURN n {.*, openings: null, opening_since: null} AS record`,
      { id: this.id },
    );
    const plain = (_: string, value: unknown): unknown =>
      typeof value === 'bigint' ? String(value) : value;
    return found.map((each) => JSON.stringify(each, plain)).toSorted();
  }

  private looked(clock: number = Date.now()): Looked {
    const { graph, history } = this.world;
    return {
      then: this.then ?? graph,
      now: graph,
      clock,
      endedBy: history.endedBy,
      broughtBy: history.broughtBy,
    };
  }

  /** Items that are in one of some states, or any if there is none. */
  private likely(states: readonly string[]): readonly ReviewedItem[] {
    const all = this.states?.items ?? [];
    const some = all.filter(({ state }) => states.includes(state));
    return some.length === 0 || this.luck.chance(0.1) ? all : some;
  }

  /** The key of a person of the review. */
  private keyOf(place: number | null): string | null {
    return place === null ? null : (this.states?.people[place] ?? null);
  }

  /** Somebody of the graph, who may be nobody. */
  private somebody(): string {
    const { graph } = this.world;
    const labels = this.luck.chance(0.7) ? ['IdpUser', 'Employee'] : ['LocalUser', 'Identity'];
    return this.luck.one(graph.keysOf(...labels)) ?? 'nobody';
  }

  private async stored(): Promise<readonly StoredItem[]> {
    const rows = await ask(
      this.service.graph,
      `MATCH (r:Review {key: $id}) MATCH (i:ReviewItem {review: r.run})
      OPTIONAL MATCH (d:ReviewRemediation {review: $id, item: i.number})
      RETURN toInteger(i.number) AS number, i.digest AS digest, i.fact AS fact, i.state AS state, i.marks AS marks,
        i.holder AS holder, i.reviewer AS reviewer, coalesce(i.decided_by, '') AS decided_by,
        coalesce(i.reason, '') AS reason, d.state AS remediation, coalesce(d.push, '') AS push, i.shown AS shown
      ORDER BY i.number`,
      { id: this.id },
    );
    return rows as unknown as readonly StoredItem[];
  }

  private async peopleByAlias(): Promise<ReadonlyMap<string, string>> {
    const rows = await ask(
      this.service.graph,
      'MATCH (r:Review {key: $id}) MATCH (p:ReviewPerson {review: r.run}) RETURN p.alias AS alias, p.person AS key',
      { id: this.id },
    );
    const people = rows.map(({ alias, key }) => [String(alias), String(key)] as const);
    const number = ([alias]: readonly [string, string]): number => Number(alias.slice(1));
    return new Map(people.toSorted((a, b) => number(a) - number(b)));
  }

  private expectPlan(plan: PlanAnswer, { items, coverage, sources }: Planned): void {
    const own = items.filter(({ isCarried }) => !isCarried);
    const counted = (keys: readonly string[]): Readonly<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
      return counts;
    };
    expect({
      items: plan.items,
      carried: plan.carried,
      marks: plan.marks,
      changes_nothing: plan.changes_nothing,
      without: plan.without_reviewer,
      coverage: {
        pairs: plan.coverage.pairs,
        reviewed: plan.coverage.reviewed,
        elsewhere: plan.coverage.elsewhere,
        notReviewed: plan.coverage.not_reviewed.reduce((sum, { pairs }) => sum + pairs, 0),
      },
      sources: plan.sources.map(({ data_source, push, is_stale, has_failed }) => ({
        data_source,
        push,
        is_stale,
        has_failed,
      })),
    }).toEqual({
      items: items.length,
      carried: items.length - own.length,
      marks: counted(items.flatMap(({ marks }) => marks.filter((mark) => mark !== 'conflict'))),
      changes_nothing: items.filter(({ changesNothing }) => changesNothing).length,
      without: items.filter(({ reviewer }) => reviewer === null).length,
      coverage,
      sources: [...sources].toSorted(byCodeUnits).map((data_source) => ({
        data_source,
        push: this.world.newest.get(data_source) ?? null,
        is_stale: false,
        has_failed: this.world.hasFailed(data_source),
      })),
    });
    expect(
      Object.fromEntries(plan.reviewers.map(({ reviewer, items: number }) => [reviewer, number])),
    ).toEqual(counted(own.flatMap(({ reviewer }) => reviewer ?? [])));
    expect(plan.avoided).toBe(
      own.filter(({ avoided, reviewer }) => reviewer !== null && avoided.length > 0).length,
    );
    // The sum is all pairs.
    const elsewhere = coverage.elsewhere.reduce((sum, { pairs }) => sum + pairs, 0);
    expect(coverage.reviewed + elsewhere + coverage.notReviewed).toBe(coverage.pairs);
    this.tally.count('compared', 'pairs', coverage.pairs);
    this.tally.count('coverage', 'reviewed', coverage.reviewed);
    this.tally.count('coverage', 'elsewhere', elsewhere);
    this.tally.count('coverage', 'not reviewed', coverage.notReviewed);
    for (const item of items) {
      this.expectNotTheirOwn(item);
      for (const mark of item.marks) this.tally.count('marks', mark);
      if (item.isCarried) this.tally.count('planned', 'carried');
      if (item.changesNothing) this.tally.count('planned', 'changes nothing');
      if (item.avoided.length > 0) this.tally.count('planned', 'a self-review avoided');
      if (item.reviewer === null) this.tally.count('planned', 'without a reviewer');
    }
  }

  /** Nobody reviews themselves, by any account, identity or employee. */
  private expectNotTheirOwn({ reviewer, fact: { from } }: Item): void {
    if (reviewer === null) return;
    const { graph } = this.world;
    expect(graph.human(from)?.key).not.toBe(reviewer);
    const { isOwn, humans } = graph.whose(from);
    if (isOwn) expect([...humans]).not.toContain(reviewer);
  }

  /** The stored population is the mirror's. */
  private async takeOpened({ items }: Planned): Promise<void> {
    const stored = await this.stored();
    const people = await this.peopleByAlias();
    const keyOf = (alias: string): string | null => people.get(alias) ?? null;
    const found = stored.map((item) => {
      const shown = JSON.parse(item.shown) as Shown;
      return {
        fact: item.fact,
        state: item.state,
        marks: item.marks.toSorted(),
        holder: keyOf(item.holder),
        reviewer: keyOf(item.reviewer),
        permissions: shown.permissions,
        resources: shown.resources,
        people: shown.people,
        changesNothing: shown.changes_nothing,
        avoided: shown.instead_of.map(keyOf),
      };
    });
    const expected = items.map((item) => ({
      fact: textOf(item.fact),
      state: item.isCarried ? 'carried' : 'pending',
      marks: item.marks.toSorted(),
      holder: item.human,
      reviewer: item.reviewer,
      permissions: item.permissions.slice(0, 100),
      resources: item.targets.size,
      people: item.people,
      changesNothing: item.changesNothing,
      avoided: item.avoided,
    }));
    const byFact = (a: { readonly fact: string }, b: { readonly fact: string }): number =>
      byCodeUnits(a.fact, b.fact);
    expect(found.toSorted(byFact)).toEqual(expected.toSorted(byFact));
    this.tally.count('compared', 'items', items.length);
    const keys = [...people.values()];
    const placeOf = (key: string | null): number | null =>
      key === null ? null : keys.indexOf(key);
    const plannedOf = new Map(items.map((item) => [textOf(item.fact), item]));
    const { graph } = this.world;
    this.then = graph;
    this.digests = new Map(stored.map(({ number, digest }) => [number, digest]));
    this.states = new ReviewStates({
      ...this.draft,
      people: keys,
      owner: placeOf(graph.human(this.draft.owner)?.key ?? null) ?? -1,
      fallback: placeOf(graph.human(this.draft.fallback)?.key ?? null) ?? -1,
      fallbackKey: this.draft.fallback,
      items: stored.flatMap(({ number, fact, state }): readonly ReviewedItem[] => {
        const planned = plannedOf.get(fact);
        if (planned === undefined) return [];
        const [holder, reviewer] = [placeOf(planned.human), placeOf(planned.reviewer)];
        return [
          {
            number,
            planned,
            fact,
            holder,
            reviewer,
            state,
            decidedBy: null,
            reason: '',
            remediation: null,
            pushes: [],
            exceptedUntil: 0,
          },
        ];
      }),
    });
    await this.expectSame();
  }
}

/** The push that an item should name: that of the mirror, or one of several. */
function pushOf({ remediation, pushes }: ReviewedItem, stored: string): string {
  if (remediation !== 'confirmed' && remediation !== 'came_back' && remediation !== 'blocked') {
    return stored;
  }
  return pushes.includes(stored) ? stored : (pushes[0] ?? '');
}

const ROLES = ['LocalRole', 'CloudRole'];
const GROUPS = ['IdpGroup', 'LocalGroup'];
const PEOPLE = ['IdpUser', 'Employee', 'LocalUser'];

/** A scope without what is no longer there. */
function withoutGone(graph: ReviewedGraph, scope: Scope): Scope {
  const known = new Set(graph.keysOf('Application', 'Resource', ...ROLES, ...GROUPS, ...PEOPLE));
  const left = (keys: readonly string[]): readonly string[] => keys.filter((key) => known.has(key));
  return {
    applications: left(scope.applications),
    resources: left(scope.resources),
    roles: left(scope.roles),
    groups: left(scope.groups),
    people: left(scope.people),
    marks: scope.marks,
  };
}

/** A random scope: all, some places, and at times filters. */
function scopeIn(graph: ReviewedGraph, luck: Luck): Scope {
  const some = (often: number, ...labels: readonly string[]): readonly string[] => {
    const all = graph.keysOf(...labels);
    return luck.chance(often) && all.length > 0 ? luck.some(all, 2) : [];
  };
  const isFiltered = luck.chance(0.4);
  const often = isFiltered ? 0.4 : 0;
  return {
    applications: some(0.25, 'Application'),
    resources: some(0.15, 'Resource'),
    roles: some(often / 2, ...ROLES),
    groups: some(often, ...GROUPS),
    people: some(often, ...PEOPLE),
    marks:
      luck.chance(often) || luck.chance(0.05)
        ? luck.some(['privileged', 'inactive', 'nobodys', 'not_a_person', 'guest', 'new'], 3)
        : [],
  };
}
