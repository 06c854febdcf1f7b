import { BodyRoom } from '../../src/web/bodies/body-room';

const room = (limits: Partial<ConstructorParameters<typeof BodyRoom>[0]> = {}): BodyRoom =>
  new BodyRoom({ mostBytes: 1000, bodyBytes: 100, bodiesOfKey: 5, ...limits });

test('one key takes at most half of the room, and others find theirs', () => {
  const bodies = room();
  expect(bodies.enter('greedy')).toBe(true);
  expect(bodies.take('greedy', 500)).toBe(true);
  expect(bodies.take('greedy', 1)).toBe(false);
  expect(bodies.enter('greedy', 1)).toBe(false);
  expect(bodies.enter('other')).toBe(true);
  expect(bodies.take('other', 100)).toBe(true);
  bodies.leave('greedy', 500);
  expect(bodies.enter('greedy', 1)).toBe(true);
});

test('one key has at most so many bodies under way; more are refused at once', () => {
  const bodies = room({ bodiesOfKey: 2 });
  expect([bodies.enter('many'), bodies.enter('many'), bodies.enter('many')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(bodies.enter('other')).toBe(true);
  bodies.leave('many', 0);
  expect([bodies.enter('many'), bodies.enter('many')]).toEqual([true, false]);
});

test('a body of the largest size finds room, however little there is', () => {
  const bodies = room({ mostBytes: 120 });
  expect(bodies.enter('one', 100)).toBe(true);
  expect(bodies.take('one', 100)).toBe(true);
});

test('a body that announces more than is left of its key is refused before it comes', () => {
  const bodies = room({ bodyBytes: 500 });
  expect(bodies.enter('burst', 300)).toBe(true);
  expect(bodies.take('burst', 300)).toBe(true);
  expect(bodies.enter('burst', 300)).toBe(false);
  expect(bodies.enter('other', 300)).toBe(true);
  bodies.leave('burst', 300);
  expect(bodies.enter('burst', 300)).toBe(true);
  expect(bodies.take('burst', 300)).toBe(true);
});

test('a body that announces much and sends little holds little', () => {
  const bodies = room();
  for (let times = 0; times < 5; times += 1) {
    expect(bodies.enter('slow', 400)).toBe(true);
    expect(bodies.take('slow', 1)).toBe(true);
  }
  expect(bodies.enter('other', 500)).toBe(true);
  expect(bodies.take('other', 500)).toBe(true);
});
