import fc, { type Arbitrary } from 'fast-check';

import { SOURCES, type SourceName } from './erasure-world';
import { type Human, humans } from './script-names';

/*
 * Payloads in which people take each other's names: local ids that two applications have, emails that somebody else had
 * before, accounts with identities of several people, identities that no directory knows, ids that are somebody's login.
 */

/** A payload of one of the data sources. */
export interface Told {
  readonly source: SourceName;
  readonly payload: object;
}

/** What an administrator says of a directory after all pushes (docs/rules.md: Trusts). */
export interface Said {
  readonly source: SourceName;
  readonly domains: readonly string[];
  readonly onlyThese: boolean;
}

/** Pushes, one after the other, of the same few people. */
export interface Clash {
  readonly scripts: readonly string[];
  readonly pushes: readonly Told[];
  readonly said: readonly Said[];
}

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });

/** The names that everything of a clash has. */
interface Pool {
  readonly human: Arbitrary<Human>;
  readonly login: Arbitrary<string>;
  readonly email: Arbitrary<string>;
  readonly any: Arbitrary<string>;
}

const AWAY = 'away.71@else.example';
const LOCAL_IDS = ['1017', '1018', '2'];

const poolOf = (all: readonly Human[]): Pool => {
  const one = fc.constantFrom(...all);
  const of = (...names: readonly ('login' | 'email' | 'id' | 'full')[]): Arbitrary<string> =>
    fc.tuple(one, fc.constantFrom(...names)).map(([human, name]) => human[name]);
  return {
    human: one,
    login: of('login', 'id'),
    email: fc.oneof({ weight: 9, arbitrary: of('email') }, fc.constant(AWAY)),
    any: fc.oneof(
      { weight: 8, arbitrary: of('login', 'email', 'id', 'full') },
      fc.constantFrom('ldap-77', AWAY, 'desk'),
    ),
  };
};

/** Mostly a name of somebody, else one of somebody else. */
const mostly = (own: string, other: Arbitrary<string>): Arbitrary<string> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(own) }, other);

const same = (text: string): string => text.normalize('NFC').toLowerCase();

const oneEach = <T>(item: Arbitrary<T>, idOf: (item: T) => string, most = 3): Arbitrary<T[]> =>
  fc.uniqueArray(item, { maxLength: most, selector: (each) => same(idOf(each)), size: 'max' });

const directory = ({ human, login, email, any }: Pool, name: SourceName): Arbitrary<object> => {
  const user = human.chain((own) =>
    fc.record({
      name: mostly(own.login, any),
      identity: name === 'corp' ? mostly(own.id, login) : fc.constant(`c-${own.id}`),
      email: maybe(mostly(own.email, email)),
      full_name: maybe(mostly(own.full, any)),
      source_identity: maybe(login.map((identity) => ({ identity, provider_type: 'any' }))),
      groups: maybe(fc.constant([{ identity: 'g-1' }])),
    }),
  );
  return fc.record({
    idp_type: fc.constant('custom'),
    domains: fc.constant([{ name: `${name}.example` }]),
    users: oneEach(user, ({ identity }) => identity),
    groups: fc
      .oneof({ weight: 4, arbitrary: fc.constant('Everybody') }, any)
      .map((group) => [{ name: group, identity: 'g-1' }]),
  });
};

const staff = ({ human, login, email, any }: Pool): Arbitrary<object> => {
  const employee = human.chain((own) =>
    fc.record({
      id: fc.oneof(fc.constant(`e-${own.id}`), mostly(own.id, any)),
      name: mostly(own.full, any),
      email: maybe(mostly(own.email, email)),
      idp_id: maybe(mostly(own.id, fc.oneof(login, email))),
      username: maybe(login),
      personal_email: fc.option(email, { nil: undefined, freq: 1 }),
    }),
  );
  return oneEach(employee, ({ id }) => id).map((employees) => ({
    name: 'Staff',
    hris_type: 'workday',
    system: { id: 'hr', name: 'HR' },
    employees: employees.map((one) => ({
      employee_number: '1',
      first_name: 'F',
      last_name: 'L',
      is_active: true,
      employment_status: 'ACTIVE',
      ...one,
    })),
  }));
};

