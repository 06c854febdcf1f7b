import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Context } from '../../../context';
import { ERASED } from '../../../model/person-names';
import { parseInstant } from '../../../model/instant';
import { FailedStep } from '../../../neo4j/failure';
import { parsedText } from '../answers';
import type { Verified } from '../endpoints';
import { knowledgeOf, populationAt } from '../plan-review';
import { type Review, SEALED_SETTINGS } from '../records';
import {
  digestOf,
  type Entry,
  entryHash,
  firstHash,
  itemDigest,
  keySeal,
  personSeal,
  PopulationDigest,
  digestOfTexts,
  textsDigest,
} from '../rules/chain';
import { factText } from '../rules/facts';
import { Replay, type ReplayedItem } from '../rules/replay';
import { inSnapshot, type Snapshot } from '../stored/snapshot';
import {
  type Stored,
  type StoredItem,
  type StoredReview,
  textIn,
  textsIn,
  timeIn,
  toPerson,
} from '../stored/store';

const MOST_FINDINGS = 1_000;
/** The seals of so many people are computed without holding the thread for long. */
const AT_ONCE = 1_000;

/** What a verification finds. */
interface Found {
  readonly findings: string[];
  readonly checked: string[];
  /** Digests of whom aliases mean, by alias; `owner` and `fallback`: of their keys. */
  readonly seals: Map<string, string>;
  erased: number;
}

/** What never changes once a review is open. */
const SETTINGS = [...SEALED_SETTINGS, 'at', 'sources', 'coverage'] as const;

const coverageIn = (settings: Readonly<Record<string, unknown>>): unknown => {
  const { pairs, reviewed, elsewhere, notReviewed } = settings.coverage as Readonly<
    Record<string, unknown>
  >;
  return { pairs, reviewed, elsewhere: elsewhere ?? [], not_reviewed: notReviewed };
};

/** Verifies the settings; returns the owner and the fallback with whom the review was opened. */
const verifySettings = ({ stored }: Snapshot, found: Found): Replay => {
  const { review, settings, settingsDigest } = stored;
  found.checked.push('the settings');
  if (digestOf([settings]) !== settingsDigest) {
    if (!settings.includes(ERASED)) {
      found.findings.push('The settings are not those with which the review was opened.');
      return new Replay(stored.ownerAlias, stored.fallbackAlias);
    }
    found.erased += 1;
  }
  const stated = parsedText(settings) as Readonly<Record<string, unknown>>;
  for (const name of SETTINGS) {
    // Reviews that were opened before a setting existed do not say it.
    if (!(name in stated)) continue;
    const then = JSON.stringify(name === 'coverage' ? coverageIn(stated) : stated[name]);
    const now = JSON.stringify(review[name]);
    if (then === now) continue;
    if (isErased(then, now)) found.erased += 1;
    else found.findings.push(`The review has another ${name} than when it was opened.`);
  }
  for (const [name, seal] of Object.entries((stated.seals ?? {}) as Record<string, string>)) {
    found.seals.set(name, seal);
  }
  return new Replay(textIn(stated, 'owner_alias'), textIn(stated, 'fallback_alias'));
};

/** Compares whom aliases mean, and the keys of owner and fallback, with what was sealed. */
const verifyPeople = async (
  { people, stored }: Snapshot,
  replay: Replay,
  found: Found,
): Promise<void> => {
  const { seals } = found;
  // Reviews that were opened before there were seals have none.
  if (seals.size === 0) return;
  found.checked.push('whom aliases mean');
  let seen = 0;
  for (const [alias, record] of people) {
    seen += 1;
    if (seen % AT_ONCE === 0) await nextTurn();
    const { name, email } = record;
    const seal = seals.get(alias);
    if (seal === personSeal(toPerson(record))) continue;
    if (isErased(String(name), String(email))) found.erased += 1;
    else if (seal === undefined) found.findings.push(`${alias}: nothing made them known.`);
    else found.findings.push(`${alias} is somebody else than the review says.`);
  }
  for (const alias of seals.keys()) {
    if (/^P\d/.test(alias) && !people.has(alias)) found.erased += 1;
  }
  for (const part of ['owner', 'fallback'] as const) {
    const person = people.get(replay[part]);
    const key = stored.review[part];
    if (person === undefined || isErased(key)) found.erased += 1;
    else if (seals.get(part) !== keySeal(textIn(person, 'salt'), key)) {
      found.findings.push(`The review has another ${part} than when they were named.`);
    }
  }
};

