/**
 * Texts of a SCIM user, each declared once: `/scim/v2` stores them in the directory, and imports read
 * them from applications (docs/provisioning.md: What becomes of a user, What becomes of it).
 */
export interface UserText {
  /** The name in SCIM. */
  readonly name: string;
  /** The property in which the graph has it. */
  readonly property: string;
  readonly doc: string;
  /** A user of a directory has a field for it. Without this it is a custom property. */
  readonly isField?: true;
  /** Imports read it from applications, as a custom property of the account. */
  readonly isImported?: true;
}

/** Texts of the core schema. */
export const CORE_TEXTS: readonly UserText[] = [
  { name: 'nickName', property: 'nick_name', doc: 'The casual name.' },
  { name: 'title', property: 'title', doc: 'The job title.', isImported: true },
  {
    name: 'userType',
    property: 'user_type',
    isImported: true,
    doc: 'What the user is to the organization, such as Contractor.',
  },
  {
    name: 'preferredLanguage',
    property: 'preferred_language',
    doc: 'The preferred language.',
  },
  { name: 'locale', property: 'locale', doc: 'The locale.' },
  { name: 'timezone', property: 'timezone', doc: 'The time zone.' },
];

/** Texts of the enterprise extension. */
export const ENTERPRISE_TEXTS: readonly UserText[] = [
  {
    name: 'employeeNumber',
    property: 'employee_number',
    isImported: true,
    doc: 'The number of the employee.',
  },
  { name: 'costCenter', property: 'cost_center', doc: 'The cost center.', isImported: true },
  { name: 'organization', property: 'organization', doc: 'The organization.', isImported: true },
  { name: 'division', property: 'division', doc: 'The division.', isImported: true },
  {
    name: 'department',
    property: 'department',
    isField: true,
    isImported: true,
    doc: 'The department.',
  },
];

/** The property of the id that the other system has for a user or a group (`externalId`). */
export const EXTERNAL_ID = 'external_id';
