/** The words in which the graph is declared. */

/** What a property holds; `number` is a float, `time` a zoned datetime in UTC (graph.md 2). */
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

/** Who keeps a node: a data source (`row`), nobody (`shared`), or the service itself. */
export type Keeper = 'row' | 'shared' | 'service';

/** A declared kind of node. */
export interface NodeKind {
  readonly label: string;
  readonly also: readonly string[];
  readonly keeper: Keeper;
  readonly doc: string;
  readonly properties: Properties;
  /** Properties for look-ups alone: their names start with `fold_`, outside hashes and digests (graph.md 2). */
  readonly lookups: Properties;
  /** Indexed properties, one index each; a list is a composite index. */
  readonly indexes: readonly (string | readonly string[])[];
  /** Properties unique for the label beside `key`. */
  readonly unique: readonly string[];
  /** May also carry `customprop_…` and, for some, `dynprop_…`. */
  readonly custom: boolean;
}

interface NodeWords {
  readonly also?: readonly string[];
  readonly doc: string;
  readonly properties: Properties;
  readonly lookups?: Properties;
  readonly indexes?: readonly (string | readonly string[])[];
  readonly unique?: readonly string[];
  readonly custom?: boolean;
}

const nodeOf =
  (keeper: Keeper) =>
  (label: string, words: NodeWords): NodeKind => ({
    label,
    keeper,
    also: [],
    lookups: {},
    indexes: [],
    unique: [],
    custom: false,
    ...words,
  });

/** A node that a data source owns. */
export const row = nodeOf('row');
/** A node that belongs to nobody: created when first mentioned, removed when nothing states it (graph.md 5). */
export const shared = nodeOf('shared');
/** A node that the service itself keeps. */
export const service = nodeOf('service');

/** A declared kind of stated relationship, between two labels. */
export interface RelationshipKind {
  /** Place in the declaration, which orders relationships in hashes and batches. */
  readonly index: number;
  readonly from: NodeKind;
  readonly type: string;
  readonly to: NodeKind;
  /** The end whose row states it (graph.md 3). */
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

/** What may be said of a relationship beside its ends and type. */
export interface RelationshipWords {
  readonly owner?: 'from' | 'to';
  readonly properties?: Properties;
  readonly toldApartBy?: readonly string[];
  readonly custom?: boolean;
}

/** One line of the table of relationships: any of `from`, to any of `to`. */
export interface RelationshipLine extends RelationshipWords {
  readonly from: readonly NodeKind[];
  readonly type: string;
  readonly to: readonly NodeKind[];
  readonly doc: string;
}

/** A relationship that rows state. */
export const stated = (
  from: NodeKind | readonly NodeKind[],
  type: string,
  to: NodeKind | readonly NodeKind[],
  doc: string,
  words: RelationshipWords = {},
): RelationshipLine => ({ from: [from].flat(), type, to: [to].flat(), doc, ...words });

/** Every pair of labels of the lines, as kinds of their own. */
export const kindsOf = (lines: readonly RelationshipLine[]): readonly RelationshipKind[] =>
  lines
    .flatMap(
      ({
        from,
        to,
        type,
        doc,
        owner = 'from',
        properties = {},
        toldApartBy = [],
        custom = false,
      }) =>
        from.flatMap((start) =>
          to.map((end) => ({
            from: start,
            type,
            to: end,
            owner,
            doc,
            properties,
            toldApartBy,
            custom,
          })),
        ),
    )
    .map((kind, index) => ({ index, ...kind }));

/**
 * A relationship that the service draws itself: an *asking* node carries a folded value, and *answering* nodes are
 * found by any of some look-up properties (graph.md 5).
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
