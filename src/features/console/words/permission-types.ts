import { PRIVILEGED } from '../../../model/access-narrowing';

/** A word for what permissions let somebody do. */
interface Word {
  readonly word: string;
  /** How much it weighs in a table: what changes settings most. */
  readonly weight: 'read' | 'write' | 'admin';
  /** The canonical types that it stands for. */
  readonly types: readonly string[];
}

const word = (weight: Word['weight'], text: string, ...types: readonly string[]): Word => ({
  word: text,
  weight,
  types,
});

/** The words of tables, in their order. A permission without one shows its own name. */
export const WORDS: readonly Word[] = [
  word('read', 'read', 'DataRead'),
  word('write', 'write', 'DataWrite'),
  word('write', 'create', 'DataCreate'),
  word('write', 'delete', 'DataDelete'),
  word('read', 'see settings', 'MetadataRead'),
  word('admin', 'change settings', 'MetadataWrite', 'MetadataCreate', 'MetadataDelete'),
];

/** What each canonical type is called where a reader chooses one. */
export const TYPES: Readonly<Record<string, string>> = {
  DataRead: 'read',
  DataWrite: 'write',
  DataCreate: 'create',
  DataDelete: 'delete',
  MetadataRead: 'see settings',
  MetadataWrite: 'change settings',
  MetadataCreate: 'create settings',
  MetadataDelete: 'delete settings',
  NonData: 'something other than data',
  Uncategorized: 'something that nobody categorized',
};

const wordsOfTypes: ReadonlyMap<string, string> = new Map([
  ...Object.entries(TYPES),
  [PRIVILEGED, 'privileged: change or delete settings'],
]);

/** What a canonical type means to people. Any other text, such as a type of resources, is itself. */
export const typeInWords = (type: string): string => wordsOfTypes.get(type) ?? type;

/** A permission as answers list it. */
interface Held {
  readonly name: string;
  readonly permission_type: readonly string[];
}

/** The words for some permissions, and those permissions that have none. */
export const inWords = <H extends Held>(
  held: readonly H[],
): { readonly words: readonly Word[]; readonly wordless: readonly H[] } => {
  const types = new Set(held.flatMap(({ permission_type }) => permission_type));
  const known = new Set(WORDS.flatMap((each) => each.types));
  return {
    words: WORDS.filter((each) => each.types.some((type) => types.has(type))),
    wordless: held.filter(
      ({ permission_type }) => !permission_type.some((type) => known.has(type)),
    ),
  };
};

/** What somebody holds, as a text: first the words, then the names of permissions that have none. */
export const wordsFor = (held: readonly Held[]): string => {
  const { words, wordless } = inWords(held);
  return [...words.map((each) => each.word), ...wordless.map(({ name }) => name)].join(', ');
};
