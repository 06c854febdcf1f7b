import { ruleFaults } from '../arbitrary/rule-fault';
import { shapeFaults } from '../arbitrary/shape-fault';
import type { Template } from '../arbitrary/repair';
import type { Random } from './random';

type Item = Record<string, unknown>;

/** A value somewhere in JSON, and what holds it. */
interface Place {
  readonly holder: Item | unknown[];
  readonly key: string | number;
  readonly value: unknown;
}

const NOT_FINITE = '@@ not finite @@';

const placesIn = (value: unknown, found: Place[] = []): readonly Place[] => {
  if (typeof value !== 'object' || value === null) return found;
  if (Array.isArray(value)) {
    value.forEach((inside: unknown, key) => {
      found.push({ holder: value, key, value: inside });
      placesIn(inside, found);
    });
  } else {
    for (const [key, inside] of Object.entries(value)) {
      found.push({ holder: value as Item, key, value: inside });
      placesIn(inside, found);
    }
  }
  return found;
};

const put = ({ holder, key }: Place, value: unknown): void => {
  (holder as Item)[key as string] = value;
};

const TEXTS = [
  '',
  ' ',
  'ann',
  'ANN',
  'a|b%c',
  'crm',
  'null',
  '\u0000',
  'e\u0301',
  '\u{1f600}',
  'half \ud83d',
  'x'.repeat(256),
  'é'.repeat(129),
  '__proto__',
  'constructor',
  "'); MATCH (n) DETACH DELETE n //",
  '`) DETACH DELETE n',
  '2024-02-30T00:00:00Z',
  '2024-06-01T10:15:30.123+02:00',
  'STRING',
  'idp',
];

const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  1.5,
  -1,
  1e308,
  2 ** 53 + 2,
  NOT_FINITE,
  '',
  'text',
  [],
  {},
  [null],
  [[]],
  { name: 'x' },
  { __proto__: null, toString: 1 },
];

const KEYS = ['name', 'id', '__proto__', 'constructor', 'toString', 'e_mail', 'Name', 'NAME', ''];

const recased = (random: Random, key: string): string =>
  random.happens(0.5) ? key.toUpperCase() : key.slice(0, 1).toUpperCase() + key.slice(1);

type Mutation = (payload: Item, random: Random) => void;

const atPlace =
  (change: (place: Place, random: Random) => void): Mutation =>
  (payload, random) => {
    const places = placesIn(payload);
    if (places.length > 0) change(random.pick(places), random);
  };

const remove = atPlace((place) => {
  if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1);
  else delete place.holder[place.key];
});

const replace = atPlace((place, random) => put(place, random.pick(VALUES)));

const retext = atPlace((place, random) => put(place, random.pick(TEXTS)));

const duplicate = atPlace((place) => {
  if (Array.isArray(place.holder)) place.holder.push(structuredClone(place.value));
});

const respell = atPlace((place, random) => {
  if (Array.isArray(place.holder) || place.key === '') return;
  const { holder, key, value } = place;
  if (random.happens(0.7)) delete holder[key];
  holder[recased(random, String(key))] = value;
});

const addKey = atPlace((place, random) => {
  if (Array.isArray(place.holder)) return;
  Object.defineProperty(place.holder, random.pick(KEYS), {
    value: random.pick(VALUES),
    enumerable: true,
    configurable: true,
    writable: true,
  });
});

const swap: Mutation = (payload, random) => {
  const places = placesIn(payload);
  if (places.length < 2) return;
  const [one, other] = [random.pick(places), random.pick(places)];
  put(one, structuredClone(other.value));
};

const wrap = atPlace((place, random) => {
  let deep: unknown = place.value;
  const isList = random.happens(0.5);
  for (let level = random.pick([1, 3, 200]); level > 0; level -= 1) {
    deep = isList ? [deep] : { sub_resources: [deep] };
  }
  put(place, deep);
});

