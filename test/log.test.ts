import { createLog, errorFields } from '../src/log';

/** What a log prints, line by line. */
const printed = (format: 'json' | 'pretty', say: (log: ReturnType<typeof createLog>) => void) => {
  const lines: string[] = [];
  const write = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((chunk) => lines.push(String(chunk)) > 0);
  // The transport writes where the console does.
  const console = globalThis.console as unknown as { _stdout?: NodeJS.WriteStream };
  const log = jest.spyOn(console._stdout ?? process.stdout, 'write');
  log.mockImplementation((chunk) => lines.push(String(chunk)) > 0);
  say(createLog({ level: 'info', format }));
  write.mockRestore();
  log.mockRestore();
  return lines;
};

test('a JSON line has its level, sentence, time and fields; child logs keep theirs', () => {
  const lines = printed('json', (log) => log.with({ request_id: 'r1' }).info('done', { rows: 2 }));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] as string)).toEqual({
    level: 'info',
    message: 'done',
    timestamp: expect.any(String) as string,
    request_id: 'r1',
    rows: 2,
  });
});

test('no text of a caller begins a line of its own', () => {
  const lines = printed('pretty', (log) => log.info('request', { path: 'a\n12:00:00 error b' }));
  expect(lines).toHaveLength(1);
  expect((lines[0] as string).trimEnd().split(/\r?\n/)).toHaveLength(1);
  expect(lines[0]).toContain('path="a\\n12:00:00 error b"');
});

test('fields cannot take the place of the level, the sentence or the time', () => {
  const fields = { level: 'error', message: 'forged', timestamp: 'never' };
  const [line] = printed('json', (log) => log.info('true', fields));
  expect(JSON.parse(line as string)).toMatchObject({ level: 'info', message: 'true' });
});

test('what is below the level is not logged', () => {
  expect(printed('json', (log) => log.debug('detail'))).toEqual([]);
});

test('an error about a constraint names it, and no value', () => {
  const message =
    "Node(12) already exists with label `IdpUser` and property `key` = 'ann@example.com'";
  const code = 'Neo.ClientError.Schema.ConstraintValidationFailed';
  const fields = errorFields(Object.assign(new Error(message), { code, gqlStatus: '22N79' }));
  expect(fields).toMatchObject({ error_constraint: 'IdpUser.key', error_gql_status: '22N79' });
  expect(JSON.stringify(fields)).not.toContain('ann@example.com');
});

describe('the fields of an error', () => {
  test.each([
    ['of a driver that quotes a value', 'Neo.ClientError.Schema.ConstraintValidationFailed', false],
    ['of a statement', 'Neo.ClientError.Statement.TypeError', false],
    ['of a connection', 'ServiceUnavailable', true],
    ['of a sign-in', 'Neo.ClientError.Security.Unauthorized', true],
    ['of a deadlock', 'Neo.TransientError.Transaction.DeadlockDetected', true],
  ])('%s', (_name, code, isShown) => {
    const fields = errorFields(Object.assign(new Error('about ann@example.com'), { code }));
    expect(fields.error_code).toBe(code);
    expect(JSON.stringify(fields).includes('ann@example.com')).toBe(isShown);
    expect(fields.error_stack).toMatch(/^at /);
  });

  test('of what is no error', () => {
    expect(errorFields('text')).toEqual({ error: 'string' });
  });
});
