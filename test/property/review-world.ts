import type { AccessPush } from '../arbitrary/access-payloads';
import { type Change, incrementOf } from '../arbitrary/increment-draft';
import { repaired, repairedIncrement } from '../arbitrary/repair';
import { wholePayload } from '../arbitrary/whole-payload';
import type { ServiceUnderTest } from '../http/service-under-test';
import type { Mirror } from '../mirror/mirror';
import { ReviewedGraph, textOf } from '../mirror/review';
import type { Stream } from './comparison';
import { push } from './service-driver';
import type { Luck } from './luck';
import type { Tally } from './tally';

/** Lists of which a thinner payload says less. */
const THINNED = new Set([
  'identity_to_permissions',
  'application_permissions',
  'role_assignments',
  'groups',
  'assumed_roles',
  'assigned_apps',
  'apps',
]);

/** Who reviews if nobody else may: people whom no random payload mentions. */
const AUDITORS = {
  name: 'Auditors',
  idp_type: 'x',
  domains: [{ name: 'auditors.example' }],
  users: ['olga', 'fay', 'ivo'].map((name) => ({
    name,
    identity: name,
    email: `${name}@auditors.example`,
    is_active: true,
  })),
};

/** When facts began and ended, by the pushes that did it. */
export class FactHistory {
  private readonly ended = new Map<string, string>();
  private readonly brought = new Map<string, string>();
  private standing: ReadonlySet<string> = new Set();

  take(graph: ReviewedGraph, id: string): void {
    const now = new Set(graph.facts().map(textOf));
    for (const fact of now) if (!this.standing.has(fact)) this.brought.set(fact, id);
    for (const fact of this.standing) if (!now.has(fact)) this.ended.set(fact, id);
    this.standing = now;
  }

  has(fact: string): boolean {
    return this.standing.has(fact);
  }

  readonly endedBy = (fact: string): string => this.ended.get(fact) ?? '';
  readonly broughtBy = (fact: string): readonly string[] => [this.brought.get(fact) ?? ''];
}

/** A random graph that random pushes change, beside the mirror's. */
export class ReviewWorld {
  readonly history = new FactHistory();
  private known: ReviewedGraph | null = null;
  private readonly pushed = new Map<number, object[]>();
  /** The newest accepted push of each data source. */
  readonly newest = new Map<string, string>();
  private readonly failed = new Set<string>();

  constructor(
    private readonly service: ServiceUnderTest,
    private readonly streams: readonly Stream[],
    readonly mirror: Mirror,
    private readonly luck: Luck,
    private readonly tally: Tally,
  ) {}

  /** The graph of now. */
  get graph(): ReviewedGraph {
    this.known ??= new ReviewedGraph(this.mirror.graph());
    return this.known;
  }

  hasFailed(source: string): boolean {
    return this.failed.has(source);
  }

  /** Pushes the people of the auditors. */
  async begin(first: readonly AccessPush[]): Promise<void> {
    await this.push(this.streams.length - 1, AUDITORS);
    for (const { source, payload } of first) await this.push(source, this.tagged(payload));
  }

  /** Makes a push by chance: a new payload, one of before, one that says less, or an increment. */
  async pushByChance(then: readonly AccessPush[], changes: readonly Change[]): Promise<void> {
    const { luck } = this;
    const next = luck.one(then);
    if (next === undefined || luck.chance(0.15)) return this.refused();
    const { source } = luck.chance(0.3) ? next : { source: luck.one([0, 1, 2, 2, 3, 3, 4]) ?? 2 };
    const before = this.pushed.get(source) ?? [];
    const way = luck.one(['new', 'again', 'first', 'less', 'less', 'less', 'increment']);
    this.tally.count('pushes', String(way));
    const template = this.streams[source]?.source.template ?? 'application';
    if (way === 'again') return this.push(source, luck.one(before) ?? {});
    if (way === 'first') return this.push(source, before[0] ?? {});
    if (way === 'new') return this.push(next.source, this.tagged(next.payload));
    const held = this.mirror.holds(this.streams[source]?.source.id ?? '');
    const whole = held === null ? {} : wholePayload(held).payload;
    if (way === 'less') return this.push(source, repaired(this.thinned(whole) as object, template));
    const donor = (before[0] ?? {}) as Record<string, unknown>;
    if (held === null) return this.push(source, before[0] ?? {});
    return this.push(source, repairedIncrement(incrementOf(whole, donor, changes), held), false);
  }

  /** Pushes what an application said first, so that what was revoked comes back. */
  async pushFirst(): Promise<void> {
    const source = this.luck.one([2, 3]) ?? 2;
    await this.push(source, this.pushed.get(source)?.[0] ?? {});
    this.tally.count('pushes', 'first');
  }

  /** Pushes something that no source may push. */
  private async refused(): Promise<void> {
    const stream = this.luck.one(this.streams);
    if (stream === undefined) return;
    const answer = await push(this.service, stream.registered, '{"no": 1}');
    expect(answer.accepted).toBe(false);
    this.tally.count('pushes', 'refused');
    this.failed.add(stream.source.id);
  }

  private async push(place: number, payload: object, isWhole = true): Promise<void> {
    const stream = this.streams[place];
    if (stream === undefined) throw new Error(`There is no data source ${place}.`);
    const { source, registered } = stream;
    const answer = await push(this.service, registered, JSON.stringify(payload));
    const outcome = this.mirror.accept(
      source,
      JSON.parse(JSON.stringify(payload)),
      answer.accepted ? answer.at : '',
    );
    if (answer.accepted !== outcome.accepted) {
      throw new Error(`answered ${JSON.stringify(answer)}\nexpected ${JSON.stringify(outcome)}`);
    }
    if (!answer.accepted) {
      this.failed.add(source.id);
      return;
    }
    this.failed.delete(source.id);
    if (isWhole) this.pushed.set(place, [...(this.pushed.get(place) ?? []), payload]);
    this.newest.set(source.id, answer.push);
    this.known = null;
    this.history.take(this.graph, answer.push);
  }

  /** Some tags say that something is privileged. */
  private tagged(payload: object): object {
    if (!this.luck.chance(0.3)) return payload;
    const text = JSON.stringify(payload).replaceAll('"key":"level"', '"key":"Privileged"');
    return JSON.parse(text) as object;
  }

  /** The same without some of what it grants. */
  private thinned(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.thinned(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]: [string, unknown]) => {
        const some =
          THINNED.has(name) && Array.isArray(each)
            ? each.filter(() => !this.luck.chance(0.3))
            : each;
        return [name, this.thinned(some)];
      }),
    );
  }
}
