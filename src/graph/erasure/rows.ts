import type { Difference, HashedRow } from '../../difference/difference';
import { DifferenceBuilder } from '../../difference/difference';
import { grouped } from '../../difference/grouped';
import { unescapePart } from '../../model/key';
import { CUSTOM_PREFIX } from '../../model/property-name';
import type { PersonNames } from '../../model/person-names';
import { CloudRole, ExternalEntity, Identity, Tag } from '../../model/shared-nodes';
import { hasProperties, type NodeKind } from '../../model/table';
import { lookupsOf } from '../../rows/row/lookups';
import { type PropertyValues, type Row, stated as statedAs, type Value } from '../../rows/row/row';
import { UNKNOWN_HASH } from '../../rows/row/row-hash';
import { AccessCredential } from '../../templates/application/access-credentials';
import { LocalAgent } from '../../templates/application/local-agents';
import { LocalGroup } from '../../templates/application/local-groups';
import { LocalModel } from '../../templates/application/local-models';
import { LocalRole } from '../../templates/application/local-roles';
import { Resource } from '../../templates/application/resources';
import { HrisGroup } from '../../templates/hris/hris-groups';
import { IdpApp } from '../../templates/identity-provider/apps';
import { IdpGroup } from '../../templates/identity-provider/groups';
import { sharedKinds } from '../../templates/graph/nodes';
import { kindsMentioning, relationshipKinds } from '../../templates/graph/relationships';
import { allRowKinds } from '../../templates/templates';
import {
  allReferring,
  nodesHolding,
  rowsStatingNames,
} from '../../translate/push/erasure-statements';
import { Pipeline } from '../connection/pipeline';
import type { Runner } from '../connection/transaction';
import { type DataSourceState, readState } from '../push/data-source-state';
import { graphKey, KEPT_BY_SERVICE, keysByKind, readRows } from '../write/current-rows';
import type { Person } from './person';

type Properties = Readonly<Record<string, unknown>>;

/** By what an entity is known. */
const OWN_NAMES = ['name', 'id', 'unique_id', 'identity'];

/** Kinds of entities that go if their own name is unmistakably the person's, such as a mailbox. */
const NAMED_AFTER: ReadonlySet<NodeKind> = new Set([
  ...[AccessCredential, LocalAgent, LocalGroup, LocalModel, LocalRole, Resource],
  ...[HrisGroup, IdpApp, IdpGroup],
]);

/** Their names and keys follow from what they are about. */
const FOLLOWING = new Set(['Grant', 'RoleAssignment']);

/** Properties without which an entity would not be what it is. They stay. */
const KEPT_PROPERTIES = new Set([
  ...OWN_NAMES,
  ...['path', 'resource_type', 'application', 'application_type', 'application_types'],
  ...['domain', 'idp_type', 'idp_name', 'system', 'hris_type', 'hris_name'],
  ...['permission_type', 'user_type', 'identity_type', 'source_identity_provider_type'],
  ...['employee_number', 'employment_status', 'first_name', 'last_name'],
]);

const KIND_OF: ReadonlyMap<string, NodeKind> = new Map(
  [...allRowKinds.map(({ node }) => node), ...sharedKinds].map((kind) => [kind.label, kind]),
);

const textIn = (properties: Properties, name: string): string | null => {
  const value = properties[name];
  return typeof value === 'string' ? value : null;
};

const ownNames = (properties: Properties): readonly string[] =>
  OWN_NAMES.flatMap((name) => textIn(properties, name) ?? []);

/** Whether an entity goes because it is named after the person. */
export const isNamedAfter = (
  label: string,
  properties: Properties,
  names: PersonNames,
): boolean => {
  const kind = KIND_OF.get(label);
  if (kind === undefined || !NAMED_AFTER.has(kind)) return false;
  if (kind === Resource && names.isInPath(textIn(properties, 'path') ?? '')) return true;
  return ownNames(properties).some((name) => names.isUnmistakablyIn(name));
};

/** Whether a shared node, as its key tells it, names the person. */
export const isSharedName = (key: string, names: PersonNames): boolean => {
  const [label, first = '', second = ''] = key.split('|').map(unescapePart);
  if (label === Tag.label) return names.isUnmistakablyIn(second);
  if (label === ExternalEntity.label) {
    const isPerson = first === 'localuser' || first === 'idpuser';
    return names.isUnmistakablyIn(second) || (isPerson && names.isOne(second));
  }
  if (label === Identity.label && names.isOne(first)) return true;
  return (label === Identity.label || label === CloudRole.label) && names.isUnmistakablyIn(first);
};

