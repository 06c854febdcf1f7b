import type { Doubt } from '../../contract/answers/erasure';
import type { Difference, HashedRow } from '../../difference/difference';
import { DifferenceBuilder } from '../../difference/difference';
import { grouped } from '../../difference/grouped';
import { unescapePart } from '../../model/key';
import { CUSTOM_PREFIX } from '../../model/property-name';
import { PersonNames } from '../../model/person-names';
import { CloudRole, ExternalEntity, Identity, Tag } from '../../model/shared-nodes';
import { hasProperties, type Names, type NodeKind, type RelationshipKind } from '../../model/table';
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
  allNodes,
  allReferring,
  allStated,
  RESOLVED_TO,
} from '../../translate/push/erasure-statements';
import { Pipeline } from '../connection/pipeline';
import type { Runner } from '../connection/transaction';
import { type DataSourceState, readState } from '../push/data-source-state';
import { graphKey, KEPT_BY_SERVICE, keysByKind, readRows } from '../write/current-rows';
import type { Decisions, Doubtful } from './doubt';
import type { NamesHere, Place } from './names';
import type { Person } from './person';
import { nanosAt, overlapsAny, type Span } from './span';

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

/** What makes an entity what it is, and stays. */
const STAYS: readonly Names[] = ['id', 'title', 'structure', 'part', 'called', 'nobody'];
/** By what people and groups are known. Where others have a name of the person, it is theirs. */
const KNOWN_BY: readonly Names[] = ['id', 'login', 'display', 'address', 'account'];

const KIND_OF: ReadonlyMap<string, NodeKind> = new Map(
  [...allRowKinds.map(({ node }) => node), ...sharedKinds].map((kind) => [kind.label, kind]),
);

/** Whether a property of an entity stays: it makes the entity what it is, or belongs to the service. */
export const isKept = (label: string, property: string): boolean => {
  if (KEPT_BY_SERVICE.has(property) || property.startsWith('fold_')) return true;
  if (OWN_NAMES.includes(property)) return true;
  const declared = KIND_OF.get(label)?.properties[property];
  return declared !== undefined && STAYS.includes(declared.names);
};

const isKnownBy = (label: string, property: string): boolean => {
  const declared = KIND_OF.get(label)?.properties[property];
  return declared !== undefined && KNOWN_BY.includes(declared.names);
};

const textIn = (properties: Properties, name: string): string | null => {
  const value = properties[name];
  return typeof value === 'string' ? value : null;
};

const ownNames = (properties: Properties): readonly string[] =>
  OWN_NAMES.flatMap((name) => textIn(properties, name) ?? []);

/** Whether an entity is named after the person. */
export const isNamedAfter = (
  label: string,
  properties: Properties,
  names: PersonNames,
): boolean => {
  if (!mayBeNamedAfter(label)) return false;
  const kind = KIND_OF.get(label);
  if (kind === Resource && names.isInPath(textIn(properties, 'path') ?? '')) return true;
  return ownNames(properties).some((name) => names.isUnmistakablyIn(name));
};

const mayBeNamedAfter = (label: string): boolean => {
  const kind = KIND_OF.get(label);
  return kind !== undefined && NAMED_AFTER.has(kind);
};

/** Whether a shared node, as its key tells it, names the person. Who an identity is, ties tell. */
export const isSharedName = (key: string, names: PersonNames): boolean => {
  const [label, first = '', second = ''] = key.split('|').map(unescapePart);
  if (label === Tag.label || label === ExternalEntity.label) return names.isUnmistakablyIn(second);
  return label === CloudRole.label && names.isUnmistakablyIn(first);
};

/** Properties that name a person. In others an ordinary word may mean anything. */
const REFERRING = 'manager_id';

/** Whether a custom property of a statement, which stands in its key, holds a name. */
export const isToldApartByName = (properties: Properties, names: PersonNames): boolean => {
  const custom = Object.entries(properties).filter(([name]) => name.startsWith(CUSTOM_PREFIX));
  return custom.some(([, value]) =>
    [value].flat().some((text) => typeof text === 'string' && names.isUnmistakablyIn(text)),
  );
};

/** Whether a text, which is the value of a property, means the person. */
const isMeant = (property: string, text: string, { certain, display }: NamesHere): boolean =>
  property === REFERRING
    ? certain.isIn(text)
    : certain.isUnmistakablyIn(text) || display.isUnmistakablyIn(text);

