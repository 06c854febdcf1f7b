import { EXACT_NAME } from '../../model/folded-texts';
import { list } from '../../codec/collections';
import { struct } from '../../codec/struct';
import { requiredText } from '../../codec/text';
import { folded, text as textProperty } from '../../model/table';
import { longNotes, externalEntities, neededText, text } from '../fields';
import { type EntityOf, kind } from '../kind';
import { types } from '../relationship-type';
import { Application } from './applications';
import { common, inApplication, ofApplicationType } from './local-kind';

/** An entity whose access a resource has. */
export const Connection = struct(
  'connection',
  { id: requiredText, node_type: requiredText },
  {},
  { docs: { id: 'The id of the entity.', node_type: 'The type of the entity.' } },
);

/**
 * The things in an application on which permissions are held. Each may contain others
 * (`sub_resources`).
 */
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
    name: neededText('Name.', 'title'),
    id: text('Identifier, instead of the name.', 'title'),
    resource_type: neededText('Type.', 'structure'),
    description: longNotes(255),
    connections: externalEntities(
      list(Connection),
      types.CONNECTS_TO,
      'Entities whose access the resource has.',
    ),
    ...common,
  },
  otherProperties: {
    path: textProperty(
      'Names of the resources that contain it, from the top, and its own, joined by dots.',
      'structure',
    ),
    ...inApplication,
  },
  lookups: {
    fold_id: textProperty('`id`, else `name`, folded.', 'lookup'),
    fold_name: folded('`name`, folded.', 'name'),
    fold_path: {
      ...folded('`path`, folded; absent if it is longer than any reference can be.', 'path'),
      isBounded: true,
    },
    fold_id_path: textProperty(
      'The path with the id of each step that has one, folded; absent if it equals `fold_path` or is longer than any reference can be.',
      'lookup',
    ),
    fold_resource_type: folded('`resource_type`, folded.', 'resource_type'),
    ...ofApplicationType,
  },
  indexes: ['fold_id', 'fold_name', EXACT_NAME, 'fold_path', 'fold_id_path'],
  relations: (node) =>
    [Application, node].map((other) => ({
      type: types.CONTAINS,
      other,
      owner: 'to',
    })),
});
export const Resource = resources.node;

/** A resource with the resources that it contains. */
export type ResourceEntity = EntityOf<typeof resources> & {
  readonly sub_resources?: readonly ResourceEntity[] | null;
};
