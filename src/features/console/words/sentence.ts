import { type Mark, MARKS, PRIVILEGED } from '../../../model/access-narrowing';
import { markInWords, markOfRow } from './marks';
import { TYPES } from './permission-types';

/** A question in words: who can do what on what. */
export interface Sentence {
  /** `null`: the question is who can. */
  readonly who: string | null;
  readonly what: string;
  readonly resource: string;
  /** Only those with this mark. */
  readonly mark?: Mark;
}

/** Words that name no certain person. */
const ANYBODY = new Set(['who', 'who else', 'who all', 'anybody', 'anyone', 'somebody', 'someone']);

/** The marks by what they are called: of one, of all, and to programs. */
const MARK_OF: ReadonlyMap<string, Mark> = new Map(
  MARKS.flatMap((mark) =>
    [markOfRow(mark), markInWords(mark), mark].map((word) => [word.replace('’', "'"), mark]),
  ),
);

const ofWords = (words: Iterable<string>): string => [...words].join('|').replaceAll("'", "['’]");

const CALLED = ofWords(['privileged', ...MARK_OF.keys()]);
const MARKS_CALLED = ofWords(MARK_OF.keys());

/** The beginning and the end of questions about what those with a mark can do. */
const MARKED_CAN = new RegExp(
  `^(?:who (?:is|are) (?:an? )?(${MARKS_CALLED}) (?:and|who) can|which (${MARKS_CALLED}) can|(${MARKS_CALLED}) who can) `,
  'i',
);
const CAN_AND_IS = new RegExp(` (?:and|who) (?:is|are) (?:an? )?(${MARKS_CALLED})$`, 'i');

/** The mark that is called so. */
const markCalled = (word: string): Mark | undefined =>
  MARK_OF.get(word.toLowerCase().replace('’', "'"));

/** The mark that one of these names. */
const markIn = (found: RegExpExecArray | null): Mark | undefined =>
  markCalled(found?.slice(1).find((called) => called !== undefined) ?? '');

/** The beginning of a question about those with a mark, or about who is privileged. */
const MARKED = new RegExp(
  `^(?:who (?:is|are) )?(${CALLED})(?: people| accounts| users)? (?:(?:with|(?:and|who) (?:has|have)) access (?:to|on|in)|on|in|of) `,
  'i',
);

/**
 * Reads "who is privileged on Forge", "who is inactive and has access to Forge", "inactive people on
 * Forge" and "guests of Forge".
 */
const markedIn = (text: string): Sentence | null => {
  const [before = '', called = ''] = MARKED.exec(text) ?? [];
  const resource = text.slice(before.length).trim();
  if (before === '' || resource === '') return null;
  const mark = markCalled(called);
  return mark === undefined
    ? { who: null, what: 'administer', resource }
    : { who: null, what: 'access', resource, mark };
};

/**
 * Reads "ann can write motor-control" and "who can write motor-control"; `null` if the text is no
 * such sentence. The verb is one word, or a text in quotes, since names of permissions have spaces.
 */
export const sentenceIn = (text: string): Sentence | null => {
  const words = text
    .trim()
    .replace(/\?$/, '')
    .replace(/^who has access (?:to|on|in) /i, 'who can access ');
  // "guests of forge can write x" asks about whom a name means.
  const marked = / can \S+ \S/i.test(words) ? null : markedIn(words);
  if (marked !== null) return marked;
  const ofMark = markIn(MARKED_CAN.exec(words));
  if (ofMark !== undefined) return withMark(words.replace(MARKED_CAN, 'who can '), ofMark);
  const mark = markIn(CAN_AND_IS.exec(words));
  if (mark !== undefined) return withMark(words.replace(CAN_AND_IS, ''), mark);
  const at = words.toLowerCase().indexOf(' can ');
  if (at < 1) return null;
  const who = words.slice(0, at).trim();
  const rest = words.slice(at + ' can '.length).trim();
  const [, quoted, plain, resource = ''] = /^(?:"([^"]+)"|(\S+)) +(\S.*)$/.exec(rest) ?? [];
  const what = quoted ?? plain;
  if (who === '' || what === undefined || resource === '') return null;
  const isAnybody = ANYBODY.has(who.toLowerCase());
  return {
    who: isAnybody ? null : who,
    what,
    resource: resource.trim().replace(/^(?:to|on|in) /i, ''),
  };
};

