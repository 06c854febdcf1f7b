/** @more night */

import fc from 'fast-check';

import { type Item, roundsOf, type SourceName, toldRound, world } from '../arbitrary/erasure-world';
import { SCRIPT_NAMES } from '../arbitrary/script-names';
import { keyOf } from '../mirror/key';
import { sized } from '../support/test-size';
import { DECIDED, ErasureStage, idsOf, keyOfItem } from './erasure-stage';
import { differences, undated } from './graph-comparison';
import { allReadAnswers } from './list-answers';
import { removeRecords, writeRecordsAbout } from './named-records';
import { PropertySuite } from './property-suite';
import { verify } from './service-driver';
import { storedGraph } from './stored-graph';
import { everythingStored, holdsName, type StoredThing, textsIn } from './stored-texts';
import { Tally } from './tally';

const tally = new Tally({
  scripts: SCRIPT_NAMES,
  decided: DECIDED,
  found: ['SAME_NAME', 'SHARED', 'MAY_BE_SHARED', 'OTHER_TIME', 'MENTIONS', 'kept'],
  times: ['came', 'always', 'left', 'recycled'],
  'untouched by an erasure': ['rows', 'records'],
});

const suite = new PropertySuite({
  runs: sized(7, 400),
  seed: 39,
  tally,
  compared: new Tally({}),
});

let stage: ErasureStage;
beforeAll(async () => {
  stage = await ErasureStage.open(suite.driver);
});
afterAll(() => stage.close());

