import type { Driver } from 'neo4j-driver';

import type { ServiceUnderTest } from '../http/service-under-test';
import { type Access, effectiveAccess } from '../mirror/access';
import type { Graph } from '../mirror/graph';
import { type HumanOfPeriod, humanOfPeriod, People } from '../mirror/people';
import type { ChangeCounts, ChangedRow } from '../../src/contract/answers/questions/access-changes';
import { Instant, nanosOf } from '../../src/model/instant';
import { countingRound } from '../../src/push/counting/count-changes';
import { accessCountingOf } from '../../src/questions/contract';
import { memoryLog } from '../http/memory-log';
import { testNeo4j } from '../support/neo4j';
import { sized } from '../support/test-size';
import type { ChangedAccess, PlannedAccess } from './service-driver';
import type { Tally } from './tally';

/** The graph since an instant. */
interface Then {
  readonly at: string;
  readonly graph: Graph;
}

interface Changes {
  readonly from: string;
  readonly to: string;
  readonly counts: ChangeCounts;
  readonly total: number;
  readonly has_more: boolean;
  readonly next_page_token: string;
  readonly values: readonly ChangedAccess[];
}

type Held = ChangedAccess['gained'][number];

export const linesTold = (
  values: readonly ChangedAccess[],
  more: (held: Held) => string = () => '',
): readonly string[] =>
  values
    .flatMap(({ principal, resource, gained, lost }) => {
      const line = (sign: string) => (held: Held) =>
        `${sign} ${principal.id} ${resource.id} ${JSON.stringify([held.name, held.permission_type])}${more(held)}`;
      return [...gained.map(line('+')), ...lost.map(line('-'))];
    })
    .sort();

/** Changes as lines. Those of a human also tell the accounts. */
export const linesThrough = (values: readonly ChangedAccess[]): readonly string[] =>
  linesTold(values, ({ accounts = ['unknown'] }) => ` by ${accounts.join(' and ')}`);

/** A permission that somebody gained or lost, by the mirror. */
interface Changed {
  readonly sign: '+' | '-';
  readonly who: string;
  readonly what: string;
  readonly permission: string;
}

const changesBetween = (earlier: Access, later: Access): readonly Changed[] => {
  const changes: Changed[] = [];
  const note = (sign: Changed['sign'], one: Access, other: Access): void => {
    for (const [who, reached] of one) {
      for (const [what, held] of reached) {
        for (const permission of held) {
          if (other.get(who)?.get(what)?.has(permission) !== true)
            changes.push({ sign, who, what, permission });
        }
      }
    }
  };
  note('+', later, earlier);
  note('-', earlier, later);
  return changes;
};

/** What some nodes can reach together, and through which of them. */
const heldByAll = (
  access: Access,
  nodes: readonly string[],
  first: string | null,
): ReadonlyMap<string, readonly string[]> => {
  const held = new Map<string, string[]>();
  for (const node of nodes) {
    for (const [what, permissions] of access.get(node) ?? []) {
      for (const permission of permissions) {
        const name = `${what} ${permission}`;
        held.set(name, [...(held.get(name) ?? []), ...(node === first ? [] : [node])].sort());
      }
    }
  }
  return held;
};

/** The lines of a human: those of all nodes of theirs as one principal. */
export const linesOfHuman = (
  earlier: Stage,
  later: Stage,
  human: HumanOfPeriod,
): readonly string[] => {
  const firstOf = (people: People, nodes: readonly string[]): string | null => {
    const firsts = new Set(nodes.map((node) => people.human(node)?.key ?? null));
    return firsts.size === 1 ? ([...firsts][0] ?? null) : null;
  };
  const [before, after] = [
    heldByAll(earlier.access, human.before, firstOf(earlier.people, human.before)),
    heldByAll(later.access, human.after, firstOf(later.people, human.after)),
  ];
  const lines = (sign: string, one: typeof before, other: typeof before): readonly string[] =>
    [...one]
      .filter(([name]) => !other.has(name))
      .map(([name, accounts]) => `${sign} ${human.key} ${name} by ${accounts.join(' and ')}`);
  return [...lines('+', after, before), ...lines('-', before, after)].sort();
};

export const linesOf = (earlier: Access, later: Access): readonly string[] =>
  changesBetween(earlier, later)
    .map(({ sign, who, what, permission }) => `${sign} ${who} ${what} ${permission}`)
    .sort();

