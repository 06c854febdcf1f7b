import { EXACT_NAME, withFoldedTexts } from './folded-texts';
import type { ForgottenBy, Lookup, Lookups, PlainNames, Properties, Property } from './property';

export type {
  ForgottenBy,
  Lookup,
  Lookups,
  Names,
  PlainNames,
  Properties,
  Property,
  TextOf,
  ValueType,
} from './property';

/** The types and functions with which nodes and relationships are declared. */

const textual =
  (type: 'text' | 'texts') =>
  <N extends PlainNames>(doc: string, names: N) =>
    ({ type, doc, names }) as const;

const plain =
  (type: 'flag' | 'number' | 'time') =>
  (doc: string): Property => ({ type, doc, names: 'nobody' });

/** A string property. */
export const text = textual('text');
/** A word of the service, in capitals. */
export const capitals = (doc: string): Property => ({ ...text(doc, 'nobody'), isInCapitals: true });
/** A list of strings. */
export const texts = textual('texts');
/** A string in which nobody can look for names. */
export const forgotten = (doc: string, forgottenBy: ForgottenBy): Property => ({
  type: 'text',
  doc,
  names: 'forgotten',
  forgottenBy,
});
/** A boolean. */
export const flag = plain('flag');
/** A float. */
export const number = plain('number');
/** A zoned datetime in UTC. */
export const time = plain('time');

/** A look-up property that holds the first of these properties that is set, folded. */
export const folded = (doc: string, ...properties: readonly string[]): Lookup => ({
  ...text(doc, 'lookup'),
  of: (textOf) => properties.map(textOf).find((value) => value !== null) ?? null,
  ...(properties.length === 1 && { folds: properties[0] as string }),
});

/**
 * Who owns a node: a data source (`row`), nobody (`shared`), or the service: for its own work
 * (`service`), or as a fact that ended (`past`).
 */
export type Keeper = 'row' | 'shared' | 'service' | 'past';

/**
 * Which owner a record belongs to, and how long it stays. When the owner is deleted, the service
 * removes the record. `by` is the property with the owner's id; `null` means that the feature itself
 * removes the record.
 */
export interface Holds {
  readonly of: 'provider' | 'data source' | 'service';
  readonly by: string | null;
  /** For how many days it stays at most; `null`: as long as its owner. */
  readonly days: RetentionDays | null;
  /** A backup leaves the record out: a restore must not bring back what somebody has ended. */
  readonly isLeftOutOfBackups?: true;
}

/** A property with words of somebody about a person whom the record itself does not name. */
export interface WordsAbout {
  readonly property: string;
  /** Finds the keys of the records that are about people. `$people`: keys of nodes. */
  readonly find: string;
}

/** A setting that says how many days after a time a record stays. */
export interface RetentionDays {
  /** `null`: a setting of its feature. */
  readonly setting: 'eventDays' | 'pushDays' | 'historyDays' | null;
  /** The property with the time; `null` means that the feature itself finds the old records. */
  readonly after: string | null;
  /** A condition in Cypher on `n`: the service removes only such records. */
  readonly where?: string;
}

export interface NodeKind {
  readonly label: string;
  readonly also: readonly string[];
  readonly keeper: Keeper;
  /** What a record holds of others; `null` for rows and shared nodes, which are no records. */
  readonly holds: Holds | null;
  /** What the erasure of a person removes wholly, whether or not it holds a name. */
  readonly wordsAbout: WordsAbout | null;
  readonly doc: string;
  readonly properties: Properties;
  readonly lookups: Lookups;
  /**
   * An entity's id is the first of these properties that is set. Empty if several values together
   * make the id.
   */
  readonly ids: readonly string[];
  /** Indexed properties, with one index each. A list of properties becomes one composite index. */
  readonly indexes: readonly (string | readonly string[])[];
  /** Properties, in addition to `key`, whose values are unique in the label. */
  readonly unique: readonly string[];
  /** Whether the node may also have `customprop_…` and, in some kinds, `dynprop_…` properties. */
  readonly custom: boolean;
  /** The colour in which Neo4j Browser draws the node, as `#RRGGBB`. */
  readonly colour: string;
}

/** What a declaration of a node gives in addition to the label. */
export interface NodeWords {
  readonly also?: readonly string[];
  readonly doc: string;
  readonly properties: Properties;
  readonly lookups?: Lookups;
  readonly ids?: readonly string[];
  readonly indexes?: readonly (string | readonly string[])[];
  readonly unique?: readonly string[];
  readonly custom?: boolean;
  readonly colour?: string;
}

