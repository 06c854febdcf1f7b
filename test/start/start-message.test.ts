import { StartFailure } from '../../src/embedded/start-failure';
import { startMessage } from '../../src/start/serve';

const failed = (code: string): Error => Object.assign(new Error(`${code}: failed`), { code });

test.each([
  ['EADDRINUSE', 'PORT is used by another program: choose another one.'],
  ['ENOSPC', 'The disk of DATA_DIR is full: make space on it.'],
  ['EDQUOT', 'The disk of DATA_DIR is full: make space on it.'],
  ['EROFS', 'DATA_DIR can only be read: choose another folder.'],
])('%s at the start is told in words', (code, message) => {
  expect(startMessage(failed(code))).toBe(message);
});

test('what is told in words already stays as it is, and a bug shows where it is', () => {
  expect(startMessage(new StartFailure('server-failed', 'Neo4j ended.'))).toBe('Neo4j ended.');
  expect(startMessage(new Error('a bug'))).toMatch(/a bug\n +at /);
});
