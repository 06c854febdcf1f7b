import { MemorySource } from './memory';

test('an id that a modify would change is told to be permanent', () => {
  const source = new MemorySource('identity_provider');
  const whole = { domains: [{ name: 'd' }], users: [{ name: 'ann', identity: '1' }] };
  expect(source.take(JSON.stringify(whole))).toEqual([]);
  const users = [{ name: 'ann', identity: '2', operation: 'modify' }];
  expect(source.take(JSON.stringify({ incremental_change: true, users }))).toEqual([
    {
      pointer: '/users/0',
      code: 'UNKNOWN_ENTITY',
      message:
        'user "ann" has the id "1", not "2": ids are permanent; delete it, and add it under the other id',
    },
  ]);
});
