import fc from 'fast-check';

import type { Summary } from '../../../src/contract/answers/questions/access';
import type { ChangedRow } from '../../../src/contract/answers/questions/access-changes';
import { changesByHuman } from '../../../src/features/console/asking/changes-by-human';

const summary = (id: string, label: string, application: string | null = null): Summary => ({
  ...{ id, label, name: id, path: null, resource_type: null, application, domain: null },
  ...{ provider: null, inactive: false },
});

const names = fc.uniqueArray(fc.constantFrom('read', 'write', 'own'), { maxLength: 3 });
const held = (all: readonly string[]): ChangedRow['gained'] =>
  all.map((name) => ({ name, permission_type: ['DataRead'] }));

const row = fc
  .record({
    principal: fc.constantFrom('user', 'account', 'identity', 'robot'),
    resource: fc.constantFrom('a', 'b', 'c', 'd'),
    gained: names,
    lost: names,
  })
  .map(({ principal, resource, gained, lost }): ChangedRow => ({
    principal: summary(principal, 'LocalUser'),
    resource: summary(resource, 'Resource', resource < 'c' ? 'wiki' : 'crm'),
    ...{ gained: held(gained), lost: held(lost) },
    explain: { gained: null, lost: null },
  }));

const HUMAN = summary('human', 'Employee');
const humans = new Map(['user', 'account', 'identity'].map((id) => [id, HUMAN]));

type Fact = string;

const factsOf = (
  who: string,
  resource: string,
  gained: ChangedRow['gained'],
  lost: ChangedRow['gained'],
): readonly Fact[] => [
  ...gained.map(({ name }) => `${who} gained ${name} on ${resource}`),
  ...lost.map(({ name }) => `${who} lost ${name} on ${resource}`),
];

// One group given to somebody was 60 permissions gained by 5 principals.
test('a human is there once, with exactly what all of theirs gained and lost', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const shown = changesByHuman(rows, humans);
      const ids = shown.map(({ who }) => who.id);
      expect(new Set(ids).size).toBe(ids.length);
      const told = new Set(
        rows.flatMap(({ principal, resource, gained, lost }) =>
          factsOf(humans.has(principal.id) ? 'human' : principal.id, resource.id, gained, lost),
        ),
      );
      const found = shown.flatMap(({ who, changes }) =>
        changes.flatMap(({ on, ...all }) =>
          on.flatMap(({ resource }) => factsOf(who.id, resource.id, all.gained, all.lost)),
        ),
      );
      expect(new Set(found)).toEqual(told);
      // Nothing is said twice.
      expect(found).toHaveLength(told.size);
      for (const { who, by, isHuman, changes } of shown) {
        expect(isHuman).toBe(who.id === 'human');
        for (const { id } of by)
          expect(rows.some(({ principal }) => principal.id === id)).toBe(true);
        for (const { on } of changes) {
          expect(new Set(on.map(({ resource }) => resource.application)).size).toBe(1);
          // The ways are asked by a node that the list names.
          for (const { principal } of on) {
            expect([who.id, ...by.map(({ id }) => id)]).toContain(principal);
          }
        }
      }
    }),
  );
});
