import type { ServiceUnderTest } from '../http/service-under-test';
import { effectiveAccess } from '../mirror/access';
import type { Graph } from '../mirror/graph';
import type { Tally } from './tally';

/** A question, the instant at which it was asked, and the answer of then. */
interface Remembered {
  readonly at: string;
  readonly path: string;
  readonly answer: unknown;
}

/**
 * What a deletion takes with it: the records of pushes, by which answers tell who brought what, and
 * data sources. No past version tells when its row changed.
 */
const GONE_WITH_PUSHES = new Set([
  'push',
  'data_source',
  'as_of',
  'sources',
  'since_push',
  'changed',
  'changed_push',
]);

/** Answers about an instant, beside the answers that the service gave at that instant (docs/rules.md: History). */
export class AnswersThen {
  private remembered: Remembered[] = [];

  constructor(
    private readonly service: ServiceUnderTest,
    private readonly tally: Tally,
  ) {}

  forget(): void {
    this.remembered = [];
  }

  /** Asks about one principal and one resource that it can reach, and keeps the answers. */
  async remember(at: string, graph: Graph): Promise<void> {
    const access = effectiveAccess(graph);
    const pairs = [...access].flatMap(([who, reached]) =>
      [...reached].flatMap(([what, held]) => (held.size > 0 ? [[who, what] as const] : [])),
    );
    const pick = graph.nodes.length + graph.relationships.length;
    const pair = pairs[(pick * 31) % Math.max(pairs.length, 1)];
    if (pair === undefined) return;
    const [principal, resource] = pair.map(encodeURIComponent);
    const order = pick % 2 === 0 ? 'key' : 'name desc';
    const list = `page_size=10000&order_by=${encodeURIComponent(order)}`;
    const paths = [
      `access?principal=${principal}&${list}`,
      `access?principal=${principal}&${list}&person=true`,
      `access?resource=${resource}&${list}${['', '&person=true', '&entities=true'][pick % 3] ?? ''}`,
      ...containersOf(graph, pair[1]).map(
        (container) =>
          `access?resource=${encodeURIComponent(container)}&${list}&contents=true${pick % 2 === 0 ? '' : '&entities=true'}`,
      ),
      `access:explain?principal=${principal}&resource=${resource}`,
      `access:explain?principal=${principal}&resource=${resource}&person=true`,
      `reviewers?principal=${principal}&person=${String(pick % 2 === 0)}`,
      `reviewers?resource=${resource}`,
      // Most nodes are near few others, so there are more of them.
      ...[7, 13, 19, 31, 43, 61].map((step) => {
        const { key } = graph.nodes[(pick * step) % graph.nodes.length] ?? { key: '' };
        return `entities/${encodeURIComponent(key)}?`;
      }),
    ];
    for (const path of paths) {
      const answer = withoutPushes(await this.ask(path));
      this.remembered.push({ at, path, answer });
    }
  }

  /** Asks everything again, about the instants of then. */
  async expectSame(): Promise<void> {
    for (const { at, path, answer } of this.remembered) {
      const then = withoutPushes(await this.ask(`${path}&at=${encodeURIComponent(at)}`));
      expect({ at, path, then }).toEqual({ at, path, then: answer });
      this.tally.count('compared', 'answers about instants');
    }
  }

  private async ask(path: string): Promise<unknown> {
    const answer = await this.service.send('get', `/api/v1/${path}`);
    const body: unknown = answer.body;
    const { status } = answer;
    expect([path, status, status === 200 ? null : body]).toEqual([path, 200, null]);
    return body;
  }
}

/** What contains a resource, from the nearest on. */
function containersOf({ relationships }: Graph, what: string): readonly string[] {
  const around = relationships.find(({ type, to }) => type === 'CONTAINS' && to.key === what);
  return around === undefined
    ? []
    : [around.from.key, ...containersOf({ nodes: [], relationships }, around.from.key)];
}

/** Counts the paths of an explanation if there were too many to tell them all. */
function counted(name: string, value: unknown, around: object): unknown {
  if (name !== 'paths' || !Array.isArray(value)) return value;
  return 'truncated' in around && around.truncated === true ? value.length : (value as unknown);
}

function withoutPushes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPushes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !GONE_WITH_PUSHES.has(name))
      .map(([name, each]) => [name, counted(name, withoutPushes(each), value)]),
  );
}
