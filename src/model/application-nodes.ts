import { flag, row, text, texts, time } from './table';

const name = text('Name.');
const foldId = text('Its id (graph.md 4), folded.');
const foldName = text('`name`, folded.');
const application = text('Name of the application.');
const applicationType = text('Type of the application (spec: Rules of behavior 8).');
const foldApplicationType = text('`application_type`, folded.');
const inApplication = { application, application_type: applicationType };
const localLookups = {
  fold_id: foldId,
  fold_other_id: text('The id that is not its id (`id` beside `unique_id`), folded.'),
  fold_name: foldName,
  fold_application_type: foldApplicationType,
};
const localIndexes = ['fold_id', 'fold_other_id', 'fold_name'] as const;
const ids = { id: text('Identifier.'), unique_id: text('Identifier that goes before `id`.') };

/** An application. */
export const Application = row('Application', {
  doc: 'An application: whose users, groups, roles and resources the payload lists.',
  properties: { name, description: text('Notes.'), ...inApplication },
  lookups: { fold_name: foldName, fold_application_type: foldApplicationType },
  indexes: ['fold_name'],
  custom: true,
});

/** An account in an application. */
export const LocalUser = row('LocalUser', {
  also: ['Principal'],
  doc: 'An account in an application. Its id is `unique_id`, else `id`, else `name` (so for all local kinds).',
  properties: {
    name,
    ...ids,
    email: text('Email.'),
    user_type: text('`human` or `service_account`.'),
    is_active: flag('May sign in.'),
    created_at: time('Created.'),
    last_login_at: time('Last sign-in.'),
    password_last_changed_at: time('Password last changed.'),
    deactivated_at: time('Deactivated.'),
    ...inApplication,
  },
  lookups: localLookups,
  indexes: localIndexes,
  custom: true,
});

/** A group of an application. */
export const LocalGroup = row('LocalGroup', {
  also: ['Principal'],
  doc: 'A group of an application.',
  properties: { name, ...ids, created_at: time('Created.'), ...inApplication },
  lookups: localLookups,
  indexes: localIndexes,
  custom: true,
});

/** A role of an application. */
export const LocalRole = row('LocalRole', {
  also: ['Role', 'Principal'],
  doc: 'A role of an application: permissions by name, and other roles; it can hold permissions itself.',
  properties: { name, ...ids, ...inApplication },
  lookups: localLookups,
  indexes: localIndexes,
  custom: true,
});

/** An AI agent of an application. */
export const LocalAgent = row('LocalAgent', {
  also: ['Principal'],
  doc: 'An AI agent of an application.',
  properties: {
    name,
    ...ids,
    ai_platform: text('Platform.'),
    ai_agent_publisher: text('Publisher.'),
    is_active: flag('Is active.'),
    created_at: time('Created.'),
    ...inApplication,
  },
  lookups: localLookups,
  indexes: localIndexes,
  custom: true,
});

/** A model that agents use. */
export const LocalModel = row('LocalModel', {
  doc: 'A model that agents use.',
  properties: {
    name,
    ...ids,
    ai_platform: text('Platform.'),
    ai_model_publisher: text('Publisher.'),
    ai_model_family: text('Family.'),
    ai_model_series: text('Series.'),
    created_at: time('Created.'),
    ...inApplication,
  },
  lookups: localLookups,
  indexes: localIndexes,
  custom: true,
});

/** A credential (key, token) of a user or agent. */
export const AccessCredential = row('AccessCredential', {
  also: ['Principal'],
  doc: 'A credential (key, token) of a user or agent of an application.',
  properties: {
    name,
    ...ids,
    is_active: flag('Is active.'),
    can_expire: flag('Can expire.'),
    created_at: time('Created.'),
    expires_at: time('Expires.'),
    last_used_at: time('Last used.'),
    ...inApplication,
  },
  lookups: localLookups,
  indexes: localIndexes,
  custom: true,
});

/** A resource or sub-resource of an application. */
export const Resource = row('Resource', {
  doc: 'A resource or sub-resource of an application, at any depth.',
  properties: {
    name,
    id: text('Identifier, instead of the name.'),
    resource_type: text('Type.'),
    path: text('The names from below the application down, joined by dots.'),
    description: text('Notes.'),
    ...inApplication,
  },
  lookups: {
    fold_id: text('`id`, else `name`, folded.'),
    fold_name: foldName,
    fold_path: text('`path`, folded; absent where it is longer than any text that names it.'),
    fold_id_path: text(
      'The path with the id of each step that has one, folded; absent where it equals `fold_path`, or is longer than any text that names it.',
    ),
    fold_resource_type: text('`resource_type`, folded.'),
    fold_application_type: foldApplicationType,
  },
  indexes: ['fold_id', 'fold_name', 'fold_path', 'fold_id_path'],
  custom: true,
});

/** A native permission. */
export const Permission = row('Permission', {
  doc: 'A native permission; one node for each listed resource type, or one without a type (spec: `resource_types`).',
  properties: {
    name,
    permission_type: texts('Canonical permissions, sorted.'),
    resource_type: text('Through a role, holds only on resources of this type.'),
    application_types: texts(
      'Holds only in applications of these types (the field `application_type`), sorted.',
    ),
    apply_to_sub_resources: flag('Inherited by what a resource contains.'),
  },
  lookups: {
    fold_name: foldName,
    fold_resource_type: text('`resource_type`, folded.'),
    fold_application_types: texts('`application_types`, folded.'),
  },
  indexes: ['fold_name'],
});

/** A permission held on a scope. */
export const Grant = row('Grant', {
  also: ['Entitlement'],
  doc: 'A permission held on a scope: one per identity, application and permission.',
  properties: { name: text("The permission's name."), ...inApplication },
  lookups: { fold_application_type: foldApplicationType },
});

/** A role held on a scope. */
export const RoleAssignment = row('RoleAssignment', {
  also: ['Entitlement'],
  doc: 'A role held on a scope: one per identity, application, role and custom properties.',
  properties: { name: text("The role's name."), ...inApplication },
  lookups: { fold_application_type: foldApplicationType },
  custom: true,
});
