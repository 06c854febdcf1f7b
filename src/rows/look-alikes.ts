import { inPayloadOrder } from '../codec/payload-order';
import type { DecodedPush } from '../contract/decode';
import { fold, isAscii } from '../model/fold';
import type { Names } from '../model/table';
import { employees } from '../templates/hris/employees';
import { groups } from '../templates/identity-provider/groups';
import { users } from '../templates/identity-provider/users';
import type { EntityKind, Entry } from '../templates/kind';
import { type Template, templates } from '../templates/templates';
import { type Subject, subjectOf, titleOf, type Warning } from '../warning';
import { lookOf } from './row/plain-letters';

/** A kind whose names are compared. */
export interface ComparedKind {
  readonly kind: EntityKind;
  /** The look-ups that hold its names, by which an increment finds existing names. */
  readonly lookups: readonly string[];
  /** The fields by which people know its entities. */
  readonly fields: readonly string[];
}

/** The declarations that make a field a name by which somebody is known. */
const KNOWN_BY: ReadonlySet<Names> = new Set(['login', 'display', 'address', 'account']);

const compared = (kind: EntityKind, lookups: readonly string[]): ComparedKind => ({
  kind,
  lookups,
  fields: Object.entries(kind.node.properties).flatMap(([name, { names }]) =>
    KNOWN_BY.has(names) && name in kind.fields ? [name] : [],
  ),
});

/** The kinds whose names are compared. Each name is compared with names of its own kind. */
export const COMPARED_KINDS: readonly ComparedKind[] = [
  compared(users, ['fold_id', 'fold_name', 'fold_email']),
  compared(groups, ['fold_id', 'fold_name']),
  compared(employees, ['fold_name', 'fold_email']),
];

/** The names of an entity, by property. */
export type Called = Readonly<Record<string, unknown>>;

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The names among fields, in the order of the fields. */
export const namesIn = (called: Called, fields: readonly string[]): readonly string[] =>
  fields.map((field) => called[field]).filter(isName);

/** Something that has names, as warnings call it. */
export const calledSubject = ({ kind: { word } }: ComparedKind, called: Called): Subject =>
  subjectOf(word, [called.name, called.identity, called.id].find(isName) ?? '');

/** The most letters that a warning lists as different. */
const LETTERS = 3;

/**
 * The letters beyond ASCII of one text that another one does not have, as their places in Unicode.
 */
const lettersApart = (text: string, other: string): readonly string[] =>
  [...new Set(text)]
    .filter((letter) => !isAscii(letter) && !other.includes(letter))
    .slice(0, LETTERS)
    .map((letter) => `U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`);

/**
 * The warning that a name looks like a different name of somebody else (docs/rules.md:
 * Look-alikes).
 */
export const lookAlike = (
  text: string,
  subject: Subject,
  other: { readonly text: string; readonly subject: Subject },
  pointer: string,
): Warning => {
  const apart = lettersApart(text, other.text);
  const has = apart.length === 0 ? '' : `: it has ${apart.join(', ')}`;
  return {
    message: `The name ${JSON.stringify(text)} looks like ${JSON.stringify(other.text)} of ${titleOf(other.subject)} and is another${has} (${titleOf(subject)})`,
    code: 'LOOK_ALIKE',
    pointer,
    subject,
  };
};

/** A name in a list: the place among all names, the entry, and its spelling. */
interface Place {
  readonly at: number;
  readonly entry: number;
  readonly text: string;
}

/** The first place of a name, and the first place in which another entry has it. */
type Holders = [first: Place, second?: Place];

/** The different names that look alike, folded, in the order in which they first occur. */
type Spellings = Map<string, Holders>;

const note = (spellings: Spellings, place: Place): void => {
  const folded = fold(place.text);
  const holders = spellings.get(folded);
  if (holders === undefined) spellings.set(folded, [place]);
  else if (holders[1] === undefined && holders[0].entry !== place.entry) holders[1] = place;
};

/** The first place at which another entry has a name that differs from `text` and looks like it. */
const otherPlace = (spellings: Spellings, text: string, entry: number): Place | undefined => {
  const own = fold(text);
  let found: Place | undefined;
  for (const [folded, [first, second]] of spellings) {
    if (found !== undefined && found.at < first.at) break;
    const place = first.entry === entry ? second : first;
    if (folded === own || place === undefined) continue;
    if (found === undefined || place.at < found.at) found = place;
  }
  return found;
};

/** Groups the names of a list by their look. A list of ASCII names needs no groups. */
class Looks {
  /** What each name beyond ASCII looks like. */
  private readonly unusual = new Map<string, string>();
  private readonly spellings = new Map<string, Spellings>();

  constructor(entries: readonly Entry[], fields: readonly string[]) {
    for (const entry of entries) {
      for (const field of fields) {
        const text = entry[field];
        if (typeof text === 'string' && !isAscii(text)) this.add(text);
      }
    }
    // Most lists are of ASCII alone. They need nothing more.
    if (this.isEmpty) return;
    let at = 0;
    for (const [index, entry] of entries.entries()) {
      for (const text of namesIn(entry, fields)) {
        const spellings = this.spellings.get(this.unusual.get(text) ?? lookOf(text));
        if (spellings !== undefined) note(spellings, { at, entry: index, text });
        at += 1;
      }
    }
  }

  get isEmpty(): boolean {
    return this.unusual.size === 0;
  }

  /** The first name of another entry that looks like this one and differs from it. */
  other(text: string, entry: number): Place | undefined {
    const look = this.unusual.get(text);
    const spellings = look === undefined ? undefined : this.spellings.get(look);
    return spellings === undefined ? undefined : otherPlace(spellings, text, entry);
  }

  private add(text: string): void {
    if (this.unusual.has(text)) return;
    const look = lookOf(text);
    this.unusual.set(text, look);
    this.spellings.set(look, new Map());
  }
}

/**
 * Warnings about names of a full push that look like names of somebody else in it, one for each
 * entity (docs/rules.md: Look-alikes).
 */
export const lookAlikes = (
  { payload, pointerAsSent }: Pick<DecodedPush<Template>, 'payload' | 'pointerAsSent'>,
  template: Template,
): readonly Warning[] => {
  const lists: Readonly<Record<string, unknown>> = payload;
  const compared = COMPARED_KINDS.filter(({ kind }) => templates[template].rows.includes(kind));
  const warnings = compared.flatMap((each) => {
    const { list } = each.kind;
    const entries = (lists[list] ?? []) as readonly Entry[];
    const looks = new Looks(entries, each.fields);
    if (looks.isEmpty) return [];
    return entries.flatMap((entry, index): readonly Warning[] => {
      for (const text of namesIn(entry, each.fields)) {
        const place = looks.other(text, index);
        if (place === undefined) continue;
        const subject = calledSubject(each, entries[place.entry] ?? {});
        const other = { text: place.text, subject };
        return [lookAlike(text, calledSubject(each, entry), other, `/${list}/${index}`)];
      }
      return [];
    });
  });
  return inPayloadOrder(payload, warnings).map((warning) => ({
    ...warning,
    pointer: pointerAsSent(warning.pointer),
  }));
};
