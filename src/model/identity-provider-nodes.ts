import { flag, row, text, texts } from './table';

const name = text('Name.');
const foldId = text('Its id (graph.md 4), folded.');
const foldName = text('`name`, folded.');
const federated = {
  domain: text('Name of the domain.'),
  idp_type: text('Type of the identity provider.'),
};
const sourceIdentity = {
  source_identity: text('Id of the one in another identity provider.'),
  source_identity_provider_type: text('Which identity providers that may be.'),
};
const foldSource = {
  fold_source_identity: text('`source_identity`, folded.'),
  fold_source_type: text(
    '`source_identity_provider_type`, folded, without `_`, `-` and spaces; absent for `any` and `custom`.',
  ),
  fold_idp_type: text('`idp_type`, folded, without `_`, `-` and spaces.'),
};

/** The domain of an identity provider. */
export const IdpDomain = row('IdpDomain', {
  doc: 'The domain of an identity provider.',
  properties: {
    name,
    ...federated,
    idp_description: text('Notes of the payload.'),
    idp_name: text("The payload's `name`."),
  },
  lookups: { fold_name: foldName },
  custom: true,
});

/** A user of an identity provider. */
export const IdpUser = row('IdpUser', {
  also: ['Principal'],
  doc: 'A user of an identity provider. Its id is `identity`, else `name`.',
  properties: {
    name,
    email: text('Login email.'),
    identity: text('Unique identifier.'),
    full_name: text('Display name.'),
    department: texts('Departments, in the order sent.'),
    is_active: flag('May sign in.'),
    is_guest: flag('Is a guest.'),
    identity_type: text('`HUMAN` or `NONHUMAN`.'),
    manager_id: text("The manager's id."),
    ...sourceIdentity,
    ...federated,
  },
  lookups: {
    fold_id: foldId,
    fold_name: foldName,
    fold_email: text('`email`, folded.'),
    fold_manager_id: text('`manager_id`, folded.'),
    ...foldSource,
  },
  indexes: [
    'fold_id',
    'fold_name',
    'fold_email',
    ['data_source', 'fold_manager_id'],
    'fold_source_identity',
  ],
  custom: true,
});

/** A group of an identity provider. */
export const IdpGroup = row('IdpGroup', {
  also: ['Principal'],
  doc: 'A group of an identity provider. Its id is `identity`, else `name`.',
  properties: {
    name,
    identity: text('Unique identifier.'),
    full_name: text('Display name.'),
    is_security_group: flag('Is a security group.'),
    ...sourceIdentity,
    ...federated,
  },
  lookups: { fold_id: foldId, fold_name: foldName, ...foldSource },
  indexes: ['fold_id', 'fold_name', 'fold_source_identity'],
  custom: true,
});

/** An app to which an identity provider's users and groups are assigned. */
export const IdpApp = row('IdpApp', {
  doc: 'An app of an identity provider, to which users and groups are assigned.',
  properties: { id: text('Unique id.'), name, description: text('Notes.'), ...federated },
  lookups: { fold_id: foldId, fold_name: foldName },
  indexes: ['fold_id', 'fold_name'],
  custom: true,
});
