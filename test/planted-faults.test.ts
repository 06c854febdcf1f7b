import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

test('each planted fault has its place in the sources', () => {
  const script = join(__dirname, '../scripts/planted-faults.mjs');
  expect(execFileSync(process.execPath, [script, '--places'], { encoding: 'utf8' })).toBe('');
});
