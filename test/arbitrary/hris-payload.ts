import fc, { type Arbitrary } from 'fast-check';
import { from, maybe, mostly, maybeText, pick, some } from './optional';
import * as pool from './pool';
import { customProperties, propertyTypes } from './property-values';

/** A reference to one of the payload's entities; an empty object names none. */
const reference = maybe(
  fc.oneof(
    { weight: 9, arbitrary: fc.record({ id: pick }) },
    { weight: 1, arbitrary: fc.constant({}) },
  ),
);

const references = maybe(some(fc.record({ id: pick }), 3));

const employee = fc.record({
  id: from(pool.employeeIds),
  name: fc.oneof(
    { weight: 1, arbitrary: from(pool.people) },
    { weight: 3, arbitrary: from(pool.crowd) },
  ),
  employee_number: from(['1', '2', '0042']),
  first_name: from(['Ann', 'Zoe\u0308']),
  last_name: from(['Archer', 'O|Neill']),
  is_active: fc.boolean(),
  employment_status: from(['ACTIVE', 'TERMINATED']),
  company: maybeText(['Example']),
  preferred_name: maybeText(['Annie']),
  display_full_name: maybeText(['Ann Archer']),
  canonical_name: maybeText(['archer, ann']),
  username: maybeText(pool.people),
  email: maybeText(pool.emails),
  idp_id: maybeText([...pool.idpIds, ...pool.emails, 'nobody']),
  personal_email: maybeText(['ann@home.example']),
  home_location: maybeText(['Berlin']),
  work_location: maybeText(['Caf\u00e9', 'Cafe\u0301']),
  cost_center: reference,
  department: reference,
  managers: references,
  groups: references,
  start_date: maybe(from(pool.times)),
  termination_date: maybe(from(pool.times)),
  job_title: maybeText(['Engineer']),
  employment_types: maybe(some(from(['FULL_TIME', 'CONTRACTOR', '', 'FULL_TIME']), 3)),
  primary_time_zone: maybeText(['Europe/Berlin']),
  custom_properties: customProperties,
});

const group = fc.record({
  id: from(['g1', 'G1', 'g|2', 'g3', ...pool.groups]),
  name: from(pool.groups),
  group_type: maybeText(['department', 'team', 'cost center']),
  custom_properties: customProperties,
});

const system = fc.record({
  id: from(['hr', 'HR']),
  name: from(['People', 'people', 'HR %']),
  url: maybeText(['https://hr.example']),
  idp_providers: maybe(some(from(['okta', 'azure_ad', 'custom', '']), 3)),
  custom_properties: customProperties,
});

/** An HR system's payload, references still to be written. */
export const hrisDraft: Arbitrary<object> = fc.record({
  name: maybeText(['Staff', 'staff']),
  hris_type: from(['Workday', 'workday', 'Bamboo', null]),
  custom_property_definition: mostly(
    fc.record({
      system_properties: propertyTypes,
      employee_properties: propertyTypes,
      group_properties: propertyTypes,
    }),
  ),
  system,
  employees: some(employee, 60),
  groups: some(group, 20),
  incremental_change: maybe(fc.constant(false)),
});
