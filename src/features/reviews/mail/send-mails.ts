import { createHmac, type KeyObject } from 'node:crypto';

import { NONE } from '../../../access/access-graph';
import { doublingPause, type Round } from '../../../background';
import { type Context, oncePerContext } from '../../../context';
import { writeEvent } from '../../../graph/records/event-record';
import { type Instant, instantOf, nanosOf, present } from '../../../model/instant';
import type { Runner } from '../../../neo4j/transaction';
import { derivedSecret } from '../../../secrets/vault';
import { sealingKeyOf } from '../../../secrets/vault-key';
import { REVIEWS } from '../../console/reviews/contract';
import { accessAt, viewOf } from '../stored/people';
import { read, write } from '../stored/transactions';
import { certainAddresses, NO_ADDRESS, without } from './certain-address';
import { headsOf, letterOf } from './digest';
import { type Recipient, recipientsOf } from './digests';
import { mailKeyOf, publicKeyOf, signedHeads } from './heads';
import { type Mailer, mailerOf, type Outcome } from './mailer';
import { END_MAIL, MAILS_OF_DAY, REMOVE_OLD_MAILS, TAKE_MAIL } from './statements';
import { events, reviewEvent } from '../events';

/** How often the service looks for whom a mail is due. It then also tries again what a server did not take. */
export const MAILS_SECONDS = 300;
/** How many mails a round sends; the next one looks again for whom one is due. */
const MOST_OF_ROUND = 500;
/** The longest pause before the service tries a mail again that a server did not take. */
const LONGEST_PAUSE_SECONDS = 3_600;
const DAY = 86_400_000_000_000n;

const dayOf = (at: Instant): string => at.utc.slice(0, 10);

/** Why somebody got no mail, as an event says it. */
const FAILED: Readonly<Record<Exclude<Outcome, 'sent' | 'later'>, string>> = {
  refused: 'their mail server refuses it',
  unknown: 'the mail server has not said whether it accepted it',
};

/** What a round needs: the day, and the secrets that follow from the key of secrets. */
interface Today {
  readonly day: string;
  readonly at: Instant;
  readonly key: KeyObject;
  /** The key of the note about a mail. Without the key of secrets nobody can try addresses. */
  readonly noteOf: (...about: readonly string[]) => string;
}

const todayOf = async (context: Context, at: Instant): Promise<Today> => {
  const key = await sealingKeyOf(context)();
  const secret = derivedSecret(key, 'notes about mails');
  const day = dayOf(at);
  return {
    day,
    at,
    key: mailKeyOf(key),
    noteOf: (...about) =>
      createHmac('sha256', secret)
        .update(JSON.stringify([day, ...about]))
        .digest('hex'),
  };
};

/** Notes that a mail is being sent; false if another process or round has done so. */
const take = async (tx: Runner, { day }: Today, key: string): Promise<number | null> => {
  const { records } = await tx.run<{ tries: unknown }>(TAKE_MAIL, { key, day, now: present().utc });
  const [taken] = records;
  return taken === undefined ? null : Number(taken.get('tries'));
};

const end = async (tx: Runner, key: string, state: string, at: Instant = present()) => {
  await tx.run(END_MAIL, { key, state, at: at.utc });
};

/** Reports that somebody gets no mail today. It names neither the person nor the address. */
const reportNotSent = async (tx: Runner, to: Recipient, reason: string): Promise<void> => {
  const [about] = [...to.owning, ...to.reviewing];
  if (about === undefined) return;
  const isOwner = to.owning.length > 0;
  const name = JSON.stringify(about.review.name);
  await writeEvent(
    tx,
    reviewEvent(
      about.review,
      { at: present().utc },
      {
        severity: 'WARNING',
        name: 'Mail not sent',
        event_type: events.REVIEW_MAIL_NOT_SENT,
        message: `${isOwner ? 'The owner' : 'A reviewer'} of the review ${name} gets no mail today: ${reason}.`,
        metadata: { reason },
      },
    ),
  );
};

/**
 * Reports once a day each person who has no certain address. Pushes change which node is the human, so
 * the notes are about the keys by which reviews name the person.
 */
