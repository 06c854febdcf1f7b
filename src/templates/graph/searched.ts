import { type NodeKind, type Property, text, time } from '../../model/table';
import { nodeKinds } from './nodes';

/** The kinds of node that are entities: rows of data sources, and shared nodes. */
export const entityKinds: readonly NodeKind[] = nodeKinds.filter(
  ({ keeper }) => keeper === 'row' || keeper === 'shared',
);

// Properties that the service adds to each row (docs/rules.md: Nodes).
const KEPT: readonly (readonly [string, Property])[] = [
  ['data_source', text('Its data source.', 'nobody')],
  ['provider', text('Its provider.', 'called')],
  ['since', time('When it came.')],
  ['changed', time('When it last changed.')],
];

const properties = new Map(
  entityKinds.map((kind) => [
    kind,
    new Map([
      ...Object.entries(kind.properties),
      ['key', text('Its key.', 'structure')] as const,
      ...(kind.keeper === 'row' ? KEPT : []),
    ]),
  ]),
);

/**
 * The declared properties by which a kind of entity can be searched. Its custom properties can be
 * searched too.
 */
export const entityProperties = (kind: NodeKind): ReadonlyMap<string, Property> =>
  properties.get(kind) ?? new Map<string, Property>();

/** The properties by which a search can be ordered, each with its type: texts and times. */
export const orderedProperties: ReadonlyMap<string, 'text' | 'time'> = new Map(
  entityKinds
    .flatMap((kind) => [...entityProperties(kind)])
    .flatMap(([field, { type }]): (readonly [string, 'text' | 'time'])[] =>
      type === 'text' || type === 'time' ? [[field, type]] : [],
    ),
);

/** The names of these properties, for a request. */
export const searchOrders: readonly string[] = [...new Set(['name', ...orderedProperties.keys()])];
