/** @more reviews */
import { ReviewOfHandbook } from '../../src/demo/handbook-review';
import type { ReviewOfDemo } from '../../src/demo/reviewing';
import { printReviews } from '../../src/demo/reviews';
import { terminalOn } from '../../src/demo/terminal';
import { type DemoService, pushCompany, startDemoService } from './service';
import { type DemoWiki, startDemoWiki } from './wiki';

/* The review of the handbook, one revoke of which the demo sends over SCIM (docs/reviews.md). */

let wiki: DemoWiki;
let demo: DemoService;

beforeAll(async () => {
  wiki = await startDemoWiki();
  demo = await startDemoService(wiki.settings);
});
afterAll(async () => {
  await demo.stop();
  await wiki.stop();
});

/** The members of the one group of the application. */
const editors = async (): Promise<readonly string[]> => {
  const answer = await fetch(`${wiki.base}/Groups`, {
    headers: { authorization: `Bearer ${wiki.token}` },
  });
  const { Resources } = (await answer.json()) as {
    readonly Resources: readonly { readonly members: readonly { readonly value: string }[] }[];
  };
  return Resources.flatMap(({ members }) => members.map(({ value }) => value));
};

const printed = (of: readonly ReviewOfDemo[]): string => {
  let text = '';
  printReviews(terminalOn({ write: (more) => (text += more) }, {}), of, 'evidence.zip');
  return text;
};

test('a revoke of the handbook goes out over SCIM, and the next push confirms it', async () => {
  const handbook = wiki.kept(demo.service);
  const reviewed = async (): Promise<string> => {
    await pushCompany(demo, () => handbook.keep());
    await handbook.import();
    const review = new ReviewOfHandbook(wiki, demo.graph, demo.service);
    await review.begin();
    return printed(await review.answers(() => handbook.keep()));
  };
  const first = await reviewed();
  expect(first).toMatchInlineSnapshot(`
   "
   Who still needs what?   grantgraph reviews
     Handbook, this week: 7 items of 4 reviewers, 6 kept, 1 revoked; closed, both seals
       revoked  Priya Raman: group "Editors"  gone, as a push proved
         sent   The account of this item out of its group of "Handbook pages"  removed
     Evidence: python3 examples/verify-review.py evidence.zip
   "
  `);
  expect(await editors()).not.toContain('priya.raman');
  expect(await editors()).toContain('nadia.haddad');
  expect(await reviewed()).toBe(first);
});
