import { randomBytes, randomUUID } from 'node:crypto';

import { NONE } from '../../access/access-graph';
import type { Context } from '../../context';
import type { KeyAct } from '../../graph/records/event-record';
import { writeEvent } from '../../graph/records/event-record';
import { type Instant, instantOf, nanosOf, parseInstant } from '../../model/instant';
import { Pipeline } from '../../neo4j/pipeline';
import { toGraph } from '../../neo4j/values';
import { earlierItems } from './stored/earlier-items';
import type { OpenReviewRequest } from './endpoints';
import { type PlannedItem, type PlannedPerson, planReview, type ReviewPlan } from './plan-review';
import { type Review, type ReviewSource, sealedOf } from './records';
import { badRequestField, conflict } from './refuse';
import { nextDue } from './rules/cadence';
import {
  digestOf,
  itemDigest,
  keySeal,
  personSeal,
  PopulationDigest,
  textsDigest,
} from './rules/chain';
import { factText } from './rules/facts';
import { hasFilter } from './rules/scope';
import { MARKS } from './rules/words';
import {
  appendAct,
  lockReview,
  readReview,
  reviewProperties,
  setReview,
  type StoredReview,
} from './stored/store';
import { personBy } from './stored/people';
import { WRITE_ITEMS, WRITE_PEOPLE, WRITE_PLACES } from './stored/statements';
import { readToAct, write } from './stored/transactions';
import { events, reviewEvent } from './events';

/** How many items one transaction writes. */
const WRITTEN_AT_ONCE = 2_000;

/**
 * Until when reviewers decide. Those of a draft that the service made have as long as the last ones had,
 * whenever somebody opens it. Another draft is refused once its due date has passed: its items would go
 * to the fallback, or be silence, before anybody has seen them.
 */
const dueAt = async (context: Context, review: Review, at: Instant): Promise<string> => {
  const [until, created] = [parseInstant(review.due), parseInstant(review.created_at)];
  const { before } = review;
  if (before !== null && until !== null && created !== null) {
    const { review: last } = await readToAct(context, (tx) => readReview(tx, before));
    const [opened, due] = [parseInstant(last.at ?? ''), parseInstant(last.due)];
    const has = (from: Instant): Instant => nextDue(from, opened ?? from, due ?? from);
    if (nanosOf(has(created)) === nanosOf(until)) return has(at).utc;
  }
  if (until === null || nanosOf(until) <= nanosOf(at)) {
    throw conflict('The due date of the draft has passed: create another one.');
  }
  return review.due;
};

/** What never changes once a review is open, as the text of which the chain names a digest. */
const settingsOf = (review: Review, plan: ReviewPlan, sources: readonly ReviewSource[]): string =>
  JSON.stringify({
    ...sealedOf(review),
    at: plan.at.utc,
    sources,
    coverage: plan.population.coverage,
    owner_alias: plan.people.get(plan.owner.human)?.alias ?? '',
    fallback_alias: plan.people.get(plan.fallback.human)?.alias ?? '',
    seals: sealsOf(review, plan),
  });

const sealOf = (person: PlannedPerson | undefined): string => {
  if (person === undefined) return '';
  const { alias, name, salt } = person;
  return personSeal({ alias, key: person.keys[0] ?? '', name, email: person.email ?? '', salt });
};

/** Seals of the people whom no item names, and of the keys of owner and fallback. */
const sealsOf = (review: Review, plan: ReviewPlan): Readonly<Record<string, string>> => {
  const { people, owner, fallback } = plan;
  const inItems = new Set(
    plan.items.flatMap(({ item, reviewer }) => [item.human, reviewer?.human]),
  );
  const keyOf = (human: number, key: string): string => keySeal(people.get(human)?.salt ?? '', key);
  return {
    owner: keyOf(owner.human, review.owner),
    fallback: keyOf(fallback.human, review.fallback),
    ...Object.fromEntries(
      [...people]
        .filter(([human]) => !inItems.has(human))
        .map(([, person]) => [person.alias, sealOf(person)]),
    ),
  };
};

