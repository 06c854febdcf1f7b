import type { Summary } from '../../../contract/answers/questions/access';
import type { CauseOfChange, CauseThing } from '../../../contract/answers/questions/access-changes';

/** A part of a phrase: words, or something that has a page. */
export type Part = string | Summary;

type Verbs = readonly [began: string, ended: string];

const LINKED: Verbs = ['was linked to', 'is no longer linked to'];

/** What people say when a relationship of each type begins, and when it ends. */
const VERBS: Readonly<Record<string, Verbs>> = {
  MEMBER_OF: ['joined', 'left'],
  HOLDS: ['was granted', 'lost'],
  ASSIGNED_TO: ['was assigned', 'is no longer assigned'],
  ASSUMES_ROLE: ['may now assume', 'may no longer assume'],
  ACTS_AS: ['now acts as', 'no longer acts as'],
  INCLUDES: ['now includes', 'no longer includes'],
  ALLOWS: ['now allows', 'no longer allows'],
  HAS_CREDENTIAL: ['got', 'lost'],
  CONNECTS_TO: ['now connects to', 'no longer connects to'],
  RESOLVES_TO: ['now stands for', 'no longer stands for'],
  HAS_ACCOUNT: LINKED,
  SOURCE_IDENTITY_OF: LINKED,
  KNOWN_AS: LINKED,
  IDENTITY_OF: LINKED,
};

const verbsOf = (type: string): Verbs => VERBS[type] ?? ['began', 'ended'];

/** What a line of changes is about, which its cause need not name again. */
export interface AboutLine {
  /** The ids of those who gained or lost. */
  readonly who: ReadonlySet<string>;
  /** The ids of the resources. */
  readonly on: ReadonlySet<string>;
}

/** What changed, as a phrase: "joined Firmware Maintainers". It leaves out who and what the line is about. */
export const phraseOf = (
  { change, type, from, to, on }: CauseThing,
  about: AboutLine,
): readonly Part[] => {
  if (type === null) {
    const words = { began: 'is new', ended: 'is gone', changed: 'changed' }[change];
    return about.on.has(from.id) ? [`it ${words}`] : [from, words];
  }
  const [began, ended] = verbsOf(type);
  if (type === 'CONTAINS' && to !== null) {
    const child = about.on.has(to.id) ? [] : [to];
    return [...child, change === 'ended' ? 'no longer in' : 'new in', from];
  }
  const subject = about.who.has(from.id) ? [] : [from];
  const isRole = to?.label.endsWith('Role') === true;
  const granted = isRole && change !== 'ended' ? 'was assigned' : began;
  const verb =
    type === 'HOLDS' && change !== 'ended' ? granted : change === 'ended' ? ended : began;
  const where = on === null || about.on.has(on.id) ? [] : ['on', on];
  return [...subject, verb, ...(to === null ? [] : [to]), ...where];
};

/** The phrase of a change as one text. */
export const phraseInWords = (thing: CauseThing, about: AboutLine): string =>
  phraseOf(thing, about)
    .map((part) => (typeof part === 'string' ? part : part.name))
    .join(' ');

const FIRST_PUSH_OF = 'first push of';

/** What is said of a cause: a thing, or the first push of a data source, once for all that it brought. */
export type Told =
  { readonly thing: CauseThing } | { readonly source: string; readonly push: string };

/** What is said of the things of a cause: first pushes come last, each once. */
export const toldThings = (things: readonly CauseThing[]): readonly Told[] => {
  const firsts = new Map<string, string>();
  const others: Told[] = [];
  for (const thing of things) {
    const { first_push_of: source, push } = thing;
    if (source === undefined || push === null) others.push({ thing });
    else firsts.set(push, source);
  }
  return [...others, ...[...firsts].map(([push, source]) => ({ source, push }))];
};

/**
 * The phrase that a line shows for one change, or for the first push of a data source, whose name
 * is then a separate part.
 */
export const phraseOfTold = (
  told: Told,
  about: AboutLine,
): readonly (Part | { readonly source: string })[] =>
  'thing' in told ? phraseOf(told.thing, about) : [FIRST_PUSH_OF, { source: told.source }];

/** How many things changed together, before what these are. */
export const togetherInWords = (told: readonly Told[]): string =>
  told.length < 2 ? '' : `${told.length} changes together: `;

/** A cause as a text. */
export const causeInWords = (things: CauseOfChange['things'], about: AboutLine): string => {
  if (things === null) return NO_CAUSE;
  const told = toldThings(things);
  const phrases = told.map((each) =>
    'thing' in each ? phraseInWords(each.thing, about) : `${FIRST_PUSH_OF} ${each.source}`,
  );
  return `${togetherInWords(told)}${phrases.join('; ')}`;
};

/** What a reader must know if a time begins where the history does. */
export const FROM_BEGINNING =
  'Nothing is known before the first of these: the history begins then.';

/** What a reader must know if two instants show no difference (docs/rules.md: Changes of access). */
export const ONLY_INSTANTS =
  'Only these two instants are compared: what was gained and lost again in between is not listed. A shorter time shows it.';

/** What a page says where no cause is certain. */
export const NO_CAUSE = 'more than one change, and none is certainly the cause';
