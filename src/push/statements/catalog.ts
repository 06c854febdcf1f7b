import { derivations, derivedTypesAt } from '../../templates/graph/derivations';
import { nodeKinds, sharedKinds } from '../../templates/graph/nodes';
import {
  kindsMentioning,
  oneOfEachType,
  relationshipKinds,
} from '../../templates/graph/relationships';
import { isVersioned, type NodeKind } from '../../model/table';
import { types } from '../../templates/relationship-type';
import {
  DOUBTFUL_ACCOUNTS,
  LOCK_BINDING,
  REMOVE_READ_COMMITS,
  FORGET_COMMITS,
  TAKE_TURN,
  TELL_ACCESS,
  READ_TURNS,
  NOTE_BINDING_KINDS,
  LOCK_DATA_SOURCE,
  READ_BINDING_KINDS,
  READ_DATA_SOURCE,
  RECORD_DATA_SOURCE,
  RECORD_TYPES,
  UNMATCHED_CLOUD_ROLES,
  UNMATCHED_IDENTITIES,
} from '../../graph/statements/data-source-statements';
import {
  DRAW_MANAGER_TAGS,
  drawForAnswerers,
  drawForAskers,
  drawManagers,
  MANAGED_THROUGH,
  MANAGERS_THROUGH,
  UNDRAW_MANAGER_TAGS,
  UNDRAW_MANAGER_TAGS_AT,
  undrawAt,
  undrawForAnswerers,
  undrawForAskers,
  undrawManagers,
} from '../../graph/rows/derivation-statements';
import {
  CREATE_MISSING,
  createRowNodes,
  END_VERSIONS,
  PROVE_ROW_NODES,
  REMOVE_NODES,
  STANDING_HASHES,
  STANDING_NODES,
  UPDATE_LOOKUPS,
  UPDATE_ROW_NODES,
} from '../../graph/rows/node-statements';
import {
  createRelationships,
  removeMentions,
  removeOrphans,
  removeRelationships,
  updateRelationships,
} from '../../graph/rows/relationship-statements';
import { wholeRows } from '../../graph/rows/row-statements';
import { existingCatalog } from '../../graph/rows/existing-catalog';
import { SOME_ROWS } from '../../graph/rows/existing-statements';
import {
  BROUGHT_PROPERTY_NAMES,
  KNOWN_PROPERTY_NAMES,
  KEEP_PROPERTY_NAMES,
} from './property-name-statements';
import { FIND_PUSH, PUSHES, somePage } from '../../graph/statements/timed-list-statements';
import { type CatalogEntry, entry } from '../../graph/statements/catalog-entry';
import { KEEP_KNOWN_PAYLOAD, READ_KNOWN_PAYLOAD } from './payload-statements';
import { COMPARED_KINDS } from '../../rows/look-alikes';
import { namedAlike } from './look-alike-statements';
import {
  COUNT_ROWS,
  DATA_SOURCES_OF,
  DELETING_DATA_SOURCES,
  DELETING_PROVIDERS,
  ERASE_HISTORY,
  MARK_DATA_SOURCE,
  MARK_PROVIDER,
  REMOVE_DATA_SOURCE,
  REMOVE_PROVIDER,
  REMOVE_PUSHES,
} from './deletion-statements';
import {
  BEGIN_CHUNK,
  BEGIN_LARGE_PUSH,
  COUNT_LARGE_PUSH,
  END_LARGE_PUSH,
  LARGE_PUSH_RUNNER,
  LARGE_PUSHES,
  LEAVE_HALF_WRITTEN,
  LOCK_LARGE_PUSH,
  POSTPONE_LARGE_PUSH,
  REPLACE_PUSH,
  TAKE_OVER_LARGE_PUSH,
  TELL_LARGE_PUSH,
} from './chunked-push-statements';

/** All statements of a chunked push, except those that write its rows. */
const largePushCatalog = (): readonly CatalogEntry[] => [
  entry('Lock a chunked push', LOCK_LARGE_PUSH),
  entry('Begin a chunked push', BEGIN_LARGE_PUSH),
  entry('Go on with a chunked push', TAKE_OVER_LARGE_PUSH),
  entry('Let nobody try a chunked push again for a while', POSTPONE_LARGE_PUSH),
  entry('Begin a chunk', BEGIN_CHUNK),
  entry('Who applies a chunked push', LARGE_PUSH_RUNNER),
  entry('Tell how far a chunked push is', TELL_LARGE_PUSH),
  entry('End a chunked push', END_LARGE_PUSH),
  entry('Count what a chunked push has written', COUNT_LARGE_PUSH),
  entry('Note that a failed push has written some rows', LEAVE_HALF_WRITTEN),
  entry('Note that a push is replaced', REPLACE_PUSH),
  entry('Large pushes that are not finished', LARGE_PUSHES),
];

/** The statements that delete data sources and providers with what they hold. */
const deletionCatalog = (): readonly CatalogEntry[] => [
  entry('Rows: count those of a data source', COUNT_ROWS),
  entry('Keep the names of properties of a data source that is deleted', KEEP_PROPERTY_NAMES),
  entry('Begin to delete a data source', MARK_DATA_SOURCE),
  entry('Begin to delete a provider', MARK_PROVIDER),
  entry('Data sources that are being deleted', DELETING_DATA_SOURCES),
  entry('Providers that are being deleted', DELETING_PROVIDERS),
  entry('Data sources of a provider', DATA_SOURCES_OF),
  ...ERASE_HISTORY.map((text, at) => entry(`Erase history of a data source, ${at + 1}`, text)),
  entry('Remove push records', REMOVE_PUSHES),
  entry('Remove a data source', REMOVE_DATA_SOURCE),
  entry('Remove a provider', REMOVE_PROVIDER),
];

