import { migrate } from '../../../src/graph/migration/migrate';
import { runTransaction } from '../../../src/graph/connection/transaction';
import { type FilledGraph, filledGraph } from '../../support/push';

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());

const application = (type: string): object => ({
  applications: [{ name: 'A', application_type: type, local_users: [{ name: 'a' }] }],
});

test('a graph of version 2 keeps the types of a provider until its data sources push again', async () => {
  const one = await filled.register('apps', 'application');
  const two = await filled.addDataSource(one, 'more apps');
  await filled.accept(one, application('crm'));
  await filled.accept(two, application('wiki'));
  await runTransaction(filled.graph, { mode: 'write' }, async (tx) => {
    await tx.run('MATCH (store:Store) SET store.version = 2');
    await tx.run(
      "MATCH (provider:Provider) SET provider.application_types = ['crm', 'old', 'wiki']",
    );
    await tx.run(
      'MATCH (s:DataSource) REMOVE s.application_types, s.resource_types, s.idp_types, s.remembers_more',
    );
  });
  await migrate(filled.graph);

  const types = async (): Promise<unknown> =>
    (await filled.ask('MATCH (p:Provider) RETURN p.application_types AS types'))[0]?.types;
  // The very payload that stands is read all the same.
  expect((await filled.accept(one, application('crm'))).outcome).toBe('unchanged');
  expect(await types()).toEqual(['crm', 'old', 'wiki']);
  expect((await filled.accept(two, application('wiki'))).outcome).toBe('unchanged');
  expect(await types()).toEqual(['crm', 'wiki']);
});
