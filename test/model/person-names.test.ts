import { PersonNames } from '../../src/model/person-names';

const names = new PersonNames(['Ann.Lee@Corp.example', 'Ann Lee', 'ann', '4711', 'Q|"7']);

test.each([
  ['ann.lee@corp.example', true],
  ['Mail of ANN LEE, in Rome', true],
  ['Ask ann.lee@corp.example.', true],
  ['corp|IdpUser|ann.lee@corp.example', true],
  ['<ann.lee@corp.example>', true],
  ['joann.lee@corp.example', false],
  ['mary-ann.lee@corp.example', false],
  ['x.ann.lee@corp.example', false],
  ['ann.lee@corp.example.org', false],
  ['Joann Leeds', false],
  // A word of letters or digits alone may mean anything.
  ['ann', false],
  ['4711', false],
  ['It is "ann"', false],
  ['key Q%7C"7 of a node', true],
  ['{"name":"Q|\\"7"}', true],
  ['', false],
  // Other spellings of the same name.
  ['Mail of Ann\u00a0Lee', true],
  ['Mail of ANN  \t Lee', true],
  ['Mail of A\u00adnn L\u200bee', true],
  ['https://x.example/~ann.lee%40corp.example/', true],
  ['?q=of%20Ann%20Lee%2C', true],
  ['?q=%2541nn%2520Lee', true],
  ['of%20Joann%20Lee', false],
])('%j holds a name that is no ordinary word: %s', (text, isIn) => {
  expect(names.isUnmistakablyIn(text)).toBe(isIn);
});

test.each([
  ['ann', true],
  ['ANN', true],
  ['4711', true],
  ['names ["ann","bob"]', true],
  ['{\\"name\\":\\"ann\\"}', true],
  ['joann', false],
  ['ann of the annual 4711 report', false],
])('%j is or quotes one of the names: %s', (text, isIn) => {
  expect(names.isIn(text)).toBe(isIn);
});

test.each([
  ['ann', '(erased)'],
  [
    'Cannot find identity by names ["ann","Ann Lee","bob"] (local user "ann")',
    'Cannot find identity by names ["(erased)","(erased)","bob"] (local user "(erased)")',
  ],
  ['Ask Ann.Lee@corp.example.', 'Ask (erased).'],
  ['nothing of hers', 'nothing of hers'],
])('%j without the names is %j', (text, left) => {
  expect(names.without(text)).toBe(left);
});

test.each([
  ['महेश', 'महेशी mail', false],
  ['महेश_1', 'महेश_1ी', false],
  ['महेश_1', 'the mail of महेश_1.', true],
  ['ΝΙΚΟΣ_ΠΑΠΑΣ', 'home of νικοσ_παπασ', true],
  ['ΝΙΚΟΣ_ΠΑΠΑΣ', 'Inbox Νικος_Παπας', true],
  ['Zo\u00eb Ray', 'by zoe\u0308 ray', true],
  ['Zo\u00eb Ray', 'by Zo%C3%8B%20Ray', true],
  ['Zo\u00eb Ray', 'by zoe%CC%88%20ray', true],
  ['Zo\u00eb Ray', 'by zoe rays', false],
])('%j is a word of its own in %j: %s', (name, text, isIn) => {
  const sought = new PersonNames([name]);
  expect(sought.isUnmistakablyIn(text)).toBe(isIn);
  expect(sought.without(text) !== text).toBe(isIn);
  if (isIn) expect(sought.isIn(sought.without(text))).toBe(false);
});

test('a path holds a name as one of its steps', () => {
  expect(names.isInPath('Mail.ann.lee@corp.example.Inbox')).toBe(true);
  expect(names.isInPath('Mail.joann.lee@corp.example.Inbox')).toBe(false);
  expect(names.isInPath('ann.Inbox')).toBe(false);
});

test('where upper and lower case differ in length, the whole text goes', () => {
  const dotted = new PersonNames(['i\u0307rem@corp.example']);
  expect(dotted.without('Ask \u0130rem@corp.example today')).toBe('(erased)');
});

test('without a name nothing is found', () => {
  const none = new PersonNames(['', ' ']);
  expect([none.all, none.isIn(''), none.isUnmistakablyIn('x'), none.without('x')]).toEqual([
    [],
    false,
    false,
    'x',
  ]);
});
