import { isNothing } from '../../codec/entry';
import { nestedLists } from '../../templates/application/payload';

/** The fields by which entries of some kind find their entities; no kind has one of them for anything else. */
const FINDING: readonly string[] = [
  'operation',
  'name',
  'id',
  'unique_id',
  'identity',
  'resource_type',
];

/** The fields of an element that are not what its statement is told apart by. */
const SCOPE: readonly string[] = ['resources', 'apply_to_application'];

const fieldsWithin = (entry: object, isCounted: (field: string) => boolean): readonly string[] =>
  Object.entries(entry)
    .filter(([field, value]) => isCounted(field) && !isNothing(value))
    .map(([field]) => field);

/** What an entity's entry carries in vain when it has no operation: all but its id and what is nested in it (docs/increments.md 4). */
export const ignoredFields = (entry: object): readonly string[] =>
  fieldsWithin(entry, (field) => !FINDING.includes(field) && !nestedLists.includes(field));

/** What a statement's element carries in vain when it has no operation. */
export const ignoredScope = (element: object): readonly string[] =>
  fieldsWithin(element, (field) => SCOPE.includes(field));
