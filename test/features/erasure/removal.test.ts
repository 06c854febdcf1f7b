import { lossOf } from '../../../src/features/erasure/removal/past';
import { valueWithout } from '../../../src/features/erasure/removal/records';
import { NOT_ANY } from '../../../src/features/erasure/removal/without-names';
import { ERASED, PersonNames } from '../../../src/model/person-names';

const NAMES = new PersonNames(['Ann.Lee@corp.example', 'Ann Lee']);
const HERE = { certain: NAMES, display: NOT_ANY, foreign: NOT_ANY };
const isLookup = (name: string): boolean => name.startsWith('fold_');

test('a fact of the past loses what looks for a name together with the name', () => {
  const lost = lossOf(
    'LocalUser',
    {
      email: 'Ann.Lee@corp.example',
      fold_email: 'ann.lee@corp.example',
      customprop_of: ['Ann Lee', 'other'],
      customprop_by: 'Ann Lee',
      fold_custom: ['customprop_of=ann lee', 'customprop_of=other', 'customprop_by=ann lee'],
      fold_alias: ['ann lee'],
      fold_other: 'other',
    },
    HERE,
    isLookup,
  );
  expect(lost).toEqual({
    email: null,
    fold_email: null,
    customprop_of: ['other'],
    customprop_by: null,
    fold_custom: ['customprop_of=other'],
    fold_alias: null,
  });
  expect(lossOf('LocalUser', { email: 'bo@x.example' }, HERE, isLookup)).toBeNull();
});

test.each([
  ['Ask Ann Lee', `Ask ${ERASED}`],
  ['{"by":"Ann Lee","n":1}', `{"by":"${ERASED}","n":1}`],
  ['{"Ann Lee":{"ann.lee@corp.example":[1]}}', `{"${ERASED}":{"${ERASED}":[1]}}`],
  ['["Ann Lee",{"x":["Ann Lee"]}]', `["${ERASED}",{"x":["${ERASED}"]}]`],
  ['{"by":"Joann Leeds"}', '{"by":"Joann Leeds"}'],
])('a record says %j without the name: %j', (text, left) => {
  expect(valueWithout(text, NAMES)).toBe(left);
  expect(valueWithout([text, 'x'], NAMES)).toEqual([left, 'x']);
});
