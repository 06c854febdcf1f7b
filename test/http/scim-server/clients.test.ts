import { type ServiceUnderTest, serviceUnderTest } from '../service-under-test';
import { readScim, scimSource } from './directory';

/* What clients of SCIM send that the standard does not, or that it says in few words. Who found it is said beside it. */

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

test('filters find names with backslashes, however a client spells them, and times in any zone', async () => {
  const { send } = await scimSource(service);
  for (const [id, userName] of [
    ['a', 'CORP\\ann'],
    ['t', 'CORP\\tom'],
    ['z', 'Zoë'],
  ]) {
    const name = id === 'a' ? { name: { givenName: 'A' } } : { displayName: `Zoë "Z" O'Dea` };
    const made = await send('post', '/Users', { userName, externalId: id, ...name });
    expect(made.status).toBe(201);
  }
  const idsOf = async (filter: string): Promise<unknown> => {
    const { body } = await send('get', `/Users?filter=${encodeURIComponent(filter)}`);
    return (body.Resources as { id: string }[] | undefined)?.map(({ id }) => id) ?? body.detail;
  };
  const changed = String(
    ((await send('get', '/Users/a')).body.meta as Record<string, unknown>).lastModified,
  );
  for (const [filter, ids] of [
    [String.raw`userName eq "CORP\\ann"`, ['a']],
    [String.raw`userName eq "CORP\ann"`, ['a']],
    [String.raw`userName eq "CORP\\tom"`, ['t']],
    // A client that does not escape: `\t` could be a tab as well.
    [String.raw`userName eq "CORP\tom"`, ['t']],
    [String.raw`userName eq "Zo\u00eb" or userName eq "CORP\ann"`, ['a', 'z']],
    [String.raw`userName sw "CORP\\"`, ['a', 't']],
    [String.raw`userName eq "CORP\\"`, []],
    // SCIM-SDK does not escape quotes.
    ['displayName eq "Zoë "Z" O\'Dea"', ['t', 'z']],
    ['name pr', ['a']],
    ['meta pr and not (emails pr)', ['a', 't', 'z']],
    [`id eq "a" and meta.lastModified eq "${changed.replace('Z', '+00:00')}"`, ['a']],
    ['meta.lastModified gt "2020-01-01T00:00:00+05:00"', ['a', 't', 'z']],
    ['active ge true', '/filter: at character 1: "active" is compared by eq and ne alone'],
  ] as const) {
    expect([filter, await idsOf(filter)]).toEqual([filter, ids]);
  }
});

test('a base URL may end with a slash, and another path is none', async () => {
  const { base, send } = await scimSource(service);
  await send('post', '//Users', { userName: 'ann', externalId: 'a' });
  expect((await send('get', '//Users//a')).body.userName).toBe('ann');
  expect((await send('get', '/Users/%2Fa')).status).toBe(404);
  expect((await readScim(service.send('get', base.replace('/scim', '//scim')))).status).toBe(404);
  expect((await service.send('get', '/api//v1/providers/custom')).status).toBe(404);
});

test('the externalId of a group is unique, whatever sets it, and may move', async () => {
  const { send } = await scimSource(service);
  const patch = (externalId: string | null) => ({
    Operations: [{ op: 'replace', path: 'externalId', value: externalId }],
  });
  const post = (externalId: string) => send('post', '/Groups', { displayName: 'G', externalId });
  expect((await post('g 1')).status).toBe(201);
  expect((await post('g2')).status).toBe(201);
  for (const taken of [
    post('g 1'),
    post('g2'),
    send('patch', '/Groups/g2', patch('g 1')),
    send('put', '/Groups/g2', { displayName: 'G', externalId: 'g 1' }),
  ]) {
    expect(await taken).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness', detail: 'Another Group has this externalId.' },
    });
  }
  // Its own stays its own.
  expect((await send('patch', '/Groups/g2', patch('g2'))).status).toBe(204);
  expect((await send('patch', '/Groups/g2', patch('g3'))).status).toBe(204);
  const again = await post('g2');
  expect([again.status, again.body.id === 'g2']).toEqual([201, false]);
});

test('an answer without content has a media type, and whoever asks for attributes gets the group', async () => {
  const { send } = await scimSource(service);
  await send('post', '/Groups', { displayName: 'G', externalId: 'g' });
  const Operations = [{ op: 'replace', path: 'displayName', value: 'H' }];
  const short = await send('patch', '/Groups/g', { Operations });
  expect([short.status, short.headers['content-type']]).toEqual([204, 'application/scim+json']);
  const long = await send('patch', '/Groups/g?attributes=displayName', { Operations });
  expect([long.status, long.body.displayName]).toEqual([200, 'H']);
});

test('what SCIM-SDK and Entra ID send disables somebody, whatever else they send', async () => {
  const { send } = await scimSource(service);
  await send('post', '/Users', { userName: 'ann', externalId: 'a', active: true });
  const sdk = { op: 'replace', value: [{ active: false, schemas: ['x'] }] };
  expect((await send('patch', '/Users/a', { Operations: [sdk] })).body.active).toBe(false);
  const zone = 'urn:ietf:params:scim:schemas:extension:halden:2.0:User:zone';
  const answer = await send('patch', '/Users/a', {
    Operations: [
      { op: 'Replace', path: 'active', value: 'True' },
      { op: 'Add', path: zone, value: 's' },
      { op: 'add', path: 'schemas', value: ['urn:ietf:params:scim:schemas:core:2.0:User'] },
    ],
  });
  expect([
    answer.status,
    answer.body.active,
    answer.headers['grantgraph-ignored-attributes'],
  ]).toEqual([200, true, `${zone}, schemas`]);
});

test('addresses lead to their resources from the root that a client knows, as UnboundID reads them', async () => {
  const { base, send } = await scimSource(service);
  const made = await send('post', '/Users', { userName: 'ann', externalId: 'a b:c' });
  const id = String(made.body.id);
  const path = made.headers.location?.slice(base.length) ?? '';
  expect((await send('get', path)).body.id).toBe(id);
  const members = [{ value: id }];
  const group = await send('post', '/Groups', { displayName: 'G', externalId: 'g', members });
  const user = await send('get', path);
  const bodies = [user.body, group.body, (await send('get', '/Schemas')).body];
  const found = JSON.stringify(bodies).matchAll(/"(?:location|\$ref)":"([^"]*)"/g);
  const all = [...found].map(([, address = '']) => address);
  expect(all.length).toBeGreaterThan(6);
  for (const address of all) {
    // UnboundID puts the path behind the root; others resolve it against the root.
    expect([address, (await send('get', `/${address}`)).status]).toEqual([address, 200]);
    const resolved = new URL(address, `http://x${base}/`).pathname.slice(base.length);
    expect([address, (await send('get', resolved)).status]).toEqual([address, 200]);
  }
});
