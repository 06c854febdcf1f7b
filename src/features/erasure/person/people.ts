import { unescapePart } from '../../../model/key';
import { spelled } from '../../../model/person-names';
import { Identity } from '../../../model/shared-nodes';
import type { Names, NodeKind } from '../../../model/table';
import { LocalUser } from '../../../templates/application/local-users';
import { Employee } from '../../../templates/hris/employees';
import { IdpGroup } from '../../../templates/identity-provider/groups';
import { IdpUser } from '../../../templates/identity-provider/users';
import {
  allNamed,
  PAST_NODES_OF,
  PAST_OF_LABELS,
  PAST_RELATIONSHIPS_AT,
  PEOPLE_BESIDE,
  PEOPLE_OF,
  PERSON_LABELS,
  SOURCES_BESIDE,
} from '../statements';
import { Pipeline } from '../../../neo4j/pipeline';
import type { Runner } from '../../../neo4j/transaction';
import type { Place } from './names';
import { nanosAt, overlap, type Span, spanOfPast } from './span';

export type Properties = Readonly<Record<string, unknown>>;

/**
 * How a property names its entity: by an id of its own system, by a login, by what people call it,
 * or by an email. A value with `@` is an address, unless it is what people call somebody.
 */
type Naming = 'id' | 'login' | 'display' | 'address';

const NAMINGS: Readonly<Partial<Record<Names, Naming>>> = {
  id: 'id',
  account: 'id',
  login: 'login',
  display: 'display',
  address: 'address',
};

const namingOf = (kind: NodeKind): Readonly<Record<string, Naming>> =>
  Object.fromEntries(
    Object.entries(kind.properties).flatMap(([property, { names }]) => {
      const naming = NAMINGS[names];
      return naming === undefined ? [] : [[property, naming]];
    }),
  );

/** The kinds of nodes that are known by names of people, or that share them. */
const NAMED_KINDS: readonly NodeKind[] = [IdpUser, IdpGroup, Employee, LocalUser, Identity];

/** The properties by which people and groups are known, by label, as the model declares them. */
const NAMING: Readonly<Record<string, Readonly<Record<string, Naming>>>> = Object.fromEntries(
  NAMED_KINDS.map((kind) => [kind.label, namingOf(kind)]),
);

/** A person, group, account or identity as it is, or as it was for some time. */
export interface Someone {
  readonly key: string;
  readonly label: string;
  readonly properties: Properties;
  /** The time of these properties. */
  readonly span: Span;
}

/** A relationship between people, accounts and identities, that exists or existed. */
export interface Tie {
  readonly type: string;
  readonly other: string;
  readonly otherLabel: string;
  readonly span: Span;
}

/** A name of somebody, spelled. */
export interface OwnName {
  readonly name: string;
  readonly naming: Naming;
  readonly property: string;
}

const LONGEST_ID = 36;

/** The id of the data source of a key; empty for shared nodes. */
export const dataSourceOf = (key: string): string =>
  /^[0-9a-f-]{36}\|/.test(key) ? key.slice(0, LONGEST_ID) : '';

/** Where an entity is: its data source and application. */
export const placeOf = ({
  key,
  properties: { application },
}: {
  readonly key: string;
  readonly properties: Properties;
}): Place => ({
  dataSource: dataSourceOf(key),
  application: typeof application === 'string' ? application : null,
});

/** The name of an identity, as its key has it. */
export const nameOfIdentity = (key: string): string =>
  unescapePart(key.slice(Identity.label.length + 1));

/** By what somebody is known. */
export const ownNames = ({
  label,
  properties,
}: Pick<Someone, 'label' | 'properties'>): readonly OwnName[] =>
  Object.entries(NAMING[label] ?? {}).flatMap(([property, naming]) => {
    const value = properties[property];
    const name = typeof value === 'string' ? spelled(value) : '';
    if (name === '') return [];
    return [
      { name, property, naming: naming !== 'display' && name.includes('@') ? 'address' : naming },
    ];
  });

