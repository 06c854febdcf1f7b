import { Hints } from '../../src/codec/hints/hints';

test.each([
  ['usrs', ['users', 'groups'], '; did you mean "users"?'],
  ['Staf', ['staff', 'stuff', 'sales'], '; did you mean "staff"?'],
  ['stafs', ['staff', 'stags', 'sales'], '; did you mean "staff" or "stags"?'],
  ['veiw', ['view', 'void'], '; did you mean "view"?'],
  ['raeder', ['reader', 'leader'], '; did you mean "reader"?'],
  ['localuser', ['local_user', 'local_role'], '; did you mean "local_user"?'],
  ['idenity_typ', ['identity_type', 'identity'], '; did you mean "identity_type"?'],
  ['dataread', ['DataRead', 'DataWrite'], '; did you mean "DataRead"?'],
  ['abc', ['abd', 'abe', 'abf', 'abg'], '; did you mean "abd" or "abe" or "abf"?'],
  ['zebra', ['users', 'groups'], ''],
  // "teams" was taken for "tags".
  ['teams', ['tags', 'groups', 'name'], ''],
  ['user', ['use_by', 'email'], ''],
  ['id', ['is', 'name'], '; did you mean "is"?'],
  ['x', ['y', 'view'], ''],
  ['', ['a', 'view'], ''],
  ['x', [], ''],
])('guesses what %j means among %j', (name, known, sentence) => {
  expect(new Hints().didYouMean(name, known)).toBe(sentence);
});

test('tells the closest first, each once, and no more than asked for', () => {
  const known = ['steff', 'staff', 'staff', 'staf'];
  expect(new Hints().didYouMean('staf', known)).toBe('; did you mean "staf" or "staff"?');
  expect(new Hints().didYouMean('staf', known, 1)).toBe('; did you mean "staf"?');
});

test('does not compare texts that nobody mistypes', () => {
  const long = 'x'.repeat(100);
  expect(new Hints().didYouMean(long, [long])).toBe('');
  expect(new Hints().didYouMean('x', [long])).toBe('');
});

describe('a payload may cause only so much work', () => {
  const looked = { count: 0 };
  function* names(): Iterable<string> {
    for (let i = 0; i < 100_000; i += 1) {
      looked.count += 1;
      yield `user${100_000 + i}`;
    }
  }

  test('whatever it gets wrong', () => {
    const hints = new Hints(1_000_000);
    for (let i = 0; i < 10_000; i += 1) hints.didYouMean(`uzer${i}`, names());
    expect(looked.count).toBeLessThanOrEqual(1_000_000 + 10_000);
  });

  test('for its first 20 names; for the others nobody looks', () => {
    const hints = new Hints();
    const told = Array.from({ length: 30 }, () => hints.didYouMean('staf', ['staff']));
    expect(told.filter((sentence) => sentence !== '')).toHaveLength(20);
    expect(hints.isSpent).toBe(true);
  });

  test('and what was found until then is still told', () => {
    expect(new Hints(25).didYouMean('user100000', names())).toMatch(/did you mean "user100000"/);
  });
});
