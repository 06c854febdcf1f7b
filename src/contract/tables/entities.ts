import type { Entity } from '../answers/questions/entities';
import { type CsvColumn, fieldColumns } from '../csv';

const OWN = ['id', 'label', 'name', 'data_source', 'provider', 'since', 'changed'] as const;

// These already have a column of their own.
const COLUMNS_OF_ALL: readonly string[] = [...OWN, 'key'];

/**
 * Columns of a table of entities (docs/api.md: CSV). Each declared property has a column. A last
 * column holds the custom and dynamic properties as JSON. An entity's own `id` is in the column
 * `property_id`, since `id` is the key of its node.
 */
export const entityColumns = (properties: readonly string[]): readonly CsvColumn<Entity>[] => {
  const declared = new Set(properties);
  const own = properties.filter((name) => name === 'id' || !COLUMNS_OF_ALL.includes(name));
  return [
    ...fieldColumns(...OWN),
    ...own.map((name): CsvColumn<Entity> => ({
      name: name === 'id' ? 'property_id' : name,
      cell: ({ properties: held }) => held[name],
    })),
    {
      name: 'other_properties',
      cell: ({ properties: held }) => {
        const others = Object.entries(held).filter(([name]) => !declared.has(name));
        return others.length === 0 ? null : Object.fromEntries(others);
      },
    },
  ];
};
