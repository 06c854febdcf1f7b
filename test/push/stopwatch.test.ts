import { Stopwatch, TimedTries } from '../../src/push/change/stopwatch';

afterEach(() => {
  jest.restoreAllMocks();
});

test('each try of a transaction counts its wait for locks, also after one that failed', () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now * 1000);
  const after = (seconds: number, step: () => void): void => {
    now += seconds;
    step();
  };
  const watch = new Stopwatch({});
  const tries = new TimedTries(watch);
  tries.begins();
  after(2, tries.holds);
  // The work fails after 100 s, and is tried again.
  after(100, tries.begins);
  after(3, tries.holds);
  after(100, tries.commits);
  // The commit fails.
  after(1, tries.begins);
  after(4, tries.holds);
  after(100, tries.commits);
  after(1, tries.done);
  expect(watch.seconds).toEqual({ lock: 2 + 3 + 4, commit: 1 + 1 });
});
