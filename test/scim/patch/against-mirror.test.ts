import { GROUP, USER } from '../../../src/scim/server/attributes';
import { takePatch, takeWhole } from '../../../src/scim/server/writing/planning';
import { isRight } from 'fp-ts/Either';

import { Random } from '../../hardening/random';
import {
  afterOperation,
  type MirrorEmail,
  type MirrorOperation,
  type MirrorUser,
  userAsJson,
} from '../../mirror/scim-patch';
import { sized } from '../../support/test-size';

/* Random operations, in the spellings of many clients, against the mirror. Emails lie close together, so that they meet. */

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const TEXTS = ['title', 'nickName', 'displayName', 'department'];
const PARTS = ['givenName', 'familyName', 'middleName'];
const TYPES = ['work', 'home'];

const nextWord = (random: Random): string => random.pick(['Ann', 'Bo', 'Zoë', 'CORP\\ann', 'a"b']);

const drawEmail = (random: Random): MirrorEmail => ({
  value: random.pick(['a@x', 'b@x', 'c@x']),
  ...(random.happens(0.8) && { type: random.pick(TYPES) }),
  ...(random.happens(0.4) && { primary: random.happens(0.5) }),
});

/** Emails as a client sends them: at most one of them is primary. */
const drawEmails = (random: Random): readonly MirrorEmail[] => {
  const emails = Array.from({ length: random.below(4) }, () => drawEmail(random));
  const first = emails.findIndex(({ primary }) => primary === true);
  return emails.map((email, at) =>
    email.primary === true && at !== first ? { ...email, primary: false } : email,
  );
};

const drawOperation = (random: Random): MirrorOperation => {
  const word = (): string | null => (random.happens(0.7) ? nextWord(random) : null);
  switch (random.below(9)) {
    case 0:
      return { sets: 'active', to: random.pick([true, false, null]) };
    case 1:
      return {
        sets: 'name',
        to: random.happens(0.1)
          ? null
          : Object.fromEntries(
              PARTS.filter(() => random.happens(0.5)).map((part) => [part, word()]),
            ),
      };
    case 2:
      return { sets: 'manager', to: random.pick(['boss', 'chief', null, undefined]) };
    case 3:
      return { sets: 'nothing' };
    case 4:
    case 5:
      return { emails: random.pick(['add', 'replace']), sent: drawEmails(random) };
    case 6: {
      const parts = random.pick<Partial<MirrorEmail>>([
        { value: 'd@x' },
        { value: 'a@x' },
        { primary: true },
        { primary: false },
      ]);
      return { emails: 'change', ofType: random.pick(TYPES), parts };
    }
    case 7:
      return { emails: 'remove', ofType: random.pick([...TYPES, ...TYPES, null]) };
    default:
      return { sets: 'text', name: random.pick(TEXTS), to: word() };
  }
};

/** An attribute in one of the ways to name it. */
const named = (random: Random, op: string, path: string, value: unknown): object => {
  const shown = random.pick([op, op.toUpperCase()]);
  const inner = random.pick([{ [path]: value }, { [path.toUpperCase()]: value }]);
  return random.pick([
    { op: shown, path, value },
    { op: shown, path: path.toLowerCase(), value },
    { op: shown, value: inner },
    // Clients made with SCIM-SDK send the object in a list.
    { op: shown, value: [inner] },
  ]);
};

const spelled = (random: Random, operation: MirrorOperation): object => {
  const verb = random.pick(['add', 'replace']);
  if ('emails' in operation) {
    switch (operation.emails) {
      case 'add':
      case 'replace':
        return named(random, operation.emails, 'emails', operation.sent);
      case 'remove': {
        const { ofType } = operation;
        return {
          op: 'remove',
          path: ofType === null ? 'emails' : `emails[type eq "${ofType}"]`,
        };
      }
      case 'change': {
        const [[part, value]] = Object.entries(operation.parts) as [[string, unknown]];
        const list = `emails[type eq "${operation.ofType}"]`;
        return random.pick([
          { op: verb, path: `${list}.${part}`, value },
          { op: verb, path: list, value: { [part]: value } },
        ]);
      }
    }
  }
  switch (operation.sets) {
    case 'nothing':
      return named(
        random,
        verb,
        random.pick(['shoeSize', 'phoneNumbers']),
        random.pick<unknown>(['x', null, [], { value: 1 }]),
      );
    case 'text': {
      const path = operation.name === 'department' ? `${ENTERPRISE}:department` : operation.name;
      if (operation.to === null && random.happens(0.3)) return { op: 'remove', path };
      return named(random, verb, path, operation.to ?? random.pick([null, '']));
    }
    case 'active': {
      const value =
        operation.to === null
          ? random.pick([null, ''])
          : random.pick([operation.to, String(operation.to), operation.to ? 'True' : 'False']);
      return named(random, verb, 'active', value);
    }
    case 'name': {
      const { to } = operation;
      if (to === null) {
        return random.pick([{ op: 'remove', path: 'name' }, named(random, verb, 'name', null)]);
      }
      const [only, ...others] = Object.entries(to);
      if (only !== undefined && others.length === 0 && random.happens(0.5)) {
        return only[1] === null
          ? { op: 'remove', path: `name.${only[0]}` }
          : named(random, verb, `name.${only[0]}`, only[1]);
      }
      return named(random, verb, 'name', random.pick([to, [to]]));
    }
    case 'manager': {
      const path = `${ENTERPRISE}:manager`;
      const { to } = operation;
      if (to === undefined) return named(random, verb, path, { displayName: 'Bo Boss' });
      if (to === null) {
        return random.pick([{ op: 'remove', path }, named(random, verb, path, null)]);
      }
      return named(random, verb, path, random.pick([to, { value: to }, [{ value: to }]]));
    }
  }
};

