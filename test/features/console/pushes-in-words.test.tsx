import { renderToString } from 'preact-render-to-string';

import { PushesInWords } from '../../../src/features/console/changes/changes-answer';

/** What the page says of a time in which pushes changed this. */
const said = (
  ...days: readonly { readonly people: number | null; readonly uncounted: number }[]
) => {
  const time = { from: '2020-11-01T00:00:00Z', to: '2020-11-08T00:00:00Z' };
  const span = { since: time.from, until: time.to, gained: 60_000, lost: 1 };
  return renderToString(
    <PushesInWords
      of={days.map((day) => ({ ...span, ...day }))}
      time={time}
      isUnasked
      more={null}
    />,
  ).replaceAll(/<[^>]+>/g, '');
};

// "None changed that of more" was said though nobody knew how many a push changed.
test('pushes that changed too much say the most people of one push only if each says how many', () => {
  expect(said({ people: 2, uncounted: 0 }, { people: 5, uncounted: 0 })).toMatch(
    /gave 120,000 permissions and took 2\. How many .* is counted with the list\.One of these pushes changed the access of 5 people\. None changed that of more\.$/,
  );
  for (const day of [
    { people: null, uncounted: 0 },
    { people: 2, uncounted: 1 },
  ]) {
    expect(said({ people: 5, uncounted: 0 }, day)).not.toContain('None changed that of more');
  }
  expect(said({ people: 2, uncounted: 1 })).toContain('is not known: one push is not counted');
});
