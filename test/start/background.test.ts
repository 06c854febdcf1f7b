import { runInBackground } from '../../src/background';
import { Unwanted } from '../../src/neo4j/unwanted';
import { memoryLog } from '../http/memory-log';

test('a round that fails does not stop the next one; the log names the work', async () => {
  const lines: Parameters<typeof memoryLog>[0] = [];
  let turns = 0;
  let second = (): void => undefined;
  const again = new Promise<void>((resolve) => (second = resolve));
  const background = runInBackground(
    'retention',
    [
      () => {
        turns += 1;
        if (turns === 2) second();
        return Promise.reject(new Error('a fault'));
      },
    ],
    60,
    memoryLog(lines),
  );
  background.wake();
  await again;
  await background.stop();
  expect(lines[0]).toMatchObject({
    level: 'warn',
    message: 'background work failed; the service tries it again',
    work: 'retention',
    error_message: 'a fault',
  });
});

test('work that the service itself ended at its stop has not failed', async () => {
  const lines: Parameters<typeof memoryLog>[0] = [];
  const background = runInBackground(
    'graph of access in memory',
    [() => Promise.reject(new Unwanted())],
    60,
    memoryLog(lines),
  );
  await new Promise(setImmediate);
  await background.stop();
  expect(lines).toEqual([]);
});
