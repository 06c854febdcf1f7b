import { routeFinder } from '../../src/web/routing/find-route';
import { REQUESTS } from '../hardening/mutated-request';
import { Random } from '../hardening/random';
import type { Scene } from '../hardening/scene';
import { seedPayloads } from '../hardening/seed-payload';
import { nameOf } from '../support/answer-check';
import { idleRoutes } from '../support/idle-app';

/** Each path is drawn rarely, since there are so many. */
const MOST_TRIED = 60_000;

test('mutated requests reach every route (test/hardening)', () => {
  const find = routeFinder(idleRoutes());
  const random = new Random(1);
  const [seed = {}] = seedPayloads.application;
  const target = { provider: 'p', id: 'd', seed, digest: null, upload: 'none' } as const;
  const scene: Scene = {
    target: { ...target, template: 'application' },
    directory: { ...target, template: 'identity_provider' },
    spare: 's',
    upload: 'u',
    readingKey: 'r',
    teamKey: 'k',
    name: 'n',
    random,
  };
  const routes = new Set(idleRoutes().map(nameOf));
  const reached = new Set<string>();
  for (let tried = 0; tried < MOST_TRIED && reached.size < routes.size; tried += 1) {
    const { method, path } = random.weighted(REQUESTS)(scene);
    const { route } = find(method, path.split('?', 1).join());
    if (route !== undefined && method !== 'HEAD') reached.add(nameOf(route));
  }
  expect([...routes].filter((name) => !reached.has(name))).toEqual([]);
});
