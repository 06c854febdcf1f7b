import type { ServiceUnderTest } from '../../http/service-under-test';

/** A chip as a page shows it. */
interface ChipOnPage {
  readonly href: string;
  readonly words: string;
  readonly count: number;
  readonly isChosen: boolean;
}

/** The chips of a page of the console; the first one shows all. */
const chipsOnPage = (html: string): readonly ChipOnPage[] => {
  const [nav = ''] = /<nav class="chips".*?<\/nav>/s.exec(html) ?? [];
  return [
    ...nav.matchAll(/<a href="([^"]*)"([^>]*)>([^<]+) <span class="count">([\d,]+)<\/span>/g),
  ].map(([, href = '', attributes = '', words = '', count = '']) => ({
    href: href.replaceAll('&amp;', '&'),
    words,
    count: Number(count.replaceAll(',', '')),
    isChosen: attributes.includes('aria-current="true"'),
  }));
};

/** The filters of an address of a page, as the interface calls them. */
const filtersIn = (address: string): URLSearchParams => {
  const { searchParams } = new URL(address, 'http://service');
  const filters = new URLSearchParams(
    [...searchParams].filter(([name]) => ['mark', 'permission_type', 'application'].includes(name)),
  );
  if (filters.getAll('permission_type').length > 1) filters.set('every_type', 'true');
  return filters;
};

/** What came of clicks on chips. */
interface ComparedChips {
  /** The words of what was chosen together on the last page. */
  readonly chosen: readonly string[];
  /** How many numbers of chips were compared. */
  readonly compared: number;
}

/** Clicks on chips of a page, and compares the number of each with the interface. */
export const compareChips = async (
  { send }: Pick<ServiceUnderTest, 'send'>,
  page: (address: string) => Promise<string>,
  about: Readonly<Record<string, string>>,
  first: string,
  clicks: readonly number[],
): Promise<ComparedChips> => {
  const totalAt = async (address: string): Promise<number> => {
    const query = filtersIn(address);
    for (const [name, value] of Object.entries(about)) query.set(name, value);
    query.set('page_size', '1');
    const answer = await send('get', `/api/v1/access?${query.toString()}`);
    expect([address, answer.status]).toEqual([address, 200]);
    return (answer.body as { readonly total: number }).total;
  };
  let address = first;
  let compared = 0;
  for (const click of clicks) {
    const [all, ...chips] = chipsOnPage(await page(address));
    if (all === undefined) return { chosen: [], compared };
    for (const chip of [all, ...chips]) {
      // A click on a chosen chip removes it, and its number is that of the page.
      const counted = chip.isChosen ? address : chip.href;
      expect([address, chip.words, chip.count]).toEqual([
        address,
        chip.words,
        await totalAt(counted),
      ]);
      compared += 1;
    }
    const next = chips[click % chips.length];
    if (next === undefined) return { chosen: [], compared };
    address = next.href;
  }
  const chosen = chipsOnPage(await page(address))
    .slice(1)
    .flatMap(({ words, isChosen }) => (isChosen ? [words] : []));
  return { chosen, compared };
};