const rowKinds = nodeKinds.filter(({ keeper }) => keeper === 'row');

const areRows = (...kinds: readonly NodeKind[]): boolean =>
  kinds.every(({ keeper }) => keeper === 'row');

/** By the types of derived relationships at kinds of rows, the statement that removes these. */
const undrawnAtRows = new Map(
  rowKinds
    .map(derivedTypesAt)
    .filter((types) => types.length > 0)
    .map((types) => [types.join(', '), undrawAt(types)] as const),
);

/**
 * Every statement of the push line. Their texts are constant, so a reviewer who reads these has read
 * all.
 */
export const catalog = (): readonly CatalogEntry[] => [
  entry('Lock a data source', LOCK_DATA_SOURCE),
  entry('Read a data source', READ_DATA_SOURCE),
  entry('Take the derivation lock', LOCK_BINDING),
  entry('Count up the commit sequence', TAKE_TURN),
  entry('Say what a commit changed in the access graph', TELL_ACCESS),
  entry('Remove records of commits that every process has read', REMOVE_READ_COMMITS),
  entry('Forget some records of commits', FORGET_COMMITS),
  entry('Read the commit sequence', READ_TURNS),
  entry('Read the newest full payload', READ_KNOWN_PAYLOAD),
  entry('Keep the newest full payload', KEEP_KNOWN_PAYLOAD),
  entry('Read which labels the graph has held', READ_BINDING_KINDS),
  entry('Note labels that the graph holds from now on', NOTE_BINDING_KINDS),
  entry('Rows: current hashes', STANDING_HASHES),
  ...rowKinds.flatMap((kind) => [
    entry(`${kind.label}: current rows`, wholeRows(kind)),
    entry(`${kind.label}: create`, createRowNodes(kind)),
  ]),
  entry('Rows: keep versions that end', END_VERSIONS),
  entry('Rows: change', UPDATE_ROW_NODES),
  entry('Rows: write hashes', PROVE_ROW_NODES),
  entry('Rows: look-ups that follow', UPDATE_LOOKUPS),
  entry('Rows: remove', REMOVE_NODES),
  entry('Rows: some of a label', SOME_ROWS),
  entry('Shared nodes: create', CREATE_MISSING),
  entry('Shared nodes: those that exist', STANDING_NODES),
  ...sharedKinds.map((kind) =>
    entry(
      `${kind.label}: remove those that nothing states`,
      removeOrphans(kind, kindsMentioning(kind)),
    ),
  ),
  entry('Relationships without properties: create', createRelationships(types.OF)),
  entry('Relationships with properties: create', createRelationships(types.OWNED_BY)),
  entry('Relationships to data sources: create', createRelationships(types.FROM)),
  ...oneOfEachType(relationshipKinds).flatMap((kind) => [
    ...(isVersioned(kind) ? [entry(`${kind.type}: change`, updateRelationships(kind))] : []),
    entry(`${kind.type}: remove`, removeRelationships(kind)),
  ]),
  ...oneOfEachType(relationshipKinds.filter(({ from, to }) => areRows(from, to))).map((kind) =>
    entry(`${kind.type}: remove at what is referred to`, removeMentions(kind)),
  ),
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
  entry('Managers: candidates by entity', MANAGED_THROUGH),
  entry('Managers: candidates by owner', MANAGERS_THROUGH),
  ...[false, true].flatMap((isTrusting) => {
    const how = isTrusting ? ', with trusts' : '';
    return [
      entry(`Managers: draw${how}`, drawManagers(isTrusting)),
      entry(`Managers: remove${how}`, undrawManagers(isTrusting)),
    ];
  }),
  entry('Managers: tag', DRAW_MANAGER_TAGS),
  entry('Managers: untag', UNDRAW_MANAGER_TAGS),
  entry('Managers: untag rows to remove', UNDRAW_MANAGER_TAGS_AT),
  ...[...undrawnAtRows].map(([types, text]) =>
    entry(`Rows to remove: remove derived ${types}`, text),
  ),
  entry('Identities by which nobody is known', UNMATCHED_IDENTITIES),
  entry('Employees without an account who have the id of a user', DOUBTFUL_ACCOUNTS),
  entry('Cloud roles that no role has', UNMATCHED_CLOUD_ROLES),
  ...COMPARED_KINDS.map((compared) =>
    entry(`${compared.kind.node.label}: current names`, namedAlike(compared)),
  ),
  entry('Record the result of a push', RECORD_DATA_SOURCE),
  entry('Record the types of a provider', RECORD_TYPES),
  entry('Names of properties that Neo4j knows', KNOWN_PROPERTY_NAMES),
  entry('Names of properties that data sources have brought', BROUGHT_PROPERTY_NAMES),
  entry('Pushes, newest first', somePage(PUSHES, true)),
  entry('A push', FIND_PUSH),
  ...existingCatalog(),
  ...largePushCatalog(),
  ...deletionCatalog(),
];
