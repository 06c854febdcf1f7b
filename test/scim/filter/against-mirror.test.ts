import { FilterFault, readFilter, SCIM_FILTER } from '../../../src/contract/filters/filter-grammar';
import { fold } from '../../../src/model/fold';
import { isLeftOutBy } from '../../../src/scim/reading/leave-out';
import { USER } from '../../../src/scim/server/attributes';
import { matchesOf, soughtBy } from '../../../src/scim/server/matching';
import { Random } from '../../hardening/random';
import { type FilterParts, type FilterValue, userFits } from '../../mirror/scim-filter';
import { sized } from '../../support/test-size';

/*
 * Random filters over random users, as the server and imports read them, against the mirror. Every comparison is drawn
 * from few texts that lie close together, so that most of them fit somebody.
 */

const TEXTS = [
  'ann',
  'ANN',
  'Zoë',
  'Zoe\u0308',
  'CORP\\ann',
  'CORP\\\\ann',
  'CORP\\tom',
  'CORP\tom',
  'a"b',
  '',
  'true',
  '7',
  '\\',
  'x\\u00e9',
  'xé',
  '2026-01-01',
];
const TIMES = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T05:00:00+05:00',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2025-12-31T23:59:59.999999999Z',
  '2026-01-01T00:00:00.5-01:00',
];
const EXTENSION = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATHS = [
  'id',
  'externalId',
  'userName',
  'USERNAME',
  'title',
  'active',
  'name',
  'name.givenName',
  'emails',
  'emails.value',
  'emails.type',
  'emails.primary',
  'meta',
  'meta.created',
  'meta.lastModified',
  `${EXTENSION}:department`,
  'urn:ietf:params:scim:schemas:core:2.0:User:userName',
];
const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'];

const maybe = (random: Random, name: string, value: unknown): object =>
  random.happens(0.6) ? { [name]: value } : {};

const drawUser = (random: Random): object => {
  const text = (): string => random.pick(TEXTS);
  return {
    id: text(),
    userName: text(),
    ...maybe(random, 'externalId', text()),
    ...maybe(random, 'title', text()),
    ...maybe(random, 'active', random.happens(0.5)),
    ...maybe(random, 'name', random.pick([{ givenName: text() }, {}, { givenName: null }])),
    ...maybe(
      random,
      'emails',
      Array.from({ length: random.below(4) }, () => ({
        ...maybe(random, 'value', text()),
        ...maybe(random, 'type', random.pick(['work', 'home'])),
        ...maybe(random, 'primary', random.happens(0.5)),
      })),
    ),
    ...maybe(random, EXTENSION, { department: text() }),
    meta: { created: random.pick(TIMES.slice(0, 3)), lastModified: random.pick(TIMES.slice(5)) },
  };
};

/** A text as clients spell it: as JSON, with every letter escaped, or as it stands. */
const quoted = (random: Random, text: string): string => {
  const json = JSON.stringify(text).slice(1, -1);
  const escaped = [...text]
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  const raw = text.split('"').join('\\"');
  // What ends with a backslash cannot be written without escaping it.
  return random.pick(text.endsWith('\\') ? [json, escaped] : [json, escaped, raw]);
};

const drawValue = (random: Random): FilterValue =>
  random.weighted<FilterValue>([
    [6, { quoted: quoted(random, random.pick(TEXTS)) }],
    [4, { quoted: random.pick([...TIMES, 'work', 'home', 'True']) }],
    [3, { word: random.pick(['true', 'false', 'True', 'null', '7', '-1.50']) }],
  ]);

