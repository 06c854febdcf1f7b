import type { Driver } from 'neo4j-driver';

import { templates, type Push } from '../arbitrary/push-sequence';
import type { ServiceUnderTest } from '../http/service-under-test';
import type { Mirror } from '../mirror/mirror';
import type { Problem } from '../mirror/pointer';
import type { DataSource } from '../mirror/rows';
import { testNeo4j } from '../support/neo4j';
import { differences } from './graph-comparison';
import { push, register, type Answer, type Registered } from './service-driver';
import { storedGraph } from './stored-graph';
import type { Tally } from './tally';

/** A data source as the service knows it, and as the mirror does. */
export interface Stream {
  readonly registered: Registered;
  readonly source: DataSource;
}

/** The service beside the mirror: the same pushes to both, and the graphs compared. */
export class Comparison {
  constructor(
    private readonly driver: Driver,
    private readonly service: ServiceUnderTest,
    private readonly tally: Tally,
  ) {}

  /** Four empty data sources in an empty graph. */
  emptyStreams(): Promise<readonly Stream[]> {
    return this.tally.time('register', async () => {
      await this.driver.executeQuery(
        'MATCH (n) WHERE NOT n:BindingLock DETACH DELETE n',
        {},
        { database: testNeo4j().database },
      );
      const streams: Stream[] = [];
      for (const template of templates) streams.push(await this.newStream(template));
      return streams;
    });
  }

  /** Another empty data source. */
  async newStream(template: DataSource['template']): Promise<Stream> {
    const registered = await register(this.service, template);
    const { data_source_id: id, provider } = registered;
    return { registered, source: { id, provider, template } };
  }

  /** One push to both: the service's answer must be what the mirror expects. */
  async push(sent: Push, { registered, source }: Stream, mirror: Mirror): Promise<Answer> {
    const { tally } = this;
    const answer = await tally.time('push', () => push(this.service, registered, sent.text));
    const at = answer.accepted ? answer.at : '';
    const expected =
      sent.payload === null
        ? { accepted: false as const, problems: sent.shapeProblems }
        : await tally.time('mirror', () => mirror.accept(source, sent.payload ?? {}, at));
    if (answer.accepted !== expected.accepted) {
      throw new Error(
        `answered ${JSON.stringify(answer)}\nexpected ${JSON.stringify(expected)}\nto ${sent.text}`,
      );
    }
    if (!answer.accepted || !expected.accepted) {
      const problems = expected.accepted ? [] : expected.problems;
      expect(sorted(answer.accepted ? [] : answer.problems)).toEqual(sorted(problems));
      for (const { code } of problems) tally.count('problems', code);
      tally.count('sequences and pushes', 'refused');
      return answer;
    }
    expect(answer.warnings).toEqual(expected.warnings);
    expect(answer.unchanged).toBe(expected.unchanged);
    if (answer.unchanged) expect(answer.written).toBe(0);
    answer.warnings.forEach((text) => tally.countWarning(text));
    tally.count('sequences and pushes', answer.unchanged ? 'unchanged' : 'accepted');
    return answer;
  }

  /** The graph in Neo4j must be the mirror's. */
  async expectSameGraph(mirror: Mirror): Promise<void> {
    const { tally } = this;
    const expected = mirror.graph();
    const stored = await tally.time('read back', () => storedGraph(this.driver));
    const found = await tally.time('compare', () => differences(expected, stored));
    expect(found.slice(0, 12)).toEqual([]);
    tally.countGraph(expected);
  }
}

/** The stream of a push. */
export function streamOf(streams: readonly Stream[], { source }: Push): Stream {
  const stream = streams[source];
  if (stream === undefined) throw new Error(`There is no data source ${source}.`);
  return stream;
}

function sorted(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
}
