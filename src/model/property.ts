/**
 * What a property holds. `number` is a float and `time` a zoned datetime in UTC (docs/rules.md:
 * Values).
 */
export type ValueType = 'text' | 'texts' | 'flag' | 'number' | 'time';

/**
 * What of a person a text may hold. An erasure treats the text as this says (docs/rules.md: Erasing
 * a person), so every text must declare it.
 *
 * - `id`, `login`, `display`, `address`: a name of a person, an account or a group: its id in its
 *   system; a login, by which other systems may refer to it; what people call it; an email.
 * - `account`: a name that the person has in another system.
 * - `part`: a part of a person's name that identifies nobody by itself.
 * - `title`: the name of something that is no person, but may be named after one.
 * - `structure`: makes the entity what it is. It stays, and the plan of the erasure lists it if it
 *   holds a name.
 * - `reference`: the id or login of somebody of the same data source.
 * - `mention`: any text. The erasure removes names from it.
 * - `called`: what an operator or a system called something. It stays, and the plan lists it.
 * - `people`: keys of nodes of people. The erasure removes a record that names one person together
 *   with that person, and a record that names several with the last of them.
 * - `signer`: the id of the key, or of the person, who did something. The erasure of a person who
 *   signed in removes it.
 * - `whereabouts`: the address from which they did it. The erasure removes it together with the
 *   `signer`.
 * - `forgotten`: nobody can look for names in it, so each erasure removes it (`forgottenBy`).
 * - `sealed`: only the service can read it, for one purpose. If it holds names of somebody, it is gone
 *   with the record of that person.
 * - `lookup`: repeats other properties.
 * - `nobody`: ids of the service, digests, words of a fixed list.
 */
export type Names =
  | ('id' | 'login' | 'display' | 'address' | 'account' | 'part' | 'title' | 'structure')
  | ('reference' | 'mention' | 'called' | 'people' | 'signer' | 'whereabouts')
  | ('forgotten' | 'sealed' | 'lookup' | 'nobody');

/** What every text may declare, except forgotten ones. */
export type PlainNames = Exclude<Names, 'forgotten'>;

/**
 * How an erasure removes records in which nobody can look for names: it removes the records
 * themselves, or it ends the uploads, and the background work removes what they hold.
 */
export type ForgottenBy = 'removal' | 'the end of uploads';

interface Described {
  readonly type: ValueType;
  readonly doc: string;
  /**
   * Whether the property holds words of the service in capitals, such as `WARNING`. Filters accept
   * them in any case.
   */
  readonly isInCapitals?: true;
}

/** A property. A `forgotten` one declares what removes it; no other one does. */
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
   * Computes its value before folding. Absent for kinds whose look-ups need more than their own
   * properties.
   */
  readonly of?: (textOf: TextOf) => string | null;
  /** The one property whose folded value this look-up always holds, if there is one. */
  readonly folds?: string;
  /** Whether it is absent where the value is longer than Neo4j can index. */
  readonly isBounded?: boolean;
  /** Whether versions of nodes have it too, because saved queries about the past compare it. */
  readonly isVersioned?: boolean;
}

export type Lookups = Readonly<Record<string, Lookup>>;
