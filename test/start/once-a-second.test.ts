import { onceASecond } from '../../src/start/start-service';

test('however often it is called, it asks once a second', async () => {
  let [now, asked] = [5_000, 0];
  const ask = onceASecond(
    () => Promise.resolve((asked += 1)),
    () => now,
  );
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  now += 999;
  expect(await ask()).toBe(1);
  now += 1;
  expect(await Promise.all([ask(), ask()])).toEqual([2, 2]);
});