// Each leaves a payload good that was good before, most of the time.
const benign: readonly Mutation[] = [
  (payload, random) => {
    const reordered = Object.entries(payload).sort(() => (random.happens(0.5) ? 1 : -1));
    for (const [key, value] of reordered) {
      delete payload[key];
      payload[key] = value;
    }
  },
  (payload, random) => {
    const chosen = random.pick(Object.keys(payload));
    const value = payload[chosen];
    delete payload[chosen];
    payload[recased(random, chosen)] = value;
  },
  (payload, random) => {
    const list = payload.users ?? (payload.applications as Item[] | undefined)?.[0]?.local_users;
    if (Array.isArray(list)) list.push({ name: `new ${random.below(50)} ${random.below(1e6)}` });
  },
  (payload, random) => {
    const lists = placesIn(payload).filter(({ value }) => Array.isArray(value) && value.length > 1);
    if (lists.length > 0) (random.pick(lists).value as unknown[]).reverse();
  },
  (payload, random) => {
    const texts = placesIn(payload).filter(
      ({ key, value }) =>
        typeof value === 'string' && /description|full_name|email/.test(String(key)),
    );
    if (texts.length > 0) put(random.pick(texts), `changed ${random.below(1000)}@example.com`);
  },
];

const MUTATIONS: readonly (readonly [number, Mutation])[] = [
  [3, remove],
  [3, replace],
  [3, retext],
  [2, duplicate],
  [2, respell],
  [2, addKey],
  [2, swap],
  [1, wrap],
];

const textOf = (payload: unknown): string =>
  JSON.stringify(payload).replaceAll(JSON.stringify(NOT_FINITE), '1e999');

/** JSON with some of its characters changed, doubled or gone. */
export const scribbled = (text: string, random: Random): string => {
  let changed = text;
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const at = random.below(changed.length);
    const rest = changed.slice(at);
    changed =
      changed.slice(0, at) +
      random.weighted([
        [3, rest.slice(1)],
        [2, rest.slice(0, 1) + rest],
        [
          2,
          random.pick(['"', '{', ']', ',', '\\', '\\u0000', '\\ud800', '1e999', '\u0007']) + rest,
        ],
        [1, rest.slice(random.below(rest.length))],
        [1, ''],
      ]);
  }
  return changed;
};

/** The text of a payload after some mutations: of its rules, its shape, its values or its characters, or such as leave it good. */
export const mutatedPayload = (payload: object, template: Template, random: Random): string => {
  const copy = structuredClone(payload) as Item;
  const kind = random.weighted([
    [32, 'benign'],
    [11, 'rule'],
    [9, 'shape'],
    [30, 'values'],
    [8, 'characters'],
    [10, 'increment'],
  ] as const);
  switch (kind) {
    case 'benign':
      for (let times = random.below(4); times > 0; times -= 1) random.pick(benign)(copy, random);
      return textOf(copy);
    case 'rule': {
      const faults = ruleFaults.filter((fault) => fault.template === template);
      random.pick(faults).apply(copy, random.below(10_000));
      return textOf(copy);
    }
    case 'shape': {
      const faults = shapeFaults.filter((fault) => fault.template === template);
      const { text = (json: string) => json } = random.pick(faults).apply(copy);
      return text(textOf(copy));
    }
    case 'values':
      for (let times = 1 + random.below(3); times > 0; times -= 1) {
        random.weighted(MUTATIONS)(copy, random);
      }
      return textOf(copy);
    case 'characters':
      return scribbled(textOf(copy), random);
    case 'increment':
      if (random.happens(0.1)) return textOf(ofNobody(copy));
      operate(copy, random);
      copy.incremental_change = random.pick([true, true, true, true, true, 1, 'true', null]);
      return textOf(copy);
  }
};

/** An increment that changes a user whom nobody has pushed. Applications and HR systems have no such list. */
const ofNobody = ({ name, idp_type, domains }: Item): Item => ({
  name,
  idp_type,
  domains,
  incremental_change: true,
  users: [{ name: 'nobody', operation: 'modify', full_name: 'N.' }],
});

const OPERATIONS = [
  'add',
  'modify',
  'delete',
  'add_tag',
  'remove_tag',
  'delete_tag',
  'add_resource',
  'delete_resource',
];

/** Gives some entries operations, and some another name, so that nothing is called so. */
const operate = (payload: Item, random: Random): void => {
  for (const { value } of placesIn(payload)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const entry = value as Item;
    const isEntry = 'name' in entry || 'identity' in entry || 'application' in entry;
    if (!isEntry || !random.happens(0.15)) continue;
    entry.operation = random.pick(OPERATIONS);
    if (random.happens(0.1)) entry.name = 'nobody';
  }
};
