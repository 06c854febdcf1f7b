import { idleProcessor, quietMoment } from '../../src/push/counting/quiet-moment';

const moments = (pushes: number, isIdle: boolean, patienceSeconds = 60) => {
  const at = { seconds: 0, pushes, isIdle };
  const isQuiet = quietMoment(
    { pushes: () => at.pushes, isProcessorIdle: () => at.isIdle, patienceSeconds },
    () => at.seconds * 1000,
  );
  return { at, isQuiet };
};

test('background work begins while no push runs, and beside pushes while a processor is idle', () => {
  const { at, isQuiet } = moments(0, false);
  expect(isQuiet()).toBe(true);
  at.pushes = 1;
  expect(isQuiet()).toBe(false);
  at.isIdle = true;
  expect(isQuiet()).toBe(true);
});

test('pushes without a pause delay the work, and do not prevent it', () => {
  const { at, isQuiet } = moments(2, false, 60);
  expect(isQuiet()).toBe(false);
  at.seconds = 59;
  expect(isQuiet()).toBe(false);
  at.seconds = 60;
  expect(isQuiet()).toBe(true);
  // The next work waits again.
  at.seconds = 61;
  expect(isQuiet()).toBe(false);
});

test('a processor is idle if all of them together had as much time as one has', () => {
  const times = { user: 0, nice: 0, sys: 0, irq: 0, idle: 0 };
  const processors = [{ times: { ...times } }, { times: { ...times } }];
  const asked = idleProcessor(() => structuredClone(processors) as never);
  const spend = (first: Partial<typeof times>, second: Partial<typeof times>): void => {
    [first, second].forEach((spent, at) => {
      const processor = processors[at];
      if (processor === undefined) return;
      for (const [name, more] of Object.entries(spent)) {
        processor.times[name as keyof typeof times] += more;
      }
    });
  };
  expect(asked()).toBe(false);
  spend({ user: 100 }, { user: 10, idle: 90 });
  expect(asked()).toBe(false);
  spend({ user: 50, idle: 50 }, { user: 50, idle: 50 });
  expect(asked()).toBe(true);
  expect(asked()).toBe(false);
});
