import { PersonNames } from '../../../model/person-names';
import {
  FOLLOWING,
  mayStay,
  isKnownBy,
  isNamedAfter,
  isReference,
  type Properties,
} from '../person/named-entities';
import type { NamesHere } from '../person/names';

/** Whether a text, which is the value of a property, means the person. */
const isMeant = (
  label: string,
  property: string,
  text: string,
  { certain, display }: NamesHere,
): boolean =>
  isReference(label, property)
    ? certain.isIn(text)
    : certain.isUnmistakablyIn(text) || display.isUnmistakablyIn(text);

/** The properties without those that hold a name. A list still has its other entries. */
export const withoutNames = <V>(
  label: string,
  properties: Readonly<Record<string, V>>,
  here: NamesHere,
  keeps: (name: string) => boolean,
): Readonly<Record<string, V>> => {
  const left: Record<string, V> = {};
  let isSame = true;
  for (const [name, value] of Object.entries(properties)) {
    const cut = keeps(name)
      ? value
      : valueWithout(value, (text) => isMeant(label, name, text, here));
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

/** No names. */
export const NOT_ANY = new PersonNames([]);

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
  const isOwnName = (name: string): boolean => mayStay(label, name) || isKnownBy(label, name);
  return withoutNames(label, properties, elsewhere, isOwnName) === properties ? null : 'MENTIONS';
};
