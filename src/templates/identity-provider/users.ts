import { EXACT_NAME } from '../../model/folded-texts';
import { list } from '../../codec/collections';
import { IdentityReference } from '../../codec/shared';
import { folded } from '../../model/table';
import {
  assumedRoles,
  choice,
  customProperties,
  dynamicProperties,
  flag,
  neededText,
  oneOrMoreTexts,
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
import { IdpGroup } from './groups';

export const users = kind({
  list: 'users',
  word: 'user',
  label: 'IdpUser',
  colour: '#3B82D0',
  also: ['Principal'],
  doc: 'A user of an identity provider. Its id is `identity`, else `name`.',
  ids: ['identity', 'name'],
  definition: 'user',
  fields: {
    name: neededText('Name.', 'login'),
    email: text('Login email.', 'address'),
    identity: text('Unique identifier.', 'login'),
    full_name: text('Display name.', 'display'),
    department: oneOrMoreTexts('department', 'Departments, in the order sent.'),
    is_active: flag('May sign in.'),
    is_guest: flag('Is a guest.'),
    identity_type: choice('identity type', ['HUMAN', 'NONHUMAN'], '`HUMAN` or `NONHUMAN`.'),
    manager_id: text("The manager's id.", 'reference'),
    source_identity: sourceIdentity,
    groups: referencesAs(
      'identities',
      list(IdentityReference),
      types.MEMBER_OF,
      IdpGroup,
      'Groups that it is a direct member of.',
    ),
    assumed_role_arns: assumedRoles,
    entities_owned: entitiesOwned,
    tags,
    app_assignments: appAssignments(IdpApp),
    custom_properties: customProperties,
    dynamic_properties: dynamicProperties,
    operation,
  },
  claims: (entry) => [entry.name, entry.email, entry.identity, claimedSource(entry)],
  otherProperties: ofProvider,
  lookups: {
    ...lookups,
    fold_email: folded('`email`, folded.', 'email'),
    fold_manager_id: folded('`manager_id`, folded.', 'manager_id'),
    ...lookupsOfSource,
  },
  indexes: [
    'fold_id',
    'fold_name',
    EXACT_NAME,
    'fold_email',
    ['data_source', 'fold_manager_id'],
    'fold_source_identity',
  ],
});
export const IdpUser = users.node;
