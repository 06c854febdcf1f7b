import { list } from '../../codec/collections';
import { struct } from '../../codec/struct';
import { requiredText } from '../../codec/text';
import { text as textProperty } from '../../model/table';
import { description, externalEntities, neededText, text } from '../fields';
import { type EntityOf, kind } from '../kind';
import { types } from '../relationship-type';
import { Application } from './applications';
import { common, inApplication } from './local-kind';

/** An entity whose permissions a resource can assume. */
export const Connection = struct('connection', { id: requiredText, node_type: requiredText });

/** Things in an application that permissions are held on; each may contain others (`sub_resources`). */
export const resources = kind({
  list: 'resources',
  word: 'resource',
  label: 'Resource',
  colour: '#F2A03D',
  doc: 'A resource or sub-resource of an application, at any depth.',
  ids: ['id', 'name'],
  entry: { ids: ['id', 'name'], missing: 'name', place: ['resource_type'], isResource: true },
  definition: 'resource',
  fields: {
    name: neededText('Name.'),
    id: text('Identifier, instead of the name.'),
    resource_type: neededText('Type.'),
    description: description('Notes.', 255),
    connections: externalEntities(
      list(Connection),
      types.CONNECTS_TO,
      'Entities whose permissions the resource can assume.',
    ),
    ...common,
  },
  beside: {
    path: textProperty('The names from below the application down, joined by dots.'),
    ...inApplication,
  },
  lookups: {
    fold_id: textProperty('`id`, else `name`, folded.'),
    fold_name: textProperty('`name`, folded.'),
    fold_path: textProperty(
      '`path`, folded; absent where it is longer than any text that names it.',
    ),
    fold_id_path: textProperty(
      'The path with the id of each step that has one, folded; absent where it equals `fold_path`, or is longer than any text that names it.',
    ),
    fold_resource_type: textProperty('`resource_type`, folded.'),
    fold_application_type: textProperty('`application_type`, folded.'),
  },
  indexes: ['fold_id', 'fold_name', 'fold_path', 'fold_id_path'],
  relations: (node) =>
    [Application, node].map((other) => ({
      type: types.CONTAINS,
      other,
      owner: 'to',
    })),
});
export const Resource = resources.node;

/** A resource with those below it. */
export type ResourceEntity = EntityOf<typeof resources> & {
  readonly sub_resources?: readonly ResourceEntity[] | null;
};
