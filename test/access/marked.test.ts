import fc from 'fast-check';

import { EffectiveAccess } from '../../src/access/effective-access';
import { gatewaysAmong, isInGateway } from '../../src/access/gateways';
import { ANY_ROW, type ListFilter, reachingRows } from '../../src/access/lists/lists';
import { hasEmployees, marked, type Marking, marksOf } from '../../src/access/lists/marked';
import { atOnce } from '../../src/access/pieces';
import { MARKS } from '../../src/model/access-narrowing';
import { People } from '../mirror/people';
import { sized } from '../support/test-size';
import { filled, histories, instantOf } from './random-history';

const FILTER: ListFilter & { readonly form: 'people first'; readonly contents: true } = {
  ...ANY_ROW,
  permissions: null,
  permissionTypes: null,
  form: 'people first',
  contents: true,
};

test('a row has exactly those marks whose lists have it, now and at instants', () => {
  const seen = new Map<string, number>();
  let withoutEmployees = 0;
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      for (const [at, then] of history.graphs.entries()) {
        const moment = graph.instants.moment(instantOf(at));
        const first = graph.instants.moment(instantOf(0));
        const places = then.nodes.filter(({ label }) => label === 'Application');
        for (const { key } of places) {
          const target = graph.find(key);
          const marking: Marking = {
            access,
            moment,
            clock: instantOf(at) ?? 1_000_000_000_000n,
            *before() {
              const { permissions } = yield* reachingRows(access, target, FILTER, first);
              return (theirs) => theirs.some((each) => permissions.has(each));
            },
            hasEmployees: () => hasEmployees(access, moment),
          };
          const rows = atOnce(reachingRows(access, target, FILTER, moment));
          const found = atOnce(marksOf(marking, rows, rows.nodes));
          const employed = new People(then);
          expect(
            rows.nodes
              .filter((node) => found(node).includes('not_employees'))
              .map((node) => graph.key(node)),
          ).toEqual(
            employed.notEmployees(rows.nodes.slice(0, rows.humans).map((node) => graph.key(node))),
          );
          withoutEmployees +=
            rows.humans > 0 && !then.nodes.some(({ label }) => label === 'Employee') ? 1 : 0;
          for (const mark of MARKS) {
            const those = atOnce(marked(marking, rows, mark)).nodes;
            expect([mark, rows.nodes.filter((node) => found(node).includes(mark))]).toEqual([
              mark,
              those,
            ]);
            seen.set(mark, (seen.get(mark) ?? 0) + those.length);
          }
        }
      }
    }),
    { numRuns: sized(60, 1_000) },
  );
  for (const mark of ['direct', 'new', 'without_user', 'not_people', 'not_employees']) {
    expect([mark, seen.get(mark)]).not.toEqual([mark, 0]);
  }
  expect(withoutEmployees).toBeGreaterThan(0);
});

/** By these somebody is in a group, and is known by others who are (docs/rules.md: Gateways). */
const TO_GROUPS = ['MEMBER_OF', 'KNOWN_AS', 'IDENTITY_OF', 'SOURCE_IDENTITY_OF', 'HAS_ACCOUNT'];

test('a human is in the groups to which memberships lead, whoever of them they are known by', () => {
  const lastSteps = new Set<string>();
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      for (const [at, { nodes, relationships }] of history.graphs.entries()) {
        const moment = graph.instants.moment(instantOf(at));
        const all = nodes.map(({ key }) => graph.find(key));
        const users = nodes.filter(({ label }) => label === 'IdpUser' || label === 'Employee');
        const steps = relationships.filter(({ type }) => TO_GROUPS.includes(type));
        const groupsOf = (start: string): readonly string[] => {
          const found = new Set([start]);
          for (const key of found) {
            for (const { type, from, to } of steps) {
              if (from.key !== key) continue;
              found.add(to.key);
              if (key === start) lastSteps.add(type);
            }
          }
          const isGroup = (key: string): boolean =>
            nodes.some((one) => one.key === key && /^(Idp|Local)Group$/.test(one.label));
          return [...found].filter(isGroup);
        };
        const groups = new Map<string, number>();
        for (const { key } of users) {
          for (const group of groupsOf(key)) groups.set(group, (groups.get(group) ?? 0) + 1);
        }
        const humans = users.map(({ key }) => graph.find(key));
        const found = atOnce(gatewaysAmong(access, all, humans, moment));
        expect(new Map(found.groups.map(({ node, people }) => [graph.key(node), people]))).toEqual(
          groups,
        );
        const holders = new Set(all);
        for (const { key } of users) {
          const isIn = groupsOf(key).length > 0;
          const human = graph.find(key);
          expect([key, isInGateway(access, holders, human, moment)]).toEqual([key, isIn]);
          expect([key, found.members.has(human)]).toEqual([key, isIn]);
        }
      }
    }),
    { numRuns: sized(60, 1_000), endOnFailure: true },
  );
  expect(lastSteps).toContain('HAS_ACCOUNT');
});
