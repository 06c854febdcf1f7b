import type { Sent } from './client';
import { get, type Scene } from './scene';

/** A request of an identity provider, in many spellings and none. */
export const scimRequest = ({ target, directory, random }: Scene): Sent => {
  const { id: source } = directory;
  const base = `/scim/v2/${random.weighted([
    [20, source],
    [2, target.id],
    [1, 'nobody'],
    [1, '%00'],
  ])}`;
  const list = random.pick(['Users', 'Groups']);
  const strange = (): string =>
    random.pick(['ann', 'nobody', '%00', '%F0%9F%8E%88', 'a%2Fb', 'x'.repeat(300)]);
  // Most of these are in a payload that was pushed.
  const resource = random.weighted([
    [6, random.pick(['Users/a1', 'Users/b1', 'Groups/devs', 'Groups/ops'])],
    [1, `${list}/${strange()}`],
  ]);
  const value = (): unknown =>
    random.pick<unknown>([
      'a1',
      'Bob',
      'False',
      '',
      '\u0000',
      '\ud800',
      'x'.repeat(5000),
      7,
      null,
      true,
      [],
      {},
      [{ value: 'a1' }],
      [{ value: 'ops', type: 'Group' }],
      { value: 'devs' },
      [[]],
      [null],
      [{ value: 'a@b', type: 'work', primary: true }],
      { givenName: 'Ann' },
    ]);
  const name = (): string =>
    random.pick([
      'userName',
      'displayName',
      'externalId',
      'active',
      'emails',
      'name',
      'members',
      'title',
      'manager',
      'groups',
      'id',
      'schemas',
      'meta',
      '__proto__',
      'x',
      'phoneNumbers',
      'name.givenName',
      'emails[type eq "work"].value',
      'emails[value pr].type',
      'members[value eq "a1"]',
      'members[value eq "a1" or type pr]',
      'emails[',
      'emails[x eq 1]',
      'a..b',
      '['.repeat(90),
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
    ]);
  const body = (): object => ({
    ...(random.happens(0.8) && { userName: value(), displayName: value() }),
    [name()]: value(),
    [name()]: value(),
  });
  const operation = (): object => ({
    op: random.weighted([
      [9, random.pick(['add', 'Replace', 'REMOVE'])],
      [1, 'x'],
    ]),
    ...(random.happens(0.8) && { path: name() }),
    ...(random.happens(0.8) && { value: random.pick([value(), body()]) }),
  });
  const operations = (): unknown =>
    random.weighted<unknown>([
      [8, Array.from({ length: 1 + random.below(3) }, operation)],
      [1, []],
      [1, value()],
    ]);
  const filter = encodeURIComponent(
    random.pick([
      'userName eq "ann"',
      'not (active eq true) and emails[type eq "work"].value co "a"',
      'members eq "a1"',
      'id eq ""',
      'x eq 1',
      '((((',
      'userName',
      'userName eq',
      'meta pr',
      '('.repeat(4000),
      'userName eq null',
      'active gt 3',
    ]),
  );
  const asked = random.pick([
    '',
    `?filter=${filter}`,
    '?startIndex=0&count=-1',
    '?count=x',
    '?attributes=members,x.y.z',
    '?excludedAttributes=members',
    '?attributes=id&excludedAttributes=id',
    `?filter=${filter}`,
  ]);
  const write = (method: string, path: string, sent: unknown): Sent => ({
    method,
    path,
    body: random.happens(0.95) ? JSON.stringify(sent) : '{"userName":',
  });
  return random.weighted<Sent>([
    [2, get(`${base}/${random.pick(['ServiceProviderConfig', 'ResourceTypes', 'Schemas', 'x'])}`)],
    [1, get(`${base}/${random.pick(['ResourceTypes', 'Schemas'])}/${random.pick(['User', 'x'])}`)],
    [3, get(`${base}/${list}${asked}`)],
    [2, get(`${base}/${resource}${asked}`)],
    [2, write('POST', `${base}${random.pick(['', '/Users', '/Groups'])}/.search`, body())],
    [4, write('POST', `${base}/${list}`, body())],
    [3, write('PUT', `${base}/${resource}`, body())],
    [6, write('PATCH', `${base}/${resource}`, { Operations: operations() })],
    [1, { method: 'DELETE', path: `${base}/${resource}` }],
  ]);
};

/** Whether a request goes through SCIM. */
export const isScim = ({ path }: Sent): boolean => path.startsWith('/scim/v2/');

/** Whether a request through SCIM can change people or groups. */
export const isScimWrite = ({ method, path }: Sent): boolean =>
  method !== 'GET' && !path.endsWith('/.search');