const isErased = (...texts: readonly string[]): boolean =>
  texts.some((text) => text.includes(ERASED));

/** Verifies one item; returns its digest as its properties give it. */
const verifyItem = (
  { people, stored }: Snapshot,
  { number, holder, digest, marks, properties, entitlement }: StoredItem,
  found: Found,
): string => {
  const [fact, shown] = [textIn(properties, 'fact'), textIn(properties, 'shown')];
  const seals = textsIn(properties, 'seals');
  for (const [place, alias] of [holder, textIn(properties, 'first_reviewer')].entries()) {
    if (alias !== '' && seals.length > 0) found.seals.set(alias, seals[place] ?? '');
  }
  const texts = textIn(properties, 'texts_digest');
  const person = people.get(holder);
  // Without the salt of an erased person nobody can compare their texts.
  if (holder !== '' && person === undefined) found.erased += 1;
  else {
    const salt = holder === '' ? stored.salt : textIn(person ?? {}, 'salt');
    if (textsDigest(salt, fact, shown) !== texts) {
      if (isErased(fact, shown)) found.erased += 1;
      else
        found.findings.push(
          `Item ${number}: its texts are not those with which the review was opened.`,
        );
    }
  }
  const computed = itemDigest(
    {
      number,
      holder,
      entitlement,
      marks,
      reviewer: textIn(properties, 'first_reviewer'),
      isCarried: properties.is_carried === true,
      effect: textIn(properties, 'effect'),
      seals,
    },
    texts,
  );
  if (computed !== digest) found.findings.push(`Item ${number}: its digest is another one.`);
  return computed;
};

/** Compares what the review says of its states, its seals, its owner and its fallback with the chain. */
const verifySeals = (
  { review, ownerAlias, fallbackAlias }: StoredReview,
  { closing, seal, opening, cancelling, owner, fallback }: Replay,
  reasonOf: (entry: Entry | null) => string | null,
  found: Found,
): void => {
  const compare = (what: string, stored: string | null, chain: string | null): void => {
    if (stored === chain) return;
    if (isErased(stored ?? '', chain ?? '')) found.erased += 1;
    else found.findings.push(`The review has another ${what} than the chain says.`);
  };
  // Before chains had an entry of the opening, they had none of a cancellation either.
  const isCancelled =
    opening === null && cancelling === null ? review.state === 'cancelled' : cancelling !== null;
  const ended = isCancelled ? 'cancelled' : 'open';
  compare('state', review.state, closing === null ? ended : 'closed');
  compare('closed_at', review.closed_at, closing?.at ?? null);
  compare('remediated_at', review.remediated_at, seal?.at ?? null);
  compare('attestation', review.attestation, reasonOf(closing));
  compare('owner_alias', ownerAlias, owner);
  compare('fallback_alias', fallbackAlias, fallback);
  if (opening !== null) compare('opened_at', review.opened_at, opening.at);
  if (opening === null && cancelling === null) return;
  compare('cancelled_at', review.cancelled_at, cancelling?.at ?? null);
  compare('reason', review.reason, reasonOf(cancelling));
};

