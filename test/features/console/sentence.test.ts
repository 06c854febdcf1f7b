import { markOfRow, OF_PEOPLE } from '../../../src/features/console/words/marks';
import {
  allChangesIn,
  beginningIn,
  lookupIn,
  permissionMeant,
  sentenceIn,
} from '../../../src/features/console/words/sentence';

test.each([
  ['ann can write motor-control', { who: 'ann', what: 'write', resource: 'motor-control' }],
  [
    'Ann Marsh can "Force push" on Firmware',
    { who: 'Ann Marsh', what: 'Force push', resource: 'Firmware' },
  ],
  ['ann CAN read the handbook?', { who: 'ann', what: 'read', resource: 'the handbook' }],
])('%j asks who can do what', (text, sentence) => {
  expect(sentenceIn(text)).toEqual(sentence);
});

test.each(['who', 'Who', 'who else', 'anybody'])('%s can … asks about no person', (who) => {
  expect(sentenceIn(`${who} can write motor-control?`)).toEqual({
    who: null,
    what: 'write',
    resource: 'motor-control',
  });
});

test.each([
  ['who is inactive and can write motor-control', 'inactive'],
  ['which guests can write motor-control?', 'guest'],
  ['Guests who can write motor-control', 'guest'],
  ['who can write motor-control and is not an employee', 'not_employees'],
  ['who can write motor-control and are not employees', 'not_employees'],
])('%j asks about those with a mark', (text, mark) => {
  const asked = { who: null, what: 'write', resource: 'motor-control', mark };
  expect(sentenceIn(text)).toEqual(asked);
});

test('a question with two marks is not answered as one with one of them', () => {
  expect(sentenceIn('who is inactive and can write motor-control and is a guest')).toBeNull();
});

test('a name may be that of a mark', () => {
  expect(sentenceIn('guests can write motor-control')).toMatchObject({ who: 'guests' });
  expect(sentenceIn('ann can write motor-control and is inactive')).toBeNull();
});

test.each(['ann', 'can write', 'ann can', 'ann can write', 'Canary', ' can read x'])(
  '%j is a name, and no question',
  (text) => {
    expect(sentenceIn(text)).toBeNull();
  },
);

test('a verb means a canonical type, anything, or a native permission', () => {
  expect(permissionMeant('Write')).toEqual({ permission_type: 'DataWrite' });
  expect(permissionMeant('MetadataRead')).toEqual({ permission_type: 'MetadataRead' });
  expect(permissionMeant('reach')).toEqual({});
  expect(permissionMeant('administer', true)).toEqual({ permission_type: 'privileged' });
  expect(permissionMeant('administer')).toEqual({ permission_type: 'MetadataWrite' });
  expect(permissionMeant('Force push')).toEqual({ permission: 'Force push' });
});

test.each([
  ['what can Amara do?', { name: 'Amara', answer: 'access', since: '' }],
  ['What can ann marsh reach', { name: 'ann marsh', answer: 'access', since: '' }],
  [
    'who is in Firmware Maintainers',
    { name: 'Firmware Maintainers', answer: 'members', since: '' },
  ],
  ['members of editors', { name: 'editors', answer: 'members', since: '' }],
  ['changes of Amara since Monday', { name: 'Amara', answer: 'changes', since: 'Monday' }],
  ['changes of Amara', { name: 'Amara', answer: 'changes', since: '' }],
])('%j asks about somebody or something', (text, lookup) => {
  expect(lookupIn(text)).toEqual(lookup);
});

test.each(['amara', 'what can', 'who is in', 'changes', 'who can write x', 'ann can read y'])(
  '%j asks about nobody by name',
  (text) => {
    expect(lookupIn(text)).toBeNull();
  },
);

test('who has access to something is who can reach it', () => {
  expect(sentenceIn('Who has access to motor-control?')).toEqual({
    who: null,
    what: 'access',
    resource: 'motor-control',
  });
});

// Before, nothing had this in its name.
test.each([
  ['who is privileged on Forge', { what: 'administer' }],
  ['privileged people on Forge', { what: 'administer' }],
  ['Who is privileged on Forge?', { what: 'administer' }],
  ['inactive people on Forge', { what: 'access', mark: 'inactive' }],
  ['who is inactive with access to Forge', { what: 'access', mark: 'inactive' }],
  ['who is inactive and has access to Forge', { what: 'access', mark: 'inactive' }],
  ['guests who have access to Forge', { what: 'access', mark: 'guest' }],
  ['guests of Forge', { what: 'access', mark: 'guest' }],
  ['who is a name', null],
  ['inactive', null],
  ['guests of', null],
])('%j asks about those with a mark, or who are privileged', (text, sentence) => {
  expect(sentenceIn(text)).toEqual(
    sentence === null ? null : { who: null, resource: 'Forge', ...sentence },
  );
});

// It looked for a resource "Forge can write x".
test('a group with a mark in its name can be asked about', () => {
  const text = 'Guests of Forge can write x';
  expect(sentenceIn(text)).toEqual({ who: 'Guests of Forge', what: 'write', resource: 'x' });
  expect(beginningIn(text)).toMatchObject({ before: 'Guests of Forge can write ', name: 'x' });
});

test('each mark that a list can be narrowed to has its question, by each of its names', () => {
  for (const { mark, words } of OF_PEOPLE) {
    if (mark === undefined) continue;
    for (const called of [words, words.replace('’', "'"), markOfRow(mark), mark]) {
      for (const text of [`who is ${called} on x y`, `${called} with access to x y`]) {
        expect([text, sentenceIn(text)]).toEqual([
          text,
          { who: null, what: 'access', resource: 'x y', mark },
        ]);
        expect(lookupIn(text)).toBeNull();
        expect(beginningIn(text)).toMatchObject({ name: 'x y', isPlace: true });
      }
    }
  }
});

// Before, a search for these words came in place of the question.
test.each([
  ['who gained access this week', { change: 'gained', since: '', until: '' }],
  ['Who lost access since Monday?', { change: 'lost', since: 'Monday', until: '' }],
  ['who gained access', { change: 'gained', since: '', until: '' }],
  ['changes since monday', { change: '', since: 'monday', until: '' }],
  ['changes today', { change: '', since: 'today', until: '' }],
  ['what changed yesterday', { change: '', since: 'yesterday', until: 'yesterday' }],
  ['changes', null],
  ['changes of ann since monday', null],
  ['changes since', null],
  ['who gained', null],
])('%j asks what everybody gained and lost', (text, all) => {
  expect(allChangesIn(text)).toEqual(all);
});
