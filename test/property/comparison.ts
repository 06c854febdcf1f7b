import type { Driver } from 'neo4j-driver';

import { templates, type Push } from '../arbitrary/push-sequence';
import { finishDeletions } from '../../src/registry/deletion';
import type { ServiceUnderTest } from '../http/service-under-test';
import { accessMemoryOf } from '../../src/questions/in-context';
import type { Graph } from '../mirror/graph';
import { Mirror } from '../mirror/mirror';
import type { Problem } from '../mirror/pointer';
import type { DataSource } from '../mirror/rows';
import type { ToldWarning } from '../mirror/warnings';
import { testNeo4j } from '../support/neo4j';
import { differences } from './graph-comparison';
import { changedLines, plannedLines } from './plan-comparison';
import {
  plan,
  push,
  register,
  type Answer,
  type Plan,
  type PlannedList,
  type Registered,
} from './service-driver';
import { AnswersThen } from './answers-then';
import { ChangesThen } from './changes-then';
import { instantDifferences } from './instant-comparison';
import { pastDifferences } from './past-comparison';
import { momentOfDeletion, serviceRecords, storedGraph, storedPastFacts } from './stored-graph';
import type { Tally } from './tally';

/** A data source as the service knows it, and as the mirror does. */
export interface Stream {
  readonly registered: Registered;
  readonly source: DataSource;
}

/** What a replay ended with. */
export interface Replayed {
  readonly streams: readonly Stream[];
  readonly mirror: Mirror;
}

/** The service beside the mirror: the same pushes to both, and the graphs compared. */
export class Comparison {
  /** The graph as it stands, as long as that is known. */
  private stored: Graph | null = null;
  private readonly answers: AnswersThen;
  private readonly changes: ChangesThen;

  constructor(
    private readonly driver: Driver,
    private readonly service: ServiceUnderTest,
    private readonly tally: Tally,
    /** Whether some pushes are planned first: those that are applied in chunks cannot be. */
    private readonly plans = true,
  ) {
    this.answers = new AnswersThen(service, tally);
    this.changes = new ChangesThen(driver, service, tally);
  }

