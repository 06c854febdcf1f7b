import { derivations, derivedTypesAt, management } from '../templates/graph/derivations';
import { nodeKinds } from '../templates/graph/nodes';
import { kindsMentioning, relationshipKinds } from '../templates/graph/relationships';
import { Tag } from '../model/shared-nodes';
import {
  DOUBTFUL_ACCOUNTS,
  LOCK_BINDING,
  TAKE_TURN,
  READ_TURNS,
  NOTE_BINDING_KINDS,
  LOCK_DATA_SOURCE,
  READ_BINDING_KINDS,
  READ_DATA_SOURCE,
  RECORD_DATA_SOURCE,
  RECORD_TYPES,
  UNMATCHED_CLOUD_ROLES,
  UNMATCHED_IDENTITIES,
} from './records/data-source-statements';
import { someRows } from './push/deletion-statements';
import {
  drawForAnswerers,
  drawForAskers,
  drawManagers,
  drawManagerTags,
  managedThrough,
  managersThrough,
  undrawManagerTagsAt,
  undrawAt,
  undrawForAnswerers,
  undrawForAskers,
  undrawManagers,
  undrawManagerTags,
} from './push/derivation-statements';
import {
  createMissing,
  createRowNodes,
  endVersions,
  proveRowNodes,
  removeNodes,
  standingHashes,
  standingNodes,
  updateLookups,
  updateRowNodes,
} from './push/node-statements';
import {
  createRelationships,
  removeMentions,
  removeOrphans,
  removeRelationships,
  updateRelationships,
} from './push/relationship-statements';
import { wholeRows } from './push/row-statements';
import { standingCatalog } from './push/standing-catalog';

import { BROUGHT_PROPERTY_NAMES, KNOWN_PROPERTY_NAMES } from './records/property-name-statements';
import { FIND_PUSH, PUSHES, somePage } from './records/timed-list-statements';
import { type CatalogEntry, entry } from './clauses/catalog-entry';
import { largePushCatalog } from './push/chunked-push-catalog';
import { KEEP_KNOWN_PAYLOAD, READ_KNOWN_PAYLOAD } from './records/payload-statements';
import { COMPARED_KINDS } from '../rows/look-alikes';
import { namedAlike } from './records/look-alike-statements';

/**
 * Every statement of the push line. Their texts are constant, so a reviewer who reads these has read
 * all.
 */
