import { isPrivileged, PRIVILEGED } from '../../../model/access-narrowing';

/** A word for what permissions let somebody do. */
interface Word {
  readonly word: string;
  /** How much it weighs in a table: what is privileged most. */
  readonly weight: 'read' | 'write' | 'admin';
  /** The canonical type that it stands for. */
  readonly type: string;
}

/** What each canonical type is called. */
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

/** What changes data or adds settings weighs more than what reads. */
const WRITES = new Set(['DataWrite', 'DataCreate', 'DataDelete', 'MetadataCreate']);

const weightOf = (type: string): Word['weight'] =>
  isPrivileged([type]) ? 'admin' : WRITES.has(type) ? 'write' : 'read';

/**
 * Whether a row has a privileged permission (docs/rules.md: Privileged permissions): as its details say, or
 * else by the permissions that it lists.
 */
export const isRowPrivileged = (
  held: readonly { readonly permission_type: readonly string[] }[],
  said: boolean | null | undefined,
): boolean => said ?? held.some(({ permission_type }) => isPrivileged(permission_type));

/** The words of tables, in their order. A permission without one shows its own name. */
export const WORDS: readonly Word[] = Object.entries(TYPES)
  .filter(([type]) => /^(?:Data|Metadata)[A-Z]/.test(type))
  .map(([type, word]) => ({ word, weight: weightOf(type), type }));

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
  const known = new Set(WORDS.map(({ type }) => type));
  return {
    words: WORDS.filter(({ type }) => types.has(type)),
    wordless: held.filter(
      ({ permission_type }) => !permission_type.some((type) => known.has(type)),
    ),
  };
};

/** What somebody holds: first the words, then the names of permissions that have none. */
export const wordsOf = (held: readonly Held[]): readonly string[] => {
  const { words, wordless } = inWords(held);
  return [...words.map((each) => each.word), ...wordless.map(({ name }) => name)];
};

/** The same as a text. */
export const wordsFor = (held: readonly Held[]): string => wordsOf(held).join(', ');