/** The colour of the nodes that the service stores for its own work. */
export const SERVICE_COLOUR = '#8A8F98';

/**
 * The label of every node that pushes write, in addition to the labels of its kind. Keys are unique
 * among all these nodes, so one index finds each of them.
 */
export const ENTITY = 'Entity';

/** What a declaration of a record gives in addition to the label. */
export interface RecordWords extends NodeWords {
  readonly holds: Holds;
  readonly wordsAbout?: WordsAbout;
}

const nodeOf =
  <W extends NodeWords>(keeper: Keeper) =>
  (label: string, words: W): NodeKind => ({
    label,
    keeper,
    holds: null,
    wordsAbout: null,
    also: [],
    lookups: {},
    ids: [],
    indexes: [],
    unique: [],
    custom: false,
    colour: SERVICE_COLOUR,
    ...words,
  });

/**
 * Declares a node that a data source owns. Its texts get look-ups by which searches ignore case.
 */
export const row = (label: string, words: NodeWords): NodeKind =>
  nodeOf<NodeWords>('row')(label, {
    ...words,
    also: [...(words.also ?? []), ENTITY],
    lookups: withFoldedTexts(words.properties, words.lookups ?? {}, {
      isCustom: words.custom ?? false,
      isFound: words.indexes?.includes(EXACT_NAME) ?? false,
    }),
  });
/**
 * Declares a shared node. The service creates it when a row first mentions it and removes it when
 * no relationship leads to it any more (docs/rules.md: Shared nodes).
 */
export const shared = (label: string, words: NodeWords): NodeKind =>
  nodeOf<NodeWords>('shared')(label, { ...words, also: [...(words.also ?? []), ENTITY] });
/** Declares a node that the service stores for its own work. */
export const service = nodeOf<RecordWords>('service');
/** Declares a fact that ended. It has no key of its own (docs/rules.md: History). */
export const past = nodeOf<RecordWords>('past');

/** A declared kind of stated relationship, between nodes of two labels. */
export interface RelationshipKind {
  /** The short name of this kind in row hashes. */
  readonly code: string;
  readonly from: NodeKind;
  readonly type: string;
  readonly to: NodeKind;
  /** The row at this end states the relationship (docs/rules.md: Relationships). */
  readonly owner: 'from' | 'to';
  readonly doc: string;
  readonly properties: Properties;
  /** Properties that distinguish several relationships of this type between the same two nodes. */
  readonly distinguishedBy: readonly string[];
  readonly custom: boolean;
  /**
   * Whether one row may state very many relationships of this type. An increment then reads only
   * those that it names, and each one adds to the row's hash separately (docs/increments.md: What
   * an increment reads).
   */
  readonly isLong: boolean;
}

/** The node at the other end from the row that states the relationship. */
export const otherEnd = ({ owner, from, to }: RelationshipKind): NodeKind =>
  owner === 'from' ? to : from;

/** Whether relationships of a kind have properties in addition to `since`. */
export const hasProperties = ({
  properties,
  custom,
}: Pick<RelationshipKind, 'properties' | 'custom'>): boolean =>
  custom || Object.keys(properties).length > 0;

/**
 * Whether the properties of a relationship of this kind may change while it exists. Then each set
 * of properties is a version of it (docs/rules.md: History).
 */
export const isVersioned = ({
  properties,
  custom,
  distinguishedBy,
}: Pick<RelationshipKind, 'properties' | 'custom' | 'distinguishedBy'>): boolean =>
  custom || Object.keys(properties).some((name) => !distinguishedBy.includes(name));

/**
 * A relationship that the service draws. An *asker* node has a folded value. The *answerer* nodes
 * are those whose look-up properties hold the same value (docs/rules.md: Derived relationships).
 */
export interface Derivation {
  readonly name: string;
  readonly type: string;
  readonly asker: NodeKind;
  /** The asker's property that holds the value to look up. */
  readonly ask: string;
  readonly answerer: NodeKind;
  /** The answerer's look-up properties. One of them must equal the asker's value. */
  readonly answers: readonly string[];
  /** The end at which the relationship starts. */
  readonly from: 'asker' | 'answerer';
  /** If given, only askers with this value of a property are considered. */
  readonly asking?: { readonly property: string; readonly value: string };
  /** A further condition on the variables `asker` and `answerer`, in Cypher. */
  readonly where?: string;
  /**
   * Whether rows at its ends claim to be known by the value, so that trusts decide about them
   * (docs/rules.md: Trusts).
   */
  readonly isClaim?: true;
  readonly doc: string;
}