const reportImpossible = async (
  context: Context,
  today: Today,
  notes: ReadonlyMap<string, boolean>,
  to: Recipient,
  reason: keyof typeof NO_ADDRESS,
): Promise<void> => {
  const keys = [...to.keys].map((key) => today.noteOf('impossible', key)).sort();
  if (keys.every((key) => notes.has(key))) return;
  await write(context, async (tx) => {
    const taken: boolean[] = [];
    for (const key of keys) {
      taken.push((await take(tx, today, key)) !== null);
      if (taken.at(-1) === true) await end(tx, key, 'impossible');
    }
    if (taken.every((each) => each)) await reportNotSent(tx, to, NO_ADDRESS[reason]);
  });
};

/** A mail that is due. */
interface Due {
  readonly to: Recipient;
  readonly address: string;
  readonly key: string;
}

const sendOne = async (
  context: Context,
  today: Today,
  mailer: Mailer,
  { to, address, key }: Due,
): Promise<void> => {
  const tries = await write(context, (tx) => take(tx, today, key));
  if (tries === null) return;
  const signed = signedHeads(headsOf(to), today.at.utc, today.key);
  const link = `${context.config.http.publicUrl ?? ''}${REVIEWS}`;
  const outcome = await mailer.send(address, letterOf(to, link, signed));
  await write(context, async (tx) => {
    if (outcome === 'later') {
      const pause = doublingPause(MAILS_SECONDS, tries, LONGEST_PAUSE_SECONDS);
      const next = instantOf(nanosOf(present()) + BigInt(pause) * 1_000_000_000n);
      return end(tx, key, 'waiting', next);
    }
    await end(tx, key, outcome);
    if (outcome !== 'sent') await reportNotSent(tx, to, FAILED[outcome]);
  });
};

/**
 * The notes of a day, and whether each is about a mail that is tried again now; and how many are about
 * mails. Removes older ones.
 */
const notesOf = (context: Context, { day, at }: Today) =>
  write(context, async (tx) => {
    // Those of the day before stay: the clock of another process may be behind.
    const before = dayOf(instantOf(nanosOf(at) - DAY));
    await tx.run(REMOVE_OLD_MAILS, { day: before });
    const { records } = await tx.run<{ key: string; isMail: boolean; isDue: boolean }>(
      MAILS_OF_DAY,
      { day, now: present().utc },
    );
    return {
      notes: new Map(records.map((each) => [each.get('key'), each.get('isDue')])),
      mails: records.filter((each) => each.get('isMail')).length,
    };
  });

/** Reports the public key once, so that an operator can give it to auditors. */
const reportedKey = oncePerContext(() => ({ text: '' }));

/**
 * A round of the background: sends each person for whom something waits one mail a day (UTC). The note
 * about a mail comes before the mail, so in doubt nobody gets it twice.
 */
export const sendMails =
  (context: Context, at: () => Instant = present): Round =>
  async (isStopping) => {
    const today = await todayOf(context, at());
    const publicKey = publicKeyOf(today.key);
    if (reportedKey(context).text !== publicKey) {
      reportedKey(context).text = publicKey;
      context.log.info('mails about reviews are signed', { public_key: publicKey });
    }
    const view = viewOf(await accessAt(context, null), null);
    const recipients = await recipientsOf(context, view);
    const addresses = await read(context, (tx) =>
      certainAddresses(
        tx,
        view,
        recipients.flatMap(({ person }) => person ?? []),
      ),
    );
    const { notes, mails } = await notesOf(context, today);
    const due: Due[] = [];
    for (const to of recipients) {
      if (isStopping()) return;
      const found = addresses.get(to.person?.human ?? NONE) ?? without('nobody');
      if (found.address === null) {
        await reportImpossible(context, today, notes, to, found.reason);
        continue;
      }
      const { address } = found;
      const key = today.noteOf('mail', address.toLowerCase());
      if (notes.get(key) ?? true) due.push({ to, address, key });
    }
    const isFirst = ({ key }: Due): boolean => !notes.has(key);
    const room = Math.max(0, context.config.mail.mostOfDay - mails);
    const left = new Set(due.filter(isFirst).slice(room));
    if (left.size > 0) {
      context.log.warn('more people than LIMIT_MAILS_OF_DAY should get a mail', {
        left: left.size,
      });
    }
    const some = due.filter((each) => !left.has(each)).slice(0, MOST_OF_ROUND);
    if (some.length === 0) return;
    const mailer = await mailerOf(context.config.mail);
    await mailer.check();
    // What waits for whom may change while a slow server needs hours: the next round looks again.
    const until = performance.now() + MAILS_SECONDS * 1000;
    for (const each of some) {
      if (isStopping() || performance.now() > until) return;
      await sendOne(context, today, mailer, each);
    }
  };
