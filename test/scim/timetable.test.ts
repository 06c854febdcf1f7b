import { type Timed, Timetable } from '../../src/scim/timetable';

const goOn = (): boolean => false;

/** Runs that end when the test lets them, or when they are stopped. */
const held = (due: readonly string[], atOnce: number) => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const timed: Timed<string> = {
    atOnce,
    due: () => Promise.resolve(due),
    keyOf: (key) => key,
    run: (key, stopping) => {
      begun.push(key);
      return new Promise((done) => {
        ends.set(key, done);
        stopping.addEventListener('abort', () => done());
      });
    },
  };
  return { begun, end: (key: string) => ends.get(key)?.(), timetable: new Timetable(timed) };
};

/** Lets everything happen that waits for nothing outside. */
const quiet = (): Promise<void> => new Promise((done) => setImmediate(done));

test('a long run holds up no others, and none runs twice at once', async () => {
  const { begun, end, timetable } = held(['slow', 'quick', 'third'], 2);
  await timetable.round(goOn);
  expect(begun).toEqual(['slow', 'quick']);
  await timetable.round(goOn);
  expect(begun).toEqual(['slow', 'quick']);
  end('quick');
  await quiet();
  await timetable.round(goOn);
  expect(begun).toEqual(['slow', 'quick', 'third']);
  await timetable.stop();
});

test('runs that are due again at once let others begin', async () => {
  const { begun, end, timetable } = held(['failing', 'failing too', 'leavers'], 2);
  for (let round = 0; round < 3; round += 1) {
    await timetable.round(goOn);
    for (const key of begun) end(key);
    await quiet();
  }
  expect(begun).toEqual(['failing', 'failing too', 'leavers', 'failing', 'failing too', 'leavers']);
});

test('nothing begins while the service stops, and what runs is told and waited for', async () => {
  const { begun, timetable } = held(['first', 'second'], 4);
  await timetable.round(() => begun.length === 1);
  expect(begun).toEqual(['first']);
  await timetable.stop();
  await timetable.round(goOn);
  expect(begun).toEqual(['first']);
});
