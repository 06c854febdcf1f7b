import fc from 'fast-check';

import { incrementSequence } from '../arbitrary/increment-sequence';
import { wholePayload } from '../arbitrary/whole-payload';
import {
  relationshipId,
  type Graph,
  type Relationship,
  type Value,
  type Values,
} from '../mirror/graph';
import { Mirror } from '../mirror/mirror';
import { receive } from '../mirror/reception';
import { sized } from '../support/test-size';
import { streamOf, type Stream } from './comparison';
import { damageKinds, damageTo, inflict, type Damage } from './damage';
import { differences } from './graph-comparison';
import { push, verify, type Verification } from './service-driver';
import { serviceRecords, storedGraph, storedPast } from './stored-graph';
import { PropertySuite } from './property-suite';
import { anyPushes, Tally } from './tally';

const tally = new Tally({
  graphs: ['verified', 'damaged', 'repaired'],
  damage: damageKinds,
  findings: [
    'NODE_ADDED',
    'LABELS_CHANGED',
    'PROPERTY_ADDED',
    'PROPERTY_CHANGED',
    'CONTENT_CHANGED',
    'RELATIONSHIP_ADDED',
    'RELATIONSHIP_UNDATED',
    'DERIVED_MISSING',
    'DERIVED_SUPERFLUOUS',
    'SHARED_ORPHANED',
  ],
  compared: anyPushes.compared,
});

const suite = new PropertySuite({
  runs: sized(6, 15),
  seed: 8,
  tally,
  compared: new Tally({}),
});

/** A graph with one and the same date for all: what is put right is dated anew. */
function undated({ nodes, relationships }: Graph): Graph {
  const dateless = <A extends { readonly properties: Values }>(one: A): A => {
    const properties = Object.entries(one.properties).map(([name, value]): [string, Value] =>
      (name === 'since' || name === 'changed') && isInstant(value)
        ? [name, 'some time']
        : [name, value],
    );
    return { ...one, properties: Object.fromEntries(properties) };
  };
  return { nodes: nodes.map(dateless), relationships: relationships.map(dateless) };
}

/** A graph in an order that each run repeats, so that a number chooses the same place in it: data sources have other ids each time. */
function inOrder({ nodes, relationships }: Graph, streams: readonly Stream[]): Graph {
  const plain = (text: string): string =>
    streams.reduce((said, { source }, at) => said.replaceAll(source.id, `source ${at}`), text);
  const sorted = <A>(all: readonly A[], nameOf: (one: A) => string): readonly A[] =>
    all
      .map((one) => ({ one, name: plain(nameOf(one)) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ one }) => one);
  return {
    nodes: sorted(nodes, ({ key }) => key),
    relationships: sorted(relationships, relationshipId),
  };
}

/** All of a graph that may hold the same thing twice. */
function texts({ nodes, relationships }: Graph): readonly string[] {
  return [...nodes, ...relationships].map((one) => JSON.stringify(one)).toSorted();
}

function isInstant(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'instant' in value;
}

function verifyAll(streams: readonly Stream[], query = ''): Promise<readonly Verification[]> {
  return tally.time(`verify${query}`, async () => {
    const all: Verification[] = [];
    for (const { registered } of streams) all.push(await verify(suite.service, registered, query));
    return all;
  });
}

/** The keys that findings name. */
function namedIn(all: readonly Verification[]): ReadonlySet<string> {
  const keys = all.flatMap(({ findings }) =>
    findings.values.flatMap(({ node, relationship }) => [
      node?.id,
      relationship?.from?.id,
      relationship?.to?.id,
    ]),
  );
  return new Set(keys.filter((key) => typeof key === 'string'));
}

/**
 * Tags that somebody drew, with a date, at rows that were changed besides: nothing tells them from those that an earlier push added, which a full
 * push leaves (docs/rules.md: Verification).
 */
function lastingTags(
  damages: readonly Damage[],
  repaired: readonly Verification[],
): readonly Relationship[] {
  const changed = new Set(
    repaired.flatMap(({ findings }) =>
      findings.values
        .filter(({ what }) => what === 'CONTENT_CHANGED')
        .map(({ node }) => node?.id ?? null),
    ),
  );
  return damages.flatMap(({ kind, drawn }) =>
    kind === 'relationship drawn and dated' &&
    drawn?.type === 'TAGGED' &&
    changed.has(drawn.from.key)
      ? [drawn]
      : [],
  );
}

