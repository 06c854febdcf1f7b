import { EXACT_NAME } from '../../model/folded-texts';
import { DataSource } from '../../model/service-nodes';
import { folded } from '../../model/table';
import { longNotes, neededText, special } from '../fields';
import { requiredText } from '../../codec/text';
import { needed } from '../fields';
import { kind } from '../kind';
import { types } from '../relationship-type';
import { common, inApplication, ofApplicationType } from './local-kind';

/** Applications. Their lists hold the other kinds of this template. */
export const applications = kind({
  list: 'applications',
  word: 'application',
  label: 'Application',
  colour: '#D9730D',
  doc: 'An application. The payload lists its users, groups, roles and resources.',
  ids: ['name'],
  definition: 'application',
  fields: {
    name: neededText('Name.', 'structure'),
    application_type: needed(
      special(
        requiredText,
        { _tag: 'the template' },
        'Type. Custom properties are declared for each type.',
      ),
    ),
    description: longNotes(256),
    ...common,
  },
  otherProperties: inApplication,
  lookups: {
    fold_name: folded('`name`, folded.', 'name'),
    fold_application_type: { ...ofApplicationType.fold_application_type, isVersioned: true },
  },
  indexes: ['fold_name', EXACT_NAME],
  relations: () => [{ type: types.FROM, other: DataSource, owner: 'from' }],
});
export const Application = applications.node;
