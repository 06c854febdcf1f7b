import { grouped } from '../../../model/grouped';
import { foldedLookups } from '../../../model/folded-texts';
import { ERASED, PersonNames } from '../../../model/person-names';
import { PastNode, PastRelationship } from '../../../model/past-facts';
import { Event, Push } from '../../../model/service-nodes';
import type { NodeKind, Property } from '../../../model/table';
import {
  allNodes,
  changeRecords,
  DATA_SOURCES_OF_PUSHES,
  FORGET,
  type RecordsOfPeople,
  recordsOfPeople,
} from '../statements';
import { Pipeline } from '../../../neo4j/pipeline';
import type { Runner } from '../../../neo4j/transaction';
import { dataSourceOf } from '../person/people';
import type { Person } from '../person/person-search';
import type { StayingName } from './rows';
import { nanosAt, type Span } from '../person/span';
import { NOT_ANY } from './without-names';
import type { ErasedSigners } from '../person/signers';

type Properties = Readonly<Record<string, unknown>>;

/** A record that loses the names. */
interface ChangedRecord {
  readonly key: string;
  readonly set: Readonly<Record<string, unknown>>;
}

/** What changes in the records of the service, and what stays there. */
export interface ErasedRecords {
  readonly changed: readonly (readonly [kind: NodeKind, records: readonly ChangedRecord[]])[];
  readonly kept: readonly StayingName[];
  /** Keys of the person's nodes, and ids of their sign-ins, by which records name the person. */
  readonly people: readonly string[];
  /** How many records name the person by a key. */
  readonly lifecycle: number;
}

const propertiesThat = ({ properties }: NodeKind, names: Property['names']): readonly string[] =>
  Object.entries(properties).flatMap(([name, each]) => (each.names === names ? [name] : []));

/** Ended facts are erased as facts, not as records. */
const isRecord = (kind: NodeKind): boolean => kind !== PastNode && kind !== PastRelationship;

/** The kinds of records that may hold names, as their properties declare it. */
export const namingKinds = (records: readonly NodeKind[]): readonly NodeKind[] =>
  records.filter(
    (kind) =>
      isRecord(kind) &&
      propertiesThat(kind, 'mention').length + propertiesThat(kind, 'called').length > 0,
  );

/** The properties of records that hold keys of people, as they declare it. */
const ofPeople = (records: readonly NodeKind[]): readonly RecordsOfPeople[] =>
  records
    .filter(isRecord)
    .flatMap((kind) =>
      Object.entries(kind.properties).flatMap(([name, property]) =>
        property.names === 'people' ? [recordsOfPeople(kind, name, property)] : [],
      ),
    );

/** How the records are removed in which nobody can look for names. */
const forgetting = (records: readonly NodeKind[]): ReadonlySet<string> =>
  new Set(
    records
      .filter(isRecord)
      .flatMap(({ label, properties }) =>
        Object.values(properties).flatMap((property) =>
          property.names === 'forgotten' ? [FORGET[property.forgottenBy](label)] : [],
        ),
      ),
  );

/**
 * The name of a field is a word of the service, also if somebody is called like it. So no record may have
 * names of people as keys of JSON: `test/features/erasure/json-records.test.ts` lists what each holds.
 */
const FIELD = /^[a-z]\w*$/i;

const jsonWithout = (value: unknown, names: PersonNames): unknown => {
  if (typeof value === 'string') return names.without(value);
  if (Array.isArray(value)) return value.map((each) => jsonWithout(each, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      FIELD.test(name) ? name : names.without(name),
      jsonWithout(each, names),
    ]),
  );
};