/** Refuses to open what the rules forbid, and returns the sources with their reasons. */
const acknowledged = (
  plan: ReviewPlan,
  { token, acknowledged: given }: OpenReviewRequest,
): readonly ReviewSource[] => {
  if (token !== plan.token) {
    throw conflict(
      'The plan has changed since: plan the review again, and open it with that token.',
    );
  }
  const without = plan.items.filter(({ reviewer }) => reviewer === null).length;
  if (without > 0) {
    throw conflict(
      `Nobody may review ${without} items: name another fallback, or narrow the scope.`,
    );
  }
  const reasons = new Map((given ?? []).map(({ data_source, reason }) => [data_source, reason]));
  return plan.sources.map((source) => {
    if (!source.is_stale && !source.has_failed) return source;
    const reason = reasons.get(source.data_source) ?? null;
    if (reason === null) {
      const why = source.has_failed ? 'failed the last time' : 'is stale';
      throw conflict(
        `Source ${JSON.stringify(source.name)} (${source.data_source}) ${why}: acknowledge it with a reason.`,
      );
    }
    return { ...source, reason };
  });
};

const shownOf = ({ item, reviewer, push }: PlannedItem, plan: ReviewPlan): string => {
  const { graph, moment, clock } = plan.view;
  const { name, label, application } = graph.summary(item.holder, moment, clock);
  return JSON.stringify({
    holder: { key: graph.key(item.holder), label, name, application },
    holds: item.holds,
    permissions: item.effect.permissions.slice(0, 100),
    permissions_total: item.effect.permissions.length,
    resources: item.effect.resources,
    people: item.people,
    changes_nothing: item.changesNothing,
    also: item.also,
    since: item.since === null ? null : instantOf(item.since).utc,
    since_push: push,
    why_reviewer: reviewer?.why ?? null,
    instead_of: (reviewer?.avoided ?? []).map((human) => plan.people.get(human)?.alias ?? ''),
  });
};

/** The properties of an item, and its digest. */
const itemRow = (
  planned: PlannedItem,
  number: number,
  plan: ReviewPlan,
  run: string,
  salt: string,
) => {
  const { item, reviewer } = planned;
  const holder = item.human === NONE ? undefined : plan.people.get(item.human);
  const alias = reviewer === null ? '' : (plan.people.get(reviewer.human)?.alias ?? '');
  // An index finds items by all their marks, so their order is always the same.
  const marks = MARKS.filter((mark) =>
    mark === 'conflict' ? reviewer?.gains === true : item.marks.includes(mark),
  );
  const [fact, shown] = [factText(item.fact), shownOf(planned, plan)];
  const texts = textsDigest(holder?.salt ?? salt, fact, shown);
  const content = {
    number,
    holder: holder?.alias ?? '',
    reviewer: alias,
    isCarried: item.isCarried,
    effect: item.effect.digest,
    entitlement: digestOf([item.entitlement]),
    marks,
    seals: [
      sealOf(holder),
      sealOf(reviewer === null ? undefined : plan.people.get(reviewer.human)),
    ],
  };
  const digest = itemDigest(content, texts);
  return {
    digest,
    row: {
      key: `${run}|${number}`,
      properties: toGraph({
        review: run,
        number: BigInt(number),
        state: item.isCarried ? 'carried' : 'pending',
        reviewer: alias,
        first_reviewer: alias,
        holder: content.holder,
        fact,
        shown,
        entitlement: content.entitlement,
        effect: content.effect,
        marks: [...marks],
        is_carried: item.isCarried,
        texts_digest: texts,
        digest,
        seals: content.seals,
      }),
    },
  };
};

/** Writes the people and items of an opening that has not ended; returns the digest of the population. */
const writePopulation = async (
  context: Context,
  plan: ReviewPlan,
  run: string,
  salt: string,
): Promise<string> => {
  const people = [...plan.people.values()];
  for (let first = 0; first < people.length; first += WRITTEN_AT_ONCE) {
    const some = people.slice(first, first + WRITTEN_AT_ONCE);
    const rows = some.map(({ alias, keys, name, email, salt: own }) => ({
      key: `${run}|${alias}`,
      properties: toGraph({ review: run, alias, person: keys[0] ?? '', name, email, salt: own }),
    }));
    await write(context, (tx) => tx.run(WRITE_PEOPLE, { rows: [rows] }));
  }
  const population = new PopulationDigest();
  for (let first = 0; first < plan.items.length; first += WRITTEN_AT_ONCE) {
    const some = plan.items.slice(first, first + WRITTEN_AT_ONCE);
    const rows = some.map((planned, at) => itemRow(planned, first + at + 1, plan, run, salt));
    for (const { digest } of rows) population.add(digest);
    await write(context, async (tx) => {
      const pipeline = new Pipeline(tx);
      await pipeline.send(
        WRITE_ITEMS,
        'rows',
        rows.map(({ row }) => row),
      );
      await pipeline.drain();
    });
  }
  return population.end();
};

