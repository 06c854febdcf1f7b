import neo4j from 'neo4j-driver';

import type { Context } from '../../../context';
import type { Runner } from '../../../neo4j/transaction';
import { fromGraph } from '../../../neo4j/values';
import { LIST_DECISIONS, LIST_PEOPLE } from './statements';
import {
  listItems,
  lockReview,
  type Stored,
  type StoredItem,
  type StoredReview,
  textIn,
  toEntry,
} from './store';
import { readToAct } from './transactions';

/** The texts of so many items are compressed without holding the thread for long. */
const READ_AT_ONCE = 250;
const SECONDS = 300;
const ALL = { states: [], reviewers: [], marks: [] };

/** An entry of the chain, with its texts. */
export type StoredEntry = ReturnType<typeof toEntry>;

/** A review that does not change while somebody reads all of it. */
export interface Snapshot {
  readonly stored: StoredReview;
  /** By alias. */
  readonly people: ReadonlyMap<string, Stored>;
  /** The items, page by page, in the order of their numbers. */
  readonly items: () => AsyncGenerator<readonly StoredItem[]>;
  /** The chain, page by page. */
  readonly entries: () => AsyncGenerator<readonly StoredEntry[]>;
}

async function* itemsIn(tx: Runner, stored: StoredReview): AsyncGenerator<readonly StoredItem[]> {
  for (let after = 0; ;) {
    const items = await listItems(tx, stored, ALL, after, READ_AT_ONCE);
    if (items.length === 0) return;
    yield items;
    after = items.at(-1)?.number ?? after;
  }
}

async function* entriesIn(tx: Runner, id: string): AsyncGenerator<readonly StoredEntry[]> {
  for (let after = 0; ;) {
    const { records } = await tx.run<{ entry: Stored }>(LIST_DECISIONS, {
      id,
      after: neo4j.int(after),
      most: neo4j.int(READ_AT_ONCE),
    });
    if (records.length === 0) return;
    const entries = records.map((record) => toEntry(record.get('entry')));
    yield entries;
    after = entries.at(-1)?.seq ?? after;
  }
}

/** Reads all of a review, of which nobody changes anything meanwhile. */
export const inSnapshot = <A>(
  context: Context,
  id: string,
  work: (snapshot: Snapshot) => Promise<A>,
): Promise<A> =>
  readToAct(
    context,
    async (tx) => {
      const stored = await lockReview(tx, id);
      const { records } = await tx.run<{ person: Stored }>(LIST_PEOPLE, { run: stored.run });
      const people = records.map((record) => fromGraph(record.get('person')) as Stored);
      return work({
        stored,
        people: new Map(people.map((person) => [textIn(person, 'alias'), person])),
        items: () => itemsIn(tx, stored),
        entries: () => entriesIn(tx, id),
      });
    },
    { timeoutSeconds: SECONDS },
  );
