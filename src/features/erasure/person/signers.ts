import { ERASED, PersonNames } from '../../../model/person-names';
import { OF_PERSON } from '../../../graph/records/event-record';
import type { Runner } from '../../../neo4j/transaction';
import type { Decisions, Doubtful } from './doubt';
import type { Person } from './person-search';
import { SIGN_INS } from '../statements';

/** Somebody who signed in at an issuer. */
interface Signer {
  /** The id by which sessions name them. */
  readonly subject: string;
  /** What sign-ins called them. */
  readonly names: ReadonlySet<string>;
  /** Keys of the nodes that were theirs when they signed in. */
  readonly people: ReadonlySet<string>;
}

/** Which of those who signed in is the person, and what records lose of them. */
export interface ErasedSigners {
  /** Ids by which records name them. */
  readonly ids: readonly string[];
  readonly doubtful: readonly Doubtful[];
  /** What a record that names one of them by an id must lose too; `null`: it names none of them. */
  namesIn(texts: readonly string[]): PersonNames | null;
  /** A value of a record without what says who they are, where they were, and in which session. */
  without(value: unknown): unknown;
}

const OF_ISSUER = 'issuer:';
const SIGNED_IN = /^person:issuer:[0-9a-f]{32}$/;

/** Whether a text is an id by which events name a person who signed in. */
export const isSigner = (text: string): boolean => SIGNED_IN.test(text);

const textsOf = (value: unknown): readonly string[] =>
  [value].flat().filter((text): text is string => typeof text === 'string');

interface SignIn {
  readonly subject?: unknown;
  readonly name?: unknown;
  readonly people?: unknown;
}

const inEvent = (metadata: string): SignIn => {
  try {
    const { subject, person, by } = JSON.parse(metadata) as Readonly<Record<string, unknown>>;
    return { subject, people: person, name: (by as { readonly name?: unknown } | undefined)?.name };
  } catch {
    return {};
  }
};

/** All who signed in at an issuer, as sessions and events of sign-ins show them. */
const readSigners = async (tx: Runner): Promise<readonly Signer[]> => {
  const all = new Map<string, { names: Set<string>; people: Set<string> }>();
  for await (const record of tx.stream(SIGN_INS)) {
    const metadata: unknown = record.get('metadata');
    const one: SignIn = typeof metadata === 'string' ? inEvent(metadata) : record.toObject();
    if (typeof one.subject !== 'string' || !one.subject.startsWith(OF_ISSUER)) continue;
    const known = all.get(one.subject) ?? { names: new Set<string>(), people: new Set<string>() };
    for (const name of textsOf(one.name)) known.names.add(name);
    for (const key of textsOf(one.people)) known.people.add(key);
    all.set(one.subject, known);
  }
  return [...all].map(([subject, { names, people }]) => ({ subject, names, people }));
};

/** Whether somebody signed in who has this id. */
export const hasSignedIn = async (tx: Runner, id: string): Promise<boolean> =>
  (await readSigners(tx)).some(({ subject }) => `${OF_PERSON}${subject}` === id);

/**
 * Finds who of those who signed in is the person: their sign-in was certainly that of one of the
 * person's nodes, and of nobody else, or the operator says so. Who is only called like the person is
 * doubtful.
 */
export const findSigners = async (
  tx: Runner,
  principal: string,
  person: Person,
  decisions: Decisions,
): Promise<ErasedSigners> => {
  const found: Signer[] = [];
  const doubtful: Doubtful[] = [];
  for (const one of await readSigners(tx)) {
    const key = `${OF_PERSON}${one.subject}`;
    const people = [...one.people];
    const ours = people.filter((each) => person.keys.has(each));
    const isAlike = [...one.names].some((name) => person.names.all.isOne(name));
    if (key === principal || (ours.length > 0 && ours.length === people.length)) {
      if (!decisions.stays(key)) found.push(one);
    } else if (ours.length > 0 || isAlike) {
      const [name = null] = one.names;
      const reason = ours.length > 0 ? 'SHARED' : 'SAME_NAME';
      if (decisions.goes(key)) found.push(one);
      else doubtful.push({ key, label: 'PersonSession', name, reason });
    }
  }
  return erasedSigners(found, doubtful);
};

const erasedSigners = (found: readonly Signer[], doubtful: readonly Doubtful[]): ErasedSigners => {
  const ids = found.flatMap(({ subject }) => [subject, `${OF_PERSON}${subject}`]);
  const known = new Set(ids);
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(without);
    if (value === null || typeof value !== 'object') return value;
    const fields = Object.entries(value);
    const isTheirs = fields.some(([, each]) => typeof each === 'string' && known.has(each));
    return Object.fromEntries(
      fields.map(([name, each]) => [
        name,
        isTheirs && OF_SIGNER.has(name) && typeof each === 'string' ? ERASED : without(each),
      ]),
    );
  };
  return {
    ids,
    doubtful,
    namesIn: (texts) => {
      const named = found.filter(({ subject }) => texts.some((text) => text.includes(subject)));
      if (named.length === 0) return null;
      return new PersonNames(
        named.flatMap(({ subject, names }) => [subject, `${OF_PERSON}${subject}`, ...names]),
      );
    },
    without,
  };
};

/** The fields that say who did something, from where, and in which session. */
const OF_SIGNER = new Set(['key_id', 'subject', 'name', 'address', 'session_id']);
