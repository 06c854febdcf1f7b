import { BodyRoom } from '../../src/http/exchange/body-room';

const room = (limits: Partial<ConstructorParameters<typeof BodyRoom>[0]> = {}): BodyRoom =>
  new BodyRoom({
    mostBytes: 1000,
    bodyBytes: 100,
    bodiesOfKey: 5,
    waitMilliseconds: 10,
    ...limits,
  });

test('one key takes at most half of the room, and others find theirs', async () => {
  const bodies = room();
  expect(await bodies.enter('greedy')).toBe(true);
  expect(bodies.take('greedy', 500)).toBe(true);
  expect(bodies.take('greedy', 1)).toBe(false);
  expect(await bodies.enter('greedy')).toBe(false);
  expect(await bodies.enter('other')).toBe(true);
  expect(bodies.take('other', 100)).toBe(true);
  bodies.leave('greedy', 500);
  expect(await bodies.enter('greedy')).toBe(true);
});

test('one key has at most so many bodies under way; as many wait for those, more are refused at once', async () => {
  const bodies = room({ bodiesOfKey: 2, waitMilliseconds: 60_000 });
  expect([await bodies.enter('many'), await bodies.enter('many')]).toEqual([true, true]);
  const waiting = [bodies.enter('many'), bodies.enter('many')];
  expect(await bodies.enter('many')).toBe(false);
  expect(await bodies.enter('other')).toBe(true);
  bodies.leave('many', 0);
  bodies.leave('many', 0);
  expect(await Promise.all(waiting)).toEqual([true, true]);
});

test('a body of the largest size finds room, however little there is', async () => {
  const bodies = room({ mostBytes: 120 });
  expect(await bodies.enter('one')).toBe(true);
  expect(bodies.take('one', 100)).toBe(true);
});

test('bodies of one key that announce more than its share wait for one another', async () => {
  const bodies = room({ bodyBytes: 500, waitMilliseconds: 60_000 });
  expect(await bodies.enter('burst', 300)).toBe(true);
  const second = bodies.enter('burst', 300);
  expect(await bodies.enter('other', 300)).toBe(true);
  expect(bodies.take('burst', 300)).toBe(true);
  bodies.leave('burst', 300, 300);
  expect(await second).toBe(true);
  expect(bodies.take('burst', 300)).toBe(true);
});
