import { counted, type Output, terminalOn } from '../../src/demo/terminal';

const printed = (output: Omit<Output, 'write'>, env: Record<string, string> = {}): string => {
  const written: string[] = [];
  const terminal = terminalOn({ ...output, write: (text) => written.push(text) }, env);
  terminal.line(['title', 'Who'], ' → what');
  return written.join('');
};

test.each([
  ['in colour on a terminal', { isTTY: true, columns: 80 }, {}, '\u001b[1mWho\u001b[22m → what\n'],
  ['without colour where it is not wanted', { isTTY: true }, { NO_COLOR: '1' }, 'Who → what\n'],
  ['cut to the width of the terminal', { isTTY: true, columns: 6 }, { NO_COLOR: '1' }, 'Who →…\n'],
  ['whole and plain into a file', { columns: 6 }, {}, 'Who → what\n'],
])('a line is printed %s', (_how, output, env, expected) => {
  expect(printed(output, env)).toBe(expected);
});

test('what is to be copied is never cut', () => {
  const written: string[] = [];
  const output = { isTTY: true, columns: 4, write: (text: string) => written.push(text) };
  terminalOn(output, { NO_COLOR: '1' }).line('At ', ['link', 'http://127.0.0.1:8080']);
  expect(written).toEqual(['At http://127.0.0.1:8080\n']);
});

test('numbers have their nouns', () => {
  expect([counted(1, 'node'), counted(2, 'node'), counted(2, 'person', 'people')]).toEqual([
    '1 node',
    '2 nodes',
    '2 people',
  ]);
});
