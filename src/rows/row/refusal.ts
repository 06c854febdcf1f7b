import type { Found, Named } from '../../check/names';
import type { Hints } from '../../codec/hints/hints';
import { quoted } from '../../codec/quote';

const LISTED_CANDIDATES = 5;
// Names an entity. If several have one name, the id or path distinguishes them.
const candidate = ({ name, steps, title }: Named): string => {
  const titled = title();
  const [id, path] = [steps[0]?.[0], steps[1]?.[0]];
  const [word, text] = id === undefined ? ['path', path] : ['id', id];
  return text === undefined || text === name || titled.includes(quoted(text))
    ? titled
    : `${titled} (${word} ${quoted(text)})`;
};

/**
 * The part of a sentence that lists the entities that a reference may mean (docs/rules.md:
 * Problems).
 */
export const mayMean = (found: Found): string => {
  const some = found.slice(0, LISTED_CANDIDATES);
  const titles = some.map(candidate);
  // Resources of several types may have the same path.
  const listed = some.map(({ pointer }, at) => {
    const title = titles[at] ?? '';
    return titles.filter((other) => other === title).length > 1 ? `${title} at ${pointer}` : title;
  });
  const more = found.length - listed.length;
  return `may mean ${[...listed, ...(more > 0 ? [`${more} more`] : [])].join(' or ')}`;
};

/** The sentence for a reference that matches nothing, with guesses (docs/rules.md: Problems). */
export const unknown = (reference: string, spellings: Iterable<string>, hints: Hints): string =>
  `nothing is named ${quoted(reference)}${hints.didYouMean(reference, spellings)}`;