/** What each data source holds, as full pushes; null where one of them cannot be said. */
function wholesOf(streams: readonly Stream[], mirror: Mirror): ReadonlyMap<Stream, string> | null {
  const wholes = new Map<Stream, string>();
  for (const stream of streams) {
    const held = mirror.holds(stream.source.id);
    if (held === null) continue;
    const { payload, isExact } = wholePayload(held);
    if (!isExact || receive(null, held.source, payload).problems.length > 0) return null;
    wholes.set(stream, JSON.stringify(payload));
  }
  return wholes;
}

const done = new Map<string, number>();

/** Does as many kinds of damage as there are choices of a place: those that were done least often so far. */
async function damaged(graph: Graph, choices: readonly number[]): Promise<readonly Damage[]> {
  const damages: Damage[] = [];
  const rarest = damageKinds.toSorted((a, b) => (done.get(a) ?? 0) - (done.get(b) ?? 0));
  for (const kind of rarest) {
    const choice = choices[damages.length];
    if (choice === undefined) break;
    const damage = damageTo(graph, kind, choice);
    if (damage === null || !(await inflict(suite.driver, damage))) continue;
    done.set(kind, (done.get(kind) ?? 0) + 1);
    tally.count('damage', kind);
    damages.push(damage);
  }
  return damages;
}

test(
  'what is changed by hand is found, and repair and the next full push put it right',
  async () => {
    await suite.holds(
      fc.tuple(incrementSequence, fc.array(fc.nat({ max: 1e9 }), { minLength: 3, maxLength: 6 })),
      async ([pushes, choices]) => {
        const streams = await suite.both.emptyStreams();
        const mirror = new Mirror();
        for (const sent of pushes) await suite.both.push(sent, streamOf(streams, sent), mirror);
        const before = await storedGraph(suite.driver);
        const records = await serviceRecords(suite.driver);
        const past = (await storedPast(suite.driver)).toSorted();
        for (const verified of await verifyAll(streams)) {
          expect(verified).toMatchObject({ sound: true, repaired: false });
        }
        tally.count('graphs', 'verified');
        const wholes = wholesOf(streams, mirror);
        if (wholes === null || wholes.size === 0) return;

        const damages = await damaged(inOrder(before, streams), choices);
        if (damages.length === 0) return;
        tally.count('graphs', 'damaged');
        const changed = await storedGraph(suite.driver);
        const found = await verifyAll(streams);
        expect(texts(await storedGraph(suite.driver))).toEqual(texts(changed));
        if (damages.every(({ kind }) => kind !== 'digest changed')) {
          expect(await serviceRecords(suite.driver)).toEqual(records);
        }
        const named = namedIn(found);
        const gone = new Set(
          damages
            .filter(({ kind }) => kind.endsWith('gone'))
            .map(({ parameters }) => parameters.key),
        );
        const missing = damages.filter(
          ({ key, parameters: { from, to } }) =>
            key !== null && ![key, from, to].some((one) => gone.has(one)) && !named.has(key),
        );
        if (missing.length > 0) {
          throw new Error(`not found: ${JSON.stringify(missing)}\nin ${JSON.stringify(found)}`);
        }
        expect(found.every(({ sound }) => sound)).toBe(false);

        const repaired = await verifyAll(streams, '?repair=true');
        for (const { findings } of repaired) {
          for (const { what } of findings.values) tally.count('findings', what);
        }
        // What somebody did by hand is no history (docs/rules.md: History).
        expect((await storedPast(suite.driver)).toSorted()).toEqual(past);
        for (const [{ registered }, text] of wholes) {
          expect(await push(suite.service, registered, text)).toMatchObject({ accepted: true });
        }
        const left = undated(await storedGraph(suite.driver));
        const { nodes, relationships } = mirror.graph();
        const lasting = lastingTags(damages, repaired);
        const expected = { nodes, relationships: [...relationships, ...lasting] };
        expect({
          damages,
          left: differences(undated(expected), left).slice(0, 12),
        }).toEqual({
          damages,
          left: [],
        });
        for (const verified of await verifyAll(streams)) {
          expect(verified).toMatchObject({ sound: true });
        }
        tally.count('compared', 'nodes', left.nodes.length);
        tally.count('compared', 'relationships', left.relationships.length);
        tally.count('graphs', 'repaired');
      },
    );
  },
  60 * 60_000,
);
