import { folded } from '../../model/table';
import { assumedRoles, customProperties, neededText, notes, operation, tags } from '../fields';
import { kind } from '../kind';
import { ofProvider } from './federated';

export const apps = kind({
  list: 'apps',
  word: 'app',
  label: 'IdpApp',
  colour: '#5B8DB8',
  doc: 'An app of an identity provider, to which users and groups are assigned.',
  ids: ['id'],
  definition: 'app',
  fields: {
    id: neededText('Unique id.', 'title'),
    name: neededText('Name.', 'title'),
    description: notes('Notes.'),
    assumed_role_arns: assumedRoles,
    custom_properties: customProperties,
    tags,
    operation,
  },
  otherProperties: ofProvider,
  lookups: {
    fold_id: folded('Its id (docs/rules.md: Keys), folded.', 'id'),
    fold_name: folded('`name`, folded.', 'name'),
  },
  indexes: ['fold_id', 'fold_name'],
});
export const IdpApp = apps.node;