  /** Four empty data sources in an empty graph. */
  emptyStreams(): Promise<readonly Stream[]> {
    this.stored = null;
    return this.tally.time('register', async () => {
      await this.driver.executeQuery(
        'MATCH (n) WHERE NOT n:BindingLock DETACH DELETE n',
        {},
        { database: testNeo4j().database },
      );
      // Nobody said that this removed everything.
      await this.driver.executeQuery(
        'MATCH (lock:BindingLock) SET lock.epoch = randomUUID()',
        {},
        { database: testNeo4j().database },
      );
      await this.driver.executeQuery(
        "CREATE (:Store {key: 'store', history_since: datetime('2020-01-01T00:00:00Z'), access_turn: 0})",
        {},
        { database: testNeo4j().database },
      );
      this.answers.forget();
      return await Promise.all(templates.map((template) => this.newStream(template)));
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
    const { tally, stored: before } = this;
    // As good as one in eight.
    const isPlanned = this.plans && sent.text.length % 8 === 0;
    const planned = before !== null && isPlanned ? await this.plan(sent, registered, before) : null;
    const answer = await tally.time('push', () => push(this.service, registered, sent.text));
    this.stored = null;
    if (before !== null && planned !== null) await this.expectPlanned(planned, answer, before);
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
    expect(inOrder(answer.warnings)).toEqual(inOrder(expected.warnings));
    expect(answer.unchanged).toBe(expected.unchanged);
    if (answer.unchanged) {
      expect([answer.put, answer.removed]).toEqual([nothing, nothing]);
    }
    answer.warnings.forEach(({ message }) => tally.countWarning(message));
    tally.count('sequences and pushes', answer.unchanged ? 'unchanged' : 'accepted');
    return answer;
  }

  /** Accepted pushes again, data source by data source in another order: the same digests and graph (docs/rules.md: Digests). */
  async replay(accepted: readonly Push[], digests: ReadonlyMap<number, string>): Promise<Replayed> {
    const streams = await this.emptyStreams();
    const mirror = new Mirror();
    const again = new Map<number, string>();
    for (const sent of [...accepted].sort((a, b) => b.source - a.source)) {
      const answer = await this.push(sent, streamOf(streams, sent), mirror);
      if (answer.accepted) again.set(sent.source, answer.digest);
    }
    expect(new Map([...again].sort())).toEqual(new Map([...digests].sort()));
    await this.expectSameGraph(mirror);
    this.tally.count('sequences and pushes', 'replayed in another order');
    return { streams, mirror };
  }

  /** The graph may have changed without a push. */
  forget(): void {
    this.stored = null;
  }

  /**
   * The graph in Neo4j must be the mirror's. So must its past and the graph in memory, which have what was
   * wrong before until a sequence ends: `alsoPast` says whether to compare them now.
   */
  async expectSameGraph(mirror: Mirror, alsoPast = true): Promise<void> {
    const { tally } = this;
    const expected = mirror.graph();
    this.stored ??= await tally.time('read back', () => storedGraph(this.driver));
    const { stored } = this;
    const found = await tally.time('compare', () => differences(expected, stored));
    expect(found.slice(0, 12)).toEqual([]);
    tally.countGraph(expected);
    if (!alsoPast) return;
    const past = mirror.past();
    const ended = await tally.time('compare the past', () => pastDifferences(this.driver, past));
    expect(ended.slice(0, 12)).toEqual([]);
    await tally.time('compare the memory', () => this.expectSameMemory());
  }

  /** The access graph that followed all commits in memory must be the one in Neo4j, with its history. */
  private async expectSameMemory(): Promise<void> {
    const memory = accessMemoryOf(this.service.context);
    await memory.follow();
    const { loads } = memory.state();
    expect(await memory.compare()).toEqual([]);
    expect(memory.state().loads).toBe(loads);
  }

  /** Deletes a data source, which ends its facts, or erases them; the graph and its past must be the mirror's (docs/rules.md: History). */
  async delete({ registered }: Stream, mirror: Mirror, erases: boolean): Promise<void> {
    const { tally, service } = this;
    const { data_source_id: id, path } = registered;
    const query = erases ? '?erase=true' : '';
    const answer = await service.send('delete', `${path.replace(/:push$/, '')}${query}`);
    expect(answer.status).toBe(200);
    await finishDeletions(service.deletions, () => false);
    this.stored = null;
    mirror.remove(id, await momentOfDeletion(this.driver, id), erases);
    tally.count('sequences and pushes', erases ? 'erased' : 'deleted');
    await this.expectSameGraph(mirror);
  }

  /** Deletes two of the data sources, the second with its history. `turn` chooses them. */
  async deleteTwo(streams: readonly Stream[], mirror: Mirror, turn: number): Promise<void> {
    const [first, second] = [0, 1].map((next) => streams[(turn + next) % streams.length]);
    if (first === undefined || second === undefined) throw new Error('There are no streams.');
    await this.delete(first, mirror, false);
    this.countPast(mirror.past());
    await this.expectPastGraphs(mirror);
    await this.tally.time('answers then', () => this.answers.expectSame());
    await this.tally.time('changes then', () => this.changes.compare(mirror.pastGraphs(), turn));
    await this.delete(second, mirror, true);
  }

  /** At the instant of each push, what stands and what ended must make the graph of then (docs/rules.md: History). */
  async expectPastGraphs(mirror: Mirror): Promise<void> {
    const { tally } = this;
    this.stored ??= await tally.time('read back', () => storedGraph(this.driver));
    const past = await storedPastFacts(this.driver);
    for (const { at, graph } of mirror.pastGraphs()) {
      const { stored } = this;
      const found = await tally.time('compare instants', () =>
        instantDifferences(graph, at, stored, past),
      );
      expect({ at, found: found.slice(0, 12) }).toEqual({ at, found: [] });
      tally.count('compared', 'instants');
    }
  }

  /** Asks some questions, to ask them again about this instant when later pushes have changed the graph. */
  async rememberAnswers({ at }: Answer & { accepted: true }, mirror: Mirror): Promise<void> {
    await this.tally.time('answers', () => this.answers.remember(at, mirror.graph()));
  }

  /** Counts how facts ended, once a sequence is over. */
  countPast(past: ReturnType<Mirror['past']>): void {
    for (const { how, ends } of past) {
      this.tally.count('facts that ended', how);
      if (ends !== null) this.tally.count('how derived relationships ended', ends);
    }
  }

  /** Plans a push; that leaves no trace. */
  private async plan(
    { text }: Push,
    registered: Registered,
    before: Graph,
  ): Promise<Plan | readonly Problem[]> {
    const { tally, driver } = this;
    const records = await serviceRecords(driver);
    const planned = await tally.time('plan', () => plan(this.service, registered, text));
    expect(await serviceRecords(driver)).toEqual(records);
    const left = await tally.time('read back', () => storedGraph(driver));
    expect(differences(before, left)).toEqual([]);
    return planned;
  }

  /** What was planned is what the push answered and changed. */
  private async expectPlanned(
    planned: Plan | readonly Problem[],
    answer: Answer,
    before: Graph,
  ): Promise<void> {
    const { tally } = this;
    this.stored = await tally.time('read back', () => storedGraph(this.driver));
    if (!('nodes' in planned)) {
      expect({ accepted: false, problems: planned }).toEqual(answer);
      tally.count('plans', 'refused');
      return;
    }
    if (!answer.accepted) throw new Error(`planned ${JSON.stringify(planned)}, but was refused`);
    const { warnings, unchanged, put, removed, digest } = planned;
    expect({ unchanged, put, removed, digest }).toEqual({
      unchanged: answer.unchanged,
      put: answer.put,
      removed: answer.removed,
      digest: answer.digest,
    });
    expect(warnings.map(({ message, code, pointer }) => ({ message, code, pointer }))).toEqual(
      answer.warnings,
    );
    const lines = plannedLines(planned);
    expect(lines).toEqual(changedLines(before, this.stored));
    await this.changes.expectPlanned(planned.access_changes, answer.at);
    tally.count('plans', unchanged ? 'unchanged' : 'accepted');
    for (const name of [
      'nodes',
      'relationships',
      'shared_nodes',
      'derived_relationships',
    ] as const) {
      const list = planned[name];
      expect(list).toMatchObject({ total: lines[name].length, truncated: false });
      for (const change of ['created', 'changed', 'removed'] as const) {
        if (list[change] > 0) tally.count('planned changes', `${name} ${change}`, list[change]);
      }
    }
    expect(put).toEqual(counts(planned, ({ created, changed }) => created + changed));
    expect(removed).toEqual(counts(planned, (list) => list.removed));
  }
}

const nothing = { nodes: 0, relationships: 0 };

function counts(
  { nodes, relationships }: Plan,
  of: (list: PlannedList) => number,
): { readonly nodes: number; readonly relationships: number } {
  return { nodes: of(nodes), relationships: of(relationships) };
}

/** The stream of a push. */
export function streamOf(streams: readonly Stream[], { source }: Push): Stream {
  const stream = streams[source];
  if (stream === undefined) throw new Error(`There is no data source ${source}.`);
  return stream;
}

/** Doubts about accounts have no place in the payload. They come last, in the order of rows. */
function inOrder(warnings: readonly ToldWarning[]): readonly ToldWarning[] {
  const isDoubt = ({ code }: ToldWarning): boolean => code === 'DOUBTFUL_ACCOUNT';
  return [
    ...warnings.filter((one) => !isDoubt(one)),
    ...warnings.filter(isDoubt).toSorted((a, b) => (a.message < b.message ? -1 : 1)),
  ];
}

function sorted(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
}
