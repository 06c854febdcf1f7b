import { setTimeout as sleep } from 'node:timers/promises';

import { Mirror } from '../mirror/mirror';
import type { Graph } from '../mirror/graph';
import type { DataSource } from '../mirror/rows';
import { countsBetween } from '../property/changes-then';
import { differences } from '../property/graph-comparison';
import { pastDifferences } from '../property/past-comparison';
import { register, type Registered } from '../property/service-driver';
import { momentOfDeletion, plainInstant, storedGraph } from '../property/stored-graph';
import { testNeo4j } from '../support/neo4j';
import { DIRECTORY } from './payloads';
import type { Stage } from './stage';

interface Pushed {
  readonly source: DataSource;
  /** What was pushed; null: the data source was deleted. */
  readonly payload: object | null;
  readonly at: string;
}

/** What the service has recorded of a data source. */
export interface Recorded {
  readonly status: string | null;
  readonly lastPush: string | null;
  readonly at: string | null;
  /** Records of pushes. */
  readonly pushes: number;
}

const RECORDED = `OPTIONAL MATCH (source:DataSource {key: $id})
OPTIONAL MATCH (last:Push {key: source.last_push})-[:FROM]->(source)
RETURN source.status AS status, last.id AS lastPush, toString(source.last_push_at) AS at,
       COUNT { (source)<-[:FROM]-(:Push) } AS pushes, source.last_push IS NULL OR last IS NOT NULL AS isWhole`;

/** Registers a data source as any connector does. */
export const registered = (stage: Stage, template: DataSource['template']): Promise<Registered> =>
  register({ post: (path, body) => stage.send('POST', path, body) }, template);

/** How many pushes wait to be counted. */
const UNCOUNTED = `MATCH (store:Store {key: 'store'})
RETURN COUNT { MATCH (push:Push) WHERE push.turn > store.access_turn } AS waiting`;

/**
 * What the pushes to a data source changed in access, and how many events tell so. A push that wrote
 * nothing has no number, and is not counted.
 */
const COUNTED = `MATCH (push:Push)-[:FROM]->(:DataSource {key: $id})
WHERE push.at IN [at IN $ats | datetime(at)]
RETURN toString(push.at) AS at,
  CASE WHEN push.turn IS NULL THEN [0, 0, 0, 0]
    ELSE [push.access_gained, push.access_lost, push.access_principals, push.access_resources]
  END AS counts,
  COUNT {
    MATCH (event:Event {event_type: 'ACCESS_CHANGED'}) WHERE event.metadata CONTAINS push.id
  } AS events
ORDER BY push.at`;

/** What must stand in the graph: the rule book's answer (test/mirror) to the pushes that were committed. */
export class Existing {
  private constructor(
    private readonly directory: Pushed,
    private pushes: readonly Pushed[],
    readonly registered: Registered,
  ) {}

  /** A directory that stays, and a new data source of an application. */
  static async begin(stage: Stage): Promise<Existing> {
    const of = await registered(stage, 'identity_provider');
    const { id, data_source_id, path } = of;
    const answer = await stage.send('POST', path, {
      id,
      data_source_id,
      json_data: JSON.stringify(DIRECTORY),
    });
    expect(answer.status).toBe(200);
    const at = plainInstant(String(answer.body.at));
    const directory = { source: sourceOf(of, 'identity_provider'), payload: DIRECTORY, at };
    return new Existing(directory, [], await registered(stage, 'application'));
  }

  /** The same directory, beside a new data source in place of one that was deleted; what has ended is past caring. */
  async next(stage: Stage): Promise<Existing> {
    const { database } = testNeo4j();
    // A commit without a record makes the service load again what it holds in memory.
    await stage.driver.executeQuery(
      "MATCH (lock:BindingLock {key: 'binding'}) SET lock.turns = lock.turns + 1 WITH lock MATCH (n:Past) DELETE n",
      {},
      { database },
    );
    return new Existing(this.directory, [], await registered(stage, 'application'));
  }

  take(payload: object, at: string): void {
    this.pushes = [...this.pushes, this.pushed(payload, at)];
  }

