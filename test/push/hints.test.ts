import { type FilledGraph, filledGraph } from '../support/push';

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());

test('an increment is told which standing entity of its own data source it may mean', async () => {
  const source = await filled.register('corp', 'identity_provider');
  const other = await filled.register('other', 'identity_provider');
  await filled.accept(source, { domains: [{ name: 'corp' }], users: [{ name: 'annabel' }] });
  await filled.accept(other, { domains: [{ name: 'other' }], users: [{ name: 'anabell' }] });
  const refused = await filled.push(source, {
    incremental_change: true,
    users: [{ operation: 'modify', name: 'anabel' }],
  });
  expect(JSON.stringify(refused)).toContain('did you mean \\"annabel\\"?');
  expect(JSON.stringify(refused)).not.toContain('anabell');
});
