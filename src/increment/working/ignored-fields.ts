import { isNothing } from '../../codec/entry';
import { nestedLists } from '../../templates/application/payload';

/** The fields by which entries find their entities. No kind uses one of them for anything else. */
const FINDING: readonly string[] = [
  'operation',
  'name',
  'id',
  'unique_id',
  'identity',
  'resource_type',
];

/** The fields of an element that do not identify its statement. */
const SCOPE: readonly string[] = ['resources', 'apply_to_application'];

const fieldsWithin = (entry: object, isCounted: (field: string) => boolean): readonly string[] =>
  Object.entries(entry)
    .filter(([field, value]) => isCounted(field) && !isNothing(value))
    .map(([field]) => field);

/**
 * The fields that the service ignores in an entity's entry without an operation: all but those that
 * identify it and those that hold entries (docs/increments.md 4).
 */
export const ignoredFields = (entry: object): readonly string[] =>
  fieldsWithin(entry, (field) => !FINDING.includes(field) && !nestedLists.includes(field));

/** The fields that the service ignores in a statement's element without an operation. */
export const ignoredScope = (element: object): readonly string[] =>
  fieldsWithin(element, (field) => SCOPE.includes(field));
