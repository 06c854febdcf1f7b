import * as E from 'fp-ts/Either';
import neo4j from 'neo4j-driver';

import { NONE } from '../../../access/access-graph';
import type { Context } from '../../../context';
import type { KeyAct } from '../../../graph/records/event-record';
import { parseInstant } from '../../../model/instant';
import { FailedStep } from '../../../neo4j/failure';
import { Pipeline } from '../../../neo4j/pipeline';
import type { Failure } from '../../../problem';
import { ordersOf } from '../../../scim/policies/contract';
import { providersOf } from '../../../graph/records/registry';
import { badRequestField, conflict } from '../refuse';
import { digestOf } from '../rules/chain';
import { isUserOrEmployee, type View } from '../rules/facts';
import { accessAt, keysOf, viewOf } from '../stored/people';
import { READ_MEMBERSHIPS } from '../stored/statements';
import { readItems, readReview, type StoredItem, type StoredReview, textIn } from '../stored/store';
import { readToAct } from '../stored/transactions';

/** What would become of an item if it were sent. */
export interface ForeseenItem {
  readonly item: StoredItem;
  /** What is meant, in words; empty if the service does not know. */
  readonly what: string;
  /** Why nothing would be sent; null if it would be. */
  readonly why: string | null;
  /** Which member to remove where; null if nothing would be sent. */
  readonly removal: {
    readonly provider: string;
    readonly account: string;
    readonly group: string;
    readonly wanted: string;
    /** What the review stores of it: nothing that the application calls anybody. */
    readonly inWords: string;
  } | null;
}

/** What of some items would be sent. */
export interface ForeseenSending {
  readonly items: readonly ForeseenItem[];
  /** What a request must name to send it; null if nothing would be sent. */
  readonly token: string | null;
}

/** A membership as the graph holds it. */
interface Row {
  readonly provider: string;
  readonly account: readonly string[];
  readonly account_name: string;
  readonly email: string | null;
  readonly identities: readonly string[];
  readonly known: readonly { readonly name: string; readonly whose: readonly string[] }[];
  readonly applications: unknown;
  readonly from_import: boolean | null;
  readonly group: string | null;
  readonly group_name: string;
}

/** The graph at the instant of a review, and now. */
interface Views {
  readonly then: View;
  readonly now: View;
}

const right = async <A>(done: Promise<E.Either<Failure, A>>): Promise<A> => {
  const either = await done;
  if (E.isLeft(either)) throw new FailedStep(either.left);
  return either.right;
};

/** Who certainly has an account: users and employees, or else what it is called; empty if nobody knows. */
const holdersOf = (view: View, key: string): readonly string[] => {
  const { graph, humans, moment } = view;
  const node = graph.find(key);
  if (node === NONE || !graph.exists(node, moment)) return [];
  const human = humans.humanOf(node, moment);
  if (human === NONE) return [];
  const people = keysOf(view, human).filter((each) => isUserOrEmployee(view, graph.find(each)));
  return people.length > 0 ? people : [`name ${graph.name(graph.version(node, moment))}`];
};

/** By what directories know who has an account, and nobody else; null if they know nobody. */
const knownOf = (view: View, key: string, known: Row['known']): readonly string[] | null => {
  const { graph, humans, moment } = view;
  const human = humans.humanOf(graph.find(key), moment);
  if (!isUserOrEmployee(view, human)) return null;
  const own = new Set(keysOf(view, human));
  return known.flatMap(({ name, whose }) => (whose.every((each) => own.has(each)) ? [name] : []));
};

/** Why nobody knows that the account of an item is the one that somebody reviewed. */
const otherHolder = ({ then, now }: Views, key: string): string | null => {
  const [before, after] = [holdersOf(then, key), holdersOf(now, key)];
  if (before.length === 0 || after.length === 0) {
    return 'Several people may have the account: somebody does this by hand.';
  }
  return after.some((each) => before.includes(each))
    ? null
    : 'The account is not certainly that of who had it when the review was opened.';
};

/** Why nobody knows that the connection reaches the application of a membership. */
const otherApplication = ({ from_import, applications }: Row): string | null => {
  if (from_import === false) {
    return 'Another data source says it than the one that the application is imported to.';
  }
  return Number(applications) > 1
    ? 'The provider has several applications, and nobody knows which of them the connection reaches.'
    : null;
};

