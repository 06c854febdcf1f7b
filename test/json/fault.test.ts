import fc from 'fast-check';

import { faultOf } from '../../src/json/fault';
import { sized } from '../support/test-size';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Marks and words that a fault is likely to be made of. */
const piece = fc.constantFrom(
  ...'{}[],:"\\\'/-+.eE019 \t\n\0\u00a0\ufeff',
  'true',
  'null',
  'NaN',
  '\\u00e9',
  '\\u12',
  '//',
  '😀',
);

const changed = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat({ max: 2 }), fc.array(piece, { maxLength: 2 }))
  .map(([json, place, removed, pieces]) => {
    const at = place % (json.length + 1);
    return json.slice(0, at) + pieces.join('') + json.slice(at + removed);
  });

test('a fault is found exactly in what the parser refuses, and what is before it may be the beginning of JSON', () => {
  let faults = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        changed,
        fc.array(piece).map((all) => all.join('')),
      ),
      (text) => {
        const fault = faultOf(text);
        expect(fault === null).toBe(isJson(text));
        if (fault === null) return;
        faults += 1;
        expect(fault.at).toBeLessThanOrEqual(text.length);
        // Nothing before the place is at fault: only an end is missing there.
        const before = faultOf(text.slice(0, fault.at));
        expect(before === null || before.at === fault.at).toBe(true);
      },
    ),
    { numRuns: sized(1_000, 20_000) },
  );
  expect(faults).toBeGreaterThan(sized(300, 6_000));
});

test('what is nested deeper than any stack has a place too', () => {
  expect(faultOf('['.repeat(1e6))).toEqual({
    at: 100_000,
    what: 'what is here is nested deeper than 100000 levels',
  });
});

test('a fault at the end of a large text is found', () => {
  for (const filler of [
    ' '.repeat(20_000_000),
    '1, '.repeat(2_000_000),
    `"${'\\n'.repeat(3e6)}",`,
  ]) {
    expect(faultOf(`[${filler}NaN]`)?.at).toBe(filler.length + 1);
  }
});
