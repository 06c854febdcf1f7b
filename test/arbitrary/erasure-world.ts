import fc, { type Arbitrary } from 'fast-check';

import { type Human, humans, sentenceWith } from './script-names';

/** What a world has besides its humans: each is there or not. */
const TRAITS = [
  // How the person is there.
  'cloud',
  'cloudByEmail',
  'employee',
  'employeeById',
  'account',
  'login account',
  'email account',
  'bare account',
  'account of two systems',
  'mailbox',
  'tags',
  'manages',
  'owns',
  'granted',
  'mentioned',
  'source of another',
  'in lists',
  'external',
  // Who looks like the person, and is somebody else.
  'same local id',
  'same full name',
  'shared account',
  'service account',
  'similar mailbox',
  'same login',
  'same employee id',
  'not connected',
  'same account name',
  'kept names',
] as const;

/** One of them. */
export type Trait = (typeof TRAITS)[number];

/** When the person is in the systems: since the last pushes, always, or before the last ones only. */
export type Time = 'came' | 'always' | 'left';

/** Humans and what systems tell of them. The first human is the person to erase. */
export interface World {
  readonly humans: readonly Human[];
  readonly traits: ReadonlySet<Trait>;
  readonly time: Time;
  /** Whether somebody else had, or has, the person's email at another time. */
  readonly isRecycled: boolean;
  /** Chooses among spellings and sentences. */
  readonly way: number;
}

/** Worlds of five humans. */
export const world: Arbitrary<World> = fc
  .record({
    humans: humans(5, 5),
    traits: fc.array(fc.boolean(), { minLength: TRAITS.length, maxLength: TRAITS.length }),
    time: fc.constantFrom<Time>('came', 'came', 'always', 'left'),
    isRecycled: fc.boolean(),
    way: fc.nat({ max: 1_000 }),
  })
  .map(({ traits, ...world }) => ({
    ...world,
    traits: new Set(TRAITS.filter((_, at) => traits[at])),
    isRecycled: world.isRecycled && world.time !== 'always',
  }));

/** The data sources of a world, with their templates. */
export const SOURCES = {
  corp: 'identity_provider',
  cloud: 'identity_provider',
  staff: 'hris',
  apps: 'application',
  more: 'application',
} as const;

/** One of them. */
export type SourceName = keyof typeof SOURCES;

/** An entity of a payload: where it is, by what parts of its key, and whose it is. */
export interface Item {
  readonly source: SourceName;
  readonly key: readonly string[];
  /** Whether it is the person's, or something that only names the person. */
  readonly of: 'person' | 'mentions';
}

/** The payloads of one round of pushes, and what of them is the person's. */
export interface Round {
  readonly payloads: Readonly<Record<SourceName, object>>;
  readonly items: readonly Item[];
}

type Json = Readonly<Record<string, unknown>>;

const only = <A>(isThere: boolean, ...values: readonly A[]): readonly A[] =>
  isThere ? values : [];

/** A tag, if its value may be one. */
const tag = (isThere: boolean, key: string, value: string): readonly Json[] =>
  only(isThere && /^[\p{L}\p{M}\p{N} _,@.-]*$/u.test(value), { key, value });

/** How many rounds a world has: without history one is enough. */
export const roundsOf = ({ time, isRecycled }: World): readonly number[] =>
  time === 'came' && !isRecycled ? [2] : [0, 1, 2];

/** Tells one round of a world, with the person in it or as if the person had never been. */
class Telling {
  readonly items: Item[] = [];
  /** Whether the person is told of. */
  private readonly isThere: boolean;
  private readonly me: Human;
  private readonly others: readonly Human[];

  constructor(
    private readonly world: World,
    private readonly round: number,
    withPerson: boolean,
  ) {
    const { time, humans: all } = world;
    const isThen = { came: round === 2, always: true, left: round === 0 }[time];
    this.isThere = withPerson && isThen;
    const [me, ...others] = all;
    if (me === undefined) throw new Error('A world has humans.');
    this.me = time === 'always' && round === 0 ? { ...me, full: me.former } : me;
    this.others = others;
  }

