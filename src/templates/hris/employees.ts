import { list } from '../../codec/collections';
import { struct } from '../../codec/struct';
import { requiredText } from '../../codec/text';
import { folded } from '../../model/table';
import { ITSELF } from '../field';
import {
  customProperties,
  neededFlag,
  neededText,
  operation,
  referencesAs,
  text,
  texts,
  time,
} from '../fields';
import { kind } from '../kind';
import { types } from '../relationship-type';
import { HrisGroup } from './hris-groups';
import { ofSystem } from './system';

const Reference = struct(
  'reference',
  { id: requiredText },
  {},
  { textMeans: 'id', docs: { id: 'The id of the entity that is meant.' } },
);

const isSet = (value: unknown): boolean => typeof value === 'string' && value !== '';

export const employees = kind({
  list: 'employees',
  word: 'employee',
  label: 'Employee',
  colour: '#B8863B',
  also: ['Principal'],
  doc: 'A person in an HR system, who may have accounts in identity providers.',
  ids: ['id'],
  definition: 'employee',
  fields: {
    id: neededText('Unique id.', 'id'),
    name: neededText('Name.', 'display'),
    employee_number: neededText('Employee number.', 'id'),
    first_name: neededText('First name.', 'part'),
    last_name: neededText('Last name.', 'part'),
    is_active: neededFlag('Works for the company.'),
    employment_status: neededText('Status, such as `ACTIVE` or `TERMINATED`.', 'structure'),
    company: text('Company.', 'mention'),
    preferred_name: text('Preferred name.', 'display'),
    display_full_name: text('Display name.', 'display'),
    canonical_name: text('Canonical name.', 'display'),
    username: text('Login in the HR system.', 'account'),
    email: text('Work email.', 'address'),
    idp_id: text('Id of the account in an identity provider.', 'account'),
    personal_email: text('Personal email.', 'address'),
    home_location: text('Where the person lives.', 'mention'),
    work_location: text('Where the person works.', 'mention'),
    cost_center: referencesAs(
      'id',
      Reference,
      types.IN_COST_CENTER,
      HrisGroup,
      'Cost center: a group of the payload, by id.',
    ),
    department: referencesAs(
      'id',
      Reference,
      types.IN_DEPARTMENT,
      HrisGroup,
      'Department: a group of the payload, by id.',
    ),
    managers: referencesAs(
      'managers',
      list(Reference),
      types.MANAGED_BY,
      ITSELF,
      'Managers: employees of the payload, by id. An employee who names themselves has no manager.',
    ),
    groups: referencesAs(
      'ids',
      list(Reference),
      types.MEMBER_OF,
      HrisGroup,
      'Groups of the payload, by id.',
    ),
    start_date: time('First day.'),
    termination_date: time('Last day.'),
    job_title: text('Job title.', 'mention'),
    employment_types: texts('Kinds of employment, such as `FULL_TIME`.', 'mention'),
    primary_time_zone: text('Time zone.', 'mention'),
    custom_properties: customProperties,
    operation,
  },
  // The first one that is set counts. An entry that modifies changes only the fields that it has,
  // so its id claims nothing.
  claims: ({ operation: what, idp_id, email, id }) =>
    [idp_id, email, what === 'modify' ? null : id].filter(isSet).slice(0, 1),
  otherProperties: ofSystem,
  lookups: {
    fold_id: folded('Its id, folded.', 'id'),
    fold_name: folded('`name`, folded.', 'name'),
    fold_email: folded('`email`, folded.', 'email'),
    fold_account: folded(
      '`idp_id`, else `email`, else `id`, folded: the service finds accounts by it.',
      'idp_id',
      'email',
      'id',
    ),
    fold_only_id: {
      ...folded('`id`, folded, where there is neither `idp_id` nor `email`: names must agree too.'),
      of: (textOf) => (textOf('idp_id') === null && textOf('email') === null ? textOf('id') : null),
    },
  },
  indexes: ['fold_id', 'fold_name', 'fold_email', 'fold_account'],
});
export const Employee = employees.node;