/** The same user, however the parts of an email are ordered. */
const ordered = (user: object): unknown =>
  JSON.parse(
    JSON.stringify(user, (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ),
  );

test('random operations leave the user that the mirror says', () => {
  const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 1_000_000);
  const random = new Random(seed);
  for (let run = 0; run < sized(3_000, 100_000); run += 1) {
    let user: MirrorUser = { texts: { userName: 'ann' }, name: {}, emails: [] };
    for (let at = 0; at < 6; at += 1) user = afterOperation(user, drawOperation(random));
    const standing = userAsJson(user) as Parameters<typeof takePatch>[2];
    const drawn = Array.from({ length: 1 + random.below(4) }, () => drawOperation(random));
    const Operations = drawn.map((operation) => spelled(random, operation));
    const taken = takePatch(USER, { Operations }, standing);
    const got = isRight(taken) ? ordered(taken.right.resource) : taken.left;
    const wanted = ordered(userAsJson(drawn.reduce(afterOperation, user)));
    if (JSON.stringify(got) !== JSON.stringify(wanted)) {
      expect({ seed, standing, Operations, got }).toEqual({
        seed,
        standing,
        Operations,
        got: wanted,
      });
    }
  }
});

test('what the service does not know is ignored and reported, whether a path or a key names it', () => {
  const zone = 'urn:ietf:params:scim:schemas:extension:halden:2.0:User:zone';
  for (const operation of [
    { op: 'Add', path: zone, value: 's' },
    { op: 'add', value: { [zone]: 's' } },
    { op: 'remove', path: zone },
    { op: 'add', path: `${zone}[type eq "x"].y`, value: 's' },
  ]) {
    const Operations = [{ op: 'replace', path: 'active', value: 'False' }, operation];
    const taken = takePatch(USER, { Operations }, { userName: 'a', active: true });
    expect(taken).toMatchObject({
      right: { resource: { userName: 'a', active: false }, ignored: [zone] },
    });
  }
});

test('two lists of emails become one, with one primary email', () => {
  const Operations = [
    { op: 'add', path: 'emails', value: [{ value: 'a@x', type: 'work', primary: true }] },
    { op: 'add', path: 'emails', value: [{ value: 'b@x', type: 'work', primary: true }] },
    { op: 'add', path: 'emails', value: [{ value: 'b@x', type: 'work' }] },
    // Neither names an address, so both say nothing.
    { op: 'replace', path: 'emails', value: [{ display: 'Ann' }] },
    { op: 'replace', value: { emails: { type: 'home' } } },
  ];
  expect(takePatch(USER, { Operations }, { userName: 'a' })).toMatchObject({
    right: {
      resource: {
        emails: [
          { value: 'a@x', type: 'work', primary: false },
          { value: 'b@x', type: 'work', primary: true },
        ],
      },
    },
  });
});

test('PUT clears the parts that it sends as null', () => {
  const body = { userName: 'a', name: { givenName: 'Ann', middleName: null } };
  expect(takeWhole(USER, body, {})).toMatchObject({
    right: { resource: { name: { givenName: 'Ann' } } },
  });
});

test('of a million problems a hundred are listed, and all are counted', () => {
  const value = Array.from({ length: 1_000_000 }, () => 7);
  const Operations = [{ op: 'add', path: 'members', value }];
  const taken = takePatch(GROUP, { Operations }, { displayName: 'g' });
  expect(taken).toMatchObject({ left: { total: 1_000_000 } });
  expect((taken as unknown as { left: { problems: unknown[] } }).left.problems).toHaveLength(100);
});
