import { nextPause } from '../../../src/scim/import/run-import';
import { isLeftOutBy } from '../../../src/scim/reading/leave-out';
import { changedAfter, nextSince, proofsOf } from '../../../src/scim/reading/since';

const AT = Date.parse('2026-11-25T12:00:00Z');

describe('since when the next reading asks', () => {
  test('first: before the newest, by as long as the reading took and what may show late', () => {
    expect(nextSince(null, AT, { from: 0, until: 5_000 })).toEqual({
      marker: AT - 15_000,
      newest: AT,
      until: 5_000,
    });
  });

  test('once nothing newer has come, from the newest on', () => {
    const before = nextSince(null, AT, { from: 0, until: 5_000 });
    const soon = nextSince(before, AT, { from: 6_000, until: 7_000 });
    expect(soon.marker).toBeLessThan(AT);
    const later = nextSince(before, AT, { from: 60_000, until: 61_000 });
    expect(later.marker).toBe(AT);
    const newer = nextSince(later, AT + 500, { from: 90_000, until: 90_100 });
    expect(newer).toMatchObject({ marker: AT, newest: AT + 500 });
  });

  test('never back', () => {
    const settled = { marker: AT, newest: AT, until: 0 };
    expect(nextSince(settled, AT - 9_000, { from: 1, until: 2 })).toMatchObject({
      marker: AT,
      newest: AT,
    });
    expect(nextSince(settled, AT + 1, { from: 1, until: 2 }).marker).toBe(AT);
  });

  test('the filter is in UTC', () => {
    expect(changedAfter(AT)).toBe('meta.lastModified gt "2026-11-25T12:00:00.000Z"');
  });
});

describe('what a filter by time has to prove', () => {
  test('nothing newer than the newest, and the newest', () => {
    const times = new Map([
      ['a', AT],
      ['b', AT - 1_000],
      ['c', AT],
      ['d', AT - 5_000],
    ]);
    expect(proofsOf(times)).toEqual([
      { moment: AT + 1, changed: [] },
      { moment: AT - 1_000, changed: ['a', 'c'] },
    ]);
  });

  test('all of one time are looked for a second before', () => {
    expect(proofsOf(new Map([['a', AT]]))?.[1]).toEqual({ moment: AT - 1_000, changed: ['a'] });
  });

  test('nothing is proven without times, or without resources', () => {
    expect(proofsOf(new Map())).toBeNull();
    expect(
      proofsOf(
        new Map([
          ['a', AT],
          ['b', null],
        ]),
      ),
    ).toBeNull();
  });
});

describe('the pause after failures', () => {
  test.each<[string, number | null, number, boolean, number | null]>([
    ['by call only', null, 3, true, null],
    ['none failed', 600, 0, true, 600],
    ['it may pass: soon', 86_400, 1, true, 60],
    ['then later', 86_400, 4, true, 480],
    ['at most the timetable', 86_400, 40, true, 86_400],
    ['it will not pass', 600, 1, false, 600],
    ['twice as long', 600, 2, false, 1200],
    ['at most an hour', 600, 9, false, 3600],
    ['more often than a minute is never asked for', 60, 1, true, 60],
  ])('%s', (_what, every, failures, passes, pause) => {
    expect(nextPause(every, failures, passes, 0.5)).toBe(pause);
  });

  test('chance spreads it by a tenth', () => {
    expect([nextPause(600, 1, false, 0), nextPause(600, 1, false, 1)]).toEqual([540, 660]);
  });
});

describe('what is left out', () => {
  const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  test.each<[string, object, boolean]>([
    ['userType eq "service"', { userType: 'SERVICE' }, true],
    ['UserType eq "Service"', { usertype: 'service' }, true],
    ['userName sw "svc-"', { userName: 'SVC-backup' }, true],
    ['userName sw "svc-"', {}, false],
    ['active eq false', { active: false }, true],
    ['active eq false', { active: true }, false],
    ['not (emails.value ew "@halden.example")', { emails: [{ value: 'a@other.example' }] }, true],
    [
      'emails[type eq "work" and value ew "@x"]',
      { emails: [{ type: 'Work', value: 'a@X' }] },
      true,
    ],
    [`${ENTERPRISE}:department eq "IT"`, { [ENTERPRISE]: { department: 'it' } }, true],
    ['title pr and (userType eq "x" or title co "bot")', { title: 'Robot' }, true],
    ['name.givenName eq "x"', { name: null }, false],
  ])('%s', (filter, account, isOut) => {
    expect(isLeftOutBy(filter)(account as Readonly<Record<string, unknown>>)).toBe(isOut);
  });

  test.each(['a b', '(', 'userName eq', 'x eq "', 'a[b pr', '   '])('%s is no filter', (text) => {
    expect(() => isLeftOutBy(text)).toThrow();
  });
});
