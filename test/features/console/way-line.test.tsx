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

const shown = (groups: readonly string[], moreSteps: number): string =>
  renderToString(
    <Reading.Provider
      value={{ seesAll: true, neo4jBrowser: null, formToken: '', zone: 'UTC', hide: PLAIN.hide }}
    >
      <WayLine
        of={{
          steps: [step('IdpUser', 'ann'), ...groups.map((name) => step('IdpGroup', name))],
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

test('of a way through very many groups the line draws the first ones and the last one', () => {
  const groups = Array.from({ length: 20_001 }, (_, at) => `g${at}`);
  const first = groups.slice(0, 15).join(' → ');
  expect(shown(groups, 0)).toBe(`${first} → 19,985 more steps → g20000`);
  const sixteen = groups.slice(0, 16);
  expect(shown(sixteen, 0)).toBe(sixteen.join(' → '));
});
