import unhomoglyph from 'unhomoglyph';

import type { Graph, Label } from './graph';
import { inDocumentOrder } from './pointer';
import type { DataSource } from './rows';
import { byCodeUnits, fold } from './text';
import type { ToldWarning } from './warnings';

/** Whose names are compared, by which fields, and by which ones those that stand are found (docs/rules.md: Look-alikes). */
const compared: readonly {
  readonly label: Label;
  readonly list: string;
  readonly word: string;
  readonly names: readonly string[];
  readonly found: readonly string[];
}[] = [
  {
    label: 'IdpUser',
    list: 'users',
    word: 'user',
    names: ['name', 'email', 'identity', 'full_name'],
    found: ['name', 'email', 'identity'],
  },
  {
    label: 'IdpGroup',
    list: 'groups',
    word: 'group',
    names: ['name', 'identity', 'full_name'],
    found: ['name', 'identity'],
  },
  {
    label: 'Employee',
    list: 'employees',
    word: 'employee',
    names: [
      'name',
      'preferred_name',
      'display_full_name',
      'canonical_name',
      'username',
      'email',
      'idp_id',
      'personal_email',
    ],
    found: ['name', 'email'],
  },
];

type Called = Readonly<Record<string, unknown>>;

interface Name {
  readonly called: Called;
  readonly text: string;
}

function isPlain(text: string): boolean {
  return [...text].every((letter) => (letter.codePointAt(0) ?? 0) < 128);
}

/** A text without what makes no difference to the eye. */
function seen(text: string): string {
  return fold(text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
}

function look(text: string): string {
  return fold(unhomoglyph(seen(text)));
}

/** As `look`, but letters of ASCII stay as they are. */
function plain(text: string): string {
  const letters = [...seen(text)];
  return fold(letters.map((one) => (isPlain(one) ? one : unhomoglyph(one))).join(''));
}

function textsOf(called: Called, fields: readonly string[]): readonly string[] {
  return fields
    .map((field) => called[field])
    .filter((text): text is string => typeof text === 'string' && text !== '');
}

function titleOf(word: string, called: Called): string {
  const [name = ''] = textsOf(called, ['name', 'identity', 'id']);
  return `${word} ${JSON.stringify(name)}`;
}

function messageOf(word: string, one: Name, other: Name): string {
  const apart = [...new Set(one.text)]
    .filter((letter) => !isPlain(letter) && !other.text.includes(letter))
    .slice(0, 3)
    .map((letter) => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0'))
    .map((code) => `U+${code}`);
  const has = apart.length === 0 ? '' : `: it has ${apart.join(', ')}`;
  const [text, like] = [one.text, other.text].map((each) => JSON.stringify(each));
  return `The name ${text} looks like ${like} of ${titleOf(word, other.called)} and is another${has} (${titleOf(word, one.called)})`;
}

/** The warnings of a full push, whose names are compared with each other. */
export function lookAlikesIn(
  payload: unknown,
  asSent: (pointer: string) => string,
): readonly ToldWarning[] {
  const whole = payload as Readonly<Record<string, readonly Called[] | null | undefined>>;
  const told = compared.flatMap(({ list, word, names }) => {
    const entries = whole[list] ?? [];
    const all = entries.flatMap((called) =>
      textsOf(called, names).map((text) => ({ called, text, look: look(text) })),
    );
    return entries.flatMap((called, index) => {
      for (const one of all.filter((name) => name.called === called && !isPlain(name.text))) {
        const other = all.find(
          (name) =>
            name.called !== called && name.look === one.look && fold(name.text) !== fold(one.text),
        );
        if (other !== undefined) {
          return [{ message: messageOf(word, one, other), pointer: `/${list}/${index}` }];
        }
      }
      return [];
    });
  });
  return told
    .sort((a, b) => inDocumentOrder(payload, a.pointer, b.pointer))
    .map(({ message, pointer }) => ({ message, code: 'LOOK_ALIKE', pointer: asSent(pointer) }));
}

/** The warnings of an increment, whose new names are looked for among those that stand in plain letters. */
export function lookAlikesAmong(
  { id }: DataSource,
  before: Graph,
  after: Graph,
): readonly ToldWarning[] {
  const known = new Map(before.nodes.map((node) => [node.key, node.properties]));
  return compared.flatMap(({ label, word, names, found }) => {
    const nodes = after.nodes
      .filter((node) => node.label === label && node.properties.data_source === id)
      .toSorted((a, b) => byCodeUnits(a.key, b.key));
    return nodes.flatMap(({ key, properties }): readonly ToldWarning[] => {
      for (const field of names) {
        const [text] = textsOf(properties, [field]);
        if (text === undefined || text === known.get(key)?.[field] || isPlain(text)) continue;
        if (plain(text) === fold(text)) continue;
        const other = nodes.find(
          (node) =>
            node.key !== key &&
            textsOf(node.properties, found).some((each) => fold(each) === plain(text)),
        );
        if (other === undefined) continue;
        const like = textsOf(other.properties, names).find((each) => fold(each) === plain(text));
        const message = messageOf(
          word,
          { called: properties, text },
          { called: other.properties, text: like ?? '' },
        );
        return [{ message, code: 'LOOK_ALIKE', pointer: '' }];
      }
      return [];
    });
  });
}