const verifyChain = async (
  { stored, entries }: Snapshot,
  replay: Replay,
  found: Found,
): Promise<void> => {
  const { review, settingsDigest } = stored;
  found.checked.push('the chain of decisions');
  let head = firstHash(review.id, settingsDigest, review.digest ?? '');
  let seq = 0;
  const reasons = new Map<Entry, string>();
  for await (const page of entries()) {
    for (const entry of page) {
      const { properties } = entry;
      seq += 1;
      if (entry.seq !== seq) found.findings.push(`Entry ${seq} is missing.`);
      seq = entry.seq;
      if (entry.previous !== head)
        found.findings.push(`Entry ${seq}: the entry before is another one.`);
      head = entryHash(review.id, { ...entry, previous: head });
      const reason = textIn(properties, 'reason');
      const [keyId, keyName] = [textIn(properties, 'key_id'), textIn(properties, 'key_name')];
      const seals = textsIn(properties, 'seals');
      for (const each of seals) {
        const [name = '', seal = ''] = each.split(' ');
        found.seals.set(name, seal);
      }
      const digest = digestOfTexts(textIn(properties, 'salt'), reason, keyId, keyName, seals);
      if (digest !== entry.said) {
        if (isErased(reason, keyId, keyName)) found.erased += 1;
        else found.findings.push(`Entry ${seq}: its texts are other ones.`);
      }
      if (textIn(properties, 'hash') !== head) {
        found.findings.push(`Entry ${seq}: its hash is another one.`);
        head = textIn(properties, 'hash');
      }
      replay.apply(entry, reason);
      if (entry.item === 0) reasons.set(entry, reason);
    }
  }
  const reasonOf = (entry: Entry | null): string | null =>
    entry === null ? null : (reasons.get(entry) ?? null);
  verifySeals(stored, replay, reasonOf, found);
  if (review.entries !== seq)
    found.findings.push(`The chain has ${seq} entries, and the review says ${review.entries}.`);
  if ((review.head ?? firstHash(review.id, settingsDigest, review.digest ?? '')) !== head) {
    found.findings.push('The head of the chain is another one.');
  }
  found.findings.push(...replay.findings);
};

/** What an item says that must follow from the chain. */
interface Final {
  readonly number: number;
  readonly state: string;
  readonly reviewer: string;
  readonly remediation: string | null;
  readonly decidedBy: string;
  readonly decidedAt: string;
  readonly reason: string;
  readonly done: Stored;
}

/** Compares what an item says of its decision and its remediation with the entries that say it too. */
const verifyTexts = (
  { number, state, remediation, decidedAt, reason, done }: Final,
  { decided, changed, sent, answer }: ReplayedItem,
  found: Found,
): void => {
  const compare = (what: string, stored: string, chain = ''): void => {
    if (stored === chain) return;
    if (isErased(stored, chain)) found.erased += 1;
    else found.findings.push(`Item ${number}: its ${what} is another one than the chain says.`);
  };
  if (state === 'keep' || state === 'revoke' || state === 'excepted') {
    compare('reason', reason, decided?.reason);
    compare('time of decision', decidedAt, decided?.at);
  }
  compare('action', textIn(done, 'action'), sent?.action);
  compare('sending', textIn(done, 'sent_by'), sent?.by);
  compare('sending', timeIn(done, 'sent_at') ?? '', sent?.at);
  compare('sending', textIn(done, 'sent_to'), sent?.to);
  compare('answer', textIn(done, 'answer'), answer);
  if (remediation === 'excepted') {
    compare('exception', textIn(done, 'excepted_by'), changed?.by);
    compare('exception', timeIn(done, 'excepted_until') ?? '', changed?.detail);
    compare('exception', textIn(done, 'reason'), changed?.reason);
  }
  if (remediation === 'confirmed' || remediation === 'blocked' || remediation === 'came_back') {
    compare('push', textIn(done, 'push'), changed?.detail);
  }
};

const verifyStates = (finals: readonly Final[], replay: Replay, found: Found): void => {
  found.checked.push('states, reviewers and remediation');
  for (const final of finals) {
    const { number, state, reviewer, remediation, decidedBy } = final;
    const now = replay.itemOf(number);
    if (now !== undefined) verifyTexts(final, now, found);
    if (now?.state !== state)
      found.findings.push(`Item ${number}: it is ${state}, and the chain says ${now?.state}.`);
    if (now?.reviewer !== reviewer)
      found.findings.push(`Item ${number}: its reviewer is another one than the chain says.`);
    if (now?.decidedBy !== decidedBy)
      found.findings.push(`Item ${number}: somebody else decided, as the chain says.`);
    if ((now?.remediation ?? null) !== remediation) {
      found.findings.push(
        `Item ${number}: its remediation is ${remediation}, and the chain says ${now?.remediation}.`,
      );
    }
  }
};

