import { nodeKinds } from '../../templates/graph/nodes';
import { kindsMentioning, longKindsOwnedBy } from '../../templates/graph/relationships';
import { Identity } from '../../model/shared-nodes';
import { type CatalogEntry, entry as entryOf } from '../clauses/catalog-entry';
import {
  listsOf,
  namingLookups,
  nodesNamed,
  resourcesOfType,
  RESOURCES_BELOW,
  rowsReferring,
  rowsWithin,
  someRows,
  spellingsOf,
} from './standing-statements';
import { standingRelationships } from './relationship-statements';
import { shortRows, wholeRows } from './row-statements';

const entry = (title: string, text: string): CatalogEntry => entryOf(`Increment: ${title}`, text);

const rowKinds = nodeKinds.filter(({ keeper }) => keeper === 'row');

/** Every statement with which an increment reads current rows. */
export const standingCatalog = (): readonly CatalogEntry[] => [
  ...rowKinds.flatMap((kind) => [
    ...namingLookups(kind).map((lookup) =>
      entry(`${kind.label} by ${lookup}`, nodesNamed(kind, lookup)),
    ),
    entry(`${kind.label}: within an application`, rowsWithin(kind)),
    entry(`${kind.label}: some keys`, someRows(kind)),
    entry(`${kind.label}: names of some`, spellingsOf(kind)),
  ]),
  ...[...rowKinds, Identity].flatMap((node) =>
    kindsMentioning(node).map((kind) =>
      entry(
        `${node.label}: rows that refer to it by ${kind.from.label} ${kind.type} ${kind.to.label}`,
        rowsReferring(kind),
      ),
    ),
  ),
  ...rowKinds.flatMap((node) => {
    const long = longKindsOwnedBy(node);
    return [
      ...(shortRows(node) === wholeRows(node)
        ? []
        : [entry(`${node.label}: rows without their long lists`, shortRows(node))]),
      ...long.flatMap((kind) => {
        const named = `${kind.from.label} ${kind.type} ${kind.to.label}`;
        return [
          entry(`${named}: those of these that stand`, standingRelationships(kind)),
          entry(`${named}: whole lists`, listsOf(kind)),
        ];
      }),
    ];
  }),
  entry('resources below others', RESOURCES_BELOW),
  entry('resources of a type, with an id', resourcesOfType(true)),
  entry('resources of a type, without an id', resourcesOfType(false)),
];
