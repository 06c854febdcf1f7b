import { idOf } from '../../src/model/key';
import { LocalUser } from '../../src/templates/application/local-users';
import { IdpUser } from '../../src/templates/identity-provider/users';

test.each([
  [{ unique_id: 'u', id: 'i', name: 'n' }, 'u'],
  [{ id: 'i', name: 'n' }, 'i'],
  [{ name: 'n' }, 'n'],
  [{ unique_id: '', id: 'i', name: 'n' }, 'i'],
  [{ unique_id: null, id: '', name: 'n' }, 'n'],
  [{ unique_id: 'Cafe\u0301' }, 'Caf\u00e9'],
  [{ unique_id: '0' }, '0'],
])('a local entity %j has the id %j', (entity, id) => {
  expect(idOf(LocalUser, entity)).toBe(id);
});

test.each([
  [{ identity: 'i', name: 'n' }, 'i'],
  [{ identity: '', name: 'n' }, 'n'],
  [{ identity: null, name: 'Cafe\u0301' }, 'Caf\u00e9'],
])('a federated entity %j has the id %j', (entity, id) => {
  expect(idOf(IdpUser, entity)).toBe(id);
});