/** Whether a statement, as its key tells it, is about an identity that names the person. */
export const isHeldByName = (key: string, names: PersonNames): boolean => {
  const [, label = '', , type, holder = ''] = key.split('|').map(unescapePart);
  return FOLLOWING.has(label) && type === 'idp' && names.isIn(holder);
};

/** Properties that name a person. In others an ordinary word may mean anything. */
const REFERRING = new Set(['manager_id', 'source_identity']);

/** Whether a custom property of a statement, which stands in its key, holds a name. */
export const isToldApartByName = (properties: Properties, names: PersonNames): boolean => {
  const custom = Object.entries(properties).filter(([name]) => name.startsWith(CUSTOM_PREFIX));
  return custom.some(([, value]) =>
    [value].flat().some((text) => typeof text === 'string' && names.isUnmistakablyIn(text)),
  );
};

/** The properties without those that hold a name. A list keeps its other entries. */
export const withoutNames = <V>(
  properties: Readonly<Record<string, V>>,
  names: PersonNames,
  keeps: (name: string) => boolean = (name) => KEPT_PROPERTIES.has(name),
): Readonly<Record<string, V>> => {
  const left: Record<string, V> = {};
  let isSame = true;
  for (const [name, value] of Object.entries(properties)) {
    const isMeant = (text: string): boolean =>
      REFERRING.has(name) ? names.isIn(text) : names.isUnmistakablyIn(text);
    const cut = keeps(name) ? value : valueWithout(value, isMeant);
    isSame &&= cut === value;
    if (cut !== null) left[name] = cut;
  }
  if (isSame) return properties;
  if (left.source_identity === undefined) delete left.source_identity_provider_type;
  return left;
};

const valueWithout = <V>(value: V, isMeant: (text: string) => boolean): V | null => {
  if (typeof value === 'string') return isMeant(value) ? null : value;
  if (!Array.isArray(value)) return value;
  const left = value.filter((each) => typeof each !== 'string' || !isMeant(each));
  if (left.length === value.length) return value;
  return left.length === 0 ? null : (left as V);
};

/** The row without the person. `gone`: the keys of nodes that go, in the graph. */
const rowWithout = (
  row: Row,
  dataSource: string,
  names: PersonNames,
  gone: ReadonlySet<string>,
): Row => {
  const { kind, lookups, tags } = row;
  const properties: PropertyValues = FOLLOWING.has(kind.label)
    ? row.properties
    : withoutNames<Value>(row.properties, names);
  const relationships = row.relationships.flatMap((each) => {
    const end = each.kind.owner === 'from' ? each.kind.to : each.kind.from;
    if (gone.has(graphKey(dataSource, end, each.other))) return [];
    if (!hasProperties(each.kind)) return [each];
    const said = withoutNames<Value>(each.properties, names, () => false);
    if (said === each.properties) return [each];
    // Without what tells it apart it would be another relationship.
    if (each.kind.toldApartBy.some((name) => said[name] !== each.properties[name])) return [];
    return [statedAs(each.kind, each.other, said)];
  });
  const path = lookups.fold_id_path;
  return {
    ...row,
    properties,
    relationships,
    tags: tags.filter((tag) => !gone.has(tag)),
    ...(properties !== row.properties && {
      lookups: {
        ...lookupsOf(kind, properties),
        ...(path !== undefined && { fold_id_path: path }),
      },
    }),
  };
};

/** An entity that has the person's name and stays, since it is something else. */
export interface KeptName {
  readonly key: string;
  readonly label: string;
  readonly name: string | null;
}

/** What goes and changes in one data source. */
export interface ErasedRows {
  readonly state: DataSourceState;
  readonly difference: Difference;
}

/** What goes and changes in the graph of now. */
export interface ErasedNow {
  readonly rows: readonly ErasedRows[];
  /** Keys of all nodes that go, shared ones too. */
  readonly gone: ReadonlySet<string>;
  readonly kept: readonly KeptName[];
}

