import { fold } from './fold';
import type { Lookup, Lookups, Properties } from './property';

/** What this module needs of a kind of node. */
interface Kind {
  readonly lookups: Lookups;
}

type Texts = string | readonly string[];

/**
 * The property that holds another property folded. A node has it only where the text changes by
 * folding and no other look-up holds it (docs/rules.md: Folding).
 */
export const foldOf = (property: string): string => `fold_of_${property}`;

/**
 * The property that holds the texts of custom and dynamic properties that change by folding. Each
 * entry is the name of a property, `=`, and one of its texts, folded. They share one property, so
 * that Neo4j gets no further property names.
 */
export const FOLDED_CUSTOM = 'fold_custom';

/** Whether a property is one of those that hold texts as searches compare them. */
export const isFoldedText = (name: string): boolean =>
  name.startsWith(foldOf('')) || name === FOLDED_CUSTOM || name === EXACT_NAME;

/** The property that holds the name of a row's provider folded, where folding changes it. */
export const FOLDED_PROVIDER = foldOf('provider');

/** A text folded; `null` where folding does not change it. */
export const changedByFolding = (text: string): string | null => {
  const folded = fold(text);
  return folded === text ? null : folded;
};

/**
 * The property that holds a name as it is spelled, where Neo4j may fold the name differently from
 * the service. Saved queries fold what an analyst types in Neo4j, and find such names by this
 * property.
 */
export const EXACT_NAME = 'fold_exact';

// Scripts to which newer versions of Unicode add letters with case. Greek and Vietnamese no longer
// change.
const UNSETTLED = /[\u1c80-\u1dff\u2000-\u{10ffff}]/u;
const HAS_CASE = /\p{Lu}|\p{Ll}|\p{Lt}|\p{Cn}|\p{Changes_When_Lowercased}/u;

const isFoldedAlike = (text: string): boolean =>
  !UNSETTLED.test(text) ||
  ![...text].some((letter) => UNSETTLED.test(letter) && HAS_CASE.test(letter));

/**
 * The look-ups of each declaration, by the property that they hold. Declarations live as long as
 * the process.
 */
const holders = new WeakMap<Lookups, ReadonlyMap<string, string>>();

const holdersOf = (lookups: Lookups): ReadonlyMap<string, string> => {
  const known = holders.get(lookups);
  if (known !== undefined) return known;
  const made = new Map(
    Object.entries(lookups).flatMap(([name, { folds }]) =>
      folds === undefined ? [] : [[folds, name] as const],
    ),
  );
  holders.set(lookups, made);
  return made;
};

/** The look-ups of a kind, with one more for each text that no declared look-up always holds. */
export const withFoldedTexts = (
  properties: Properties,
  lookups: Lookups,
  { isCustom, isFound }: { readonly isCustom: boolean; readonly isFound: boolean },
): Lookups => {
  const more = Object.entries(properties).flatMap(([name, { type }]): [string, Lookup][] => {
    if (type !== 'text' && type !== 'texts') return [];
    const lookup = holdersOf(lookups).get(name);
    if (lookup !== undefined && lookups[lookup]?.isBounded !== true) return [];
    return [
      [foldOf(name), { type, doc: `\`${name}\`, folded, where that changes it.`, names: 'lookup' }],
    ];
  });
  const custom: Lookup = {
    type: 'texts',
    names: 'lookup',
    doc: 'Texts of custom properties that change by folding: name, `=`, and the folded text.',
  };
  const exact: Lookup = {
    type: 'text',
    names: 'lookup',
    doc: '`name` as it is, if Neo4j may fold it differently from the service.',
  };
  return {
    ...lookups,
    ...Object.fromEntries(more),
    ...(isCustom && { [FOLDED_CUSTOM]: custom }),
    ...(isFound && { [EXACT_NAME]: exact }),
  };
};

/**
 * The properties that may hold a declared text folded, likeliest first. The last one is the text
 * itself.
 */
export const foldedPlaces = ({ lookups }: Kind, property: string): readonly string[] => {
  const own = foldOf(property);
  return [
    holdersOf(lookups).get(property) ?? [],
    lookups[own] === undefined ? [] : own,
    property,
  ].flat();
};

/** Whether a node holds texts of this property among its folded custom properties. */
const isCustom = (name: string): boolean =>
  name.startsWith('customprop_') || name.startsWith('dynprop_');

/** The folded texts of a value; `null` where folding changes none of them. */
const foldedTexts = (value: unknown): Texts | null => {
  if (typeof value === 'string') return changedByFolding(value);
  if (!Array.isArray(value)) return null;
  const folded = value.map((each) => (typeof each === 'string' ? fold(each) : String(each)));
  return folded.some((each, at) => each !== value[at]) ? folded : null;
};

/**
 * The values of the look-ups that hold texts of a record folded, for the given properties of it;
 * `null` unsets one.
 */
export const foldedLookups = (
  { lookups }: Kind,
  properties: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    [...holdersOf(lookups)].flatMap(([property, lookup]) => {
      const value = properties[property];
      if (value === undefined) return [];
      return [[lookup, typeof value === 'string' ? fold(value) : null] as const];
    }),
  );

/** Adds to the look-ups of a node its texts that change by folding. */
export const addFoldedTexts = (
  kind: Kind,
  properties: Readonly<Record<string, unknown>>,
  lookups: Record<string, Texts>,
): void => {
  const held = holdersOf(kind.lookups);
  const custom: string[] = [];
  for (const name in properties) {
    const holder = held.get(name);
    if (holder !== undefined && lookups[holder] !== undefined) continue;
    const folded = foldedTexts(properties[name]);
    if (folded === null) continue;
    if (isCustom(name)) {
      for (const each of typeof folded === 'string' ? [folded] : folded) {
        custom.push(`${name}=${each}`);
      }
    } else if (kind.lookups[foldOf(name)] !== undefined) lookups[foldOf(name)] = folded;
  }
  if (custom.length > 0) lookups[FOLDED_CUSTOM] = custom.sort();
  const { name } = properties;
  if (kind.lookups[EXACT_NAME] !== undefined && typeof name === 'string' && !isFoldedAlike(name)) {
    lookups[EXACT_NAME] = name;
  }
};