/** Compares the facts of the items with the history of the graph. */
const verifyPopulation = async (
  context: Context,
  review: Review,
  facts: ReadonlyMap<string, string>,
  unknown: number,
  found: Found,
): Promise<void> => {
  const at = parseInstant(review.at ?? '');
  if (at === null) return;
  try {
    const known = await knowledgeOf(context, review, null);
    // Marks compare with the review before and with tags, which have no history.
    const scope = { ...review.scope, marks: [] };
    const [population] = await populationAt(context, { ...review, scope }, at, known);
    found.checked.push('the population, with the history of the graph');
    let missing = 0;
    const then = new Set<string>();
    for (const { fact, effect } of population.items) {
      const text = factText(fact);
      then.add(text);
      const stored = facts.get(text);
      if (stored === undefined) missing += 1;
      else if (stored !== effect.digest) {
        found.findings.push(`The fact ${text} gave something else at the instant of the review.`);
      }
    }
    for (const text of facts.keys()) {
      if (!then.has(text))
        found.findings.push(`The fact ${text} did not exist at the instant of the review.`);
    }
    if (review.scope.marks.length === 0 && missing > unknown) {
      found.findings.push(`${missing - unknown} facts of the history belong to no item.`);
    }
  } catch (error) {
    if (!(error instanceof FailedStep)) throw error;
    found.checked.push(`not the population: ${error.failure.message}`);
  }
};

/** Verifies the chain of a draft that was cancelled, which has no population. */
const verifyDraft = async (snapshot: Snapshot, found: Found): Promise<void> => {
  // Drafts that were cancelled before stored no settings.
  const hasSettings = snapshot.stored.settingsDigest !== '';
  const replay = hasSettings ? verifySettings(snapshot, found) : new Replay('', '');
  await verifyChain(snapshot, replay, found);
  if (replay.cancelling === null) found.findings.push('The chain does not say who cancelled it.');
};

/** Compares a review with its digests, its chain, and its population with the history. */
export const verifyReview = async (context: Context, id: string): Promise<Verified> => {
  const found: Found = { findings: [], checked: [], seals: new Map(), erased: 0 };
  const facts = new Map<string, string>();
  let unknown = 0;
  const review = await inSnapshot(context, id, async (snapshot) => {
    const { stored } = snapshot;
    if (stored.run === '') {
      if (stored.review.state === 'cancelled' || (stored.review.entries ?? 0) > 0) {
        await verifyDraft(snapshot, found);
      }
      return null;
    }
    const replay = verifySettings(snapshot, found);
    const digest = new PopulationDigest();
    const finals: Final[] = [];
    let number = 0;
    found.checked.push('the items');
    for await (const page of snapshot.items()) {
      for (const item of page) {
        number += 1;
        if (item.number !== number) found.findings.push(`Item ${number} is missing.`);
        number = item.number;
        digest.add(verifyItem(snapshot, item, found));
        const { properties, holder, marks } = item;
        const isCarried = properties.is_carried === true;
        const reviewer = textIn(properties, 'first_reviewer');
        replay.add({ number, holder, marks, isCarried, reviewer, digest: item.digest });
        const decidedBy = textIn(properties, 'decided_by');
        const { state, remediation } = item;
        finals.push({
          number,
          state,
          remediation,
          decidedBy,
          reviewer: item.reviewer,
          decidedAt: timeIn(properties, 'decided_at') ?? '',
          done: item.done ?? {},
          reason: textIn(properties, 'reason'),
        });
        const fact = textIn(properties, 'fact');
        const isUnknown = holder !== '' && !snapshot.people.has(holder);
        if (item.fact === null || isUnknown || isErased(fact)) unknown += 1;
        else facts.set(fact, textIn(properties, 'effect'));
      }
    }
    if (stored.review.items !== number) {
      found.findings.push(`The review has ${number} items, and says ${stored.review.items}.`);
    }
    if (digest.end() !== stored.review.digest) {
      found.findings.push('The digest of the population is another one.');
    }
    await verifyChain(snapshot, replay, found);
    await verifyPeople(snapshot, replay, found);
    verifyStates(finals, replay, found);
    return stored.review;
  });
  if (review !== null) await verifyPopulation(context, review, facts, unknown, found);
  const { checked, erased } = found;
  const findings = found.findings.slice(0, MOST_FINDINGS);
  return { verified: findings.length === 0, checked, findings, erased };
};
