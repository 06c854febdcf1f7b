import { isForPeople, isJson, type Route, showsPages } from '../../src/web/routing/route';
import { idleRoutes } from '../support/idle-app';
import type { Sent } from './client';
import { fieldsOf } from './hostile-body';
import { scribbled } from './payload-mutation';
import type { Random } from './random';
import type { Scene } from './scene';

const TEXTS = [
  '',
  'x',
  'true',
  '0',
  '-1',
  'nobody',
  '%',
  '\u0000',
  '💥',
  'name eq "x"',
  'name desc',
  'x'.repeat(3000),
  '2999-01-01T00:00:00Z',
  "' OR true //",
  '../..',
];
const VALUES = [...TEXTS, 7, -1, 1.5, true, null, [], {}, [null], ['x'], [{ x: [] }], { x: null }];

let made: readonly Route[] | undefined;

/** The routes that keys use, and whose answers end. SCIM has no codecs of its bodies. */
const routesOfKeys = (): readonly Route[] =>
  (made ??= idleRoutes().filter(
    (route) =>
      !isForPeople(route.access) &&
      !showsPages(route) &&
      (isJson(route.answer) || route.answer.event === undefined) &&
      !route.path.startsWith('/scim/v2/'),
  ));

const some = <A>(items: readonly A[], random: Random): readonly A[] =>
  items.filter(() => random.happens(0.5));

/** The path of a route. Only what reads is about things that exist, since others wait for their answers. */
const pathOf = ({ method, path }: Route, { target, teamKey, random }: Scene): string => {
  const existing: Readonly<Record<string, string>> =
    method === 'get'
      ? { providerId: target.provider, dataSourceId: target.id, keyId: teamKey }
      : {};
  return path.replace(/(\\?):(\w+)/g, (_, escape: string, name: string) =>
    escape === '' ? encodeURIComponent(existing[name] ?? (random.pick(TEXTS) || 'x')) : `:${name}`,
  );
};

/**
 * A request to any route for keys, by what the route declares: its parameters and the fields of its
 * body, with values that seldom fit.
 */
export const declaredRequest = (scene: Scene): Sent => {
  const { random } = scene;
  const route = random.pick(routesOfKeys());
  const { required, optional } = { required: {}, optional: {}, ...route.query };
  const query = some(Object.keys({ ...required, ...optional }), random)
    .map((name) => `${name}=${encodeURIComponent(random.pick(TEXTS))}`)
    .join('&');
  const path = `${pathOf(route, scene)}${query === '' ? '' : `?${query}`}`;
  const sent = { method: route.method.toUpperCase(), path };
  if (route.body === undefined) return sent;
  const fields = some(fieldsOf(random.pick(route.body)), random);
  const body = JSON.stringify(
    Object.fromEntries(fields.map((name) => [name, random.pick(VALUES)])),
  );
  return { ...sent, body: random.happens(0.1) ? scribbled(body, random) : body };
};
