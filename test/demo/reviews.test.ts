/** @more reviews */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { printReviews, ReviewsOfForge } from '../../src/demo/reviews';
import { isOf, type ReviewOfDemo } from '../../src/demo/reviewing';
import { terminalOn } from '../../src/demo/terminal';
import { ask } from '../../src/neo4j/ask';
import { type DemoService, pushCompany, startDemoService } from './service';

/* The two reviews of Forge that the demo does, with all that reviews promise (docs/reviews.md). */

let demo: DemoService;
let reviews: readonly ReviewOfDemo[];

const evidence = (): string => join(demo.folder, 'review-evidence.zip');

/** A run of the demo, as far as reviews are concerned. */
const ran = async (): Promise<readonly ReviewOfDemo[]> => {
  const forge = new ReviewsOfForge(demo.graph, demo.service);
  const earlier = 2;
  let week = 0;
  await pushCompany(demo, async () => {
    week += 1;
    if (week <= earlier) await forge.afterWeek();
  });
  return forge.answers(evidence());
};

/** What the demo prints about the reviews. */
const printed = (of: readonly ReviewOfDemo[]): string => {
  let text = '';
  const terminal = terminalOn({ write: (more) => (text += more) }, {});
  printReviews(terminal, of, 'evidence.zip');
  return text;
};

beforeAll(async () => {
  demo = await startDemoService();
  reviews = await ran();
});

afterAll(() => demo.stop());

test('the reviews are closed, the second one shows what changed, and what came back is shown', () => {
  expect(printed(reviews)).toMatchInlineSnapshot(`
   "
   Who still needs what?   grantgraph reviews
     Forge, first week: 67 items of 7 reviewers, 64 kept, 3 revoked; closed, first seal
       nobody reviews themselves: Helena Brandt: group "Security Team" → Idris Bello, who owns "Forge"
       revoked  Daniel Okafor: group "On-Call Engineers" (changes nothing: also group "Platform Team")  an exception
       revoked  dwhitlock: role "Developer" on Forge: Firmware.motor-control  gone, and a later push brought it back
       revoked  maas: role "Maintainer" on Forge: Firmware.motor-control  gone, as a push proved
     Forge, second week: 69 items of 7 reviewers, 11 kept, 1 revoked, 57 carried over; closed, both seals
       nobody reviews themselves: Helena Brandt: group "Security Team" → Idris Bello, who owns "Forge"
       revoked  fdahl: permission "Bypass protection" on Forge: Firmware.motor-control.main  gone, as a push proved
     Evidence: python3 examples/verify-review.py evidence.zip
   "
  `);
});

test('an owner whom only an application names is passed over', () => {
  // Omar owns it together with a name of another application.
  const items = reviews.flatMap((review) => review.items);
  const reviewers = items
    .filter((item) => isOf(item, { holder: 'clientbook-sync' }))
    .map(({ reviewer }) => reviewer.name);
  expect(reviewers).toEqual(['Omar Farouk', 'Omar Farouk']);
});

test('the evidence holds, by the script and by the service', async () => {
  for (const { review } of reviews) {
    const answer = await fetch(`${demo.service.address}/api/v1/reviews/${review.id}:verify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.service.apiKey}` },
    });
    expect(await answer.json()).toMatchObject({ verified: true, findings: [] });
  }
  const script = join(__dirname, '../../examples/verify-review.py');
  const { stdout } = await promisify(execFile)('python3', [script, evidence()]);
  expect(stdout).toMatch(/\nverified\n$/);
  expect((await readFile(evidence())).length).toBeGreaterThan(1_000);
});

test('the chain names who opened, who decided, who made the exception and who closed', async () => {
  const acts = await ask(
    demo.graph,
    `MATCH (r:Review {name: 'Forge, first week'})
    MATCH (e:ReviewDecision {review: r.id}) WHERE NOT e.act IN ['keep', 'revoke']
    OPTIONAL MATCH (p:ReviewPerson {review: r.run, alias: e.by})
    RETURN e.act AS act, p.name AS by ORDER BY e.seq`,
    {},
  );
  expect(acts.map(({ act, by }) => `${String(act)} ${String(by)}`)).toEqual([
    'open Ingrid Solberg',
    'except Yuki Tanabe',
    'close Ingrid Solberg',
    // What Mikkel could do was left by a group until the week after.
    'confirm null',
    'block null',
    'came_back null',
    'confirm null',
  ]);
});

test('a second run of the demo gives the same result', async () => {
  expect(printed(await ran())).toBe(printed(reviews));
});