const drawFilter = (random: Random, depth: number, paths: readonly string[]): FilterParts => {
  const inner = (): FilterParts => drawFilter(random, depth - 1, paths);
  const kind = depth === 0 ? 0 : random.below(8);
  if (kind === 1) return { is: 'all', of: [inner(), inner()] };
  if (kind === 2) return { is: 'any', of: [inner(), inner(), inner()] };
  if (kind === 3) return { is: 'not', of: inner() };
  if (kind === 4 && paths === PATHS) {
    const of = drawFilter(random, depth - 1, ['value', 'type', 'primary']);
    return { is: 'entry', list: random.pick(['emails', 'emails', 'emails', 'title']), of };
  }
  const path = random.weighted([
    [30, random.pick(paths)],
    [1, random.pick(['shoeSize', 'name.x', 'emails.value.x'])],
  ]);
  if (random.happens(0.2)) return { is: 'present', path };
  return { is: 'compared', path, by: random.pick(OPERATORS), value: drawValue(random) };
};

const spelled = (filter: FilterParts): string => {
  switch (filter.is) {
    case 'all':
      return filter.of.map((part) => `(${spelled(part)})`).join(' and ');
    case 'any':
      return filter.of.map((part) => `(${spelled(part)})`).join(' OR ');
    case 'not':
      return `not (${spelled(filter.of)})`;
    case 'entry':
      return `${filter.list}[${spelled(filter.of)}]`;
    case 'present':
      return `${filter.path} pr`;
    case 'compared': {
      const { path, by, value } = filter;
      return `${path} ${by} ${'word' in value ? value.word : `"${value.quoted}"`}`;
    }
  }
};

const outcome = (judge: () => boolean): boolean | 'refused' => {
  try {
    return judge();
  } catch (error) {
    if (error instanceof FilterFault) return 'refused';
    throw error;
  }
};

test('random filters find the same users as the mirror says', () => {
  const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 1_000_000);
  const random = new Random(seed);
  const counts = { true: 0, false: 0, refused: 0 };
  for (let at = 0; at < sized(5_000, 200_000); at += 1) {
    const [filter, user] = [drawFilter(random, 3, PATHS), drawUser(random)];
    const text = spelled(filter);
    const got = outcome(() => matchesOf(USER, readFilter(text, SCIM_FILTER))(user));
    const wanted = userFits(filter, user);
    // A comparison costs less than what Jest makes of one.
    if (got !== wanted)
      expect({ seed, text, user, got }).toEqual({ seed, text, user, got: wanted });
    counts[`${got}`] += 1;
    if (got === 'refused') continue;
    // Where the schema is not known, the same holds without case.
    const out = outcome(() => isLeftOutBy(text)(user as Readonly<Record<string, unknown>>));
    const fits = userFits(filter, user, { isWithoutCase: true });
    if (out !== fits) expect({ seed, text, user, out }).toEqual({ seed, text, user, out: fits });
  }
  for (const times of Object.values(counts)) expect(times).toBeGreaterThan(400);
});

/** Filters that mostly say what one user is called. */
const drawNaming = (random: Random, depth: number): FilterParts => {
  if (depth > 0 && random.happens(0.6)) {
    const of = [drawNaming(random, depth - 1), drawNaming(random, depth - 1)];
    return { is: random.pick(['all', 'any']), of };
  }
  const path = random.pick(['id', 'externalId', 'userName', 'userName', 'title']);
  const by = random.pick(['eq', 'eq', 'eq', 'sw']);
  return { is: 'compared', path, by, value: { quoted: random.pick(TEXTS.slice(0, 4)) } };
};

test('what Neo4j looks for by a filter finds all users that fit it', () => {
  const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 1_000_000);
  const random = new Random(seed);
  let found = 0;
  for (let at = 0; at < sized(3_000, 100_000); at += 1) {
    const filter = drawNaming(random, 2);
    const texts = (): string => random.pick(TEXTS.slice(0, 4));
    const user = { id: texts(), userName: texts(), externalId: texts(), title: texts() };
    if (!userFits(filter, user)) continue;
    const text = spelled(filter);
    const sought = soughtBy(USER, readFilter(text, SCIM_FILTER));
    if (sought === null) continue;
    const held = fold({ id: user.id, name: user.userName, external: user.externalId }[sought.by]);
    const isFound = sought.values.some((value) => fold(value) === held);
    if (!isFound) expect({ seed, text, user, sought }).toBe('what finds the user');
    found += 1;
  }
  expect(found).toBeGreaterThan(100);
});