/** The same sentence about those with a mark; `null` if it asks about a certain person, or names two marks. */
const withMark = (text: string, mark: Mark): Sentence | null => {
  const read = sentenceIn(text);
  return read?.who === null && read.mark === undefined ? { ...read, mark } : null;
};

/** A question that a page answers about somebody or something that Find looks up by name. */
export interface Lookup {
  readonly name: string;
  /** `access`: what they can do; `members`: who is in it; `changes`: what they gained and lost. */
  readonly answer: 'access' | 'members' | 'changes';
  /** A time as the reader wrote it; empty: none. */
  readonly since: string;
}

/** Reads "what can ann do", "who is in editors" and "changes of ann since monday". */
export const lookupIn = (text: string): Lookup | null => {
  const words = text.trim().replace(/\?$/, '').trim();
  const [, name] = /^what can (.+) (?:do|reach|access)$/i.exec(words) ?? [];
  if (name !== undefined) return { name, answer: 'access', since: '' };
  const [, group] = /^(?:who is in|members of) (.+)$/i.exec(words) ?? [];
  if (group !== undefined) return { name: group, answer: 'members', since: '' };
  const [, whose, since = ''] = /^changes of (.+?)(?: since (.+))?$/i.exec(words) ?? [];
  return whose === undefined ? null : { name: whose, answer: 'changes', since };
};

/** A question about what everybody gained and lost. */
export interface AllChanges {
  /** Empty: both. */
  readonly change: '' | 'gained' | 'lost';
  /** Times as the reader wrote them; empty: the last seven days, or until now. */
  readonly since: string;
  readonly until: string;
}

/** Reads "who gained access this week" and "changes since monday". */
export const allChangesIn = (text: string): AllChanges | null => {
  const words = text.trim().replace(/\?$/, '').trim();
  const [, verb = '', time = ''] =
    /^(?:who (gained|lost) (?:access|anything|something)|changes|what changed)(?: (since .+|today|yesterday|this week))?$/i.exec(
      words,
    ) ?? [];
  const change = verb.toLowerCase();
  if (change === '' && time === '') return null;
  const since = time.replace(/^this week$/i, '').replace(/^since /i, '');
  return {
    change: change === 'gained' || change === 'lost' ? change : '',
    since,
    until: /^yesterday$/i.test(time) ? since : '',
  };
};

/** A question whose name somebody is still writing, and the words around that name. */
export interface Beginning {
  readonly before: string;
  readonly name: string;
  readonly after: string;
  /** Whether the name is that of something that can be reached. */
  readonly isPlace: boolean;
}

/** The beginnings of questions, and what follows their names. */
const BEGINNINGS: readonly (readonly [before: RegExp, after: string, isPlace: boolean])[] = [
  [/^what can /i, ' do', false],
  [/^(?:who is in|members of) /i, '', false],
  [/^changes of /i, '', false],
  [/^who has access (?:to|on|in) /i, '', true],
  [/^.+? can (?:"[^"]+"|\S+) (?:(?:to|on|in) )?/i, '', true],
  [MARKED, '', true],
];

/** Reads the beginning of a question; `null` if the text is none. */
export const beginningIn = (text: string): Beginning | null => {
  for (const [pattern, after, isPlace] of BEGINNINGS) {
    const [before] = pattern.exec(text) ?? [];
    const name = text.slice(before?.length);
    if (before !== undefined && name !== '') return { before, name, after, isPlace };
  }
  return null;
};

/** The canonical types of data by their words. The words of other types are no verbs. */
const TYPE_OF_VERB: ReadonlyMap<string, string> = new Map(
  Object.entries(TYPES).flatMap(([type, word]) => (type.startsWith('Data') ? [[word, type]] : [])),
);

/**
 * The permission that a verb means: a canonical type by its word or name, anything at all, or else a
 * native permission of that name.
 */
export const permissionMeant = (
  verb: string,
  isAnybody = false,
): { readonly permission?: string; readonly permission_type?: string } => {
  const word = verb.toLowerCase();
  if (['access', 'reach', 'do', 'use'].includes(word)) return {};
  // Of one person a page asks about one type: whether they may change settings.
  if (word === 'administer') return { permission_type: isAnybody ? PRIVILEGED : 'MetadataWrite' };
  const type = TYPE_OF_VERB.get(word);
  if (type !== undefined) return { permission_type: type };
  return /^(?:Data|Metadata)[A-Z]|^NonData$|^Uncategorized$/.test(verb)
    ? { permission_type: verb }
    : { permission: verb };
};