const application = ({ human, email, any }: Pool, name: string): Arbitrary<object> => {
  const account = human.chain((own) =>
    fc.record({
      id: fc.oneof(fc.constantFrom(...LOCAL_IDS), mostly(own.id, any)),
      // Now and then the address of somebody else.
      name: fc.oneof(fc.constantFrom('desk', own.login), any, email),
      email: maybe(mostly(own.email, email)),
      identities: fc.oneof(
        fc.constant([own.email]),
        fc.constant([]),
        fc.uniqueArray(any, { minLength: 1, maxLength: 2 }),
      ),
      isGranted: fc.boolean(),
    }),
  );
  const resource = fc.record({
    name: fc.oneof(
      any,
      email.map((each) => `Inbox ${each}`),
      fc.constant('home'),
    ),
    description: maybe(
      fc.oneof(
        any,
        any.map((each) => `for ${each} only`),
      ),
    ),
  });
  return fc
    .record({
      accounts: oneEach(account, ({ id }) => id),
      resource: maybe(resource),
      granted: fc.array(any, { maxLength: 2 }),
    })
    .map(({ accounts, resource: made, granted }) => ({
      application: {
        name,
        application_type: 'x',
        local_groups: [{ name: 'all' }],
        local_users: accounts.map(({ isGranted: _, ...one }) => one),
        resources: made === undefined ? [] : [{ ...made, id: 'r-1', resource_type: 'mailbox' }],
      },
      grants: [
        ...granted.map((identity) => ({ identity })),
        ...accounts
          .filter(({ isGranted }) => isGranted)
          .map(({ id }) => ({ identity: id, identity_type: 'local_user' })),
      ].map((holder) => ({
        ...holder,
        application_permissions: [{ application: name, permission: 'read' }],
      })),
    }));
};

interface MadeApplication {
  readonly application: object;
  readonly grants: readonly object[];
}

const applications = (pool: Pool, ...names: readonly string[]): Arbitrary<object> =>
  fc.tuple(...names.map((name) => application(pool, name))).map((made) => {
    const all = made as readonly MadeApplication[];
    return {
      applications: all.map((one) => one.application),
      permissions: [{ name: 'read', permission_type: ['DataRead'] }],
      identity_to_permissions: all.flatMap(({ grants }) => grants),
    };
  });

const payloadOf = (source: SourceName, pool: Pool): Arbitrary<object> => {
  if (SOURCES[source] === 'identity_provider') return directory(pool, source);
  if (SOURCES[source] === 'hris') return staff(pool);
  return source === 'apps' ? applications(pool, 'Wiki', 'Blog') : applications(pool, 'Desk');
};

const said: Arbitrary<Said> = fc.record({
  source: fc.constantFrom<SourceName>('corp', 'corp', 'cloud', 'staff'),
  domains: fc.constantFrom(['corp.example'], ['corp.example', 'else.example'], []),
  onlyThese: fc.boolean(),
});

/** Some ten pushes to the five data sources of a world, in any order. */
export const clash: Arbitrary<Clash> = humans(3, 4).chain((all) => {
  const pool = poolOf(all);
  const push = fc
    .constantFrom<SourceName>('corp', 'corp', 'cloud', 'staff', 'apps', 'apps', 'more')
    .chain((source) => payloadOf(source, pool).map((payload): Told => ({ source, payload })));
  return fc.record({
    scripts: fc.constant([...new Set(all.map(({ script }) => script))]),
    pushes: fc.array(push, { minLength: 8, maxLength: 11, size: 'max' }),
    said: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(said, { minLength: 1, maxLength: 2 }) },
    ),
  });
});
