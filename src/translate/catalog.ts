import { derivations, derivedTypesAt } from '../templates/graph/derivations';
import { nodeKinds, sharedKinds } from '../templates/graph/nodes';
import {
  kindsMentioning,
  oneOfEachType,
  relationshipKinds,
} from '../templates/graph/relationships';
import { isVersioned, type NodeKind } from '../model/table';
import { types } from '../templates/relationship-type';
import {
  ALLOW_REMOVAL,
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
} from './push/deletion-statements';
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
} from './push/derivation-statements';
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
import { SOME_ROWS } from './push/standing-statements';

import {
  LOCK_EVENT_ORDER,
  NEWEST_PLACE,
  PLACE_EVENTS,
  placedEvents,
} from './records/event-stream-statements';
import {
  BROUGHT_PROPERTY_NAMES,
  KEEP_PROPERTY_NAMES,
  KNOWN_PROPERTY_NAMES,
} from './records/property-name-statements';
import {
  OLD_PUSHES,
  REMOVE_OLD_EVENTS,
  REMOVE_OLD_HISTORY,
  REMOVE_OLD_PUSHES,
  SHORTEN_HISTORY,
} from './records/retention-statements';
import {
  EVENTS,
  EVENTS_OF_PROVIDERS,
  FIND_PUSH,
  PUSHES,
  somePage,
} from './records/timed-list-statements';
import {
  END_UPLOAD,
  KEEP_UPLOAD_PART,
  KEEP_UPLOAD_SLICE,
  LOCK_UPLOAD,
  OLD_UPLOADS,
  OPEN_UPLOAD,
  OPEN_UPLOADS,
  RETAIN_UPLOAD,
  REMOVE_UPLOAD,
  REMOVE_UPLOAD_PARTS,
  REMOVE_UPLOAD_SLICES,
  START_UPLOAD,
  UPLOAD_PARTS,
  UPLOAD_SLICE,
  UPLOADS_OF,
} from './records/upload-statements';
import { type CatalogEntry, entry } from './clauses/catalog-entry';
import { LOCK_PROVIDER } from './clauses/provider-lock';
import { largePushCatalog } from './push/chunked-push-catalog';
import { erasureCatalog } from './push/erasure-catalog';
import { KEEP_KNOWN_PAYLOAD, READ_KNOWN_PAYLOAD } from './records/payload-statements';
import { COMPARED_KINDS } from '../rows/look-alikes';
import { namedAlike } from './records/look-alike-statements';
import { STANDING_ACCOUNTS, STANDING_GROUPS } from './records/scim-import-statements';
import { LOCK_PROVIDERS, READ_PROVIDERS, SET_TRUST } from './records/trust-statements';
import { scimCatalog } from './records/scim-directory-statements';
import { verificationCatalog } from './upkeep/verification-catalog';

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
 * Every statement that pushes, deletions, uploads, and the lists of events and pushes run. Their
 * texts are constant, so a reviewer who reads these has read all.
 */