/** Records of the service, which no mirror knows. */
const RECORDS = /\((Team|Scim|Lifecycle|Managed|Large)|\[ACCOUNT_OF\]|twice the same/;
const ROWS = /^(Idp|Employee|Hris|Local|Application|Resource|Permission|Grant|Role)/;
/** What an erasure forgets, whatever it holds, and what it may change without naming it. */
const FORGOTTEN = /^(KnownPayload|Upload|DataSource|EventOrder|Past)/;

const saidBy = (things: readonly StoredThing[]): ReadonlyMap<string, string> =>
  new Map(things.map(({ what, said }) => [what, said]));

test(
  'an erasure takes the person, leaves nothing of them, and touches nobody else, in every script',
  async () => {
    const { service } = stage;
    const cases = fc.tuple(world, fc.constantFrom(...DECIDED));
    await suite.holds(cases, async ([of, decided]) => {
      const streams = await stage.emptyStreams();
      const names = Object.keys(streams) as readonly SourceName[];
      const [me, bob] = of.humans;
      if (me === undefined || bob === undefined) throw new Error('A world has humans.');
      const without = await stage.push(streams, of);
      const provider = await stage.makeRecords(streams, of);
      const items = roundsOf(of).flatMap((round) => toldRound(of, round, true).items);
      const keysOf = (whose: Item['of']): ReadonlySet<string> =>
        new Set(items.filter((one) => one.of === whose).map((one) => keyOfItem(streams, one)));
      const [theirs, mentioning] = [keysOf('person'), keysOf('mentions')];
      // A tag stays when a payload has it no more.
      const isTheirs = (key: string, reason: string): boolean =>
        theirs.has(key) ||
        (reason === 'MENTIONS' && mentioning.has(key)) ||
        /^Tag\|(buddy|author)\|/.test(key);
      const principal = keyOf(streams.corp.source.id, 'IdpUser', me.id);
      const bobs = keyOf(streams.corp.source.id, 'IdpUser', bob.id);
      await writeRecordsAbout(suite.driver, me, principal, of.way);
      await writeRecordsAbout(suite.driver, bob, bobs, of.way);

      const { asked, plan, first } = await stage.decide(
        principal,
        streams,
        decided,
        isTheirs,
        of.way,
      );
      // What goes by itself is the person's, or in something that is.
      const rows = first.entities.values.filter(({ label }) => !/^(Grant|Role)/.test(label));
      const goes = rows.filter(({ change }) => change === 'removed').map(({ id }) => id);
      expect(goes.filter((id) => !theirs.has(id) && !id.includes('#folder'))).toEqual([]);
      // A mark after a name makes it another word.
      const told = [...idsOf(first.entities), ...idsOf(first.doubtful)];
      expect(told.filter((id) => id.endsWith('#mailbox|m-2'))).toEqual([]);

      // Whoever had the email at another time is somebody else, and shares no name.
      const recycler = keyOf(streams.corp.source.id, 'IdpUser', of.humans[4]?.id ?? '');
      const reasons = first.doubtful.values.flatMap(({ id, reason }) =>
        id === recycler ? [reason] : [],
      );
      expect(reasons).toEqual(of.isRecycled ? ['OTHER_TIME'] : []);

      const before = await everythingStored(suite.driver);
      await stage.erase(asked, plan);
      const after = await everythingStored(suite.driver);

      // Nothing holds a name but what the answer lists, and names that others have.
      const stays = new Set([...idsOf(plan.kept), ...idsOf(plan.doubtful), ...asked.except]);
      const isOthersToday = of.isRecycled && of.time === 'left' && decided !== 'everything';
      const sought = [
        ...(isOthersToday ? [] : [me.email]),
        ...[me.login, me.full, me.former, me.id].filter((name) => /\D/.test(name)),
      ].filter((name) => !plan.shared_names.some((one) => holdsName(one, name)));
      const holds = (texts: readonly string[]): boolean =>
        texts.some((text) => sought.some((name) => holdsName(text, name)));
      const stay = ({ keys }: StoredThing): boolean => keys.some((key) => stays.has(key));
      const left = after.filter((one) => holds(one.texts) && !stay(one));
      expect(
        left.map(({ what, keys, texts }) => [what, keys, texts.filter((text) => holds([text]))]),
      ).toEqual([]);

      // Whatever the plan does not list is what it was: rows, and records of others.
      const listed = new Set([...plan.person, ...idsOf(plan.entities), ...asked.also]);
      const now = saidBy(after);
      const untouched = before.filter(
        ({ what, keys, texts }) =>
          !keys.some((key) => listed.has(key)) &&
          (ROWS.test(what) ||
            (!FORGOTTEN.test(what) &&
              !holds(texts) &&
              texts.some((text) => text.includes(bob.email)))),
      );
      if (!listed.has(bobs)) {
        const gone = untouched.filter(({ what, said }) => now.get(what) !== said);
        expect(gone.map(({ what, said }) => [what, said, now.get(what)])).toEqual([]);
      }

      // All that can be read holds no name but in what stays.
      const allowed = new Set(after.filter(stay).flatMap(({ texts }) => texts));
      await removeRecords(suite.driver);
      const answers = await allReadAnswers(service, [
        ...names.map((name) => {
          const { id: providerId, data_source_id: dataSourceId } = streams[name].registered;
          return { providerId, dataSourceId };
        }),
        { providerId: provider, principal: bobs, entityId: bobs },
      ]);
      for (const { path, text } of answers) {
        const wrong = text.split('\n').flatMap((line) => {
          const told = textsIn(/^[[{]/.test(line) ? JSON.parse(line) : line);
          return told.filter((each) => holds([each]) && !allowed.has(each));
        });
        expect([path, wrong]).toEqual([path, []]);
      }

      if (decided === 'what is the person’s') {
        const stored = await storedGraph(suite.driver);
        const found = differences(undated(without.graph()), undated(stored));
        expect(found.filter((text) => !RECORDS.test(text)).slice(0, 12)).toEqual([]);
      }
      for (const name of names) {
        const sound = await verify(service, streams[name].registered, '');
        expect([name, sound]).toEqual([name, expect.objectContaining({ sound: true })]);
      }
      tally.count('scripts', me.script);
      tally.count('decided', decided);
      tally.count('times', of.isRecycled ? 'recycled' : of.time);
      for (const { reason } of first.doubtful.values) tally.count('found', reason);
      if (plan.kept.values.length > 0) tally.count('found', 'kept');
      for (const { what } of untouched) {
        tally.count('untouched by an erasure', ROWS.test(what) ? 'rows' : 'records');
      }
    });
  },
  60 * 60_000,
);
