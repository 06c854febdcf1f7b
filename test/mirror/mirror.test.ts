import { crm, idp, Scene } from './scene';

const ann = { name: 'ann' };

describe('full push (docs/rules.md: Full pushes)', () => {
  test('rows no longer there leave, tags accumulate until their entity leaves', () => {
    const tagged = (tags: object[]) => idp({ users: [{ ...ann, tags: tags as [] }] });
    const scene = new Scene()
      .with('I', tagged([{ key: 'a', value: '1' }]))
      .with('I', tagged([{ key: 'a', value: null }]));
    expect(scene.all('TAGGED')).toEqual(['I|IdpUser|ann > Tag|a|', 'I|IdpUser|ann > Tag|a|1']);
    expect(scene.node('Tag|a|')?.properties).toEqual({ key: 'Tag|a|', name: 'a' });
    expect(scene.with('I', idp({})).keys('Tag')).toEqual([]);
    expect(scene.with('I', tagged([])).keys('Tag')).toEqual([]);
  });

  test('since stays while a row stands, changed follows its properties, tags and relationships', () => {
    const people = (more: object, groups: object[] = []) =>
      idp({ users: [{ ...ann, ...more }], groups: groups });
    const scene = new Scene().with('I', people({}));
    expect(scene.dates('I|IdpUser|ann')).toBe('1/1');
    expect(scene.push('I', people({ email: null }))).toMatchObject({ unchanged: true });
    expect(scene.dates('I|IdpUser|ann')).toBe('1/1');
    expect(scene.push('I', people({ email: 'a@x' }))).toMatchObject({ unchanged: false });
    expect(scene.dates('I|IdpUser|ann')).toBe('1/3');
    scene.with('I', people({ email: 'a@x', tags: [{ key: 't' }] }));
    expect(scene.dates('I|IdpUser|ann')).toBe('1/4');
    scene.with('I', people({ email: 'a@x', groups: [{ identity: 'g' }] }, [{ name: 'g' }]));
    expect(scene.dates('I|IdpUser|ann')).toBe('1/5');
    expect(scene.relationship('MEMBER_OF', 'I|IdpUser|ann > I|IdpGroup|g')).toEqual({
      since: { instant: '5' },
    });
    scene.with('I', idp({})).with('I', people({}));
    expect(scene.dates('I|IdpUser|ann')).toBe('7/7');
  });

  test('a derived relationship is dated by when the pair came to bind', () => {
    const scene = new Scene().with('I', idp({ users: [{ name: 'ann', email: 'ann' }] }));
    scene.with('A', crm({ owners: [{ external_id: 'ann' }] }));
    const since = () => scene.relationship('KNOWN_AS', 'I|IdpUser|ann > Identity|ann')?.since;
    expect(since()).toEqual({ instant: '2' });
    scene
      .with('I', idp({ users: [ann] }))
      .with('A', crm({ local_users: [{ name: 'u', identities: ['Ann'] }] }));
    expect(since()).toEqual({ instant: '2' });
    expect(scene.dates('I|IdpUser|ann')).toBe('1/3');
    scene.with('A', crm({})).with('A', crm({ owners: [{ external_id: 'ann' }] }));
    expect(since()).toEqual({ instant: '6' });
  });

  test('payloads in another spelling and order are the same', () => {
    const scene = new Scene().with(
      'I',
      idp({ users: [{ name: 'é', tags: [{ key: 'k', value: 'v' }] }, ann] }),
    );
    const respelled = {
      idp_type: 'okta',
      Domains: [{ NAME: 'corp' }],
      users: [ann, { name: 'e\u0301', Tags: [{ Key: 'k', Value: 'v' }] }],
    };
    expect(scene.push('I', respelled)).toEqual({ accepted: true, warnings: [], unchanged: true });
  });
});
