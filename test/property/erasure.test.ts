/** @more night */

import fc from 'fast-check';

import { planted, planting } from '../arbitrary/planted-person';
import { drafts, type Push, templates } from '../arbitrary/push-sequence';
import { written } from '../arbitrary/references';
import { repaired } from '../arbitrary/repair';
import { Mirror } from '../mirror/mirror';
import { testNeo4j } from '../support/neo4j';
import { sized } from '../support/test-size';
import { streamOf } from './comparison';
import { differences, undated } from './graph-comparison';
import { PropertySuite } from './property-suite';
import { push, verify } from './service-driver';
import { storedGraph } from './stored-graph';
import { Tally } from './tally';

const tally = new Tally({ people: ['erased', 'brought back'] });

const suite = new PropertySuite({
  runs: sized(3, 60),
  seed: 29,
  tally,
  compared: new Tally({}),
});

/** Whole payloads that are accepted, one for each data source. */
const payloads = fc.tuple(...drafts).map((all) =>
  all.map((draft, at) => {
    const template = templates[at] ?? 'application';
    const payload = repaired(written(template, draft), template);
    return JSON.parse(JSON.stringify(payload)) as object;
  }),
);

/** Everything in the graph, as one text for each node and relationship. */
const allTexts = async (): Promise<readonly string[]> => {
  const { records } = await suite.driver.executeQuery(
    `MATCH (n) RETURN properties(n) AS properties
     UNION ALL MATCH ()-[r]->() RETURN properties(r) AS properties`,
    {},
    { database: testNeo4j().database },
  );
  return records.map((record) =>
    JSON.stringify(record.get('properties')).normalize('NFC').toLowerCase(),
  );
};

/** What the plan lists as doubtful. */
const doubtsOf = (body: unknown): readonly string[] => {
  const { value } = body as {
    readonly value?: { readonly doubtful: { readonly values: readonly { readonly id: string }[] } };
  };
  return (value?.doubtful.values ?? []).map(({ id }) => id);
};

const namesOf = (person: Readonly<Record<string, string>>): readonly string[] =>
  Object.values(person).flatMap((name) => {
    const lower = name.normalize('NFC').toLowerCase();
    return [lower, lower.replace(/[%|#]/g, encodeURIComponent)].map((each) => each.toLowerCase());
  });

test(
  'after an erasure the graph is that of payloads without the person, and nothing has her name',
  async () => {
    await suite.holds(fc.tuple(payloads, planting), async ([without, where]) => {
      const streams = await suite.both.emptyStreams();
      const mirror = new Mirror();
      const pushes = without.map((payload, source): Push => {
        const text = JSON.stringify(payload);
        return { source, text, payload, shapeProblems: [] };
      });
      for (const sent of pushes) await suite.both.push(sent, streamOf(streams, sent), mirror);
      const pushWith = async () => {
        const answers = [];
        for (const sent of pushes) {
          const { registered, source } = streamOf(streams, sent);
          // A reference that was planted may be ambiguous: it goes again.
          const payload = repaired(
            planted(sent.payload ?? {}, source.template, where),
            source.template,
          );
          answers.push(await push(suite.service, registered, JSON.stringify(payload)));
        }
        return answers;
      };
      expect((await pushWith()).map(({ accepted }) => accepted)).not.toContain(false);
      // Nobody else has one of her names, so all that is doubtful is hers.
      const providers = pushes.map((sent) => streamOf(streams, sent).registered.provider);
      const asked = {
        principal: where.askedBy,
        also: [] as string[],
        trusted_providers: [...new Set(providers)],
      };
      let plan = await suite.service.post('/api/v1/erase', asked);
      for (let more = doubtsOf(plan.body); more.length > 0; more = doubtsOf(plan.body)) {
        asked.also.push(...more);
        plan = await suite.service.post('/api/v1/erase', asked);
      }
      expect([plan.status, plan.text]).toEqual([200, expect.any(String)]);
      const { confirmation } = (plan.body as { readonly value: { readonly confirmation: string } })
        .value;
      const erased = await suite.service
        .post('/api/v1/erase', asked)
        .set('Grantgraph-Confirm-Removal', confirmation);
      expect(erased.status).toBe(200);
      const names = namesOf({ ...where.person });
      const left = (await allTexts()).filter((text) => names.some((name) => text.includes(name)));
      expect(left).toEqual([]);
      const stored = await storedGraph(suite.driver);
      expect(differences(undated(mirror.graph()), undated(stored)).slice(0, 12)).toEqual([]);
      for (const sent of pushes) {
        const { registered } = streamOf(streams, sent);
        expect(await verify(suite.service, registered, '')).toMatchObject({ sound: true });
      }
      tally.count('people', 'erased');
      const answers = await pushWith();
      const codes = answers.flatMap((answer) =>
        answer.accepted ? answer.warnings.map(({ code }) => code) : [],
      );
      expect(codes).toContain('ERASED_PERSON');
      for (const sent of pushes) {
        const { registered } = streamOf(streams, sent);
        const again = await push(suite.service, registered, sent.text);
        expect(again.accepted).toBe(true);
      }
      tally.count('people', 'brought back');
    });
  },
  60 * 60_000,
);