/** The properties without those that hold a name. A list keeps its other entries. */
export const withoutNames = <V>(
  properties: Readonly<Record<string, V>>,
  here: NamesHere,
  keeps: (name: string) => boolean,
): Readonly<Record<string, V>> => {
  const left: Record<string, V> = {};
  let isSame = true;
  for (const [name, value] of Object.entries(properties)) {
    const cut = keeps(name) ? value : valueWithout(value, (text) => isMeant(name, text, here));
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

const NOT_ANY = new PersonNames([]);

/** Why a row or a version of one is perhaps the person's; `null` if nothing says so. */
export const doubtOf = (
  label: string,
  properties: Properties,
  { display, foreign }: NamesHere,
): 'SAME_NAME' | 'MENTIONS' | null => {
  if (isNamedAfter(label, properties, display) || isNamedAfter(label, properties, foreign)) {
    return 'SAME_NAME';
  }
  if (FOLLOWING.has(label)) return null;
  const elsewhere = { certain: foreign, display: NOT_ANY, foreign };
  const isOwnName = (name: string): boolean => isKept(label, name) || isKnownBy(label, name);
  return withoutNames(properties, elsewhere, isOwnName) === properties ? null : 'MENTIONS';
};

/** What is certain about keys and names, for the rows of all data sources. */
interface Certain {
  readonly person: Person;
  readonly decisions: Decisions;
  /** Keys of nodes that go, each with the times when it was somebody else's. */
  readonly gone: ReadonlyMap<string, readonly Span[]>;
  /** Rows that lose all names, doubtful ones too. */
  readonly wholly: ReadonlySet<string>;
}

/** The names that a row may hold. */
const namesOf = (
  key: string,
  row: Pick<Row, 'properties'>,
  since: bigint,
  of: Certain,
): NamesHere => {
  if (of.decisions.isLeft(key)) return { certain: NOT_ANY, display: NOT_ANY, foreign: NOT_ANY };
  if (of.wholly.has(key))
    return { certain: of.person.names.all, display: NOT_ANY, foreign: NOT_ANY };
  return of.person.names.at(placeOf(key, row.properties), { from: since, until: null });
};

/** The place of a row. */
export const placeOf = (key: string, properties: Properties): Place => ({
  dataSource: key.slice(0, ID_LENGTH),
  application: textIn(properties, 'application'),
});

/** The row without the person. */
const rowWithout = (row: Row, dataSource: string, since: bigint, of: Certain): Row => {
  const { kind, lookups, tags } = row;
  const here = namesOf(graphKey(dataSource, kind, row.key), row, since, of);
  const isGone = (key: string): boolean => {
    const taken = of.gone.get(key);
    if (taken !== undefined) return !overlapsAny({ from: since, until: null }, taken);
    return (
      !of.decisions.isLeft(key) &&
      (isSharedName(key, here.certain) || isSharedName(key, here.display))
    );
  };
  const properties: PropertyValues = FOLLOWING.has(kind.label)
    ? row.properties
    : withoutNames<Value>(row.properties, here, (name) => isKept(kind.label, name));
  const relationships = row.relationships.flatMap((each) => {
    const end = each.kind.owner === 'from' ? each.kind.to : each.kind.from;
    if (isGone(graphKey(dataSource, end, each.other))) return [];
    if (!hasProperties(each.kind)) return [each];
    const said = withoutNames<Value>(each.properties, here, () => false);
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
    tags: tags.filter((tag) => !isGone(tag)),
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
  /** Keys of all nodes that go, shared ones too, with the times when they were somebody else's. */
  readonly gone: ReadonlyMap<string, readonly Span[]>;
  readonly kept: readonly KeptName[];
  readonly doubtful: readonly Doubtful[];
}

/** Finds what of the graph of now goes with a person (docs/rules.md: Erasing a person). */
class RowSearch {
  private readonly pipeline: Pipeline;
  private readonly removed: Set<string>;
  private readonly gone: Map<string, readonly Span[]>;
  private readonly changed = new Set<string>();
  private readonly wholly = new Set<string>();
  private readonly since = new Map<string, bigint>();
  private readonly kept = new Map<string, KeptName>();
  private readonly doubts: Map<string, Doubtful>;
  /** When addresses of the person were somebody else's. */
  private readonly others: readonly Span[];
  /** Shared nodes in whose names a name is. */
  private readonly mentioned = new Set<string>();

  constructor(
    private readonly tx: Runner,
    private readonly person: Person,
    private readonly decisions: Decisions,
  ) {
    this.pipeline = new Pipeline(tx);
    this.removed = new Set(
      [...person.standing].filter((key) => !key.startsWith(`${Identity.label}|`)),
    );
    this.gone = new Map([...person.keys].map((key) => [key, person.taken.get(key) ?? []]));
    this.others = person.names.takenBefore;
    this.doubts = new Map(person.doubtful.map((one) => [one.key, one]));
  }

  async find(): Promise<ErasedNow> {
    for (const kind of allRowKinds.map(({ node }) => node)) await this.readKind(kind);
    for (const kind of sharedKinds) await this.readShared(kind);
    for (const kind of relationshipKinds.filter(hasProperties)) await this.readStated(kind);
    await this.findResolved();
    await this.findReferring();
    for (const key of this.mentioned) await this.refer([key], () => false, []);
    for (const key of this.removed) this.changed.delete(key);
    const isThere = ({ key }: KeptName): boolean => !this.removed.has(key) && !this.gone.has(key);
    return {
      rows: await differences(this.tx, this, this.removed, this.changed, this.since),
      gone: this.gone,
      kept: [...this.kept.values()].filter(isThere),
      doubtful: [...this.doubts.values()].filter(isThere),
    };
  }

  get certain(): Certain {
    const { person, decisions, gone, wholly } = this;
    return { person, decisions, gone, wholly };
  }

  private doubt(key: string, label: string, properties: Properties, reason: Doubt): void {
    if (this.doubts.has(key)) return;
    this.doubts.set(key, { key, label, name: textIn(properties, 'name'), reason });
  }

  /** `taken`: when it was somebody else's, as it may be where an address was. */
  private remove(key: string, taken: readonly Span[] = this.others): void {
    this.removed.add(key);
    this.gone.set(key, taken);
  }

  private async readKind({ label }: NodeKind): Promise<void> {
    for await (const record of this.tx.stream(allNodes({ label }))) {
      const key = String(record.get('key'));
      if (this.removed.has(key)) continue;
      this.readRow(key, label, record.get('properties') as Properties);
    }
  }

  private readRow(key: string, label: string, properties: Properties): void {
    const since = nanosAt(properties.since);
    this.since.set(key, since);
    const { names } = this.person;
    const here = names.at(placeOf(key, properties), { from: since, until: null });
    const { decisions } = this;
    if (isNamedAfter(label, properties, here.certain)) {
      if (decisions.stays(key)) this.keep(key, label, properties);
      else this.remove(key);
      return;
    }
    if (this.isAlike(label, properties, here)) {
      if (decisions.goes(key)) this.remove(key);
      else this.doubt(key, label, properties, 'SAME_NAME');
    }
    const isFollowing = FOLLOWING.has(label);
    const holds = (text: string): boolean =>
      here.certain.isUnmistakablyIn(text) || here.display.isUnmistakablyIn(text);
    const own = isFollowing
      ? isToldApartByName(properties, here.certain) || isToldApartByName(properties, here.display)
      : ownNames(properties).some((name) => here.certain.isIn(name) || here.display.isIn(name)) ||
        keptTexts(label, properties).some(holds);
    if (own) this.keep(key, label, properties);
    if (isFollowing) return;
    if (withoutNames(properties, here, (name) => isKept(label, name)) !== properties) {
      if (decisions.stays(key)) this.keep(key, label, properties);
      else this.changed.add(key);
    }
    if (doubtOf(label, properties, here) === 'MENTIONS') {
      if (!decisions.goes(key)) this.doubt(key, label, properties, 'MENTIONS');
      else {
        this.wholly.add(key);
        this.changed.add(key);
      }
    }
  }

  private keep(key: string, label: string, properties: Properties): void {
    if (!this.doubts.has(key)) this.kept.set(key, { key, label, name: textIn(properties, 'name') });
  }

  /** Whether an entity has a name that others may have too. */
  private isAlike(label: string, properties: Properties, here: NamesHere): boolean {
    if (!mayBeNamedAfter(label)) return false;
    if (isNamedAfter(label, properties, here.display)) return true;
    if (isNamedAfter(label, properties, here.foreign)) return true;
    const name = textIn(properties, 'name') ?? '';
    return /\p{L}/u.test(name) && this.person.names.all.isOne(name);
  }

  private async readShared({ label }: NodeKind): Promise<void> {
    const { names } = this.person;
    const anywhere = names.at({ dataSource: '', application: null }, { from: 0n, until: null });
    for await (const record of this.tx.stream(allNodes({ label }))) {
      const key = String(record.get('key'));
      if (this.gone.has(key)) continue;
      const properties = record.get('properties') as Properties;
      if (label === Identity.label) {
        if (!anywhere.certain.isUnmistakablyIn(textIn(properties, 'name') ?? '')) continue;
      } else if (!isSharedName(key, names.all)) continue;
      else this.mentioned.add(key);
      if (isSharedName(key, anywhere.certain)) {
        if (this.decisions.stays(key)) this.keep(key, label, properties);
      } else if (this.decisions.goes(key)) this.gone.set(key, []);
      else this.doubt(key, label, properties, 'SAME_NAME');
    }
  }

  private async readStated(kind: RelationshipKind): Promise<void> {
    for await (const record of this.tx.stream(allStated(kind))) {
      const key = String(record.get('key'));
      if (this.changed.has(key) || this.removed.has(key)) continue;
      const texts = Object.values(record.get('properties') as Properties).flat();
      const { all } = this.person.names;
      if (texts.some((text) => typeof text === 'string' && all.isUnmistakablyIn(text))) {
        this.changed.add(key);
      }
    }
  }

  /** External entities that are the person and nobody else go too. */
  private async findResolved(): Promise<void> {
    const found = await this.pipeline.ask<{ entity: string; ends: string[] }>(RESOLVED_TO, 'keys', [
      ...this.person.standing,
    ]);
    for (const record of found) {
      const [entity, ends] = [record.get('entity'), record.get('ends')];
      if (!ends.every((end) => this.person.keys.has(end))) continue;
      if (!this.decisions.stays(entity)) this.gone.set(entity, []);
    }
  }

  private async findReferring(): Promise<void> {
    let frontier = [...this.gone.keys()];
    while (frontier.length > 0) {
      const next: string[] = [];
      await this.refer(frontier, goesWith, next);
      frontier = next;
    }
  }

  private async refer(
    frontier: readonly string[],
    goes: typeof goesWith,
    next: string[],
  ): Promise<void> {
    for (const [label, keys] of grouped(frontier, labelOf)) {
      const node = KIND_OF.get(label);
      if (node === undefined) continue;
      for (const kind of kindsMentioning(node)) {
        const owner = kind[kind.owner];
        const records = await this.pipeline.ask<{ found: [string, string, unknown][] }>(
          allReferring(kind),
          'keys',
          [...keys],
        );
        for (const [end, row, at] of records.flatMap((record) => record.get('found'))) {
          const since = nanosAt(at);
          this.since.set(row, since);
          // What somebody else had by it stays.
          const isTaken = overlapsAny({ from: since, until: null }, this.gone.get(end) ?? []);
          if (isTaken) {
            const name = end.slice(end.indexOf('|') + 1);
            if (!this.doubts.has(end)) this.kept.set(`${end}|`, { key: end, label, name });
          } else if (!goes(kind.type, owner)) this.changed.add(row);
          else if (!this.removed.has(row)) {
            this.remove(row, this.gone.get(end));
            next.push(row);
          }
        }
      }
    }
  }
}

/** Finds what of the graph of now goes with a person (docs/rules.md: Erasing a person). */
export const findRows = (tx: Runner, person: Person, decisions: Decisions): Promise<ErasedNow> =>
  new RowSearch(tx, person, decisions).find();

const labelOf = (key: string): string => {
  const [first = '', second = ''] = key.split('|', 2);
  return KIND_OF.has(first) ? first : second;
};

/** Whether the row goes with the other end of a relationship, or only the relationship does. */
const goesWith = (type: string, kind: NodeKind): boolean =>
  type === 'HOLDS' ||
  (type === 'OF' && FOLLOWING.has(kind.label)) ||
  (type === 'CONTAINS' && kind === Resource);

const ID_LENGTH = 36;

const differences = async (
  tx: Runner,
  { certain }: { readonly certain: Certain },
  removed: ReadonlySet<string>,
  changed: ReadonlySet<string>,
  since: ReadonlyMap<string, bigint>,
): Promise<readonly ErasedRows[]> => {
  const found: ErasedRows[] = [];
  const sources = grouped([...removed, ...changed], (key) => key.slice(0, ID_LENGTH));
  for (const id of [...sources.keys()].sort()) {
    const state = await readState(tx, id);
    const local = (sources.get(id) ?? []).map((key) => key.slice(ID_LENGTH + 1));
    const rows = await readRows(tx, id, keysByKind(state.provider.template, local));
    const builder = new DifferenceBuilder();
    for (const hashed of [...rows.values()].sort((a, b) => (a.row.key < b.row.key ? -1 : 1))) {
      const key = graphKey(id, hashed.row.kind, hashed.row.key);
      if (removed.has(key)) builder.remove(hashed);
      else builder.change(hashed, rowWithout(hashed.row, id, since.get(key) ?? 0n, certain));
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

/** Texts that make an entity what it is, beside its own names. */
const keptTexts = (label: string, properties: Properties): readonly string[] =>
  Object.entries(properties).flatMap(([name, value]) =>
    isKept(label, name) &&
    !OWN_NAMES.includes(name) &&
    !KEPT_BY_SERVICE.has(name) &&
    !name.startsWith('fold_')
      ? [value].flat().filter((text) => typeof text === 'string')
      : [],
  );
