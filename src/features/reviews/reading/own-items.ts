import neo4j from 'neo4j-driver';

import { NONE, type NodeSummary } from '../../../access/access-graph';
import type { Pieces } from '../../../access/pieces';
import { typesOf } from '../../../access/walk';
import type { Context } from '../../../context';
import type { Runner } from '../../../neo4j/transaction';
import { inPieces, TooLong } from '../../../questions/contract';
import { itemAnswers, readPeople } from '../answers';
import type { ItemAnswer } from '../endpoints';
import type { Review } from '../records';
import { notFound } from '../refuse';
import type { Numbers } from '../rules/decide';
import { type Loss, lossOf } from '../rules/loss';
import type { View } from '../rules/facts';
import type { ItemState } from '../rules/words';
import { accessAt, type NamedPerson, personIfAny, viewOf } from '../stored/people';
import { COUNT_BEFORE_ITEM, ITEMS_OF_REVIEWER } from '../stored/statements';
import {
  knownAliases,
  listReviews,
  readItems,
  readNumbersOf,
  readReview,
  type StoredItem,
  type StoredReview,
  textIn,
} from '../stored/store';
import { read } from '../stored/transactions';

/*
 * What a person sees of the reviews in which they decide, and of those that they own: their own items
 * and nothing else (docs/reviews.md: For reviewers).
 */

const ON = typesOf(['ON']);

/** How many milliseconds the service looks for who would lose what. */
const LOSS_MS = 10_000;

/** A review in which a person has items. */
export interface OwnReview {
  readonly review: Review;
  /** How many of their items are in each state. */
  readonly numbers: Numbers;
}

/** The reviews of a person. */
export interface OwnReviews {
  /** Open reviews in which items are assigned to them. */
  readonly reviewing: readonly OwnReview[];
  /** Reviews that they own, in each state. */
  readonly owned: readonly Review[];
}

/** An item as its reviewer sees it. Names of the graph are those of now. */
export interface OwnItem {
  readonly answer: ItemAnswer;
  /** What is held: equal for all who hold the same. */
  readonly entitlement: string;
  /** Whether another reviewer had it before. */
  readonly isGiven: boolean;
  /** Who or what holds it; `null` if it is not in the graph any more. */
  readonly holder: NodeSummary | null;
  /** Where it gives something: a group, a role, or the first place of a grant. */
  readonly held: NodeSummary | null;
}

/** Items of one reviewer. */
export interface OwnItems {
  readonly review: Review;
  readonly numbers: Numbers;
  readonly items: readonly OwnItem[];
  /** The names of those to whom items may be given, who are other people. */
  readonly owner: string | null;
  readonly fallback: string | null;
}

/** What a person sees, and the person. */
interface Reader {
  readonly view: View;
  readonly person: NamedPerson;
}

/** The person whose node a key names; `null` if no active person of the graph has it. */
const readerOf = async (context: Context, key: string | null): Promise<Reader | null> => {
  if (key === null) return null;
  const view = viewOf(await accessAt(context, null), null);
  const person = personIfAny(view, key);
  return person === null ? null : { view, person };
};

/** Whether a person owns a review, by any of their nodes. */
const owns = ({ keys }: NamedPerson, { review }: StoredReview): boolean =>
  keys.includes(review.owner);

/** The reviews of a person; `null` if no active person of the graph is certainly them. */
export const ownReviews = async (
  context: Context,
  key: string | null,
): Promise<OwnReviews | null> => {
  const reader = await readerOf(context, key);
  if (reader === null) return null;
  const { person } = reader;
  return read(context, async (tx) => {
    const all = await listReviews(tx);
    const reviewing: OwnReview[] = [];
    for (const stored of all.filter(({ review }) => review.state === 'open')) {
      const aliases = await knownAliases(tx, stored, person.keys);
      if (aliases.length === 0) continue;
      const numbers = await readNumbersOf(tx, stored.run, aliases);
      if (numbers.items > 0) reviewing.push({ review: stored.review, numbers });
    }
    const owned = all.filter((each) => owns(person, each)).map(({ review }) => review);
    return { reviewing, owned };
  });
};

/** The open or closed review in which a person has items; others do not exist for them. */
const reviewOf = async (
  tx: Runner,
  id: string,
  { keys }: NamedPerson,
): Promise<{ stored: StoredReview; aliases: readonly string[]; numbers: Numbers }> => {
  const stored = await readReview(tx, id);
  const aliases = stored.run === '' ? [] : await knownAliases(tx, stored, keys);
  if (aliases.length === 0) throw notFound('review');
  const numbers = await readNumbersOf(tx, stored.run, aliases);
  if (numbers.items === 0) throw notFound('review');
  return { stored, aliases, numbers };
};

/** Who holds an item, and what is held, as the graph has them now. */
export const withNames = (
  { graph, access, moment, clock }: View,
  item: StoredItem,
): Pick<OwnItem, 'holder' | 'held'> => {
  const summaryOf = (node: number): NodeSummary | null =>
    node === NONE || !graph.exists(node, moment) ? null : graph.summary(node, moment, clock);
  const [, from = '', to = ''] = item.fact ?? [];
  const end = graph.find(to);
  const isEntitlement = end !== NONE && graph.kind(end)?.isEntitlement === true;
  const held = isEntitlement ? (access.walk.next(end, ON, moment)[0] ?? NONE) : end;
  return { holder: summaryOf(graph.find(from)), held: summaryOf(held) };
};

