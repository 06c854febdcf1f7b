import { timedPolicies } from '../../../src/scim/policies/running/due-policies';
import { type PolicyWorld, policyWorld } from '../../http/policy-stage';

let world: PolicyWorld;

beforeAll(async () => {
  world = await policyWorld();
});
afterAll(() => world.close());

// Two slow applications that were always due held up the policies of all others.
test('of several applications that are due, the one that ran longest ago comes first', async () => {
  const stages = [await world.stage(), await world.stage(), await world.stage()] as const;
  const [one, two, three] = stages;
  const { lifecycle, context } = world.service;
  for (const order of [
    [one, two, three],
    [three, two, one],
    [two, one, three],
  ]) {
    for (const stage of order) {
      expect((await stage.run()).outcome).toBe('DONE');
      await stage.later(1);
    }
    for (const stage of order) {
      expect((await stage.policy({ who: [stage.everybody] })).status).toBe(200);
    }
    const due = await timedPolicies(lifecycle, context.log).due(2);
    expect(due.map(({ provider }) => provider)).toEqual(order.map(({ provider }) => provider));
  }
});