/** What the service has to count between two graphs. */
export const countsBetween = (earlier: Graph, later: Graph): Readonly<Record<string, number>> =>
  countsOf(effectiveAccess(earlier), effectiveAccess(later));

const countsOf = (earlier: Access, later: Access): Readonly<Record<string, number>> => {
  const changes = changesBetween(earlier, later);
  const gained = changes.filter(({ sign }) => sign === '+').length;
  return {
    gained,
    lost: changes.length - gained,
    principals: new Set(changes.map(({ who }) => who)).size,
    resources: new Set(changes.map(({ what }) => what)).size,
  };
};

/** The access to some resources. */
const within = (access: Access, some: ReadonlySet<string>): Access =>
  new Map(
    [...access].map(([who, reached]) => [
      who,
      new Map([...reached].filter(([what]) => some.has(what))),
    ]),
  );

const OF_HUMANS = ['Employee', 'IdpUser', 'Identity', 'LocalUser'];

/** The parts of a list of changes follow each other, and all rows of one human are together. */
const expectPeopleFirst = (rows: readonly ChangedRow[]): void => {
  const heads = rows.map(({ human, principal, is_person }) => {
    const { id, label } = human ?? principal;
    const part = is_person === true ? 0 : OF_HUMANS.includes(label) ? 1 : 2;
    return [part, id, principal.id === id ? 0 : 1, principal.id] as const;
  });
  const sorted = heads.toSorted(
    ([part, id, own, key], [otherPart, otherId, otherOwn, otherKey]) =>
      part - otherPart || compare(id, otherId) || own - otherOwn || compare(key, otherKey),
  );
  expect(heads).toEqual(sorted);
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** All access at an instant, and who is whose. */
export interface Stage {
  readonly at: string;
  readonly access: Access;
  readonly people: People;
}

/** Changes of access, beside the difference of all answers before and after (docs/rules.md: Changes of access). */
export class ChangesThen {
  constructor(
    private readonly driver: Driver,
    private readonly service: ServiceUnderTest,
    private readonly tally: Tally,
  ) {}

  /** Compares the changes of some pushes, and of periods of several. `pick` chooses them. */
  async compare(graphs: readonly Then[], pick: number): Promise<void> {
    const thens = graphs.map(({ at, graph }) => ({
      at,
      graph,
      access: effectiveAccess(graph),
      people: new People(graph),
    }));
    const changing = thens.flatMap((then, nth) => {
      const before = thens[nth - 1];
      const expected = linesOf(before?.access ?? new Map(), then.access);
      return [{ ...then, before, expected }];
    });
    await this.expectCounts(changing);
    const some = changing.filter(({ expected }) => expected.length > 0);
    const none = changing.filter(({ expected }) => expected.length === 0);
    for (let nth = 0; nth < sized(2, 4); nth += 1) {
      // By day one list is read whole. What a human gained and lost is a short one.
      const isWhole = nth < sized(1, 4);
      const push = some[(pick + nth * 3) % Math.max(some.length, 1)];
      if (push !== undefined && isWhole)
        await this.expectPush(push.at, push.expected, 'pushes that change access');
      const idle = none[(pick + nth * 5) % Math.max(none.length, 1)];
      if (idle !== undefined && nth === 0)
        await this.expectPush(idle.at, [], 'pushes that change no access');
      const from = thens[(pick + nth) % thens.length];
      const to = thens[(pick * 7 + nth * 2) % thens.length];
      if (from === undefined || to === undefined || from === to) continue;
      const [since, until] = thens.indexOf(from) < thens.indexOf(to) ? [from, to] : [to, from];
      if (isWhole) {
        const period = { since: since.at, until: until.at };
        const lines = linesOf(since.access, until.access);
        expect({ ...period, lines: await this.ask(period) }).toEqual({ ...period, lines });
        const [first, last] = [thens.indexOf(since), thens.indexOf(until)];
        await this.expectDetails(period, thens.slice(first, last + 1));
        await this.expectContents(since, until, pick);
        this.tally.count('compared', 'changes of periods');
      }
      await this.expectHumans(since, until, pick + nth);
    }
  }

  /** Each push has counted exactly what it changed. */
  private async expectCounts(
    thens: readonly (Stage & { readonly before: Stage | undefined })[],
  ): Promise<void> {
    await countingRound(accessCountingOf(this.service.context), memoryLog([]))(() => false);
    const { records } = await this.driver.executeQuery(
      `MATCH (push:Push) WHERE push.turn IS NOT NULL
       RETURN toString(push.at) AS at, push.access_gained AS gained, push.access_lost AS lost,
         push.access_principals AS principals, push.access_resources AS resources`,
      {},
      { database: testNeo4j().database },
    );
    const counted = new Map(
      records.map((record) => {
        const { at, ...counts } = record.toObject();
        const numbers = Object.entries(counts).map(([name, count]) => [name, Number(count)]);
        return [new Instant(String(at)).utc, Object.fromEntries(numbers) as unknown];
      }),
    );
    for (const { at, access, before } of thens) {
      const told = counted.get(at);
      // The end of a deletion is no push.
      if (told === undefined) continue;
      const counts = countsOf(before?.access ?? new Map<string, never>(), access);
      expect({ at, counts: told }).toEqual({ at, counts });
      this.tally.count('compared', 'counts of pushes');
    }
  }

  /** Changes of some humans: of those whose access changed, and of whoever else has access. */
  private async expectHumans(since: Stage, until: Stage, pick: number): Promise<void> {
    const changed = changesBetween(since.access, until.access).map(({ who }) => who);
    const holders = [...new Set([...since.access.keys(), ...until.access.keys()])];
    const isHuman = (key: string): boolean => since.people.has(key) || until.people.has(key);
    const humans = [[...new Set(changed)].filter(isHuman), holders.filter(isHuman)];
    for (const [nth, some] of humans.entries()) {
      const key = some[(pick * 13 + nth) % Math.max(some.length, 1)];
      if (key === undefined) continue;
      const human = humanOfPeriod(since.people, until.people, key);
      const span = { since: since.at, until: until.at, principal: key, person: 'true' };
      const values = await this.valuesOf(span);
      const asked = { since: since.at, until: until.at, key, human };
      if (human === null) {
        const lines = linesOf(
          new Map([[key, since.access.get(key) ?? new Map<string, ReadonlySet<string>>()]]),
          new Map([[key, until.access.get(key) ?? new Map<string, ReadonlySet<string>>()]]),
        );
        expect({ asked, lines: linesTold(values) }).toEqual({ asked, lines });
        this.tally.count('compared', 'changes of nobody as a human');
        continue;
      }
      const lines = linesOfHuman(since, until, human);
      expect({ asked, lines: linesThrough(values) }).toEqual({ asked, lines });
      this.tally.count('compared', 'changes of humans');
      if (lines.length > 0) this.tally.count('compared', 'changes of humans who gained or lost');
      const several = Math.max(human.before.length, human.after.length) > 1;
      if (lines.length > 0 && several) {
        this.tally.count('compared', 'changes of humans with accounts who gained or lost');
      }
      // Access that moves from one account of a human to another one is no change of the human.
      if (lines.length === 0 && changed.includes(key)) {
        this.tally.count('compared', 'changes of accounts that are none of the human');
      }
    }
  }

  /** Changes on a resource, and on what it contains at one of the instants. */
  private async expectContents(
    since: Stage & Then,
    until: Stage & Then,
    pick: number,
  ): Promise<void> {
    const contained = [since, until].flatMap(({ graph: { relationships } }) =>
      relationships.filter(({ type }) => type === 'CONTAINS'),
    );
    const containers = [...new Set(contained.map(({ from }) => from.key))];
    const resource = containers[pick % Math.max(containers.length, 1)];
    if (resource === undefined) return;
    const inside = new Set<string>();
    for (const { graph } of [since, until]) {
      const found = new Set([resource]);
      for (const key of found) {
        for (const { type, from, to } of graph.relationships) {
          if (type === 'CONTAINS' && from.key === key) found.add(to.key);
        }
      }
      for (const key of found) inside.add(key);
    }
    const lines = linesOf(within(since.access, inside), within(until.access, inside));
    const asked = { since: since.at, until: until.at, resource, contents: 'true' };
    expect({ asked, lines: await this.ask(asked) }).toEqual({ asked, lines });
    this.tally.count('compared', 'changes of what a resource contains');
  }

  /** What a plan tells of access must be what the push then changed. */
  async expectPlanned({ values, truncated, total }: PlannedAccess, at: string): Promise<void> {
    if (truncated) return;
    expect(values).toHaveLength(total);
    await this.expectPush(at, linesTold(values), 'plans of access');
  }

  private async expectPush(at: string, expected: readonly string[], what: string): Promise<void> {
    const { records } = await this.driver.executeQuery(
      'MATCH (push:Push {at: datetime($at)}) RETURN push.id AS id',
      { at },
      { database: testNeo4j().database },
    );
    const push = records[0]?.get('id') as string | undefined;
    // The end of a deletion is no push.
    if (push === undefined) return;
    expect({ at, lines: await this.ask({ push }) }).toEqual({ at, lines: expected });
    await this.expectDetails({ push });
    this.tally.count('compared', what);
  }

  /** All pages, as lines. */
  private async ask(span: Readonly<Record<string, string>>): Promise<readonly string[]> {
    return linesTold(await this.valuesOf(span));
  }

  /** The counts are those of all rows, each row has its causes, and these lie in the period. */
  private async expectDetails(
    span: Readonly<Record<string, string>>,
    stages: readonly Stage[] = [],
  ): Promise<void> {
    const pages: Changes[] = [];
    const details = { ...span, details: 'true', people_first: 'true' };
    const values = (await this.valuesOf(details, pages)) as ChangedRow[];
    const [first] = pages;
    if (first === undefined) throw new Error('There is no page.');
    const { counts, from, to } = first;
    const nanos = (at: string): bigint => nanosOf(new Instant(at));
    const whoOf = ({ human, principal }: ChangedRow): string => (human ?? principal).id;
    const distinct = (isMeant: (row: ChangedRow) => boolean, of = whoOf): number =>
      new Set(values.filter(isMeant).map(of)).size;
    const sum = (change: 'gained' | 'lost'): number =>
      values.reduce((all, row) => all + row[change].length, 0);
    expect({ span, counts }).toEqual({
      span,
      counts: {
        people: distinct((row) => row.is_person === true),
        people_gained: distinct((row) => row.is_person === true && row.gained.length > 0),
        people_lost: distinct((row) => row.is_person === true && row.lost.length > 0),
        others: distinct((row) => row.is_person !== true),
        resources: distinct(
          () => true,
          ({ resource }) => resource.id,
        ),
        gained: sum('gained'),
        lost: sum('lost'),
      },
    });
    expectPeopleFirst(values);
    const nameOf = ({ name, permission_type }: Held): string =>
      JSON.stringify([name, permission_type]);
    for (const { causes = [], ...row } of values) {
      for (const change of ['gained', 'lost'] as const) {
        const told = causes
          .filter((cause) => cause.change === change)
          .flatMap(({ permissions }) => permissions.map(nameOf));
        expect(told.toSorted()).toEqual(row[change].map(nameOf).toSorted());
      }
      for (const { change, permissions, things } of causes) {
        if (change !== 'lost' || things === null || stages.length === 0) continue;
        // Everything of a cause ended when the permissions were lost last.
        for (const permission of permissions.map(nameOf)) {
          const had = stages.map(({ access }) =>
            access.get(row.principal.id)?.get(row.resource.id)?.has(permission),
          );
          const lost = stages[had.lastIndexOf(true) + 1]?.at;
          const others = things.filter(({ at }) => at !== null && at !== lost);
          expect({ span, row, permission, lost, others }).toEqual({
            span,
            row,
            permission,
            lost,
            others: [],
          });
          this.tally.count('compared', 'causes of losses in periods');
        }
      }
      for (const { at } of causes.flatMap(({ things }) => things ?? [])) {
        if (at === null) continue;
        expect([from, at, to, nanos(from) < nanos(at) && nanos(at) <= nanos(to)]).toEqual([
          from,
          at,
          to,
          true,
        ]);
        this.tally.count('compared', 'causes of changes');
      }
    }
  }

  private async valuesOf(
    span: Readonly<Record<string, string>>,
    pages: Changes[] = [],
  ): Promise<readonly ChangedAccess[]> {
    const values: ChangedAccess[] = [];
    for (let page_token: string | null = ''; page_token !== null;) {
      const query = new URLSearchParams({
        ...span,
        page_size: '7',
        ...(page_token && { page_token }),
      });
      const answer = await this.service.send('get', `/api/v1/access:changes?${query.toString()}`);
      expect([answer.status, answer.status === 200 ? null : answer.body]).toEqual([200, null]);
      const page = answer.body as Changes;
      values.push(...page.values);
      pages.push(page);
      page_token = page.has_more ? page.next_page_token : null;
    }
    return values;
  }
}
