import { derivations, derivedTypesAt, management } from '../templates/graph/derivations';
import { nodeKinds } from '../templates/graph/nodes';
import { kindsMentioning, relationshipKinds } from '../templates/graph/relationships';
import { Tag } from '../model/shared-nodes';
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
  DATA_SOURCES_OF,
  DELETING_DATA_SOURCES,
  DELETING_PROVIDERS,
  ERASE_HISTORY,
  MARK_DATA_SOURCE,
  MARK_PROVIDER,
  REMOVE_DATA_SOURCE,
  REMOVE_PROVIDER,
  REMOVE_PUSHES,
  someRows,
} from './push/deletion-statements';
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
  entry('Keep the names of properties of a data source that is deleted', KEEP_PROPERTY_NAMES),
  entry('Begin to delete a data source', MARK_DATA_SOURCE),
  entry('Begin to delete a provider', MARK_PROVIDER),
  entry('Data sources that are being deleted', DELETING_DATA_SOURCES),
  entry('Providers that are being deleted', DELETING_PROVIDERS),
  entry('Data sources of a provider', DATA_SOURCES_OF),
  ...nodeKinds
    .filter(({ keeper }) => keeper === 'row')
    .map((kind) => entry(`${kind.label}: some of a data source`, someRows(kind))),
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

/** For each kind of row with derived relationships, the statement that removes these. */
const undrawnAtRows = (): readonly { label: string; text: string }[] =>
  nodeKinds
    .filter(({ keeper }) => keeper === 'row')
    .map((kind) => ({ kind, types: derivedTypesAt(kind) }))
    .filter(({ types }) => types.length > 0)
    .map(({ kind, types }) => ({ label: kind.label, text: undrawAt(kind, types) }));
