import { clash, type Said } from '../arbitrary/clashing-people';
import { SCRIPT_NAMES } from '../arbitrary/script-names';
import { type ErasurePlan, erasurePlan } from '../mirror/erasure';
import type { Graph } from '../mirror/graph';
import { Mirror } from '../mirror/mirror';
import { sized } from '../support/test-size';
import { ErasureStage, idsOf, providersOf, type Streams, type Told } from './erasure-stage';
import { PropertySuite } from './property-suite';
import { push } from './service-driver';
import { plainInstant } from './stored-graph';
import { Tally } from './tally';

/*
 * Random graphs in which everybody has names of others. What an erasure of each of their people would take, and what it
 * asks about, must be what the mirror says; all else stays.
 */

const tally = new Tally({
  scripts: SCRIPT_NAMES,
  doubtful: [
    'SAME_NAME',
    'SHARED',
    'MAY_BE_SHARED',
    'OTHER_TIME',
    'MENTIONS',
    'UNTRUSTED',
    'OTHER_PROVIDER',
  ],
  believed: ['all providers', 'no provider', 'some providers'],
  people: ['who are one node', 'who are several nodes', 'who are there', 'who are gone'],
  graphs: ['with trusts', 'without trusts'],
  removed: ['rows of the person', 'rows that are held by or named after them'],
});

const suite = new PropertySuite({
  runs: sized(5, 300),
  seed: 39,
  tally,
  compared: new Tally({}),
});

let stage: ErasureStage;
beforeAll(async () => {
  stage = await ErasureStage.open(suite.driver);
});
afterAll(() => stage.close());

async function say(
  { source, domains, onlyThese }: Said,
  streams: Streams,
  mirror: Mirror,
): Promise<void> {
  const { registered } = streams[source];
  const path = `/api/v1/providers/custom/${registered.id}/trusts`;
  const trusts = { email_domains: domains, only_these_domains: onlyThese };
  const answer = await stage.service.send('put', path, trusts);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const { at } = (answer.body as { readonly value: { readonly at: string } }).value;
  const isNone = domains.length === 0 && !onlyThese;
  const trust = { emailDomains: domains, onlyThese, identityProviders: null };
  mirror.trust(registered.provider, isNone ? null : trust, plainInstant(at));
}

/** Everybody who is or was in a directory, and accounts behind which nobody in a directory is. */
function peopleOf(graphs: readonly Graph[]): readonly string[] {
  const now = graphs.at(-1)?.relationships ?? [];
  const known = new Set(now.flatMap(({ type, to }) => (type === 'KNOWN_AS' ? [to.key] : [])));
  const led = new Set(
    now.flatMap(({ type, from, to }) =>
      type === 'IDENTITY_OF' && known.has(from.key) ? [to.key] : [],
    ),
  );
  const all = graphs.flatMap(({ nodes }) =>
    nodes.flatMap(({ label, key }) => {
      const isPerson = label === 'IdpUser' || label === 'Employee';
      return isPerson || (label === 'LocalUser' && !led.has(key)) ? [key] : [];
    }),
  );
  return [...new Set(all)].toSorted();
}

/** The providers that the operator believes, by turns. */
function believed(
  providers: readonly string[],
  turn: number,
): readonly ['all providers' | 'no provider' | 'some providers', readonly string[]] {
  if (turn % 3 === 0) return ['all providers', providers];
  if (turn % 3 === 1) return ['no provider', []];
  return ['some providers', providers.filter((_, at) => (turn + at) % 2 === 0)];
}

/** What the service and the mirror do not agree about. */
function disagreements(told: Told, { person, removed, doubtful }: ErasurePlan): readonly string[] {
  const goes = told.entities.values.filter(({ change }) => change === 'removed');
  const apart = (what: string, said: Iterable<string>, wanted: Iterable<string>) => {
    const [service, mirror] = [new Set(said), new Set(wanted)];
    return [
      ...[...service].filter((key) => !mirror.has(key)).map((key) => `only told ${what} ${key}`),
      ...[...mirror].filter((key) => !service.has(key)).map((key) => `not told  ${what} ${key}`),
    ];
  };
  const reasons = told.doubtful.values.flatMap(({ id, reason }) => {
    const wanted = [...(doubtful.get(id) ?? [])];
    return wanted.length === 0 || wanted.some((one) => one === reason)
      ? []
      : [`${reason}, not ${wanted.join(' or ')} ${id}`];
  });
  return [
    ...apart('person', told.person, person),
    ...apart('removed', idsOf({ values: goes }), removed),
    ...apart('doubtful', idsOf(told.doubtful), doubtful.keys()),
    ...reasons,
  ];
}

test(
  'an erasure takes and doubts what the mirror says, whoever of a random graph is to be erased',
  async () => {
    await suite.holds(clash, async ({ scripts, pushes, said }) => {
      const streams = await stage.emptyStreams();
      const mirror = new Mirror();
      for (const { source, payload } of pushes) {
        const { registered, source: of } = streams[source];
        const text = JSON.stringify(payload);
        const answer = await push(stage.service, registered, text);
        if (!answer.accepted) throw new Error(JSON.stringify([source, answer.problems, payload]));
        const expected = mirror.accept(of, JSON.parse(text), answer.at);
        if (!expected.accepted) throw new Error(JSON.stringify([source, expected.problems]));
      }
      for (const one of said) await say(one, streams, mirror);
      const graphs = mirror.pastGraphs();
      const providers = providersOf(streams);
      const people = peopleOf(graphs.map(({ graph }) => graph));
      for (const [at, principal] of people.entries()) {
        const [how, trusted] = believed(providers, at);
        tally.count('believed', how);
        const asked = { principal, also: [], except: [], trusted_providers: trusted };
        const told = await stage.plan(asked);
        const known = new Set(trusted);
        const expected = erasurePlan(graphs, mirror.past(), mirror.said, principal, known);
        expect([principal, disagreements(told, expected)]).toEqual([principal, []]);
        for (const { reason } of told.doubtful.values) tally.count('doubtful', reason);
        const { person, removed } = expected;
        const rows = [...removed].filter((key) => person.has(key));
        tally.count('people', person.size === 1 ? 'who are one node' : 'who are several nodes');
        tally.count('people', removed.has(principal) ? 'who are there' : 'who are gone');
        tally.count('removed', 'rows of the person', rows.length);
        tally.count(
          'removed',
          'rows that are held by or named after them',
          removed.size - rows.length,
        );
      }
      for (const script of scripts) tally.count('scripts', script);
      tally.count('graphs', mirror.said.size === 0 ? 'without trusts' : 'with trusts');
    });
  },
  60 * 60_000,
);
