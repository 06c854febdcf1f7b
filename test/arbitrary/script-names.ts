import fc, { type Arbitrary } from 'fast-check';

/** First and last names of one script. */
interface Script {
  readonly script: string;
  readonly first: readonly string[];
  readonly last: readonly string[];
}

/** Names in many scripts: with marks that combine, composed and decomposed, and signs that nobody sees. */
const SCRIPTS: readonly Script[] = [
  { script: 'Latin', first: ['Zo\u00eb', 'Håkon', 'Ann'], last: ["O'Dea", 'Ñandú', 'Lee'] },
  { script: 'Cyrillic', first: ['Юлия', 'Али'], last: ['Петров-Водкин', 'Ёлкина'] },
  { script: 'Greek', first: ['ΝΙΚΟΣ', 'Άννα'], last: ['Παπάς', 'Σάσσου'] },
  { script: 'Devanagari', first: ['महेश', 'प्रिया'], last: ['शर्मा', 'कुमार'] },
  { script: 'Arabic', first: ['محمد', 'فَاطِمة'], last: ['الهاشمي', 'عليّ'] },
  { script: 'Hebrew', first: ['דָּוִד', 'רות'], last: ['כהן', 'לוי'] },
  { script: 'CJK', first: ['太郎', '美咲'], last: ['田中', '佐々木'] },
  { script: 'Thai', first: ['สมชาย', 'น้ำ'], last: ['ใจดี', 'ศรีสุข'] },
  { script: 'Hangul', first: ['민준', '\u1109\u1165\u110b\u1167\u11ab'], last: ['김', '박'] },
  { script: 'emoji', first: ['🦊Max', 'Lea👩‍💻'], last: ['⭐️Star', '𝔗om'] },
  {
    script: 'marks',
    first: ['a\u0323\u0307nn', 'Z\u0335e\u0301'],
    last: ['q\u0307\u0323r', 'İlkay'],
  },
];

/** All of them, by name. */
export const SCRIPT_NAMES: readonly string[] = SCRIPTS.map(({ script }) => script);

/** A human by the names that systems give one. */
export interface Human {
  readonly script: string;
  readonly first: string;
  readonly last: string;
  /** A login; no other human of the world has it. */
  readonly login: string;
  readonly email: string;
  /** An id in a directory: letters and digits, or digits alone. */
  readonly id: string;
  readonly full: string;
  /** What the human was called before. */
  readonly former: string;
}

/** Humans of a world. The number of each makes the names of each different. */
export const humans = (least: number, most: number): Arbitrary<readonly Human[]> =>
  fc
    .array(
      fc.record({
        script: fc.constantFrom(...SCRIPTS),
        first: fc.nat({ max: 9 }),
        last: fc.nat({ max: 9 }),
        join: fc.constantFrom('.', '_', '-', '|', '#', '+'),
        isNumber: fc.boolean(),
        isLoud: fc.boolean(),
      }),
      { minLength: least, maxLength: most },
    )
    .map((all) =>
      all.map(({ script, first: a, last: b, join, isNumber, isLoud }, at): Human => {
        const first = script.first[a % script.first.length] ?? '';
        const last = script.last[b % script.last.length] ?? '';
        const number = 7103 + at * 13;
        const login = `${first}${join}${number}`;
        return {
          script: script.script,
          first,
          last,
          login: isLoud ? login : login.toLowerCase(),
          email: `${last}.${number}@Corp.example`,
          id: isNumber ? String(90_000 + number) : `U-${number}`,
          full: `${first} ${last} ${at}`,
          former: `${first} Vexler${number}`,
        };
      }),
    );

const percented = (text: string): string => encodeURIComponent(text.toWellFormed());
const isSafe = (text: string, other: string): boolean =>
  other.toLowerCase().normalize('NFC') === text.toLowerCase().normalize('NFC');

/** Other spellings of a name, which are that name (docs/rules.md: Erasing a person). */
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.normalize('NFD'),
  (name) => name.normalize('NFC'),
  (name) => (isSafe(name, name.toUpperCase()) ? name.toUpperCase() : name),
  percented,
  (name) => percented(percented(name)),
  (name) => name.replaceAll(' ', '\u00a0'),
  (name) => name.replaceAll(' ', ' \u2003 '),
  (name) => `${name.slice(0, -1)}\u200b${name.slice(-1)}`,
];

/** A name in one of its spellings. */
export const respelled = (name: string, way: number): string =>
  (SPELLINGS[way % SPELLINGS.length] ?? String)(name);

const SENTENCES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `Ask ${name}.`,
  (name) => `(${name})`,
  (name) => `see ${name}, or nobody`,
  (name) => `/home/${name}/`,
  (name) => `by "${name}"; new`,
];

/** A text that holds a name as a word of its own. */
export const sentenceWith = (name: string, way: number): string =>
  (SENTENCES[way % SENTENCES.length] ?? String)(
    respelled(name, Math.floor(way / SENTENCES.length)),
  );
