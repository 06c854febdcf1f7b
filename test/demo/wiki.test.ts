import { connector } from '../../src/demo/connector';
import { startWiki, tellWiki, type Wiki } from '../../src/demo/wiki';
import { ask } from '../../src/graph/connection/ask';
import { type DemoService, startDemoService } from './service';

let wiki: Wiki;
let demo: DemoService;

beforeAll(async () => {
  const started = await startWiki();
  if (started === null) throw new Error('The application with SCIM does not start.');
  wiki = started;
  demo = await startDemoService({
    SCIM_HOSTS: `http://${new URL(wiki.base).host}`,
    SCIM_NETWORKS: '127.0.0.1',
  });
  const http = connector(demo.service.address, demo.service.apiKey);
  const provider = await http.registerProvider('Directory', 'identity_provider');
  const source = await http.createDataSource(provider, 'halden.example');
  const users = ['Nadia Haddad', 'Jonas Eklund'].map((name) => ({
    ...{ name, email: `${name.toLowerCase().replace(' ', '.')}@halden.example` },
  }));
  const payload = { name: 'D', idp_type: 'ldap', domains: [{ name: 'halden.example' }], users };
  await http.push(provider, source, JSON.stringify(payload));
}, 180_000);
afterAll(async () => {
  await demo.stop();
  wiki.stop();
});

test('the demo gives a joiner an account, disables that of a leaver, and imports both', async () => {
  for (const [joined, left] of [
    ['created', 'disabled'],
    ['unchanged', 'unchanged'],
  ]) {
    const { joiner, leaver, imported } = await tellWiki(wiki, demo.service, demo.graph);
    expect(joiner.values.map(({ outcome }) => outcome)).toEqual([joined]);
    expect(leaver.values.map(({ outcome }) => outcome)).toEqual([left]);
    expect(imported).toMatchObject({ problem: null, read: { accounts: 3, groups: 1 } });
  }
  const rows = await ask(
    demo.graph,
    `MATCH (user:LocalUser {application: 'Company handbook'})
     RETURN user.email AS email, user.is_active AS active ORDER BY email`,
  );
  expect(rows).toEqual([
    { email: 'jonas.eklund@halden.example', active: false },
    { email: 'nadia.haddad@halden.example', active: true },
    { email: 'priya.raman@halden.example', active: true },
  ]);
});