/** Why an item stays a task for people, as far as the graph says; null if it may be sent. */
const taskBecause = (views: Views, item: StoredItem, row: Row | undefined): string | null => {
  if (item.fact?.[0] !== 'MEMBER_OF') {
    return 'Over SCIM the service only removes members of groups: somebody does this by hand.';
  }
  if (row === undefined) {
    return 'It is not the membership of an account in a group of an application, or it is gone.';
  }
  if (textIn(item.done ?? {}, 'awaited') !== '') return 'It was sent, and its answer has not come.';
  return otherApplication(row) ?? otherHolder(views, item.fact[1]);
};

/** Whether somebody may still send the revoke of an item. */
const isSendable = ({ state, remediation }: StoredItem): boolean =>
  state === 'revoke' && (remediation === 'ordered' || remediation === 'came_back');

/** Refuses what nobody may send: a review that its owner has not closed, and items that are not revoked. */
export const refuseUnsendable = ({ review }: StoredReview, items: readonly StoredItem[]): void => {
  if (review.state !== 'closed') {
    throw conflict(`The review is ${review.state}: revokes are sent once its owner has closed it.`);
  }
  const other = items.find((item) => !isSendable(item));
  if (other === undefined) return;
  const is = other.state === 'revoke' ? (other.remediation ?? other.state) : other.state;
  throw conflict(`Item ${other.number} is ${is}: only a revoke whose fact exists is sent.`);
};

/** Looks what of some revokes would be sent to which application. Nothing is changed anywhere. */
export const foresee = async (
  context: Context,
  id: string,
  numbers: readonly number[],
  act: KeyAct,
): Promise<ForeseenSending> => {
  if (numbers.length === 0) throw badRequestField('/items', 'MISSING_FIELD', 'names no item');
  const { items, rows, at } = await readToAct(context, async (tx) => {
    const stored = await readReview(tx, id);
    if (stored.run === '') throw conflict(`The review is ${stored.review.state}.`);
    const found = await readItems(tx, stored, numbers);
    refuseUnsendable(stored, found);
    const asked = found.flatMap(({ number, fact }) =>
      fact === null ? [] : [{ number: neo4j.int(number), from: fact[1], to: fact[2] }],
    );
    const read = await new Pipeline(tx).ask<Row & { readonly number: unknown }>(
      READ_MEMBERSHIPS,
      'rows',
      asked,
    );
    return {
      items: found,
      at: parseInstant(stored.review.at ?? ''),
      rows: new Map(read.map((row) => [Number(row.get('number')), row.toObject() as Row])),
    };
  });
  const access = await accessAt(context, null);
  const views: Views = { then: viewOf(access, at), now: viewOf(access, null) };
  const foreseen = new Map<number, ForeseenItem>();
  const byProvider = new Map<string, { item: StoredItem; row: Row }[]>();
  for (const item of items) {
    const row = rows.get(item.number);
    const why = taskBecause(views, item, row);
    if (why !== null || row === undefined) {
      foreseen.set(item.number, { item, what: '', why, removal: null });
    } else byProvider.set(row.provider, [...(byProvider.get(row.provider) ?? []), { item, row }]);
  }
  for (const [key, some] of byProvider) {
    const provider = await right(providersOf(context).findProvider(key)());
    const memberships = some.map(({ item: { fact }, row }) => ({
      account: row.account,
      accountName: row.account_name,
      email: row.email,
      identities: row.identities,
      known: knownOf(views.now, fact?.[1] ?? '', row.known),
      group: row.group,
      groupName: row.group_name,
    }));
    const found = await right(ordersOf(context).foresee(provider, memberships, act)());
    for (const [at, { item }] of some.entries()) {
      const each = found[at] ?? { why: 'The application was not read.' };
      foreseen.set(
        item.number,
        'why' in each
          ? { item, what: '', why: each.why, removal: null }
          : {
              item,
              what: `${each.what} of ${JSON.stringify(provider.name)}`,
              why: null,
              removal: {
                provider: key,
                ...each,
                inWords: `The account of this item out of its group of ${JSON.stringify(provider.name)}`,
              },
            },
      );
    }
  }
  const all = items.flatMap(({ number }) => foreseen.get(number) ?? []);
  return { items: all, token: tokenOf(id, all) };
};

/** A digest of what would be sent. What was sent before makes another one. */
const tokenOf = (id: string, items: readonly ForeseenItem[]): string | null => {
  const sent = items.flatMap(({ item, removal }) =>
    removal === null
      ? []
      : [[item.number, removal.provider, removal.wanted, textIn(item.done ?? {}, 'action')]],
  );
  return sent.length === 0 ? null : digestOf([id, sent]).slice(0, 32);
};
