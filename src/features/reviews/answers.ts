import { NONE } from '../../access/access-graph';
import { byCodeUnits } from '../../model/fold';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { fromGraph } from '../../neo4j/values';
import { nanosOf, parseInstant, present } from '../../model/instant';
import { type ItemAnswer, ItemShown, type PlanAnswer, type ReviewAnswer } from './endpoints';
import type { ReviewPlan } from './plan-review';
import type { Review } from './records';
import { needsReason } from './rules/decide';
import { nodeInWords } from './rules/in-words';
import type { RemediationState } from './rules/words';
import { readRemediation } from './seal';
import { READ_PEOPLE } from './stored/statements';
import {
  readNumbers,
  type Stored,
  type StoredItem,
  type StoredReview,
  textIn,
  timeIn,
} from './stored/store';

const REVIEWERS = 1_000;
const FIRST = 100;
/** How many items a reviewer decides in a minute, about. */
const ITEMS_A_MINUTE = 6;

/** A review with its numbers. */
export const reviewAnswer = async (
  tx: Runner,
  { review, run }: StoredReview,
): Promise<ReviewAnswer> =>
  run === ''
    ? { review, numbers: null, remediation: null }
    : {
        review,
        numbers: await readNumbers(tx, run),
        remediation: await readRemediation(tx, review.id),
      };

/** A plan as answers show it. */
export const planAnswer = (plan: ReviewPlan): PlanAnswer => {
  const { graph, moment, clock } = plan.view;
  const nameOf = (key: string): string => {
    const node = graph.find(key);
    if (node === NONE) return key;
    return nodeInWords(graph.summary(node, moment, clock));
  };
  const counts = new Map<number, number>();
  const marks: Record<string, number> = {};
  let avoided = 0;
  for (const { item, reviewer } of plan.items) {
    for (const mark of item.marks) marks[mark] = (marks[mark] ?? 0) + 1;
    if (item.isCarried) continue;
    const human = reviewer?.human ?? NONE;
    counts.set(human, (counts.get(human) ?? 0) + 1);
    if ((reviewer?.avoided.length ?? 0) > 0) avoided += 1;
  }
  const without = plan.items.filter(({ reviewer }) => reviewer === null);
  const { pairs, reviewed, elsewhere, notReviewed } = plan.population.coverage;
  return {
    token: plan.token,
    at: plan.at.utc,
    items: plan.items.length,
    marks,
    avoided,
    carried: plan.items.filter(({ item }) => item.isCarried).length,
    changes_nothing: plan.items.filter(({ item }) => item.changesNothing).length,
    reviewers: [...counts]
      .filter(([human]) => human !== NONE)
      .map(([human, items]) => ({
        reviewer: graph.key(human),
        name: plan.people.get(human)?.name ?? '',
        items,
        minutes: Math.ceil(items / ITEMS_A_MINUTE),
      }))
      .sort((a, b) => b.items - a.items || byCodeUnits(a.reviewer, b.reviewer))
      .slice(0, REVIEWERS),
    without_reviewer: without.length,
    without_reviewer_first: without
      .slice(0, FIRST)
      .map(({ item }) => `${nameOf(item.fact.from)}: ${item.holds}`),
    sources: plan.sources,
    coverage: { pairs, reviewed, elsewhere, not_reviewed: notReviewed },
  };
};

/** The people of a population, by their aliases. */
export const readPeople = async (
  tx: Runner,
  run: string,
  aliases: Iterable<string>,
): Promise<ReadonlyMap<string, Stored>> => {
  const keys = [...new Set(aliases)]
    .filter((alias) => alias !== '')
    .map((alias) => `${run}|${alias}`);
  const found = new Map<string, Stored>();
  if (keys.length === 0) return found;
  for (const record of await new Pipeline(tx).ask<{ person: Stored }>(READ_PEOPLE, 'keys', keys)) {
    const person = fromGraph(record.get('person'));
    found.set(textIn(person, 'alias'), person);
  }
  return found;
};

const textOf = (stored: Stored, name: string): string | null => {
  const value = stored[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** Reads JSON of a text. After an erasure it may be none. */
export const parsedText = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return null;
  }
};

/** What reviewers see. Once an erasure removed names of fields too, if somebody was called like one. */
const shownOf = (text: unknown): ItemAnswer['shown'] => {
  const shown = parsedText(text);
  return ItemShown.is(shown) ? shown : null;
};

/** Items as answers show them. */
export const itemAnswers = async (
  tx: Runner,
  { run, review }: StoredReview,
  items: readonly StoredItem[],
): Promise<readonly ItemAnswer[]> => {
  const people = await readPeople(
    tx,
    run,
    items.flatMap(({ reviewer, holder, properties, done }) => [
      reviewer,
      holder,
      textIn(properties, 'decided_by'),
      textIn(done ?? {}, 'excepted_by'),
      textIn(done ?? {}, 'sent_by'),
    ]),
  );
  const personOf = (alias: unknown): ItemAnswer['reviewer'] => {
    if (typeof alias !== 'string' || alias === '') return null;
    return { alias, name: textOf(people.get(alias) ?? {}, 'name') };
  };
  const isLate = isPast(review);
  return items.map((item) => ({
    number: item.number,
    state: item.state,
    marks: item.marks,
    digest: item.digest,
    reviewer: personOf(item.reviewer),
    holder: personOf(item.holder),
    shown: shownOf(item.properties.shown),
    needs_reason: needsReason(item),
    decided_by: personOf(item.properties.decided_by),
    decided_at: timeIn(item.properties, 'decided_at'),
    reason: textOf(item.properties, 'reason'),
    remediation: item.done === null ? null : remediationAnswer(item.done, isLate, personOf),
  }));
};

/** Whether the due date of a review has passed. */
export const isPast = ({ due }: Review): boolean => {
  const instant = parseInstant(due);
  return instant !== null && nanosOf(instant) < nanosOf(present());
};

const remediationAnswer = (
  done: Stored,
  isLate: boolean,
  personOf: (alias: unknown) => ItemAnswer['reviewer'],
): ItemAnswer['remediation'] => {
  const state = String(done.state) as RemediationState;
  const through = parsedText(done.through ?? '[]');
  return {
    state,
    is_overdue: isLate && ['ordered', 'blocked', 'came_back'].includes(state),
    ordered_at: timeIn(done, 'ordered_at'),
    changed_at: timeIn(done, 'changed_at'),
    push: textOf(done, 'push'),
    reason: textOf(done, 'reason'),
    through: Array.isArray(through) ? through.map(String) : [],
    excepted_by: personOf(done.excepted_by),
    excepted_until: timeIn(done, 'excepted_until'),
    sent: textIn(done, 'action') === '' ? null : sentAnswer(done, personOf),
  };
};

const sentAnswer = (
  done: Stored,
  personOf: (alias: unknown) => ItemAnswer['reviewer'],
): NonNullable<ItemAnswer['remediation']>['sent'] => ({
  at: timeIn(done, 'sent_at'),
  by: personOf(done.sent_by),
  to: textIn(done, 'sent_to'),
  answer: textOf(done, 'answer'),
  answered_at: timeIn(done, 'answered_at'),
});
