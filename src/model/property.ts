/**
 * What a property holds. `number` is a float and `time` a zoned datetime in UTC (docs/rules.md:
 * Values).
 */
export type ValueType = 'text' | 'texts' | 'flag' | 'number' | 'time';

/**
 * What of a person a text may hold. An erasure does with it what this says (docs/rules.md: Erasing a
 * person), so every text must declare it.
 *
 * - `id`, `login`, `display`, `address`: an own name of a person, an account or a group: an id in its
 *   system; a login, by which other systems may refer to it; what people call it; an email.
 * - `account`: the own name of a person in another system.
 * - `part`: a part of the own name of a person, which names nobody alone.
 * - `title`: the own name of something that is no person, but may be named after one.
 * - `structure`: makes the entity what it is. It stays, and the plan lists it if it holds a name.
 * - `reference`: the id or login of somebody of the same data source.
 * - `mention`: any text. It loses names.
 * - `called`: what an operator or a system called something. It stays, and the plan lists it.
 * - `people`: keys of nodes of people. A record that names one person so goes with the person; one
 *   that names several goes with the last of them.
 * - `forgotten`: nobody can look for names in it, so each erasure forgets it (`forgottenBy`).
 * - `sealed`: only the service can read it, for one purpose, and it holds no names of people.
 * - `lookup`: repeats other properties.
 * - `nobody`: ids of the service, digests, words of a fixed list.
 */
export type Names =
  | ('id' | 'login' | 'display' | 'address' | 'account' | 'part' | 'title' | 'structure')
  | ('reference' | 'mention' | 'called' | 'people' | 'forgotten' | 'sealed' | 'lookup' | 'nobody');

/** What all texts but forgotten ones may declare. */
export type PlainNames = Exclude<Names, 'forgotten'>;

/**
 * How an erasure forgets records in which nobody can look for names: it removes them, or it ends the
 * uploads, and the background removes what they hold.
 */
export type ForgottenBy = 'removal' | 'the end of uploads';

interface Described {
  readonly type: ValueType;
  readonly doc: string;
  /** Whether it holds words of the service in capitals, such as `WARNING`. Filters take them in any case. */
  readonly isInCapitals?: true;
}

/** A property. What is forgotten says by what, and nothing else does. */
export type Property = Described &
  (
    | { readonly names: PlainNames }
    | { readonly names: 'forgotten'; readonly forgottenBy: ForgottenBy }
  );

/** Properties by name, in the order in which `cypher/model.md` shows them. */
export type Properties = Readonly<Record<string, Property>>;

/** Gives the value of a text property, or `null` when it is unset. */
export type TextOf = (property: string) => string | null;

/**
 * A property that serves look-ups only. Its name starts with `fold_`, and no hash or digest
 * includes it.
 */
export interface Lookup extends Described {
  readonly names: 'lookup';
  /**
   * Gives its value before folding. Absent for kinds whose look-ups need more than their own
   * properties.
   */
  readonly of?: (textOf: TextOf) => string | null;
  /** The property whose folded value this always holds, where it is that of one property. */
  readonly folds?: string;
  /** Whether it is absent where the value is longer than Neo4j can index. */
  readonly isBounded?: boolean;
  /** Whether versions of nodes have it, because saved queries about the past compare it. */
  readonly isVersioned?: boolean;
}

export type Lookups = Readonly<Record<string, Lookup>>;
