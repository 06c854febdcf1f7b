import { nodeKinds } from '../../templates/graph/nodes';
import { kindsMentioning } from '../../templates/graph/relationships';
import { Identity } from '../../model/shared-nodes';
import { type CatalogEntry, entry as entryOf } from '../clauses/catalog-entry';
import {
  namingLookups,
  nodesNamed,
  resourcesOfType,
  RESOURCES_BELOW,
  rowsReferring,
  rowsWithin,
  someRows,
  spellingsOf,
} from './standing-statements';

const entry = (title: string, text: string): CatalogEntry => entryOf(`Learn: ${title}`, text);

const rowKinds = nodeKinds.filter(({ keeper }) => keeper === 'row');

/** Every statement by which an increment learns what it needs to know of what stands. */
export const standingCatalog = (): readonly CatalogEntry[] => [
  ...rowKinds.flatMap((kind) => [
    ...namingLookups(kind).map((lookup) =>
      entry(`${kind.label} by ${lookup}`, nodesNamed(kind, lookup)),
    ),
    entry(`${kind.label}: within an application`, rowsWithin(kind)),
    entry(`${kind.label}: some keys`, someRows(kind)),
    entry(`${kind.label}: what some are called`, spellingsOf(kind)),
  ]),
  ...[...rowKinds, Identity].flatMap((node) =>
    kindsMentioning(node).map((kind) =>
      entry(
        `${node.label}: what refers to it by ${kind.from.label} ${kind.type} ${kind.to.label}`,
        rowsReferring(kind),
      ),
    ),
  ),
  entry('resources below some', RESOURCES_BELOW),
  entry('resources of a type that have an id', resourcesOfType(true)),
  entry('resources of a type that have none', resourcesOfType(false)),
];