  private is(trait: Trait): boolean {
    return this.world.traits.has(trait);
  }

  /** Whether the person does something. */
  private does(trait: Trait): boolean {
    return this.isThere && this.is(trait);
  }

  private other(at: number): Human {
    const found = this.others[at];
    if (found === undefined) throw new Error(`There is no human ${at}.`);
    return found;
  }

  /** Whether somebody else has the person's email in this round. */
  private get hasOtherTheEmail(): boolean {
    const { time, isRecycled } = this.world;
    return isRecycled && this.round === (time === 'came' ? 0 : 2);
  }

  private mine(source: SourceName, ...key: readonly string[]): void {
    if (this.isThere) this.items.push({ source, key, of: 'person' });
  }

  private mention(source: SourceName, ...key: readonly string[]): void {
    if (this.isThere) this.items.push({ source, key, of: 'mentions' });
  }

  /** A text that names the person by something that nobody else has. */
  private text(turn: number): string {
    const { me, world } = this;
    const names = [
      me.email,
      ...only(!this.is('same login') && !this.is('same account name'), me.login),
      ...only(!this.is('same full name') && !this.is('service account'), me.full),
    ];
    return sentenceWith(names[(world.way + turn) % names.length] ?? me.email, world.way + turn);
  }

  corp(): Json {
    const { me } = this;
    const [bob, carl, dora] = [this.other(0), this.other(1), this.other(2)];
    if (this.does('mentioned')) this.mention('corp', 'IdpUser', bob.id);
    if (this.does('in lists')) this.mention('corp', 'IdpUser', bob.id);
    this.mine('corp', 'IdpUser', me.id);
    const user = (human: Human, more: Json = {}): Json => ({
      name: human.login,
      identity: human.id,
      email: human.email,
      full_name: human.full,
      groups: [{ identity: 'staff' }],
      ...more,
    });
    return {
      name: 'corp',
      idp_type: 'okta',
      domains: [{ name: 'corp.example' }],
      groups: [{ name: 'staff' }],
      apps: [{ id: 'mail', name: 'Mail' }],
      users: [
        user(bob, {
          custom_properties: {
            backups: [carl.login, ...only(this.does('in lists'), me.login)],
            ...(this.does('mentioned') && { contact: this.text(0) }),
          },
          manager_id: this.does('manages') ? me.id : null,
          tags: [{ key: 'floor', value: '1' }, ...tag(this.does('tags'), 'buddy', me.email)],
        }),
        user(carl, {
          manager_id: bob.id,
          ...(this.is('same full name') && { full_name: me.full }),
        }),
        user(dora, { custom_properties: { contact: `Ask ${bob.email} and ${carl.login}.` } }),
        // Somebody who has, or had, the person's email at another time.
        ...only(this.hasOtherTheEmail, user(this.other(3), { email: me.email })),
        ...only(
          this.isThere,
          user(me, {
            manager_id: carl.id,
            custom_properties: { contact: `Ask ${bob.email}.` },
            app_assignments: [{ id: 'a1', app_id: 'mail', name: `Mail of ${me.login}` }],
            ...(this.is('external') && { entities_owned: [{ node_type: 'page', id: 'home' }] }),
          }),
        ),
      ],
      custom_property_definition: {
        user_properties: { contact: 'STRING', backups: 'STRING_LIST' },
      },
    };
  }

