/** The words in which the graph is declared. */

/** What a property holds; `number` is a float, `time` a zoned datetime in UTC (docs/rules.md: Values). */
export type ValueType = 'text' | 'texts' | 'flag' | 'number' | 'time';

/** A declared property of a node or relationship. */
export interface Property {
  readonly type: ValueType;
  readonly doc: string;
}

/** Declared properties by name, in the order in which `cypher/model.md` shows them. */
export type Properties = Readonly<Record<string, Property>>;

const property =
  (type: ValueType) =>
  (doc: string): Property => ({ type, doc });

/** A string property. */
export const text = property('text');
/** A list of strings. */
export const texts = property('texts');
/** A boolean. */
export const flag = property('flag');
/** A float. */
export const number = property('number');
/** A zoned datetime in UTC. */
export const time = property('time');

/** Reads a property that holds a text; `null` when it is unset. */
export type TextOf = (property: string) => string | null;

/** A property for look-ups alone: its name starts with `fold_`, and it is outside hashes and digests. */
export interface Lookup extends Property {
  /** What it holds, before it is folded; a kind whose look-ups follow from more than its own properties says nothing here. */
  readonly of?: (textOf: TextOf) => string | null;
}

/** Look-up properties by name. */
export type Lookups = Readonly<Record<string, Lookup>>;

/** A look-up property that holds the first of some properties that is set. */
export const folded = (doc: string, ...properties: readonly string[]): Lookup => ({
  ...text(doc),
  of: (textOf) => properties.map(textOf).find((value) => value !== null) ?? null,
});

/** Who keeps a node: a data source (`row`), nobody (`shared`), or the service itself. */
export type Keeper = 'row' | 'shared' | 'service';

/** A declared kind of node. */
export interface NodeKind {
  readonly label: string;
  readonly also: readonly string[];
  readonly keeper: Keeper;
  readonly doc: string;
  readonly properties: Properties;
  readonly lookups: Lookups;
  /** The properties of which the first that is set is its id, within what it stands in; none where an id is made of more. */
  readonly ids: readonly string[];
  /** Indexed properties, one index each; a list is a composite index. */
  readonly indexes: readonly (string | readonly string[])[];
  /** Properties unique for the label beside `key`. */
  readonly unique: readonly string[];
  /** May also carry `customprop_…` and, for some, `dynprop_…`. */
  readonly custom: boolean;
  /** The colour in which Neo4j Browser draws it, as `#RRGGBB`. */
  readonly colour: string;
}

/** What may be said of a kind of node beside its label. */
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

/** The colour of what the service keeps for itself. */
export const SERVICE_COLOUR = '#8A8F98';

const nodeOf =
  (keeper: Keeper) =>
  (label: string, words: NodeWords): NodeKind => ({
    label,
    keeper,
    also: [],
    lookups: {},
    ids: [],
    indexes: [],
    unique: [],
    custom: false,
    colour: SERVICE_COLOUR,
    ...words,
  });

/** A node that a data source owns. */
export const row = nodeOf('row');
/** A node that belongs to nobody: created when first mentioned, removed when nothing states it (docs/rules.md: Shared nodes). */
export const shared = nodeOf('shared');
/** A node that the service itself keeps. */
export const service = nodeOf('service');

/** A declared kind of stated relationship, between two labels. */
export interface RelationshipKind {
  /** How hashes of rows write it. */
  readonly code: string;
  readonly from: NodeKind;
  readonly type: string;
  readonly to: NodeKind;
  /** The end whose row states it (docs/rules.md: Relationships). */
  readonly owner: 'from' | 'to';
  readonly doc: string;
  readonly properties: Properties;
  /** Properties by which two of one type between the same nodes are told apart. */
  readonly toldApartBy: readonly string[];
  readonly custom: boolean;
}

/** The end of a kind that is not the row's which states it. */
export const otherEnd = ({ owner, from, to }: RelationshipKind): NodeKind =>
  owner === 'from' ? to : from;

/**
 * A relationship that the service draws itself: an *asking* node carries a folded value, and *answering* nodes are
 * found by any of some look-up properties (docs/rules.md: Derived relationships).
 */
export interface Derivation {
  readonly name: string;
  readonly type: string;
  readonly asker: NodeKind;
  /** The asker's property that holds the value asked for. */
  readonly ask: string;
  readonly answerer: NodeKind;
  /** The answerer's look-up properties of which one must equal it. */
  readonly answers: readonly string[];
  /** Whether the relationship points from the asker or from the answerer. */
  readonly from: 'asker' | 'answerer';
  /** Only askers with this value of a property ask at all. */
  readonly asking?: { readonly property: string; readonly value: string };
  /** A further condition, in Cypher, on `asker` and `answerer`. */
  readonly where?: string;
  readonly doc: string;
}