const ownItems = async (
  tx: Runner,
  reader: Reader,
  stored: StoredReview,
  items: readonly StoredItem[],
): Promise<readonly OwnItem[]> => {
  const answers = await itemAnswers(tx, stored, items);
  return items.map((item, at) => ({
    answer: answers[at] as ItemAnswer,
    entitlement: item.entitlement,
    isGiven: textIn(item.properties, 'first_reviewer') !== item.reviewer,
    ...withNames(reader.view, item),
  }));
};

const responsibleIn = async (tx: Runner, stored: StoredReview, aliases: readonly string[]) => {
  const { ownerAlias, fallbackAlias } = stored;
  const people = await readPeople(tx, stored.run, [ownerAlias, fallbackAlias]);
  const nameOf = (of: string): string | null =>
    aliases.includes(of) ? null : textIn(people.get(of) ?? {}, 'name') || null;
  return {
    owner: nameOf(ownerAlias),
    fallback: fallbackAlias === ownerAlias ? null : nameOf(fallbackAlias),
  };
};

const readerOrNothing = async (context: Context, key: string | null): Promise<Reader> => {
  const reader = await readerOf(context, key);
  if (reader === null) throw notFound('review');
  return reader;
};

/** Which page of the items of a person is wanted. */
interface WantedItems {
  readonly states: readonly ItemState[];
  readonly page: number;
  /** An item of theirs: the page that has it, or the next one in the order, is wanted instead. */
  readonly near: number | null;
  /** How many items a page has. */
  readonly size: number;
}

/** A page of the items of a person. */
export interface OwnItemsPage extends OwnItems {
  readonly page: number;
  readonly pages: number;
}

/** A page of the items of a person in a review: what is new or has changed first. */
export const listOwnItems = async (
  context: Context,
  key: string | null,
  id: string,
  { states, page: wantedPage, near, size }: WantedItems,
): Promise<OwnItemsPage> => {
  const reader = await readerOrNothing(context, key);
  return read(context, async (tx) => {
    const { stored, aliases, numbers } = await reviewOf(tx, id, reader.person);
    const those = { run: stored.run, aliases: [aliases], states: [states] };
    const total = states.reduce((sum, state) => sum + numbers[state], 0);
    const pageNear = async (number: number): Promise<number> => {
      const counted = await tx.run<{ number: unknown }>(COUNT_BEFORE_ITEM, {
        ...those,
        number: neo4j.int(number),
      });
      const before = Number(counted.records[0]?.get('number'));
      // After the last item, the first one is next.
      return before < total ? Math.floor(before / size) + 1 : 1;
    };
    const pages = Math.max(1, Math.ceil(total / size));
    const page = Math.min(near === null ? wantedPage : await pageNear(near), pages);
    const { records } = await tx.run<{ number: unknown }>(ITEMS_OF_REVIEWER, {
      ...those,
      skip: neo4j.int((page - 1) * size),
      most: neo4j.int(size),
    });
    const wanted = records.map((record) => Number(record.get('number')));
    const found = new Map((await readItems(tx, stored, wanted)).map((item) => [item.number, item]));
    const items = wanted.flatMap((number) => found.get(number) ?? []);
    return {
      review: stored.review,
      numbers,
      ...(await responsibleIn(tx, stored, aliases)),
      items: await ownItems(tx, reader, stored, items),
      page,
      pages,
    };
  });
};

/** Some items of a person. Items of others do not exist for them. */
export const readOwnItems = async (
  context: Context,
  key: string | null,
  id: string,
  numbers: readonly number[],
): Promise<OwnItems> => {
  const reader = await readerOrNothing(context, key);
  return read(context, async (tx) => {
    const own = await reviewOf(tx, id, reader.person);
    const items = await readItems(tx, own.stored, numbers);
    if (items.some(({ reviewer }) => !own.aliases.includes(reviewer))) throw notFound('item');
    return {
      review: own.stored.review,
      numbers: own.numbers,
      ...(await responsibleIn(tx, own.stored, own.aliases)),
      items: await ownItems(tx, reader, own.stored, items),
    };
  });
};

/** The key of the owner or of the fallback of a review. */
export const responsibleFor = async (
  context: Context,
  id: string,
  which: 'owner' | 'fallback',
): Promise<string> => (await read(context, (tx) => readReview(tx, id))).review[which];

/**
 * Who would lose what now, if the facts of some items of a person were removed; `null` if the service
 * does not find it in time.
 */
export const lossesOf = async (
  context: Context,
  key: string | null,
  id: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Loss> | null> => {
  const { person } = await readerOrNothing(context, key);
  const items = await read(context, async (tx) => {
    const { stored, aliases } = await reviewOf(tx, id, person);
    const found = await readItems(tx, stored, numbers);
    return found.filter(({ reviewer }) => aliases.includes(reviewer));
  });
  const latest = performance.now() + LOSS_MS;
  while (performance.now() < latest) {
    const access = await accessAt(context, null);
    const { changes } = access.graph;
    const isValid = (): boolean => access.graph.changes === changes;
    const work = lossesIn(viewOf(access, null), items);
    const found = await inPieces(work, isValid, latest).catch((error: unknown) => {
      if (error instanceof TooLong) return null;
      throw error;
    });
    if (found !== null) return found;
  }
  return null;
};

function* lossesIn(view: View, items: readonly StoredItem[]): Pieces<ReadonlyMap<number, Loss>> {
  const losses = new Map<number, Loss>();
  for (const { number, fact } of items) {
    if (fact !== null) losses.set(number, yield* lossOf(view, fact));
  }
  return losses;
}