/** Finds what of the graph of now goes with a person (docs/rules.md: Erasing a person). */
export const findRows = async (tx: Runner, person: Person): Promise<ErasedNow> => {
  const { names } = person;
  const pipeline = new Pipeline(tx);
  const removed = new Set(
    [...person.standing].filter((key) => !key.startsWith(`${Identity.label}|`)),
  );
  const gone = new Set(person.keys);
  const changed = new Set<string>();
  const kept: KeptName[] = [];
  const parameters = { names: names.spellings };
  for (const kind of allRowKinds.map(({ node }) => node)) {
    const records = await pipeline.one<{ key: string; properties: Properties }>(
      nodesHolding(kind),
      parameters,
    );
    for (const record of records) {
      const [key, properties] = [record.get('key'), record.get('properties')];
      if (removed.has(key)) continue;
      if (isNamedAfter(kind.label, properties, names)) {
        removed.add(key);
        gone.add(key);
        continue;
      }
      changed.add(key);
      // An assignment is told apart by its custom properties.
      const hasName = FOLLOWING.has(kind.label)
        ? isToldApartByName(properties, names)
        : ownNames(properties).some((name) => names.isIn(name));
      if (hasName) kept.push({ key, label: kind.label, name: textIn(properties, 'name') });
    }
  }
  for (const kind of sharedKinds) {
    const records = await pipeline.one<{ key: string }>(nodesHolding(kind), parameters);
    for (const record of records) {
      if (isSharedName(record.get('key'), names)) gone.add(record.get('key'));
    }
  }
  for (const kind of relationshipKinds.filter(hasProperties)) {
    const records = await pipeline.one<{ key: string }>(rowsStatingNames(kind), parameters);
    for (const record of records) changed.add(record.get('key'));
  }
  await findReferring(pipeline, gone, removed, changed);
  for (const key of removed) changed.delete(key);
  return {
    rows: await differences(tx, names, gone, removed, changed),
    gone,
    kept: kept.filter(({ key }) => !removed.has(key)),
  };
};

const labelOf = (key: string): string => {
  const [first = '', second = ''] = key.split('|', 2);
  return KIND_OF.has(first) ? first : second;
};

/** Whether the row goes with the other end of a relationship, or only the relationship does. */
const goesWith = (type: string, kind: NodeKind): boolean =>
  type === 'HOLDS' ||
  (type === 'OF' && FOLLOWING.has(kind.label)) ||
  (type === 'CONTAINS' && kind === Resource);

const findReferring = async (
  pipeline: Pipeline,
  gone: Set<string>,
  removed: Set<string>,
  changed: Set<string>,
): Promise<void> => {
  let frontier = [...gone];
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const [label, keys] of grouped(frontier, labelOf)) {
      const node = KIND_OF.get(label);
      if (node === undefined) continue;
      for (const kind of kindsMentioning(node)) {
        const owner = kind[kind.owner];
        const records = await pipeline.ask<{ found: [string, string][] }>(
          allReferring(kind),
          'keys',
          keys,
        );
        for (const [, row] of records.flatMap((record) => record.get('found'))) {
          if (!goesWith(kind.type, owner)) changed.add(row);
          else if (!removed.has(row)) {
            removed.add(row);
            gone.add(row);
            next.push(row);
          }
        }
      }
    }
    frontier = next;
  }
};

const ID_LENGTH = 36;

const differences = async (
  tx: Runner,
  names: PersonNames,
  gone: ReadonlySet<string>,
  removed: ReadonlySet<string>,
  changed: ReadonlySet<string>,
): Promise<readonly ErasedRows[]> => {
  const found: ErasedRows[] = [];
  const sources = grouped([...removed, ...changed], (key) => key.slice(0, ID_LENGTH));
  for (const id of [...sources.keys()].sort()) {
    const state = await readState(tx, id);
    const local = (sources.get(id) ?? []).map((key) => key.slice(ID_LENGTH + 1));
    const rows = await readRows(tx, id, keysByKind(state.provider.template, local));
    const builder = new DifferenceBuilder();
    for (const hashed of [...rows.values()].sort((a, b) => (a.row.key < b.row.key ? -1 : 1))) {
      if (removed.has(graphKey(id, hashed.row.kind, hashed.row.key))) builder.remove(hashed);
      else builder.change(hashed, rowWithout(hashed.row, id, names, gone));
    }
    const { difference } = builder;
    if (difference.changed.length + difference.removed.length + difference.followed.length > 0) {
      found.push({ state, difference: withUnknown(difference) });
    }
  }
  return found;
};

/** A row of which nobody knows whether it is complete stays so. */
const withUnknown = (difference: Difference): Difference => ({
  ...difference,
  changed: difference.changed.map((row) =>
    row.before.hash === UNKNOWN_HASH ? { ...row, after: unknown(row.after) } : row,
  ),
});

const unknown = ({ row }: HashedRow): HashedRow => ({ row, hash: UNKNOWN_HASH });

/** Whether a property of a past fact belongs to the fact itself. */
export const isKept = (name: string): boolean =>
  KEPT_PROPERTIES.has(name) || KEPT_BY_SERVICE.has(name);
