import fc from 'fast-check';

import { AccessGraph, NONE } from '../../src/access/access-graph';
import { atOnce } from '../../src/access/pieces';
import { EffectiveAccess } from '../../src/access/effective-access';
import { NOW } from '../../src/access/instants';
import { bounded } from '../../src/access/memory';
import { reviewersOf } from '../../src/access/reviewers';
import type { Graph } from '../mirror/graph';
import { Reviewers } from '../mirror/reviewers';
import { sized } from '../support/test-size';
import { filled, histories, instantOf } from './random-history';

const keysOf = ({ nodes }: Graph, labels: readonly string[]): readonly string[] =>
  nodes.filter((node) => node.labels.some((label) => labels.includes(label))).map(({ key }) => key);

/** How many reviewers were compared, by the type of a reason. */
const compared = new Map<string, number>();
afterAll(() => {
  for (const type of ['manager', 'owner', 'entities_owned', 'SYSTEM_resource_managers']) {
    expect([type, (compared.get(type) ?? 0) > 100]).toEqual([type, true]);
  }
});

test('who should review in memory is what the mirror expects, now and at instants', () => {
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      for (const [at, then] of history.graphs.entries()) {
        const moment = graph.instants.moment(instantOf(at));
        const mirror = new Reviewers(then);
        const found = (of: 'principal' | 'resource', keys: readonly string[]): readonly string[] =>
          atOnce(
            reviewersOf(
              access,
              of,
              keys.map((key) => graph.find(key)),
              moment,
              0n,
            ),
          ).map(({ about, reasons }) => {
            const lines = reasons.map(({ type, of: through }) => `${type} ${through.id}`);
            for (const { type } of reasons) compared.set(type, (compared.get(type) ?? 0) + 1);
            return `${about.id}: ${[...new Set(lines)].sort().join(', ')}`;
          });
        const expected = (lines: readonly string[]): readonly string[] =>
          lines.map((line) => {
            const [key = '', reasons = ''] = line.split(': ');
            const without = reasons.split(', ').map((one) => one.replace(/ \d+$/, ''));
            return `${key}: ${[...new Set(without)].sort().join(', ')}`;
          });
        const who = keysOf(then, ['Principal']);
        for (const key of who) {
          expect([at, key, found('principal', [key])]).toEqual([
            at,
            key,
            expected(mirror.ofPrincipals([key])),
          ]);
        }
        const two = [who[order % who.length] ?? '', who[(order * 7) % who.length] ?? ''];
        expect([at, two, found('principal', two)]).toEqual([
          at,
          two,
          expected(mirror.ofPrincipals([...new Set(two)])),
        ]);
        for (const key of keysOf(then, ['Application', 'Resource'])) {
          expect([at, key, found('resource', [key])]).toEqual([
            at,
            key,
            expected(mirror.ofPlace(key)),
          ]);
        }
      }
    }),
    { numRuns: sized(40, 1_000) },
  );
});

test('a node that has nothing to do with access has no reviewers', () => {
  const [history] = fc.sample(histories, 1);
  if (history === undefined) throw new Error('there is no history');
  const graph = filled(history, 0);
  const access = new EffectiveAccess(graph);
  const moment = graph.instants.moment(null);
  expect(atOnce(reviewersOf(access, 'principal', [NONE], moment, 0n))).toEqual([]);
  expect(atOnce(reviewersOf(access, 'resource', [NONE], moment, 0n))).toEqual([]);
});

// Before, each comparison of two reasons wrote both in words: 2,000 times 20.
test('a reviewer with very many reasons has the first ones, and each is written once', () => {
  const owners = 2_000;
  const graph = new AccessGraph(bounded(2 ** 26));
  const always = { since: null, until: null };
  const add = (key: string, is_active: boolean): string => {
    const label = key.split('|', 1).join();
    graph.addNode({ key, label, labels: [label], facts: { name: key, is_active }, ...always });
    return key;
  };
  const [wiki, boss] = [add('Resource|wiki', true), add('IdpUser|boss', true)];
  for (let at = 0; at < owners; at += 1) {
    const [user, identity] = [add(`IdpUser|${at}`, false), add(`Identity|${at}`, true)];
    graph.addRelationship({ type: 'OWNED_BY', from: wiki, to: identity, ...always });
    graph.addRelationship({ type: 'KNOWN_AS', from: user, to: identity, ...always });
    graph.addRelationship({ type: 'MANAGED_BY', from: user, to: boss, ...always });
  }
  const of = (most?: number) =>
    atOnce(reviewersOf(new EffectiveAccess(graph), 'resource', [graph.find(wiki)], NOW, 0n, most));
  const written = jest.spyOn(JSON, 'stringify');
  const found = of(20);
  const times = written.mock.calls.length;
  written.mockRestore();
  expect(times).toBeLessThanOrEqual(2 * owners);
  const [first] = found;
  expect([found.length, first?.about.id, first?.reasonsTotal]).toEqual([owners + 1, boss, owners]);
  expect(first?.reasons).toEqual(of()[0]?.reasons.slice(0, 20));
});