  cloud(): Json {
    const { me } = this;
    const erin = this.other(1);
    const bySource = this.does('cloud');
    const byEmail = this.does('cloudByEmail') && !bySource;
    if (bySource || byEmail) this.mine('cloud', 'IdpUser', `c-${me.id}`);
    // A number alone may mean anybody. The plan tells one reason of each entity: one that has a name of
    // the person, and mentions an id that an employee has too, has the name.
    const hasName = this.is('same login') || this.is('same full name');
    const isToldApart = !hasName || !this.is('same employee id');
    const isSource = this.does('source of another') && /\D/.test(me.id) && isToldApart;
    if (isSource) this.mention('cloud', 'IdpUser', 'c-0');
    return {
      name: 'cloud',
      idp_type: 'custom',
      domains: [{ name: 'cloud.example' }],
      users: [
        {
          name: this.is('same login') ? me.login : 'c0',
          identity: 'c-0',
          full_name: this.is('same full name') ? me.full : erin.full,
          ...(isSource && {
            source_identity: { identity: me.id, provider_type: 'one_login' },
          }),
        },
        ...only(bySource, {
          name: `q${me.login}`,
          identity: `c-${me.id}`,
          source_identity: { identity: me.id, provider_type: 'okta' },
        }),
        ...only(byEmail, { name: `q${me.login}`, identity: `c-${me.id}`, email: me.email }),
      ],
    };
  }

  staff(): Json {
    const { me } = this;
    const [bob, carl] = [this.other(0), this.other(1)];
    const employee = (id: string, human: Human, more: Json): Json => ({
      id,
      name: human.full,
      employee_number: `no-${id}`,
      is_active: true,
      first_name: human.first,
      last_name: human.last,
      employment_status: 'ACTIVE',
      ...more,
    });
    const isEmployed = this.does('employee') || this.does('employeeById');
    if (isEmployed) this.mine('staff', 'Employee', 'e-me');
    return {
      name: 'staff',
      hris_type: 'workday',
      system: { id: 'hr', name: 'HR' },
      groups: [{ id: 'g', name: 'Staff' }],
      employees: [
        employee('e-bob', bob, {
          email: bob.email,
          managers: only(isEmployed, { id: 'e-me' }),
        }),
        // The bare id of an employee is no id of a directory.
        ...only(this.is('same employee id'), employee(me.id, carl, {})),
        ...only(
          isEmployed,
          employee('e-me', me, {
            ...(this.does('employee') ? { email: me.email } : { idp_id: me.id }),
            groups: [{ id: 'g' }],
          }),
        ),
      ],
    };
  }

