import { randomBytes } from 'node:crypto';

import neo4j from 'neo4j-driver';

import type { StoredValue } from '../../../contract/records/stored';
import type { KeyAct } from '../../../graph/records/event-record';
import { Instant } from '../../../model/instant';
import { Pipeline } from '../../../neo4j/pipeline';
import type { Runner } from '../../../neo4j/transaction';
import { fromGraph, toGraph, utcOf } from '../../../neo4j/values';
import { type Review, reviewRecord } from '../records';
import { notFound } from '../refuse';
import {
  type Act,
  type AliasedPerson,
  type Entry,
  entryHash,
  firstHash,
  personSeal,
  digestOfTexts,
} from '../rules/chain';
import { type DecidedItem, type Numbers, numbersOf } from '../rules/decide';
import {
  ITEM_STATES,
  type ItemState,
  type Mark,
  MARKS,
  type RemediationState,
} from '../rules/words';
import {
  CHANGE_ITEMS,
  COUNT_MARKED,
  COUNT_MARKED_OF_REVIEWER,
  COUNT_OF_REVIEWER,
  COUNT_STATES,
  FIND_PERSON,
  GIVEN_BEFORE,
  LIST_ITEMS,
  LIST_ITEMS_IN_STATE,
  LIST_ITEMS_MARKED,
  LIST_ITEMS_OF_REVIEWER,
  LIST_REVIEWS,
  LOCK_REVIEW,
  READ_ITEMS,
  READ_PEOPLE,
  READ_REVIEW,
  SET_REMEDIATION,
  SET_REVIEW,
  WRITE_ENTRIES,
  WRITE_PEOPLE,
} from './statements';

/** Properties as a node stores them. */
export type Stored = Readonly<Record<string, unknown>>;

/** A review with what only the service knows of it. */
export interface StoredReview {
  readonly review: Review;
  /** Its population; empty before it is opened. */
  readonly run: string;
  readonly token: string;
  readonly salt: string;
  readonly settings: string;
  readonly settingsDigest: string;
  readonly ownerAlias: string;
  readonly fallbackAlias: string;
  readonly people: number;
  readonly openings: readonly string[];
  readonly checked: string;
  /** The review that follows it by its cadence. */
  readonly next: string;
  readonly isOverdue: boolean;
  /** Seals of those who got an alias since the newest entry: the next entry names them. */
  readonly unsaid: readonly string[];
}

/** The text of a property; empty if it has none. */
export const textIn = (stored: Stored, name: string): string => {
  const value = stored[name];
  return typeof value === 'string' ? value : '';
};

/** A list of texts; empty if there is none. */
export const textsIn = (stored: Stored, name: string): readonly string[] => {
  const value = stored[name];
  return Array.isArray(value) ? value.map(String) : [];
};

/** Reads a review as a node stores it. */
export const toReview = (properties: Stored): StoredReview => {
  const stored = fromGraph(properties);
  return {
    review: reviewRecord.read(stored),
    run: textIn(stored, 'run'),
    token: textIn(stored, 'token'),
    salt: textIn(stored, 'salt'),
    settings: textIn(stored, 'settings'),
    settingsDigest: textIn(stored, 'settings_digest'),
    ownerAlias: textIn(stored, 'owner_alias'),
    fallbackAlias: textIn(stored, 'fallback_alias'),
    people: Number(stored.people ?? 0),
    openings: (stored.openings as readonly string[] | undefined) ?? [],
    checked: textIn(stored, 'checked'),
    next: textIn(stored, 'next'),
    isOverdue: stored.is_overdue === true,
    unsaid: [],
  };
};

/** The properties of fields of a review. */
export const reviewProperties = (
  values: Partial<Review>,
  hidden: Readonly<Record<string, StoredValue>> = {},
): Record<string, unknown> => toGraph({ ...reviewRecord.stored(values), ...hidden });

const one = async (tx: Runner, statement: string, id: string): Promise<StoredReview | null> => {
  const [record] = (await tx.run<{ review: Stored }>(statement, { id })).records;
  const review = record?.get('review') ?? {};
  // Who waited for the lock of a review that somebody removed gets a node without properties.
  return 'key' in review ? toReview(review) : null;
};

const orNotFound = (stored: StoredReview | null): StoredReview => {
  if (stored === null) throw notFound('review');
  return stored;
};

/** Reads a review; `null` if there is none. */
export const findReview = (tx: Runner, id: string): Promise<StoredReview | null> =>
  one(tx, READ_REVIEW, id);

/** Reads a review. */
export const readReview = async (tx: Runner, id: string): Promise<StoredReview> =>
  orNotFound(await findReview(tx, id));