const parsed = (text: string): unknown => {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const textWithout = (text: string, names: PersonNames): string => {
  const json = parsed(text);
  return json === undefined ? names.without(text) : JSON.stringify(jsonWithout(json, names));
};

/** A value of a record without the names; the same value if it holds none. */
export const valueWithout = (value: unknown, names: PersonNames): unknown => {
  if (typeof value === 'string') return textWithout(value, names);
  if (!Array.isArray(value)) return value;
  const left: readonly unknown[] = value.map((each) =>
    typeof each === 'string' ? textWithout(each, names) : (each as unknown),
  );
  return left.every((each, index) => each === value[index]) ? value : left;
};

const isText = (value: unknown): value is string => typeof value === 'string';

/** A value of a record by somebody who signed in, without what says who that was. */
const withoutSigner = (value: unknown, names: PersonNames, signers: ErasedSigners): unknown => {
  if (typeof value !== 'string') return valueWithout(value, names);
  const json = parsed(value);
  return valueWithout(json === undefined ? value : JSON.stringify(signers.without(json)), names);
};

/** When a record was made, if it says so. Then it can hold only names of that time. */
const spanOf = ({ label }: NodeKind, { at, timestamp, since }: Properties): Span => {
  if (label === Push.label) return instantaneous(at);
  if (label === Event.label) return instantaneous(timestamp);
  return { from: nanosAt(since), until: null };
};

/** A time after every period in which somebody had a name. */
const TODAY: Span = { from: 2n ** 80n, until: null };

const instantaneous = (at: unknown): Span => {
  const from = nanosAt(at);
  return { from, until: from + 1n };
};

/** Keys of records with words about people. */
const recordsAbout = async (
  tx: Runner,
  { wordsAbout }: NodeKind,
  people: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (wordsAbout === null) return new Set();
  const { records } = await tx.run<{ key: string }>(wordsAbout.find, { people: [people] });
  return new Set(records.map((record) => record.get('key')));
};

/** Finds the names in the records of the service. */
export const findRecords = async (
  tx: Runner,
  records: readonly NodeKind[],
  person: Person,
  signers: ErasedSigners,
): Promise<ErasedRecords> => {
  const pipeline = new Pipeline(tx);
  const held: StayingName[] = [];
  const changed: [NodeKind, ChangedRecord[]][] = [];
  const people = [...person.keys, ...signers.ids];
  const sources = new Set(people.map(dataSourceOf));
  const sourceOfPush = new Map<string, string>();
  for await (const record of tx.stream(DATA_SOURCES_OF_PUSHES)) {
    sourceOfPush.set(String(record.get('push')), String(record.get('source')));
  }
  // Records name people by key too.
  const keys = new PersonNames(people);
  const keysBySource = [...grouped(people, dataSourceOf)].map(
    ([source, some]) => [source, new PersonNames(some)] as const,
  );
  const placeOf = (kind: NodeKind, key: string, properties: Properties) => {
    const { entity_id: entity, data_source: source } = properties;
    const found = kind === Push ? sourceOfPush.get(key) : (entity ?? source);
    const dataSource = typeof found === 'string' ? found : '';
    return [dataSource, dataSource === '' || sources.has(dataSource) || kind !== Push] as const;
  };
  for (const kind of namingKinds(records)) {
    const found: ChangedRecord[] = [];
    const [mentions, called] = [propertiesThat(kind, 'mention'), propertiesThat(kind, 'called')];
    const byWhom = propertiesThat(kind, 'signer');
    const whereabouts = propertiesThat(kind, 'whereabouts');
    const about = await recordsAbout(tx, kind, people);
    for await (const record of tx.stream(allNodes(kind))) {
      const key = String(record.get('key'));
      const properties = record.get('properties') as Properties;
      const place = placeOf(kind, key, properties);
      const names = person.names.inRecords(...place, spanOf(kind, properties));
      const set: Record<string, unknown> = {};
      const texts = (among: readonly string[]): readonly string[] =>
        among.flatMap((property) => properties[property] ?? []).filter(isText);
      const signed = signers.namesIn(texts([...mentions, ...byWhom]));
      // A provider that nobody believes may call its users like anything. A key is proof: what names
      // the person by one means the person by each name.
      const span = spanOf(kind, properties);
      const claimed = person.names.claimedInRecords(...place, span);
      const keyed = texts(mentions).filter((text) => keys.isIn(text));
      const proven =
        keyed.length === 0
          ? NOT_ANY
          : person.names.provenInRecords(
              ...place,
              span,
              new Set(
                keysBySource.flatMap(([source, those]) =>
                  keyed.some((text) => those.isIn(text)) ? [source] : [],
                ),
              ),
            );
      for (const property of mentions) {
        const value = properties[property];
        const unsigned = signed === null ? value : withoutSigner(value, signed, signers);
        const left = valueWithout(valueWithout(valueWithout(unsigned, keys), names), proven);
        if (left !== value) set[property] = left;
      }
      if (texts(byWhom).some((id) => signers.ids.includes(id))) {
        for (const property of byWhom) set[property] = ERASED;
        for (const property of whereabouts) set[property] = null;
      }
      const words = kind.wordsAbout?.property ?? '';
      if (about.has(key) && ![undefined, '', ERASED].includes(properties[words] as string)) {
        set[words] = ERASED;
      }
      Object.assign(set, foldedLookups(kind, set));
      if (Object.keys(set).length > 0) found.push({ key, set });
      const callings = texts(called);
      // A record that exists today may hold a name that belonged to somebody else when it was
      // written.
      const today = person.names.inRecords(...place, TODAY);
      const stays = mentions.flatMap((property) => set[property] ?? properties[property] ?? []);
      const isToday = spanOf(kind, properties).until === null;
      const holds = (among: readonly unknown[], sought: PersonNames): boolean =>
        among.some((text) => typeof text === 'string' && sought.isIn(text));
      const isHeld =
        holds(callings, names) ||
        (isToday && holds(stays, today)) ||
        holds([...callings, ...stays], claimed);
      if (isHeld) {
        const { name } = properties;
        held.push({ key, label: kind.label, name: typeof name === 'string' ? name : null });
      }
    }
    changed.push([kind, found.sort((a, b) => (a.key < b.key ? -1 : 1))]);
  }
  let lifecycle = 0;
  for (const { count } of ofPeople(records)) {
    const [counted] = await pipeline.one<{ number: unknown }>(count, { people });
    lifecycle += Number(counted?.get('number') ?? 0);
  }
  return { changed, kept: held, people, lifecycle };
};

/**
 * Removes the names from the records, and removes those records in which nobody can look for names,
 * whatever they hold.
 */
export const eraseRecords = async (
  tx: Runner,
  kinds: readonly NodeKind[],
  { changed, people }: ErasedRecords,
): Promise<void> => {
  const pipeline = new Pipeline(tx);
  for (const [kind, records] of changed) {
    await pipeline.send(changeRecords(kind), 'rows', records);
  }
  await Promise.all([
    ...[...forgetting(kinds)].map((statement) => pipeline.one(statement)),
    ...ofPeople(kinds).map(({ erase }) => pipeline.one(erase, { people })),
  ]);
};