  /** All of the data source is gone, and has ended. */
  async forget(stage: Stage): Promise<void> {
    this.pushes = [...this.pushes, await this.removal(stage)];
  }

  /** What is expected. */
  mirror(): Mirror {
    return mirrorAfter([this.directory, ...this.pushes]);
  }

  /** What each push changed in access, and whether an event tells so. */
  counts(): readonly { readonly at: string }[] {
    return this.pushes.flatMap(({ payload, at }, nth) => {
      if (payload === null) return [];
      const graphs = [nth, nth + 1].map((until) =>
        mirrorAfter([this.directory, ...this.pushes.slice(0, until)]).graph(),
      );
      const [before, after] = graphs as [Graph, Graph];
      const { gained = 0, lost = 0, principals = 0, resources = 0 } = countsBetween(before, after);
      const events = gained + lost > 0 ? 1 : 0;
      return [{ at, counts: [gained, lost, principals, resources], events }];
    });
  }

  mirrorWith(payload: object, at: string): Mirror {
    return mirrorAfter([this.directory, ...this.pushes, this.pushed(payload, at)]);
  }

  async mirrorWithout(stage: Stage): Promise<Mirror> {
    return mirrorAfter([this.directory, ...this.pushes, await this.removal(stage)]);
  }

  async recorded({ driver }: Stage): Promise<Recorded> {
    const { records } = await driver.executeQuery(
      RECORDED,
      { id: this.registered.data_source_id },
      { database: testNeo4j().database },
    );
    const row = records[0]?.toObject() as Record<string, unknown>;
    // What the data source says of its last push is there.
    expect(row.isWhole).toBe(true);
    return {
      status: row.status as string | null,
      lastPush: row.lastPush as string | null,
      at: row.at === null ? null : plainInstant(row.at as string),
      pushes: Number(row.pushes),
    };
  }

  private pushed(payload: object, at: string): Pushed {
    return { source: sourceOf(this.registered, 'application'), payload, at };
  }

  private async removal({ driver }: Stage): Promise<Pushed> {
    const source = sourceOf(this.registered, 'application');
    return { source, payload: null, at: await momentOfDeletion(driver, source.id) };
  }
}

/** The graph in Neo4j must be this one, but for what the service keeps; and each fact that ended is kept once. */
export const expectStored = async ({ driver }: Stage, expected: Mirror): Promise<void> => {
  expect(differences(expected.graph(), await storedGraph(driver)).slice(0, 12)).toEqual([]);
  expect((await pastDifferences(driver, expected.past())).slice(0, 12)).toEqual([]);
};

/**
 * Waits until the service has counted what all pushes changed in access: each is counted once, as the
 * mirror counts it, whatever was killed when.
 */
export const expectCounted = async ({ driver }: Stage, standing: Existing): Promise<void> => {
  const { database } = testNeo4j();
  const waiting = async (): Promise<number> => {
    const { records } = await driver.executeQuery(UNCOUNTED, {}, { database });
    return Number(records[0]?.get('waiting') ?? 0);
  };
  while ((await waiting()) > 0) await sleep(100);
  const id = standing.registered.data_source_id;
  const expected = standing.counts();
  const ats = expected.map(({ at }) => at);
  const { records } = await driver.executeQuery(COUNTED, { id, ats }, { database });
  const counted = records.map((record) => ({
    at: plainInstant(record.get('at') as string),
    counts: (record.get('counts') as unknown[]).map((count) =>
      count === null ? null : Number(count),
    ),
    events: Number(record.get('events')),
  }));
  expect(counted).toEqual(expected);
};

function sourceOf(
  { data_source_id: id, provider }: Registered,
  template: DataSource['template'],
): DataSource {
  return { id, provider, template };
}

function mirrorAfter(pushes: readonly Pushed[]): Mirror {
  const mirror = new Mirror();
  for (const { source, payload, at } of pushes) {
    if (payload === null) mirror.remove(source.id, at);
    else {
      const outcome = mirror.accept(source, payload, at);
      if (!outcome.accepted) throw new Error(JSON.stringify(outcome.problems));
    }
  }
  return mirror;
}