export const catalog = (): readonly CatalogEntry[] => [
  entry('Lock a data source', LOCK_DATA_SOURCE),
  entry('Read a data source', READ_DATA_SOURCE),
  entry('Let the removal guard pass the next push', ALLOW_REMOVAL),
  entry('Take the derivation lock', LOCK_BINDING),
  entry('Count up the commit sequence', TAKE_TURN),
  entry('Read the commit sequence', READ_TURNS),
  entry('Read the newest full payload', READ_KNOWN_PAYLOAD),
  entry('Read the groups of imported accounts', STANDING_ACCOUNTS),
  entry('Read the members of imported groups', STANDING_GROUPS),
  entry('Keep the newest full payload', KEEP_KNOWN_PAYLOAD),
  entry('Read which labels the graph has held', READ_BINDING_KINDS),
  entry('Note labels that the graph holds from now on', NOTE_BINDING_KINDS),
  entry('Rows: hashes that stand', STANDING_HASHES),
  ...rowKinds.flatMap((kind) => [
    entry(`${kind.label}: rows that stand`, wholeRows(kind)),
    entry(`${kind.label}: create`, createRowNodes(kind)),
  ]),
  entry('Rows: keep versions that end', END_VERSIONS),
  entry('Rows: change', UPDATE_ROW_NODES),
  entry('Rows: write hashes', PROVE_ROW_NODES),
  entry('Rows: look-ups that follow', UPDATE_LOOKUPS),
  entry('Rows: remove', REMOVE_NODES),
  entry('Rows: some of a label', SOME_ROWS),
  entry('Rows: count those of a data source', COUNT_ROWS),
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
    entry(`${compared.kind.node.label}: names that stand`, namedAlike(compared)),
  ),
  entry('Record the result of a push', RECORD_DATA_SOURCE),
  entry('Record the types of a provider', RECORD_TYPES),
  entry('Names of properties that Neo4j knows', KNOWN_PROPERTY_NAMES),
  entry('Names of properties that data sources have brought', BROUGHT_PROPERTY_NAMES),
  entry('Keep the names of properties of a data source that is deleted', KEEP_PROPERTY_NAMES),
  entry('Begin to delete a data source', MARK_DATA_SOURCE),
  entry('Begin to delete a provider', MARK_PROVIDER),
  entry('Data sources that are being deleted', DELETING_DATA_SOURCES),
  entry('Providers that are being deleted', DELETING_PROVIDERS),
  entry('Data sources of a provider', DATA_SOURCES_OF),
  ...ERASE_HISTORY.map((text, at) => entry(`Erase history of a data source, ${at + 1}`, text)),
  entry('Remove push records', REMOVE_PUSHES),
  entry('Remove a data source', REMOVE_DATA_SOURCE),
  entry('Lock a provider', LOCK_PROVIDER),
  entry('Remove a provider', REMOVE_PROVIDER),
  entry('Events, newest first', somePage(EVENTS, true)),
  entry('Events, oldest first', somePage(EVENTS, false)),
  entry('Events of some providers, newest first', somePage(EVENTS_OF_PROVIDERS, true)),
  entry('Remove old events', REMOVE_OLD_EVENTS),
  entry('Note from when on the history is whole', SHORTEN_HISTORY),
  ...REMOVE_OLD_HISTORY.map((text, at) => entry(`Remove old history, ${at + 1}`, text)),
  entry('Find old records of pushes', OLD_PUSHES),
  entry('Remove old records of pushes', REMOVE_OLD_PUSHES),
  entry('The newest place in the live stream', NEWEST_PLACE),
  entry('Lock the places of events', LOCK_EVENT_ORDER),
  entry('Give events their places', PLACE_EVENTS),
  entry('Events by their places', placedEvents([], false)),
  entry('Events of some providers by their places', placedEvents([], true)),
  entry('Pushes, newest first', somePage(PUSHES, true)),
  entry('A push', FIND_PUSH),
  entry('Begin an upload', START_UPLOAD),
  entry('Open uploads', OPEN_UPLOADS),
  entry('Lock an upload', LOCK_UPLOAD),
  entry('Received parts of an upload', UPLOAD_PARTS),
  entry('Keep a part', KEEP_UPLOAD_PART),
  entry('Keep a slice of a part', KEEP_UPLOAD_SLICE),
  entry('A slice of a part', UPLOAD_SLICE),
  entry('Whether an upload is open', OPEN_UPLOAD),
  entry('End an upload', END_UPLOAD),
  entry('Keep an upload until it is ended', RETAIN_UPLOAD),
  entry('Uploads that may be removed', OLD_UPLOADS),
  entry('Uploads of a data source', UPLOADS_OF),
  entry('Remove slices of an upload', REMOVE_UPLOAD_SLICES),
  entry('Remove parts of an upload', REMOVE_UPLOAD_PARTS),
  entry('Remove an upload', REMOVE_UPLOAD),
  entry('Read what providers may claim', READ_PROVIDERS),
  entry('Lock providers', LOCK_PROVIDERS),
  entry('Set what a provider may claim', SET_TRUST),
  ...scimCatalog(),
  ...standingCatalog(),
  ...largePushCatalog(),
  ...erasureCatalog(),
  ...verificationCatalog(),
];
