import { folded } from '../../model/table';
import { customProperties, neededText, operation, text } from '../fields';
import { kind } from '../kind';
import { ofSystem } from './system';

export const hrisGroups = kind({
  list: 'groups',
  word: 'group',
  label: 'HrisGroup',
  colour: '#E0B98A',
  doc: 'A team, department, cost center or the like, to which employees belong.',
  ids: ['id'],
  definition: 'group',
  fields: {
    id: neededText('Unique id.', 'title'),
    name: neededText('Name.', 'title'),
    group_type: text('Kind of group, such as `team` or `department`.', 'mention'),
    custom_properties: customProperties,
    operation,
  },
  otherProperties: ofSystem,
  lookups: {
    fold_id: folded('Its id, folded.', 'id'),
    fold_name: folded('`name`, folded.', 'name'),
  },
  indexes: ['fold_id', 'fold_name'],
});
export const HrisGroup = hrisGroups.node;
