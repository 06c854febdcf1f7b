import { DataSource } from '../../model/service-nodes';
import { folded, text } from '../../model/table';
import { customProperties, dynamicProperties, neededText, operation, tags } from '../fields';
import { kind } from '../kind';
import { types } from '../relationship-type';
import { ofProvider } from './federated';

/** The domain of an identity provider. A payload has exactly one. */
export const domains = kind({
  list: 'domains',
  word: 'domain',
  label: 'IdpDomain',
  colour: '#1F4E8C',
  doc: 'The domain of an identity provider.',
  ids: ['name'],
  definition: 'domain',
  fields: {
    name: neededText('Name.', 'structure'),
    tags,
    custom_properties: customProperties,
    dynamic_properties: dynamicProperties,
    operation,
  },
  otherProperties: {
    ...ofProvider,
    idp_description: text("The payload's `idp_description`.", 'mention'),
    idp_name: text("The payload's `name`.", 'structure'),
  },
  lookups: { fold_name: folded('`name`, folded.', 'name') },
  relations: () => [{ type: types.FROM, other: DataSource, owner: 'from' }],
});