/** The same as `findReview`, and holds the review to the end of the transaction. */
export const holdReview = (tx: Runner, id: string): Promise<StoredReview | null> =>
  one(tx, LOCK_REVIEW, id);

/** Reads a review, and holds it to the end of the transaction. */
export const lockReview = async (tx: Runner, id: string): Promise<StoredReview> =>
  orNotFound(await holdReview(tx, id));

/** All reviews. */
export const listReviews = async (tx: Runner): Promise<readonly StoredReview[]> =>
  (await tx.run<{ review: Stored }>(LIST_REVIEWS)).records.map((record) =>
    toReview(record.get('review')),
  );

/** Changes fields of a review. */
export const setReview = async (
  tx: Runner,
  id: string,
  properties: Record<string, unknown>,
): Promise<void> => {
  await tx.run(SET_REVIEW, { id, properties });
};

const numbersBy = async (
  tx: Runner,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<Numbers> => {
  const { records } = await tx.run<{ state: string; number: unknown }>(statement, parameters);
  return numbersOf(
    Object.fromEntries(records.map((each) => [each.get('state'), Number(each.get('number'))])),
  );
};

/** How many items of a population are in each state. */
export const readNumbers = (tx: Runner, run: string): Promise<Numbers> =>
  numbersBy(tx, COUNT_STATES, { run, states: [[...ITEM_STATES]] });

/** How many items of a reviewer are in each state. */
export const readNumbersOf = (
  tx: Runner,
  run: string,
  aliases: readonly string[],
): Promise<Numbers> => numbersBy(tx, COUNT_OF_REVIEWER, { run, aliases: [aliases] });

/** An item as a node stores it. */
export interface StoredItem extends DecidedItem {
  readonly holder: string;
  /** Type, start and end of the relationship; `null` if an erasure changed the text. */
  readonly fact: readonly [type: string, from: string, to: string] | null;
  readonly properties: Stored;
  /** What must follow a revoke. */
  readonly done: Stored | null;
}

const parsedFact = (text: string): StoredItem['fact'] => {
  try {
    return JSON.parse(text) as StoredItem['fact'];
  } catch {
    return null;
  }
};

/** Reads an item as a node stores it. */
const toItem = (item: Stored, read: Stored | null): StoredItem => {
  const properties = fromGraph(item);
  const done = read === null ? null : fromGraph(read);
  return {
    number: Number(properties.number),
    state: textIn(properties, 'state') as ItemState,
    reviewer: textIn(properties, 'reviewer'),
    holder: textIn(properties, 'holder'),
    entitlement: textIn(properties, 'entitlement'),
    digest: textIn(properties, 'digest'),
    marks: (properties.marks as readonly Mark[] | undefined) ?? [],
    remediation: done === null ? null : (textIn(done, 'state') as RemediationState),
    fact: parsedFact(textIn(properties, 'fact')),
    properties,
    done,
  };
};

/** The items with these numbers; refuses numbers of no item. */
export const readItems = async (
  tx: Runner,
  { review, run }: StoredReview,
  numbers: readonly number[],
): Promise<readonly StoredItem[]> => {
  const wanted = [...new Set(numbers)].map((number) => neo4j.int(number));
  const { records } = await tx.run<{ item: Stored; done: Stored | null }>(READ_ITEMS, {
    id: review.id,
    run,
    numbers: [wanted],
  });
  const items = records.map((record) => toItem(record.get('item'), record.get('done')));
  if (items.length < wanted.length) throw notFound('item');
  return items.toSorted((a, b) => a.number - b.number);
};

/** What a list of items is narrowed to. */
export interface ItemFilter {
  readonly states: readonly string[];
  readonly reviewers: readonly string[];
  readonly marks: readonly string[];
}

/** Each list of marks that an item may have: in the order of `MARKS`, so that an index finds it. */
const MARK_LISTS = MARKS.reduce<readonly (readonly Mark[])[]>(
  (lists, mark) => [...lists, ...lists.map((list) => [...list, mark])],
  [[]],
);

/** Those that have one of some marks; none for none. */
const listsWith = (marks: readonly string[]): readonly (readonly Mark[])[] =>
  MARK_LISTS.filter((list) => list.some((mark) => marks.includes(mark)));

/** The statement whose index leads to the fewest items. */
const listStatement = ({ states, reviewers, marks }: ItemFilter): string => {
  if (reviewers.length === 1) return LIST_ITEMS_OF_REVIEWER;
  if (marks.length > 0) return LIST_ITEMS_MARKED;
  return states.length === 1 ? LIST_ITEMS_IN_STATE : LIST_ITEMS;
};

/** How many items with each mark are in each state, of all reviewers if none is named. */
export const readNumbersByMark = async (
  tx: Runner,
  run: string,
  reviewers: readonly string[],
): Promise<ReadonlyMap<Mark, Numbers>> => {
  const [statement, aliases] =
    reviewers.length === 0
      ? [COUNT_MARKED, {}]
      : [COUNT_MARKED_OF_REVIEWER, { aliases: [reviewers] }];
  const { records } = await tx.run<{ marks: readonly string[]; state: string; number: unknown }>(
    statement,
    { run, marks: [listsWith(MARKS)], ...aliases },
  );
  const counts = (mark: Mark): Readonly<Record<string, number>> => {
    const states: Record<string, number> = {};
    for (const each of records.filter((record) => record.get('marks').includes(mark))) {
      const state = each.get('state');
      states[state] = (states[state] ?? 0) + Number(each.get('number'));
    }
    return states;
  };
  return new Map(MARKS.map((mark) => [mark, numbersOf(counts(mark))]));
};

/** A page of items, in the order of their numbers, each with what must follow a revoke. */
export const listItems = async (
  tx: Runner,
  { review, run }: StoredReview,
  filter: ItemFilter,
  after: number,
  most: number,
): Promise<readonly StoredItem[]> => {
  const { records } = await tx.run<{ item: Stored; done: Stored | null }>(listStatement(filter), {
    id: review.id,
    run,
    after: neo4j.int(after),
    most: neo4j.int(most),
    states: [filter.states],
    reviewers: [filter.reviewers],
    marks: [listsWith(filter.marks)],
  });
  return records.map((record) => toItem(record.get('item'), record.get('done')));
};

/** Changes properties of items, by their numbers. */
export const changeItems = async (
  tx: Runner,
  { run }: StoredReview,
  rows: readonly {
    readonly number: number;
    readonly properties: Readonly<Record<string, StoredValue>>;
  }[],
): Promise<void> => {
  const pipeline = new Pipeline(tx);
  await pipeline.send(
    CHANGE_ITEMS,
    'rows',
    rows.map(({ number, properties }) => ({
      number: neo4j.int(number),
      properties: toGraph(properties),
    })),
    { run },
  );
  await pipeline.drain();
};

/** The alias of the person with a number. */
export const aliasOf = (number: number): string => `P${number}`;

/**
 * The alias of a person of a review, and all aliases of the person. A person without one gets the
 * next.
 */
export const aliasIn = async (
  tx: Runner,
  stored: StoredReview,
  person: { readonly name: string; readonly keys: readonly string[] },
): Promise<{
  readonly alias: string;
  readonly aliases: readonly string[];
  readonly stored: StoredReview;
}> => {
  const { run, review } = stored;
  const aliases = await knownAliases(tx, stored, person.keys);
  const [known] = aliases;
  if (known !== undefined) return { alias: known, aliases, stored };
  const people = stored.people + 1;
  const alias = aliasOf(people);
  const salt = randomBytes(16).toString('hex');
  const [key = ''] = person.keys;
  const { name } = person;
  const properties = { review: run, alias, person: key, name, email: null, salt };
  await tx.run(WRITE_PEOPLE, { rows: [[{ key: `${run}|${alias}`, properties }]] });
  await setReview(tx, review.id, { people });
  const seal = personSeal({ alias, key, name, email: '', salt });
  const unsaid = [...stored.unsaid, `${alias} ${seal}`];
  return { alias, aliases: [alias], stored: { ...stored, people, unsaid } };
};

/**
 * The aliases of a person of a review. There are several if they were several people when the review
 * was opened, and are known as one by now.
 */
export const knownAliases = async (
  tx: Runner,
  { run }: StoredReview,
  keys: readonly string[],
): Promise<readonly string[]> =>
  (await tx.run<{ alias: string }>(FIND_PERSON, { run, keys: [keys] })).records.map((record) =>
    record.get('alias'),
  );

/** Whether a person gave all these items to somebody before: then the same request is sent again. */
export const haveGiven = async (
  tx: Runner,
  { review }: StoredReview,
  by: readonly string[],
  to: string,
  numbers: readonly number[],
): Promise<boolean> => {
  const items = [...new Set(numbers)].map((number) => neo4j.int(number));
  const { records } = await tx.run(GIVEN_BEFORE, { id: review.id, by: [by], to, items: [items] });
  return records.length === items.length;
};

/** The person of a record of a review. */
export const toPerson = (stored: Stored): AliasedPerson => ({
  alias: textIn(stored, 'alias'),
  key: textIn(stored, 'person'),
  salt: textIn(stored, 'salt'),
  name: textIn(stored, 'name'),
  email: textIn(stored, 'email'),
});

/** The person with an alias. */
export const readPerson = async (
  tx: Runner,
  { run }: StoredReview,
  alias: string,
): Promise<AliasedPerson> => {
  const { records } = await tx.run<{ person: Stored }>(READ_PEOPLE, {
    keys: [[`${run}|${alias}`]],
  });
  return toPerson(fromGraph(records[0]?.get('person') ?? {}));
};

/** What becomes an entry of the chain. */
export interface NewEntry {
  readonly act: Act;
  readonly item: number;
  readonly by: string;
  readonly batch: number;
  readonly shown: string;
  readonly detail: string;
  readonly reason: string;
}

/** The hash that the next entry names. */
export const headOf = ({ review, settingsDigest }: StoredReview): string =>
  review.head ?? firstHash(review.id, settingsDigest, review.digest ?? '');

/** Appends entries to the chain of a review. `act` is unset if the service decides by itself. */
export const appendEntries = async (
  tx: Runner,
  stored: StoredReview,
  entries: readonly NewEntry[],
  at: Instant,
  act: KeyAct | null,
): Promise<StoredReview> => {
  const { id } = stored.review;
  let head = headOf(stored);
  let seq = stored.review.entries ?? 0;
  const keyId = act?.by.keyId ?? '';
  const keyName = act?.by.name ?? '';
  const rows = entries.map(({ reason, ...content }, place) => {
    seq += 1;
    const salt = randomBytes(16).toString('hex');
    const seals = place === 0 ? stored.unsaid : [];
    const textsDigest = digestOfTexts(salt, reason, keyId, keyName, seals);
    const entry: Entry = { ...content, seq, previous: head, at: at.utc, said: textsDigest };
    head = entryHash(id, entry);
    const properties = toGraph({
      ...entry,
      review: id,
      salt,
      reason,
      key_id: keyId,
      key_name: keyName,
      hash: head,
      seals,
      at,
      seq: BigInt(seq),
      item: BigInt(entry.item),
      batch: BigInt(entry.batch),
    });
    return { key: `${id}|${seq}`, properties };
  });
  const pipeline = new Pipeline(tx);
  await pipeline.send(WRITE_ENTRIES, 'rows', rows);
  await pipeline.drain();
  await setReview(tx, id, { head, entries: neo4j.int(seq) });
  return { ...stored, review: { ...stored.review, head, entries: seq }, unsaid: [] };
};

/**
 * Appends the entry of an act about a review as a whole; returns the new head. `person` is unset if the
 * request names nobody: then the entry names only the key.
 */
export const appendAct = async (
  tx: Runner,
  stored: StoredReview,
  person: Parameters<typeof aliasIn>[2] | null,
  act: Pick<NewEntry, 'act' | 'reason'>,
  at: Instant,
  by: KeyAct,
): Promise<string | null> => {
  const acting = person === null ? { alias: '', stored } : await aliasIn(tx, stored, person);
  const entry = { ...act, item: 0, by: acting.alias, batch: 1, shown: '', detail: '' };
  return (await appendEntries(tx, acting.stored, [entry], at, by)).review.head;
};

/** Reads an entry as a node stores it. */
export const toEntry = (properties: Stored): Entry & { readonly properties: Stored } => {
  const stored = fromGraph(properties);
  return {
    seq: Number(stored.seq),
    item: Number(stored.item),
    batch: Number(stored.batch),
    previous: textIn(stored, 'previous'),
    act: textIn(stored, 'act') as Act,
    by: textIn(stored, 'by'),
    at: utcOf(stored.at) ?? '',
    shown: textIn(stored, 'shown'),
    detail: textIn(stored, 'detail'),
    said: textIn(stored, 'said'),
    properties: stored,
  };
};

/** Sets what must follow revokes. */
export const setRemediation = async (
  tx: Runner,
  id: string,
  rows: readonly {
    readonly item: number;
    readonly properties: Readonly<Record<string, StoredValue>>;
  }[],
): Promise<void> => {
  const pipeline = new Pipeline(tx);
  await pipeline.send(
    SET_REMEDIATION,
    'rows',
    rows.map(({ item, properties }) => ({
      key: `${id}|${item}`,
      properties: toGraph({ review: id, item: BigInt(item), ...properties }),
    })),
  );
  await pipeline.drain();
};

/** A time as a text. */
export const timeIn = (stored: Stored, name: string): string | null =>
  stored[name] instanceof Instant ? stored[name].utc : null;
