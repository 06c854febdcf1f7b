import { DataSource } from '../../model/service-nodes';
import { folded, text as textProperty } from '../../model/table';
import { customProperties, neededText, operation, text, texts } from '../fields';
import { kind } from '../kind';
import { types } from '../relationship-type';
import { ofSystem } from './system';

/** The HR system itself. A payload has exactly one, outside any list. */
export const systems = kind({
  list: 'system',
  isSingle: true,
  word: 'system',
  label: 'HrisSystem',
  colour: '#8C5A1F',
  doc: 'A human resources information system (HRIS).',
  ids: ['id'],
  definition: 'system',
  fields: {
    id: neededText('Unique id.', 'structure'),
    name: neededText('Name.', 'structure'),
    url: text('Address of the system.', 'mention'),
    idp_providers: texts(
      'Types of the identity providers that hold the accounts of its employees.',
      'mention',
    ),
    custom_properties: customProperties,
    operation,
  },
  otherProperties: { ...ofSystem, hris_name: textProperty("The payload's `name`.", 'structure') },
  lookups: { fold_name: folded('`name`, folded.', 'name') },
  relations: () => [{ type: types.FROM, other: DataSource, owner: 'from' }],
});
