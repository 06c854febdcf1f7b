import { existsSync, readFileSync } from 'node:fs';

import { ALL_CONSTANTS, ALL_SETTINGS } from '../src/settings/settings';

/*
 * docs/api.md has a table of all that bounds an answer or a request (Limits). Each setting or constant that is a limit has a
 * row there, and each row has a test that exceeds it and sees what the row says.
 */
const [, section = ''] = /^## Limits\n(.*?)^## /ms.exec(readFileSync('docs/api.md', 'utf8')) ?? [];
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (-|what +\| limit )/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, what = '', limit = '', seen = '']) => ({ what, text: `${limit} ${seen}`, seen }));

/** The tests of each row, by what the row bounds. */
const TESTS: Readonly<Record<string, readonly (readonly [file: string, title: string])[]>> = {
  'entries of a page': [
    [
      'test/http/long-lists.test.ts',
      'thousands who can do something to one resource are listed in',
    ],
    ['test/http/one-human.test.ts', 'pages of people and others in the order'],
  ],
  'permissions in a page of access': [['test/http/many-permissions.test.ts', '']],
  'losses without a gateway, permissions of these': [
    ['test/http/many-permissions.test.ts', 'who would lose so much is no answer'],
  ],
  'entries that a command lists': [
    ['test/connectors/command-line.test.ts', 'There are more than these 1: --most lists more.'],
  ],
  'paths of `access:explain`': [
    ['test/http/access.test.ts', 'nested groups is explained by its shortest path'],
    ['test/questions/shortest-ways.test.ts', 'the shortest way is found, however long'],
  ],
  'principals of a question': [
    ['test/http/one-human.test.ts', 'principals that are not certainly one human are refused'],
  ],
  'rows of a query': [
    ['test/http/query.test.ts', 'rows above the limit are cut, and the answer says so'],
  ],
  'bytes of a query': [
    ['test/http/query.test.ts', 'rows are read up to a number of bytes, and the answer says so'],
    ['test/http/query.test.ts', 'of a row that is larger than that no more is read'],
  ],
  'time until a page of the console begins': [['test/features/console/begun-page.test.ts', '']],
  'time of a question': [['test/http/query.test.ts', 'what takes too long is ended']],
  'time of a comparison of access': [
    ['test/http/access-changes.test.ts', 'what takes too long to be compared is too large'],
  ],
  'beginning of the history': [
    ['test/http/one-human.test.ts', 'changes since before the history are answered from its'],
    ['test/http/access-then.test.ts', 'an instant before the history, after now'],
  ],
  'questions of a key, and of all': [
    ['test/http/question-room.test.ts', 'slow questions of a key stop neither questions of others'],
  ],
  'acts on reviews of a key or person, and of all': [
    ['test/http/reviews/backup.test.ts', 'acts that wait for a backup leave connections to others'],
  ],
  'queries in Cypher of a key, and of all': [
    ['test/http/cypher-scope.test.ts', 'a hostile query ends by the limit of Neo4j'],
  ],
  'exports of access of a key, and of all': [
    ['test/http/export.test.ts', 'a key has half of the exports that may run at once'],
  ],
  'memory of the graph of access': [
    ['test/questions/access-memory.test.ts', 'a graph that needs more memory than it may use'],
  ],
  'wait while the graph of access is loaded': [
    ['test/questions/access-memory.test.ts', 'a question that waits too long for the graph'],
  ],
  'memory of an export of access': [
    ['test/questions/load-access-graph.test.ts', 'an export that needs more memory'],
  ],
  'live streams of a key, and of all': [
    ['test/http/event-stream.test.ts', 'streams are bounded, and a reader that leaves makes room'],
    ['test/http/event-stream.test.ts', 'one key takes a share of the streams'],
  ],
  'problems of a payload': [['test/http/large-push.test.ts', 'the first 100 are listed']],
  'changes of a plan, findings of `:verify`': [
    ['test/http/plan.test.ts', 'the tags and relationships of a changed node are cut, and say so'],
    ['test/http/verify.test.ts', 'a list of findings that is cut says so'],
  ],
  'bytes of a body, of a payload': [
    ['test/http/large-push.test.ts', 'whose body is a bomb under Content-Encoding is answered 413'],
    ['test/http/parts.test.ts', 'the part with which the payload would be too large'],
  ],
  'other bodies': [['test/http/body-bounds.test.ts', 'the thread that answers takes no body']],
  'bodies of a key, and of all': [
    ['test/http/body-room.test.ts', 'bodies take no more room than there is'],
    ['test/http/body-room-shares.test.ts', 'one key has at most so many bodies under way'],
  ],
  'requests of a key': [
    ['test/http/key-requests.test.ts', 'one key has so many requests under way; others find room'],
  ],
  'readings of applications that somebody wants': [
    ['test/http/scim-import-bounds.test.ts', 'one key has two imports running, and others wait'],
    ['test/http/scim-import-bounds.test.ts', 'the import ends, is reported, and changes nothing'],
    ['test/http/scim-import-bounds.test.ts', 'slowly: the import ends after six hours'],
  ],
  'elements of a payload, depth of resources': [
    ['test/fixtures/refused/too-deep.json', ''],
    ['test/check/refused.test.ts', 'EXPANDS_TOO_FAR'],
  ],
  'names of properties': [
    ['test/http/property-names.test.ts', 'a name too many is refused where it is first declared'],
    ['test/http/property-names.test.ts', 'one provider uses up no names of others'],
    ['test/http/property-names.test.ts', 'all data sources together may bring so many names'],
  ],
  'pushes at once, and pushes that wait': [
    ['test/http/large-push.test.ts', 'pushes wait for a thread, as many as may; more are'],
    ['test/http/large-push.test.ts', 'large pushes of one key leave places to others'],
    ['test/push/turns.test.ts', 'who waits too long is told whether its data source or'],
    ['test/push/turns.test.ts', 'one key takes half of the turns'],
  ],
  'time of a push': [
    ['test/http/push-thread-time.test.ts', 'a push that takes longer than one may in a thread'],
  ],
  'rows that one transaction writes': [
    ['test/http/push-in-parts.test.ts', 'a push that one transaction does not hold answers'],
    ['test/http/push-in-parts.test.ts', 'a plan of it is refused: it would not fit'],
  ],
  'rows that a deletion removes at once': [
    ['test/http/deletion.test.ts', 'is marked, refuses pushes, and goes in the background'],
  ],
  'what a push removes': [
    ['test/http/removal-guard.test.ts', 'when more would go nothing does, and the answer says how'],
  ],
  'data sources of a provider': [
    ['test/http/registry.test.ts', 'a provider has so many data sources'],
  ],
  'open uploads, and their bytes': [
    ['test/http/parts.test.ts', 'and their bytes have quotas; what is complete or old counts no'],
    ['test/http/parts.test.ts', 'of all data sources of one provider have a share'],
  ],
  'time of a request': [
    ['test/http/listen.test.ts', 'never ends its body'],
    ['test/http/body-room.test.ts', 'a body that does not come in time is cut with 408'],
  ],
  'sign-ins that fail, by address': [
    ['test/http/sign-ins.test.ts', 'an address that tries too many unknown keys must wait'],
  ],
  'one-time codes of a key within an hour': [
    ['test/http/sign-in.test.ts', 'and a code is stored only so often within an hour, of each key'],
  ],
  'sign-ins of a person or key within an hour': [
    ['test/http/sign-in-issuer.test.ts', 'a person signs in only so often within an hour'],
  ],
  'sessions of a person': [
    ['test/http/sign-in.test.ts', 'one person has at most twenty; the oldest ends'],
  ],
  'connections, and those of an address': [
    ['test/http/listen.test.ts', 'connections above the limit are closed at once'],
    ['test/http/listen.test.ts', 'of many connections of one address'],
  ],
  "comparisons of a list's filter": [
    ['test/contract/filter.test.ts', 'a filter has at most 20 comparisons'],
  ],
  'members and groups in a page of SCIM': [
    [
      'test/scim/server/large-answers.test.ts',
      'a page ends before it has more members than an answer holds: %s',
    ],
  ],
  'selectors, directories and groups of a policy': [
    [
      'test/contract/policy-bounds.test.ts',
      'the number of selectors, directories and groups of a policy is bounded',
    ],
  ],
  'silence of Neo4j': [
    ['test/neo4j/liveness.test.ts', 'what takes long is waited for as long as Neo4j'],
  ],
  'people who get a mail on one day': [
    ['test/http/reviews/mail.test.ts', 'no more people than the limit get a mail on one day'],
  ],
  'time of a stop': [['test/http/large-push.test.ts', 'a stop finishes the large push that runs']],
};

const limits = [
  ...ALL_SETTINGS.map(({ variable }) => variable),
  ...ALL_CONSTANTS.map(({ name }) => name),
].filter((name) => name.startsWith('LIMIT_'));

const named = (text: string): readonly string[] => text.match(/LIMIT_[A-Z_]+/g) ?? [];

test('each limit that is declared has a row, and each row names declared limits', () => {
  const inTable = new Set(rows.flatMap(({ text }) => named(text)));
  expect(limits.filter((limit) => !inTable.has(limit))).toEqual([]);
  expect([...inTable].filter((limit) => !limits.includes(limit))).toEqual([]);
  expect(limits.length).toBeGreaterThan(30);
});

test('each row says what the caller sees, and has tests that are there', () => {
  expect(rows.filter(({ seen }) => seen === '')).toEqual([]);
  expect(rows.map(({ what }) => what).toSorted()).toEqual(Object.keys(TESTS).toSorted());
  const missing = Object.values(TESTS)
    .flat()
    .filter(([file, title]) => {
      const source = existsSync(file) ? readFileSync(file, 'utf8').replace(/\s+/g, ' ') : null;
      return source?.includes(title) !== true;
    });
  expect(missing).toEqual([]);
});