  apps(): Json {
    const { me } = this;
    const bob = this.other(0);
    const at = (...key: readonly string[]): void => this.mine('apps', ...key);
    if (this.does('account')) at('LocalUser', 'Wiki', 'w-1017');
    if (this.does('email account')) at('LocalUser', 'Wiki', 'w-5');
    if (this.does('bare account')) at('LocalUser', 'Wiki', 'w-6');
    if (this.does('mailbox')) at('Resource', 'Wiki', '#mailbox', 'm-1');
    if (this.does('mentioned')) this.mention('apps', 'Resource', 'Wiki', '#page', 'home');
    return {
      applications: [
        {
          name: 'Wiki',
          application_type: 'wiki',
          owners: [
            { external_id: bob.email },
            ...only(this.does('owns'), { external_id: me.email }),
          ],
          local_groups: [{ name: 'writers' }],
          local_roles: [{ name: 'editor', permissions: ['read'] }],
          local_users: [
            { name: 'bob', id: 'w-1', identities: [bob.email], groups: ['writers'] },
            ...only(this.is('shared account'), {
              name: 'desk',
              id: 'w-2',
              identities: [bob.email, ...only(this.isThere, me.email)],
            }),
            ...only(this.is('service account'), {
              name: this.world.way % 2 === 0 ? me.full : me.login,
              id: 'w-3',
              user_type: 'service_account',
            }),
            ...only(this.is('not connected'), {
              name: me.first,
              id: 'w-4',
              identities: ['ldap-7'],
            }),
            ...only(this.does('account'), {
              name: 'mine',
              id: 'w-1017',
              identities: [me.email],
              groups: ['writers'],
            }),
            ...only(this.does('email account'), { name: 'post', id: 'w-5', email: me.email }),
            ...only(this.does('bare account'), { name: me.login, id: 'w-6' }),
          ],
          resources: [
            {
              name: 'home',
              id: 'home',
              resource_type: 'page',
              ...(this.does('mentioned') && { description: this.text(1) }),
              tags: [
                ...tag(true, 'state', bob.login),
                ...tag(this.does('tags'), 'author', me.login),
              ],
            },
            ...only(this.is('similar mailbox'), {
              name: `${me.login}\u0301 ${me.first}`,
              id: 'm-2',
              resource_type: 'mailbox',
              description: `for ${me.first}\u0300 and ${bob.login}`,
            }),
            ...only(this.does('mailbox'), {
              name: `Inbox ${me.email}`,
              id: 'm-1',
              resource_type: 'mailbox',
              sub_resources: [{ name: 'Inbox', id: 'm-1-1', resource_type: 'folder' }],
            }),
          ],
        },
      ],
      permissions: [
        { name: 'read', permission_type: ['DataRead'], apply_to_sub_resources: true },
        ...only(this.is('kept names'), {
          name: `Send as ${me.email}`,
          permission_type: ['DataWrite'],
        }),
      ],
      identity_to_permissions: [
        grant('Wiki', bob.email),
        grant('Wiki', 'w-1', 'local_user'),
        ...only(this.does('granted'), grant('Wiki', me.email)),
        ...only(this.does('account'), grant('Wiki', 'w-1017', 'local_user')),
        ...only(this.is('shared account'), grant('Wiki', 'w-2', 'local_user')),
      ],
    };
  }

  more(): Json {
    const { me } = this;
    const [bob, carl] = [this.other(0), this.other(1)];
    if (this.does('login account')) this.mine('more', 'LocalUser', 'Desk', 'd-1');
    if (this.does('account of two systems')) this.mine('more', 'LocalUser', 'Desk', 'd-2');
    return {
      applications: [
        {
          name: 'Desk',
          application_type: 'desk',
          local_users: [
            { name: 'carl', id: 'd-0', identities: [carl.email] },
            // The id of the person's account in the other application.
            ...only(this.is('same local id'), {
              name: 'dave',
              id: 'w-1017',
              identities: [this.other(2).email],
            }),
            ...only(this.is('same account name'), { name: me.login, id: 'd-9' }),
            ...only(this.does('login account'), { name: 'l', id: 'd-1', identities: [me.login] }),
            ...only(this.does('account of two systems'), {
              name: 'two',
              id: 'd-2',
              identities: [me.email, 'ldap-me-1'],
            }),
          ],
          resources: [{ name: 'tickets', resource_type: 'queue', description: `of ${bob.email}` }],
        },
      ],
      permissions: [{ name: 'view', permission_type: ['DataRead'] }],
      identity_to_permissions: only(this.is('same local id'), {
        identity: 'w-1017',
        identity_type: 'local_user',
        application_permissions: [{ application: 'Desk', permission: 'view' }],
      }),
    };
  }
}

const grant = (application: string, identity: string, type?: string): Json => ({
  identity,
  ...(type !== undefined && { identity_type: type }),
  application_permissions: [{ application, permission: 'read', resources: ['home'] }],
  role_assignments: [{ application, role: 'editor', apply_to_application: true }],
});

/** The payloads of one round, with the person in them or as if the person had never been. */
export const toldRound = (of: World, round: number, withPerson: boolean): Round => {
  const telling = new Telling(of, round, withPerson);
  const { corp, cloud, staff, apps, more } = {
    corp: telling.corp(),
    cloud: telling.cloud(),
    staff: telling.staff(),
    apps: telling.apps(),
    more: telling.more(),
  };
  return { payloads: { corp, cloud, staff, apps, more }, items: telling.items };
};