export const catalog = (): readonly CatalogEntry[] => [
  entry('Lock a data source', LOCK_DATA_SOURCE),
  entry('Read a data source', READ_DATA_SOURCE),
  entry('Take the derivation lock', LOCK_BINDING),
  entry('Count up the commit sequence', TAKE_TURN),
  entry('Read the commit sequence', READ_TURNS),
  entry('Read the newest full payload', READ_KNOWN_PAYLOAD),
  entry('Keep the newest full payload', KEEP_KNOWN_PAYLOAD),
  entry('Read which labels the graph has held', READ_BINDING_KINDS),
  entry('Note labels that the graph holds from now on', NOTE_BINDING_KINDS),
  ...nodeKinds
    .filter(({ keeper }) => keeper === 'row')
    .flatMap((kind) => [
      entry(`${kind.label}: hashes that stand`, standingHashes(kind)),
      entry(`${kind.label}: rows that stand`, wholeRows(kind)),
      entry(`${kind.label}: create`, createRowNodes(kind)),
      entry(`${kind.label}: keep versions that end`, endVersions(kind)),
      entry(`${kind.label}: change`, updateRowNodes(kind)),
      entry(`${kind.label}: write hashes`, proveRowNodes(kind)),
      entry(`${kind.label}: look-ups that follow`, updateLookups(kind)),
      entry(`${kind.label}: remove`, removeNodes(kind)),
    ]),
  ...nodeKinds
    .filter(({ keeper }) => keeper === 'shared')
    .flatMap((kind) => [
      entry(`${kind.label}: create`, createMissing(kind)),
      entry(
        `${kind.label}: remove those that nothing states`,
        removeOrphans(kind, kindsMentioning(kind)),
      ),
    ]),
  ...relationshipKinds.flatMap((kind) => {
    const title = `${kind.from.label} ${kind.type} ${kind.to.label}`;
    return [
      entry(`${title}: create`, createRelationships(kind)),
      entry(`${title}: change`, updateRelationships(kind)),
      entry(`${title}: remove`, removeRelationships(kind)),
      ...(kind.from.keeper === 'row' && kind.to.keeper === 'row'
        ? [entry(`${title}: remove at what is referred to`, removeMentions(kind))]
        : []),
    ];
  }),
  ...derivations.flatMap((derivation) => {
    const { type, asker, answerer, answers, isClaim } = derivation;
    return [false, ...(isClaim === true ? [true] : [])].flatMap((isTrusting) => {
      const title = `${type} of ${asker.label} and ${answerer.label}${isTrusting ? ', with trusts' : ''}`;
      return [
        entry(`${title}: draw for answerers`, drawForAnswerers(derivation, isTrusting)),
        ...answers.map((answer) =>
          entry(
            `${title}: draw for askers, by ${answer}`,
            drawForAskers(derivation, answer, isTrusting),
          ),
        ),
        entry(`${title}: remove for answerers`, undrawForAnswerers(derivation, isTrusting)),
        ...(asker.keeper === 'row'
          ? [entry(`${title}: remove for askers`, undrawForAskers(derivation, isTrusting))]
          : []),
      ];
    });
  }),
  ...management.managed.flatMap((managed) => [
    entry(`Managers of ${managed.label}: candidates by entity`, managedThrough(managed)),
    ...management.managers.flatMap((manager) =>
      [false, true].flatMap((isTrusting) => {
        const who = `${manager.label}${isTrusting ? ', with trusts' : ''}`;
        return [
          entry(
            `Managers of ${managed.label}: draw ${who}`,
            drawManagers(managed, manager, isTrusting),
          ),
          entry(
            `Managers of ${managed.label}: remove ${who}`,
            undrawManagers(managed, manager, isTrusting),
          ),
        ];
      }),
    ),
    entry(`Managers of ${managed.label}: tag`, drawManagerTags(managed)),
    entry(`Managers of ${managed.label}: untag`, undrawManagerTags(managed)),
    entry(`Managers of ${managed.label}: untag rows to remove`, undrawManagerTagsAt(managed)),
  ]),
  ...management.managers.map((manager) =>
    entry(`Managers: candidates by owner ${manager.label}`, managersThrough(manager)),
  ),
  ...undrawnAtRows().map(({ label, text }) =>
    entry(`${label}: remove derived relationships of rows to remove`, text),
  ),
  entry('Tag: those that exist', standingNodes(Tag)),
  entry('Identities by which nobody is known', UNMATCHED_IDENTITIES),
  entry('Employees without an account who have the id of a user', DOUBTFUL_ACCOUNTS),
  entry('Cloud roles that no role has', UNMATCHED_CLOUD_ROLES),
  ...COMPARED_KINDS.map((compared) =>
    entry(`${compared.kind.node.label}: names that stand`, namedAlike(compared)),
  ),
  entry('Record the result of a push', RECORD_DATA_SOURCE),
  entry('Record the types of a provider', RECORD_TYPES),
  entry('Names of properties that Neo4j knows', KNOWN_PROPERTY_NAMES),
  entry('Names of properties that data sources have brought', BROUGHT_PROPERTY_NAMES),
  ...nodeKinds
    .filter(({ keeper }) => keeper === 'row')
    .map((kind) => entry(`${kind.label}: some of a data source`, someRows(kind))),
  entry('Pushes, newest first', somePage(PUSHES, true)),
  entry('A push', FIND_PUSH),
  ...standingCatalog(),
  ...largePushCatalog(),
];

/** For each kind of row with derived relationships, the statement that removes these. */
const undrawnAtRows = (): readonly { label: string; text: string }[] =>
  nodeKinds
    .filter(({ keeper }) => keeper === 'row')
    .map((kind) => ({ kind, types: derivedTypesAt(kind) }))
    .filter(({ types }) => types.length > 0)
    .map(({ kind, types }) => ({ label: kind.label, text: undrawAt(kind, types) }));
