import { parseSavedQuery } from '../../src/kit/parse-saved-query';
import { queryFiles } from '../../src/kit/saved-queries';
import { withSharedRules } from '../../src/kit/shared-rules';
import { labelOf } from '../../src/questions/statements/summary';
import { GAIN, GIVES } from '../../src/graph/statements/access-rules';

const FILE = 'people/somebody.cypher';

const HEAD = [
  '// Somebody',
  '// Who is somebody, of a directory',
  '// or of none?',
  '//',
  '// Parameters (in Neo4j Browser, before the query):',
  "//   :param name => 'Ann'",
  '//   name: the name of somebody',
  '//   :param days => 90',
  '//   days: after how many days; 0: at once',
  '//',
  '// One row for each',
  '// of them.',
  '// A report about the complete graph: it looks at all',
  '// users.',
  '// Roles: administrator, auditor.',
];
const BODY = [
  'MATCH (given:Permission {name: $name})',
  '  // <shared: what a permission or role gives>',
  '  CALL (given) { RETURN 1 AS gives }',
  '  // </shared>',
  'RETURN gives, $days AS days // no $parameter',
];

const text = (head: readonly string[], body: readonly string[] = BODY): string =>
  [...head, '', ...body, ''].join('\n');

const changed = (line: number, to: string): string =>
  text(HEAD.map((old, index) => (index === line - 1 ? to : old)));

test('the head of a file tells what the query is; markers are no part of it', () => {
  expect(parseSavedQuery(FILE, text(HEAD))).toEqual({
    topic: 'people',
    name: 'somebody',
    title: 'Somebody',
    question: 'Who is somebody, of a directory or of none?',
    parameters: [
      { name: 'name', example: "'Ann'", doc: 'the name of somebody' },
      { name: 'days', example: '90', doc: 'after how many days; 0: at once' },
    ],
    rows: 'One row for each of them.',
    whole: 'it looks at all users.',
    roles: ['administrator', 'auditor'],
    cypher: [BODY[0], BODY[2], BODY[4]].join('\n'),
    text: text(HEAD),
  });
});

test('a query may have no parameters, and be no report', () => {
  const head = [
    '// A',
    '// B?',
    '//',
    '// Parameters: none.',
    '//',
    '// One row.',
    '// Roles: analyst.',
  ];
  const query = parseSavedQuery(FILE, text(head, ['RETURN 1 AS one']));
  expect(query).toMatchObject({ parameters: [], rows: 'One row.', cypher: 'RETURN 1 AS one' });
  expect(query).not.toHaveProperty('whole');
});

test.each([
  ['no question', changed(3, '// or of none.'), 3, 'a question that ends with "?"'],
  ['no parameters', changed(5, '// Parameters:'), 5, '"// Parameters: none."'],
  ['a parameter without example', changed(6, '//   :param name'), 6, ':param name => example'],
  ['a parameter without doc', changed(7, '//   nome: its name'), 7, '"//   name: what it is"'],
  [
    'the last one without doc',
    text(HEAD.filter((_line, at) => at !== 8)),
    8,
    '"//   days: what it is"',
  ],
  ['no roles', text(HEAD.slice(0, 14)), 14, 'must be "// Roles: administrator, '],
  ['an unknown role', changed(15, '// Roles: everybody.'), 15, 'must be "// Roles:'],
  ['a paragraph too many', changed(12, '//'), 13, 'the head has three'],
  ['a line that is no comment', changed(2, 'MATCH (n)'), 2, 'is no comment'],
  ['no empty line', HEAD.join('\n'), 15, 'no empty line between head and query'],
  ['no query', text(HEAD, ['// </shared>']), 17, 'has no query'],
  ['no rows', text(HEAD.slice(0, 10)), 10, 'does not say what a row is'],
  ['an unknown parameter', text(HEAD, ['RETURN $name,', '$day, $days']), 18, 'uses $day, which'],
  ['an unused parameter', text(HEAD, ['RETURN $name']), 1, 'names the parameter days'],
])('%s is refused by file and line', (_fault, file, line, message) => {
  expect(() => parseSavedQuery(FILE, file)).toThrow(`cypher/queries/${FILE}, line ${line}: `);
  expect(() => parseSavedQuery(FILE, file)).toThrow(message);
});

test('a file stands in the folder of its topic', () => {
  expect(() => parseSavedQuery('Somebody.cypher', text(HEAD))).toThrow('<topic>/<name>.cypher');
});

test('what stands between markers becomes the rule, as far to the right as they stand', () => {
  const [match, open, , close, end] = BODY;
  expect(withSharedRules(FILE, text(HEAD))).toBe(
    text(HEAD, [
      match as string,
      open as string,
      ...GIVES.split('\n').map((line) => `  ${line}`),
      close as string,
      end as string,
    ]),
  );
});

test('a list of what leads through names to what is held becomes the list of gain', () => {
  expect(withSharedRules(FILE, 'MATCH ()-[:MEMBER_OF|KNOWN_AS|HOLDS*0..]->(:A|B)')).toBe(
    `MATCH ()-[:${GAIN}*0..]->(:A|B)`,
  );
  const other = 'MATCH ()-[:MEMBER_OF|KNOWN_AS*1..]->()';
  expect(withSharedRules(FILE, other)).toBe(other);
});

const OPEN = '// <shared: find the person>';
const CLOSE = '// </shared>';

test('a new query needs only the two markers', () => {
  const lines = withSharedRules(FILE, [OPEN, CLOSE].join('\n')).split('\n');
  expect([lines[0], lines[1], lines.at(-1)]).toEqual([OPEN, 'CALL () {', CLOSE]);
});

test.each([
  [[OPEN, 'MATCH (n)'], 1, 'is not closed'],
  [['RETURN 1', CLOSE], 2, 'is not open'],
  [[OPEN, OPEN, CLOSE], 2, 'within that of line 1'],
  [['// <shared: nothing>', CLOSE], 1, 'names no shared rule; there are: find the resource, '],
  [['// <shard: find the person>', CLOSE], 1, 'is no marker'],
])('markers that do not fit are refused: %j', (lines, line, message) => {
  const refresh = (): string => withSharedRules(FILE, lines.join('\n'));
  expect(refresh).toThrow(`cypher/queries/${FILE}, line ${line}: `);
  expect(refresh).toThrow(message);
});

test.each(queryFiles())('%s leaves out all labels that several kinds share', (_file, query) => {
  for (const [said, node] of query.matchAll(/\[label IN labels\((\w+)\).*?\]\[0\]/g)) {
    expect(said).toBe(labelOf(String(node)));
  }
});