/**
 * Opens a review. Its items are written under the name of this opening, which nobody reads before the
 * last transaction makes it the population of the review. So an opening that is killed leaves nothing
 * that anybody sees, and of two openings one wins.
 */
export const openReview = async (
  context: Context,
  id: string,
  request: OpenReviewRequest,
  act: KeyAct,
): Promise<StoredReview> => {
  const stored = await readToAct(context, (tx) => readReview(tx, id));
  const { review } = stored;
  if (review.state === 'open' && stored.token === request.token) return stored;
  if (review.state !== 'draft') throw conflict(`The review is ${review.state}.`);
  const before = await earlierItems(context, review);
  const plan = await planReview(context, review, before);
  const { on_behalf_of } = request;
  const opener = on_behalf_of == null ? null : personBy(plan.view, on_behalf_of, '/on_behalf_of');
  const sources = acknowledged(plan, request);
  const due = await dueAt(context, review, plan.at);
  if (plan.items.length === 0) {
    throw badRequestField('/token', 'UNKNOWN_VALUE', 'the review would have no items');
  }
  const run = `${id}/${randomUUID()}`;
  await write(context, async (tx) => {
    const { openings } = await lockReview(tx, id);
    const hidden = { openings: [...openings, run], opening_since: plan.at };
    await setReview(tx, id, reviewProperties({}, hidden));
  });
  const salt = randomBytes(16).toString('hex');
  const digest = await writePopulation(context, plan, run, salt);
  return write(context, async (tx) => {
    const now = await lockReview(tx, id);
    if (now.review.state === 'open' && now.token === request.token) return now;
    if (now.review.state !== 'draft') throw conflict(`The review is ${now.review.state}.`);
    if (now.review.owner !== review.owner || now.review.fallback !== review.fallback) {
      throw conflict('Somebody named another owner or fallback meanwhile: plan the review again.');
    }
    if (!now.openings.includes(run))
      throw conflict('The opening needed too long: open the review again.');
    const settings = settingsOf({ ...review, due }, plan, sources);
    const opened: Partial<Review> = {
      state: 'open',
      at: plan.at.utc,
      opened_at: plan.at.utc,
      due,
      digest,
      entries: 0,
      items: plan.items.length,
      sources,
      coverage: coverageOf(plan),
    };
    const aliasOf = (human: number): string => plan.people.get(human)?.alias ?? '';
    const properties = reviewProperties(opened, {
      run,
      token: request.token,
      salt,
      settings,
      settings_digest: digestOf([settings]),
      owner_alias: aliasOf(plan.owner.human),
      fallback_alias: aliasOf(plan.fallback.human),
      watched: sources.map(({ data_source }) => data_source),
      people: plan.people.size,
      openings: now.openings.filter((each) => each !== run),
    });
    await setReview(tx, id, properties);
    await tx.run(WRITE_PLACES, { rows: [placeRows(review)] });
    const written = await readReview(tx, id);
    const opening = { act: 'open', reason: '' } as const;
    const head = await appendAct(tx, written, opener, opening, plan.at, act);
    await writeEvent(
      tx,
      reviewEvent(
        review,
        { ...act, at: plan.at.utc },
        {
          severity: 'INFO',
          name: 'Review opened',
          event_type: events.REVIEW_OPENED,
          message: `The review ${JSON.stringify(review.name)} was opened, with ${plan.items.length} items.`,
          metadata: { items: plan.items.length, digest, head },
        },
      ),
    );
    return readReview(tx, id);
  });
};

/** The applications that a review names, or all; none if it is about resources only. */
const placeRows = ({ id, scope }: Review) => {
  const { applications, resources } = scope;
  const named = applications.length + resources.length === 0 ? [''] : [...new Set(applications)];
  const is_partly = hasFilter(scope);
  return named.map((application, at) => ({
    key: `${id}|${at + 1}`,
    properties: { review: id, application, is_partly },
  }));
};

const coverageOf = ({ population: { coverage } }: ReviewPlan): Review['coverage'] => ({
  pairs: coverage.pairs,
  reviewed: coverage.reviewed,
  elsewhere: [...coverage.elsewhere],
  not_reviewed: coverage.notReviewed,
});
