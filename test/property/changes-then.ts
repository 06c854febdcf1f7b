import type { Driver } from 'neo4j-driver';

import type { ServiceUnderTest } from '../http/service-under-test';
import { type Access, effectiveAccess } from '../mirror/access';
import type { Graph } from '../mirror/graph';
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
  readonly total: number;
  readonly has_more: boolean;
  readonly next_page_token: string;
  readonly values: readonly ChangedAccess[];
}

const linesTold = (values: readonly ChangedAccess[]): readonly string[] =>
  values
    .flatMap(({ principal, resource, gained, lost }) => {
      const line = (sign: string) => (held: ChangedAccess['gained'][number]) =>
        `${sign} ${principal.id} ${resource.id} ${JSON.stringify([held.name, held.permission_type])}`;
      return [...gained.map(line('+')), ...lost.map(line('-'))];
    })
    .sort();

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

const linesOf = (earlier: Access, later: Access): readonly string[] =>
  changesBetween(earlier, later)
    .map(({ sign, who, what, permission }) => `${sign} ${who} ${what} ${permission}`)
    .sort();

/** What the service has to count between two graphs. */
export const countsBetween = (earlier: Graph, later: Graph): Readonly<Record<string, number>> => {
  const changes = changesBetween(effectiveAccess(earlier), effectiveAccess(later));
  const gained = changes.filter(({ sign }) => sign === '+').length;
  return {
    ...{ gained, lost: changes.length - gained },
    principals: new Set(changes.map(({ who }) => who)).size,
    resources: new Set(changes.map(({ what }) => what)).size,
  };
};

/** Changes of access, beside the difference of all answers before and after (docs/rules.md: Changes of access). */
export class ChangesThen {
  constructor(
    private readonly driver: Driver,
    private readonly service: ServiceUnderTest,
    private readonly tally: Tally,
  ) {}

  /** Compares the changes of some pushes, and of periods of several. `pick` chooses them. */
  async compare(graphs: readonly Then[], pick: number): Promise<void> {
    const thens = graphs.map(({ at, graph }) => ({ at, access: effectiveAccess(graph) }));
    const changing = thens.flatMap((then, nth) => {
      const before = thens[nth - 1];
      const expected = linesOf(before?.access ?? new Map(), then.access);
      return [{ ...then, before, expected }];
    });
    const some = changing.filter(({ expected }) => expected.length > 0);
    const none = changing.filter(({ expected }) => expected.length === 0);
    for (let nth = 0; nth < sized(2, 4); nth += 1) {
      const push = some[(pick + nth * 3) % Math.max(some.length, 1)];
      if (push !== undefined)
        await this.expectPush(push.at, push.expected, 'pushes that change access');
      const idle = none[(pick + nth * 5) % Math.max(none.length, 1)];
      if (idle !== undefined && nth === 0)
        await this.expectPush(idle.at, [], 'pushes that change no access');
      const from = thens[(pick + nth) % thens.length];
      const to = thens[(pick * 7 + nth * 2) % thens.length];
      if (from === undefined || to === undefined || from === to) continue;
      const [since, until] = thens.indexOf(from) < thens.indexOf(to) ? [from, to] : [to, from];
      const expected = linesOf(since.access, until.access);
      expect({
        since: since.at,
        until: until.at,
        lines: await this.ask({ since: since.at, until: until.at }),
      }).toEqual({ since: since.at, until: until.at, lines: expected });
      this.tally.count('compared', 'changes of periods');
    }
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
    this.tally.count('compared', what);
  }

  /** All pages, as lines. */
  private async ask(span: Readonly<Record<string, string>>): Promise<readonly string[]> {
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
      page_token = page.has_more ? page.next_page_token : null;
    }
    return linesTold(values);
  }
}
