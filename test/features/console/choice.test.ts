import { choiceOf } from '../../../src/features/console/finding/choice';

// It said of 200 resources with the text in their names that they are called exactly so.
test.each([
  [false, true, 'Which resource?'],
  [false, false, 'Which resource?'],
  [
    true,
    true,
    'Which resource? These are called exactly so, and many others have it in their names.',
  ],
  [
    true,
    false,
    'Which resource? These have it in their names, and so do others. Write more of it.',
  ],
])('a choice that is cut: %j, of exact names: %j, asks %j', (isCut, isExact, words) => {
  expect(choiceOf('Which resource?', { isCut, isExact })).toBe(words);
});