/** The addresses of somebody. */
export const addressesOf = (one: Pick<Someone, 'label' | 'properties'>): readonly string[] => [
  ...new Set(
    ownNames(one).flatMap(({ name, naming }) =>
      naming === 'address' && name.includes('@') ? [name] : [],
    ),
  ),
];

/** Whether nodes of a label are people, in addition to their accounts. */
export const isDirectory = (label: string): boolean =>
  label === IdpUser.label || label === Employee.label;

/** Whether trusts say by what nodes of a label may be known. */
export const isClaimingLabel = (label: string): boolean =>
  isDirectory(label) || label === IdpGroup.label;

/** Whether nodes of a label can be a person. */
export const isPersonLabel = (label: string): boolean =>
  (PERSON_LABELS as readonly string[]).includes(label);

/** The namespace in which the ids of somebody are compared. */
export const namespaceOf = ({ key, label, properties }: Someone): string => {
  const { application } = properties;
  return JSON.stringify([
    dataSourceOf(key),
    label,
    typeof application === 'string' ? application : '',
  ]);
};

/** Whether somebody is there at the same time as one of some others. */
export const isAtOnce = ({ span }: Someone, others: readonly Someone[]): boolean =>
  others.some((one) => overlap(one.span, span));

/** The keys of people, by namespace. */
export const keysBySpace = (all: readonly Someone[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const keys = new Map<string, Set<string>>();
  for (const one of all) {
    const space = namespaceOf(one);
    keys.set(space, (keys.get(space) ?? new Set()).add(one.key));
  }
  return keys;
};

interface PastFact {
  readonly id: string;
  readonly properties: Properties;
  [column: string]: unknown;
}

const asSomeone = (properties: Properties): Someone => ({
  key: String(properties.key),
  label: String(properties.label),
  properties,
  span: spanOfPast(properties),
});

/** Reads people, their accounts and identities, and how they belong together. */
export class People {
  private readonly pipeline: Pipeline;
  private readonly versions = new Map<string, readonly Someone[]>();
  private readonly existing = new Map<string, Someone | null>();
  private readonly tied = new Map<string, readonly Tie[]>();

  constructor(private readonly tx: Runner) {
    this.pipeline = new Pipeline(tx);
  }

  /** The nodes of these keys that exist. */
  async load(keys: Iterable<string>): Promise<readonly Someone[]> {
    const all = [...keys];
    const unread = all.filter((key) => !this.existing.has(key));
    const found = await this.pipeline.ask<{ key: string; label: string; properties: Properties }>(
      PEOPLE_OF,
      'keys',
      [...unread],
    );
    await this.past(unread);
    for (const key of unread) this.existing.set(key, null);
    for (const record of found) {
      const one = record.toObject();
      this.existing.set(one.key, { ...one, span: this.spanOfPresent(one) });
    }
    return all.flatMap((key) => this.existing.get(key) ?? []);
  }

  /** Former versions of these nodes. */
  async past(keys: Iterable<string>): Promise<readonly Someone[]> {
    const all = [...keys];
    const unread = all.filter((key) => !this.versions.has(key));
    const found = new Map<string, Someone[]>(unread.map((key) => [key, []]));
    const records = await this.pipeline.ask<PastFact>(PAST_NODES_OF, 'keys', [...unread]);
    for (const record of records) {
      const one = asSomeone(record.get('properties'));
      found.get(one.key)?.push(one);
    }
    for (const [key, list] of found) this.versions.set(key, list);
    return all.flatMap((key) => this.versions.get(key) ?? []);
  }

  /** The time of the present version of a node: since the last one ended, if that was of the same node. */
  private spanOfPresent({ key, properties }: Pick<Someone, 'key' | 'properties'>): Span {
    const ends = (this.versions.get(key) ?? []).map(({ span }) => span.until ?? 0n);
    const since = nanosAt(properties.since);
    return { from: ends.reduce((last, end) => (end > last ? end : last), since), until: null };
  }

  /** Whether a node exists. */
  async exists(key: string): Promise<boolean> {
    return (await this.load([key])).length > 0;
  }

  /** All versions of these nodes, the present ones too. */
  async allOf(keys: Iterable<string>): Promise<readonly Someone[]> {
    const all = [...keys];
    return [...(await this.load(all)), ...(await this.past(all))];
  }

  /** How people, accounts and identities belong to a node, or belonged to it. */
  async ties(key: string): Promise<readonly Tie[]> {
    const known = this.tied.get(key);
    if (known !== undefined) return known;
    const found: Tie[] = [];
    const records = await this.pipeline.ask<{
      type: string;
      other: string;
      labels: readonly string[];
      since: unknown;
    }>(PEOPLE_BESIDE, 'keys', [key]);
    for (const record of records) {
      const { type, other, labels, since } = record.toObject();
      const otherLabel = labels.find((label) => label in NAMING) ?? '';
      found.push({ type, other, otherLabel, span: { from: nanosAt(since), until: null } });
    }
    for (const statement of PAST_RELATIONSHIPS_AT) {
      for (const record of await this.pipeline.ask<PastFact>(statement, 'keys', [key])) {
        const properties = record.get('properties');
        const isStart = properties.start === key;
        const otherLabel = String(isStart ? properties.end_label : properties.start_label);
        if (!(otherLabel in NAMING)) continue;
        const other = String(isStart ? properties.end : properties.start);
        found.push({
          type: String(properties.type),
          other,
          otherLabel,
          span: spanOfPast(properties),
        });
      }
    }
    this.tied.set(key, found);
    return found;
  }

  /** The data sources of all rows that are or were next to a shared node. */
  async sourcesAt(key: string): Promise<ReadonlySet<string>> {
    const present = await this.pipeline.ask<{ source: string }>(SOURCES_BESIDE, 'keys', [key]);
    const found = new Set(present.map((record) => record.get('source')));
    for (const statement of PAST_RELATIONSHIPS_AT) {
      for (const record of await this.pipeline.ask<PastFact>(statement, 'keys', [key])) {
        const { start, end } = record.get('properties');
        found.add(dataSourceOf(String(start === key ? end : start)));
      }
    }
    found.delete('');
    return found;
  }

  /** The ties of one type at a node. */
  async tiesOf(key: string, type: string): Promise<readonly Tie[]> {
    return (await this.ties(key)).filter((tie) => tie.type === type);
  }

  /** Everybody of some labels whom a condition fits: versions that exist, and those that ended. */
  async all(
    labels: readonly string[],
    fits: (one: Omit<Someone, 'span'>) => boolean,
  ): Promise<readonly Someone[]> {
    const found: Omit<Someone, 'span'>[] = [];
    const groups: Omit<Someone, 'span'>[] = [];
    for (const kind of NAMED_KINDS.filter(({ label }) => labels.includes(label))) {
      for await (const record of this.tx.stream(allNamed(kind))) {
        const properties = record.get('properties') as Properties;
        const named = { key: String(record.get('key')), label: kind.label, properties };
        if (fits(named)) (isPersonLabel(kind.label) ? found : groups).push(named);
      }
    }
    const past: Someone[] = [];
    for await (const record of this.tx.stream(PAST_OF_LABELS, { labels })) {
      const properties = record.get('properties') as Properties;
      const [key, label] = [String(properties.key), String(properties.label)];
      if (fits({ key, label, properties })) past.push(asSomeone(properties));
    }
    // The time of a present version follows from former ones.
    await this.past(groups.map(({ key }) => key));
    return [
      ...(await this.load(found.map(({ key }) => key))),
      ...groups.map((one) => ({ ...one, span: this.spanOfPresent(one) })),
      ...past,
    ];
  }
}
