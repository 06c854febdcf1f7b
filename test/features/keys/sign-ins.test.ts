import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';

import type { TeamKey } from '../../../src/features/keys/records';
import type { Failure } from '../../../src/problem';
import { signIns } from '../../../src/features/keys/sign-ins';
import { hashOf } from '../../../src/features/keys/team-keys';

const KEY: TeamKey = {
  id: 'k',
  name: 'Key',
  status: 'ACTIVE',
  scopes: ['read'],
  providers: [],
  created_at: '2026-01-01T00:00:00Z',
  expires_at: null,
  last_used_at: null,
};
const DOWN: Failure = { _tag: 'Unavailable', message: 'down' };

const scene = () => {
  const kept = new Map<string, TeamKey>([[hashOf('good'), KEY]]);
  const state = { now: 1_000, isDown: false, lookUps: 0, noted: 0 };
  const { find, isKnown, forget } = signIns({
    teamKeys: {
      findByHash: (hash) => {
        state.lookUps += 1;
        return state.isDown ? TE.left(DOWN) : TE.right(kept.get(hash) ?? null);
      },
      noteUse: () => {
        state.noted += 1;
        return TE.right(undefined);
      },
    },
    now: () => state.now,
  });
  const isIn = async (key: string): Promise<boolean> => E.isRight(await find(key)());
  return { kept, state, find, isKnown, forget, isIn };
};

test.each(['good', 'unknown'])(
  'a key that is %s is looked up once a second at most',
  async (key) => {
    const { state, isIn } = scene();
    const asked = await Promise.all(Array.from({ length: 50 }, () => isIn(key)));
    expect(new Set(asked)).toEqual(new Set([key === 'good']));
    state.now += 999;
    await isIn(key);
    expect(state.lookUps).toBe(1);
    state.now += 2;
    await isIn(key);
    expect(state.lookUps).toBe(2);
  },
);

test('a key that another process revokes is out after a second, one that this process revokes at once', async () => {
  const { kept, state, isIn, isKnown, forget } = scene();
  expect(await isIn('good')).toBe(true);
  kept.set(hashOf('good'), { ...KEY, status: 'INACTIVE' });
  expect(await isIn('good')).toBe(true);
  state.now += 1_001;
  // It is known nevertheless: who sends a key that has ended does not guess.
  expect([await isIn('good'), isKnown('good')]).toEqual([false, true]);
  kept.set(hashOf('good'), KEY);
  forget();
  expect([await isIn('good'), isKnown('good')]).toEqual([true, true]);
});

test('a key is out the moment that it expires, and is told so', async () => {
  const { kept, find, forget, isIn } = scene();
  const soon = new Date(Date.now() + 60_000).toISOString();
  kept.set(hashOf('good'), { ...KEY, expires_at: soon });
  expect(await isIn('good')).toBe(true);
  kept.set(hashOf('good'), { ...KEY, expires_at: '2026-01-02T00:00:00Z' });
  forget();
  expect(await find('good')()).toEqual(
    E.left({ _tag: 'Unauthenticated', message: 'The key expired at 2026-01-02T00:00:00Z.' }),
  );
});

test('its use is noted once a minute at most', async () => {
  const { state, isIn } = scene();
  for (let second = 0; second <= 61; second += 1) {
    await isIn('good');
    state.now += 1_000;
  }
  expect(state.noted).toBe(2);
});

test('a graph that does not answer is asked again', async () => {
  const { state, isIn } = scene();
  state.isDown = true;
  expect(await isIn('good')).toBe(false);
  state.isDown = false;
  expect(await isIn('good')).toBe(true);
});
