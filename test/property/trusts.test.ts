/** @more access */

import fc, { type Arbitrary } from 'fast-check';

import { claimedNames } from '../arbitrary/claimed-names';
import { incrementSequence } from '../arbitrary/increment-sequence';
import { Mirror } from '../mirror/mirror';
import { sized } from '../support/test-size';
import { streamOf, type Stream } from './comparison';
import { PropertySuite } from './property-suite';
import { verify } from './service-driver';
import { plainInstant } from './stored-graph';
import { fullPushTopics, Tally } from './tally';

/*
 * Random pushes, and between them an administrator who says who may claim what. After each step the graph, its
 * history and the warnings must be what the mirror derives from scratch (docs/rules.md: Trusts).
 */

const tally = new Tally({
  'relationships that trusts': ['drew', 'ended'],
  warnings: ['untrusted'],
});

const suite = new PropertySuite({
  runs: sized(1, 60),
  seed: 11,
  tally,
  compared: new Tally(fullPushTopics),
});

/** What is set for which of the five data sources' providers, after which push. */
interface Setting {
  readonly after: number;
  readonly of: number;
  readonly domains: readonly string[];
  readonly onlyThese: boolean;
  readonly meant: readonly number[] | null;
}

const settings: Arbitrary<readonly Setting[]> = fc.array(
  fc.record({
    after: fc.nat({ max: 5 }),
    // Mostly the HR system, which means people of both directories.
    of: fc.constantFrom(0, 1, 2, 3, 4, 4, 4),
    domains: fc.oneof(fc.constant([]), fc.subarray(['corp.example', 'example', 'other.example'])),
    onlyThese: fc.nat({ max: 3 }).map((n) => n === 3),
    meant: fc.option(fc.subarray([0, 1]), { freq: 3 }),
  }),
  { minLength: 2, maxLength: 5 },
);

interface Told {
  readonly at: string;
  readonly changes: { readonly created: number; readonly removed: number };
}

async function set(
  { of, domains, onlyThese, meant }: Setting,
  streams: readonly Stream[],
  mirror: Mirror,
): Promise<void> {
  const stream = streams[of];
  if (stream === undefined) throw new Error('There is no such stream.');
  const { source, registered } = stream;
  const isApplication = source.template === 'application';
  const [emailDomains, isOnly] = isApplication ? [[], false] : [domains, onlyThese];
  const providers = meant?.map((one) => streams[one]?.source.provider ?? '') ?? null;
  const answer = await suite.service.send(
    'put',
    `/api/v1/providers/custom/${registered.id}/trusts`,
    {
      email_domains: emailDomains,
      only_these_domains: isOnly,
      ...(providers === null ? {} : { identity_providers: providers }),
    },
  );
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const { at, changes } = (answer.body as { value: Told }).value;
  const isNone = emailDomains.length === 0 && !isOnly && providers === null;
  mirror.trust(
    source.provider,
    isNone ? null : { emailDomains, onlyThese: isOnly, identityProviders: providers },
    plainInstant(at),
  );
  suite.both.forget();
  tally.count('relationships that trusts', 'drew', changes.created);
  tally.count('relationships that trusts', 'ended', changes.removed);
}

test.each([
  ['full pushes', claimedNames, 10],
  ['increments', incrementSequence, 1],
])(
  'after %s and trusts in any order, the graph is what the mirror expects',
  async (_, sequence, times) => {
    const property = fc.asyncProperty(sequence, settings, async (pushes, said) => {
      const streams = await suite.both.emptyStreams();
      const mirror = new Mirror();
      for (const [at, sent] of pushes.entries()) {
        const answer = await suite.both.push(sent, streamOf(streams, sent), mirror);
        if (answer.accepted) {
          const untrusted = answer.warnings.filter(({ code }) => code === 'UNTRUSTED_CLAIM');
          tally.count('warnings', 'untrusted', untrusted.length);
        }
        await suite.both.expectSameGraph(mirror);
        for (const setting of said.filter(({ after }) => after === at)) {
          await set(setting, streams, mirror);
          await suite.both.expectSameGraph(mirror);
        }
      }
      // Who takes all of it back has the graph of before.
      for (const of of streams.keys()) {
        const none = { after: 0, of, domains: [], onlyThese: false, meant: null };
        await set(none, streams, mirror);
      }
      await suite.both.expectSameGraph(mirror);
      await suite.both.expectPastGraphs(mirror);
      for (const { registered } of streams) {
        const { findings } = await verify(suite.service, registered, '');
        expect(findings.values).toEqual([]);
      }
      tally.count('sequences', 'any');
    });
    await fc.assert(property, suite.parameters(times * suite.runs));
  },
  60 * 60_000,
);

test('trusts drew and ended relationships, and pushes claimed what they may not', () => {
  expect(tally.holes()).toEqual([]);
});
