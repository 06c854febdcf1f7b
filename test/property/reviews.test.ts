/** @more reviews */
import fc from 'fast-check';
import { unzipSync } from 'fflate';

import { accessPushes } from '../arbitrary/access-payloads';
import { changes } from '../arbitrary/increment-draft';
import { followReviews } from '../../src/features/reviews/follow';
import { saidByScript } from '../http/reviews/evidence-files';
import { Mirror } from '../mirror/mirror';
import type { OtherReview } from '../mirror/review';
import { sized } from '../support/test-size';
import { Luck } from './luck';
import { PropertySuite } from './property-suite';
import { ReviewRun } from './review-run';
import { ReviewWorld } from './review-world';
import { Tally } from './tally';

/*
 * Random graphs, reviews and decisions. The population, the reviewers, the coverage, the states and the numbers must be
 * the mirror's, after each step (docs/rules.md: Access reviews).
 */

const tally = new Tally({
  compared: ['plans', 'items', 'pairs', 'verifications', 'evidences'],
  pushes: ['new', 'again', 'first', 'less', 'increment', 'refused'],
  openings: ['opened', 'without items', 'not acknowledged', 'without a reviewer', 'changed plans'],
  coverage: ['reviewed', 'elsewhere', 'not reviewed'],
  marks: [
    'privileged',
    'new',
    'changed',
    'inactive',
    'nobodys',
    'not_a_person',
    'guest',
    'conflict',
  ],
  planned: ['carried', 'changes nothing', 'a self-review avoided', 'without a reviewer'],
  acts: [':decide', ':reassign', ':except', ':appoint', ':close'],
  refused: [
    ':decide 400',
    ':decide 403',
    ':decide 409',
    ':reassign 400',
    ':reassign 403',
    ':except 400',
    ':except 403',
    ':except 409',
    ':appoint 400',
    ':close 403',
    ':close 409',
  ],
  items: ['pending', 'keep', 'revoke', 'gone', 'carried', 'excepted'],
  remediation: ['ordered', 'blocked', 'confirmed', 'excepted', 'came_back', 'withdrawn', 'returns'],
  rounds: ['after pushes', 'after the due date'],
  reviews: ['open', 'closed', 'remediated'],
});

const suite = new PropertySuite({
  runs: sized(4, 300),
  seed: 55,
  tally,
  compared: new Tally({}),
});

const STEPS = 12;
const LATER_STEPS = 4;

const worlds = fc.record({
  pushes: accessPushes,
  changes: fc.array(changes, { minLength: 4, maxLength: 4 }),
  seed: fc.nat(),
});

test(
  'after every step of random reviews of random graphs all is what the mirror expects, and verifies',
  async () => {
    await suite.holds(worlds, async ({ pushes: { first, then }, changes: some, seed }) => {
      const luck = new Luck(seed);
      const { service } = suite;
      const streams = await suite.both.emptyStreams();
      const auditors = await suite.both.newStream('identity_provider');
      const world = new ReviewWorld(service, [...streams, auditors], new Mirror(), luck, tally);
      await world.begin(first);
      const reviews: ReviewRun[] = [];
      const others = (than: ReviewRun): readonly OtherReview[] =>
        reviews
          .filter(
            (each) => each !== than && each.states !== null && each.states.state !== 'cancelled',
          )
          .map((each) => each.states?.asOther() as OtherReview)
          .toReversed();
      const push = (): Promise<void> => world.pushByChance(then, luck.one(some) ?? []);
      const rounds = async (): Promise<void> => {
        await followReviews(service.context)(() => false);
        for (const each of reviews) await each.round(Date.now());
        tally.count('rounds', 'after pushes');
      };
      const later = async (clock: number): Promise<void> => {
        const time = jest.spyOn(Date, 'now').mockReturnValue(clock);
        await followReviews(service.context)(() => false);
        time.mockRestore();
        for (const each of reviews) await each.round(clock);
        tally.count('rounds', 'after the due date');
      };
      const open = async (before: ReviewRun | null): Promise<ReviewRun | null> => {
        const review = await ReviewRun.created(service, world, luck, tally, before);
        let plan = await review.planned(others(review));
        if (plan !== null && luck.chance(0.2)) {
          await push();
          if (review.hasPeople() && review.hasChanged(plan, others(review))) {
            await review.refusedOpening(plan);
            tally.count('openings', 'changed plans');
          }
          plan = await review.planned(others(review));
        }
        if (plan === null || !(await review.opened(plan))) return null;
        reviews.push(review);
        return review;
      };
      const main = (await open(null)) ?? (await open(null)) ?? (await open(null));
      if (luck.chance(0.3)) await open(null);
      for (let step = 0; step < STEPS; step += 1) {
        if (luck.chance(0.3)) {
          await push();
          if (luck.chance(0.7)) await rounds();
        } else await luck.one(reviews)?.act();
        if (step === STEPS / 2 && luck.chance(0.2)) await open(null);
      }
      await rounds();
      if (main === null) return;
      await main.finish(later);
      for (let step = 0; step < LATER_STEPS; step += 1) {
        await (step % 2 === 1 && luck.chance(0.5) ? world.pushFirst() : push());
        if (luck.chance(0.8)) await rounds();
        if (luck.chance(0.3)) await main.act();
      }
      await rounds();
      if (main.states?.state === 'closed') {
        const next = await open(main);
        for (let step = 0; next !== null && step < LATER_STEPS; step += 1) await next.act();
      }
      if (luck.chance(0.3)) {
        const zip = await service
          .send('get', `/api/v1/reviews/${main.id}/evidence`)
          .responseType('blob');
        expect(await saidByScript(unzipSync(zip.body as Buffer))).toMatch(/\nverified\n$/);
        tally.count('compared', 'evidences');
      }
    });
  },
  60 * 60_000,
);
