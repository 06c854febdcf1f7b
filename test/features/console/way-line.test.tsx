import { renderToString } from 'preact-render-to-string';

import { Reading } from '../../../src/features/console/frame/reading';
import { PLAIN } from '../../../src/features/console/parts/own-handles';
import { WayLine } from '../../../src/features/console/words/way';

const step = (label: string, name: string) => ({
  id: `s|${label}|${name}`,
  label,
  name,
  provider: null,
});

const shown = (
  groups: readonly string[],
  moreSteps: number,
  { last = [], leftOut }: { last?: readonly ReturnType<typeof step>[]; leftOut?: number } = {},
): string =>
  renderToString(
    <Reading.Provider
      value={{ seesAll: true, neo4jBrowser: null, formToken: '', zone: 'UTC', hide: PLAIN.hide }}
    >
      <WayLine
        of={{
          steps: [step('IdpUser', 'ann'), ...groups.map((name) => step('IdpGroup', name)), ...last],
          ...(leftOut === undefined ? {} : { more_steps: leftOut }),
          on: null,
          since: null,
          others: null,
          has_more: false,
        }}
        moreSteps={moreSteps}
        provider={null}
        keeping={{}}
        whyAddress={null}
      />
    </Reading.Provider>,
  )
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim();

test('a way that is listed in part says how many steps follow', () => {
  expect(shown(['staff', 'writers'], 0)).toBe('staff → writers');
  expect(shown(['staff', 'writers'], 11_985)).toBe('staff → writers → 11,985 more steps');
  expect(shown([], 1)).toBe('1 more step');
});

test('the line says how many steps a long way leaves out, and what is given at its end', () => {
  const groups = Array.from({ length: 9 }, (_, at) => `g${at}`);
  const all = groups.join(' → ');
  const leftOut = 19_985;
  const holders = ['c', 'd', 'e', 'writers'].map((name) => step('LocalGroup', name));
  const grant = [...holders, step('Grant', 'h'), step('Permission', 'read')];
  expect(shown(groups, 0, { last: grant, leftOut })).toBe(
    `${all} → 19,985 more steps → c → d → e → writers → granted`,
  );
  const role = [...holders, step('RoleAssignment', 'a'), step('LocalRole', 'editor')];
  expect(shown(groups, 0, { last: role, leftOut })).toBe(
    `${all} → 19,985 more steps → c → d → e → writers → editor`,
  );
  expect(shown([], 0, { last: grant, leftOut: 1 })).toBe(
    '1 more step → c → d → e → writers → granted',
  );
  expect(shown(groups, 0, { last: grant.slice(-2) })).toBe(`${all} → granted`);
});
