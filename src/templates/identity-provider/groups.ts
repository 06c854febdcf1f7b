import { EXACT_NAME } from '../../model/folded-texts';
import { list } from '../../codec/collections';
import { ParentGroup } from '../../codec/parent-group';
import { ITSELF } from '../field';
import {
  assumedRoles,
  customProperties,
  dynamicProperties,
  flag,
  neededText,
  operation,
  referencesAs,
  tags,
  text,
} from '../fields';
import { kind } from '../kind';
import { types } from '../relationship-type';
import { IdpApp } from './apps';
import {
  appAssignments,
  claimedSource,
  entitiesOwned,
  lookups,
  lookupsOfSource,
  ofProvider,
  sourceIdentity,
} from './federated';

export const groups = kind({
  list: 'groups',
  word: 'group',
  label: 'IdpGroup',
  colour: '#7DB3EA',
  also: ['Principal'],
  doc: 'A group of an identity provider. Its id is `identity`, else `name`.',
  ids: ['identity', 'name'],
  definition: 'group',
  fields: {
    name: neededText('Name.', 'login'),
    identity: text('Unique identifier.', 'login'),
    full_name: text('Display name.', 'display'),
    is_security_group: flag('Is a security group.'),
    source_identity: sourceIdentity,
    groups: referencesAs(
      'parents',
      list(ParentGroup),
      types.MEMBER_OF,
      ITSELF,
      'Groups that it is a direct member of.',
    ),
    entities_owned: entitiesOwned,
    assumed_role_arns: assumedRoles,
    tags,
    app_assignments: appAssignments(IdpApp),
    custom_properties: customProperties,
    dynamic_properties: dynamicProperties,
    operation,
  },
  claims: (entry) => [entry.name, entry.identity, claimedSource(entry)],
  otherProperties: ofProvider,
  lookups: { ...lookups, ...lookupsOfSource },
  indexes: ['fold_id', 'fold_name', EXACT_NAME, 'fold_source_identity'],
});
export const IdpGroup = groups.node;
