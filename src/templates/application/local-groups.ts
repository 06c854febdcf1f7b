import { EXACT_NAME } from '../../model/folded-texts';
import { ITSELF } from '../field';
import { identities, neededText, references, time } from '../fields';
import type { EntityOf } from '../kind';
import { types } from '../relationship-type';
import { ids, localKind } from './local-kind';

export const localGroups = localKind({
  list: 'local_groups',
  word: 'local group',
  label: 'LocalGroup',
  colour: '#7CCBA2',
  also: ['Principal'],
  doc: 'A group of an application.',
  definition: 'local_group',
  identityType: 'local_group',
  indexes: [EXACT_NAME],
  fields: {
    name: neededText('Name.', 'title'),
    ...ids,
    created_at: time('Created.'),
    identities,
    groups: references(types.MEMBER_OF, ITSELF, 'Groups that it is a direct member of.'),
  },
});
export const LocalGroup = localGroups.node;
export type LocalGroupEntity = EntityOf<typeof localGroups>;
