import type { Parameter } from './values';

/** A parameter of the graph's own subject. */
export const parameter = (name: string, example: string, doc: string): Parameter => ({
  name,
  example,
  doc,
});

/** A resource or application, for `FIND_RESOURCE`. */
export const RESOURCE = parameter(
  'resource',
  "'Firmware.motor-control'",
  'the key, path or name of a resource, or the key or name of an application',
);

/** A person, for `FIND_PERSON`. */
export const person = (example: string): Parameter =>
  parameter('person', `'${example}'`, 'the key, id, name or email of a user of a directory');

/** The time at which things are judged. */
export const NOW = parameter('now', 'datetime()', 'the moment that counts as now');
