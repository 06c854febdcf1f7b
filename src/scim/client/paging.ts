import type { Capabilities } from './capabilities';
import { type Exchange, isMissing } from './requests/exchange';
import { fieldOf, isJsonObject, type Json, textOf } from './json';
import { usableId } from './resource-path';
import { ScimFault } from './scim-fault';

/** What to list. */
export interface Listing {
  /** Such as `/Users`. */
  readonly endpoint: string;
  readonly filter?: string;
  /** Attributes that the answer may leave out. */
  readonly without?: string;
  /** The attributes to return, if the application returns some only on request. */
  readonly only?: string;
  /**
   * Whether a resource fits the filter. If all of the first page fit, the application has applied
   * the filter, and the service trusts its count of a few resources.
   */
  readonly fits?: (resource: Json) => boolean;
  /** Called if the application counts more resources than its list shows. */
  readonly onShort?: (counted: number, shown: number) => void;
}

/** A text in the quotes of a filter (RFC 7644, 3.4.2.2). */
export const quoted = (text: string): string => JSON.stringify(text);

const queryOf = (parameters: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
    .join('&');

interface Page {
  readonly resources: readonly Json[];
  readonly total: number | null;
  readonly cursor: string | null;
}

/** A cursor is sent back in an address, and servers accept no longer ones. */
const LONGEST_CURSOR = 4_096;

const pageOf = (path: string, body: Json): Page => {
  const listed = fieldOf(body, 'Resources');
  const total = fieldOf(body, 'totalResults');
  // If there are no results, some servers leave the list out, or write null.
  const resources: unknown = listed ?? (total === 0 ? [] : undefined);
  if (!Array.isArray(resources) || !resources.every(isJsonObject)) {
    throw new ScimFault('NOT_SCIM', `GET ${path} was answered without a list of resources.`);
  }
  if (resources.length > 0 && resources.every((resource) => usableId(resource) === null)) {
    throw new ScimFault('NOT_SCIM', `GET ${path} was answered with resources without ids.`);
  }
  const cursor = textOf(body, 'nextCursor');
  if (cursor !== null && cursor.length > LONGEST_CURSOR) {
    throw new ScimFault('NOT_SCIM', `GET ${path} was answered with an endless cursor.`);
  }
  return { resources, total: typeof total === 'number' ? total : null, cursor };
};

/** Parameters without which a list is the same: it only shows more of each resource, or other pages. */
const DISPENSABLE = ['excludedAttributes', 'attributes', 'count'] as const;
type Dispensable = (typeof DISPENSABLE)[number];

/** Parameters that an application has refused, by what it can do: all requests of a run share that. */
const refusedBy = new WeakMap<object, Set<Dispensable>>();

const refusedOf = (can: object): Set<Dispensable> => {
  const refused = refusedBy.get(can) ?? new Set();
  refusedBy.set(can, refused);
  return refused;
};

/** Whether an application may have refused a parameter that it does not know, and not the filter. */
const mayMeanParameters = (error: unknown): boolean =>
  error instanceof ScimFault &&
  error.code === 'REFUSED' &&
  error.details.status === 400 &&
  error.details.scimType !== 'invalidfilter';

/** How often a list is read again if its readings differ. */
const READINGS = 4;

/** One listing: the pages of one or more readings. */
class Lister {
  /** Ids of all readings. */
  readonly seen = new Set<string>();
  private pages = 0;
  /** How many the last reading counted at most; 0 if it did not count. */
  private counted = 0;
  private shown = 0;

  constructor(
    private readonly exchange: Exchange,
    private readonly can: Pick<Capabilities, 'usesCursor' | 'pageSize'>,
    private readonly listing: Listing,
  ) {}

  endless(why: string): ScimFault {
    return new ScimFault('ENDLESS_PAGES', `The pages of ${this.listing.endpoint} ${why}.`);
  }

  private async page(place: Readonly<Record<string, string | number>>): Promise<Page> {
    const { pages: most } = this.exchange.limits;
    this.pages += 1;
    if (this.pages > most) throw this.endless(`do not end after ${most}`);
    const { endpoint, filter, without, only } = this.listing;
    const dispensable = {
      attributes: only,
      excludedAttributes: without,
      count: this.can.pageSize,
    };
    const refused = refusedOf(this.can);
    const request = async (left: ReadonlySet<Dispensable>): Promise<Page> => {
      const remaining = Object.entries(dispensable).filter(
        ([name]) => !left.has(name as Dispensable),
      );
      const path = `${endpoint}?${queryOf({ filter, ...place, ...Object.fromEntries(remaining) })}`;
      return pageOf(path, (await this.exchange.read(path)).body);
    };
    try {
      return await request(refused);
    } catch (error) {
      // What comes after the first page is refused because the list has ended.
      const isFirst = place.startIndex === 1 || place.cursor === '';
      if (!isFirst || !mayMeanParameters(error)) throw error;
      return await this.without(request, refused, error, (name) => dispensable[name] !== undefined);
    }
  }

  /**
   * The page without a parameter that the application refuses, or without all that it need not know. The
   * service remembers which one it was.
   */
  private async without(
    request: (left: ReadonlySet<Dispensable>) => Promise<Page>,
    refused: Set<Dispensable>,
    before: unknown,
    isSent: (name: Dispensable) => boolean,
  ): Promise<Page> {
    const sent = DISPENSABLE.filter((name) => isSent(name) && !refused.has(name));
    const tries = [...sent.map((name) => [name]), ...(sent.length > 1 ? [sent] : [])];
    for (const left of tries) {
      try {
        const page = await request(new Set([...refused, ...left]));
        for (const name of left) refused.add(name);
        return page;
      } catch (error) {
        if (!mayMeanParameters(error)) throw error;
      }
    }
    throw before;
  }

  /**
   * The next page by index; null if the application refuses to go on after it has shown everything.
   */
  private async pageAt(start: number, isAllShown: boolean): Promise<Page | null> {
    try {
      return await this.page({ startIndex: start });
    } catch (error) {
      if (start === 1 || !(error instanceof ScimFault) || error.code !== 'REFUSED') throw error;
      const isPastTheEnd = isMissing(error) || [400, 416].includes(error.details.status ?? 0);
      if (!isPastTheEnd) throw error;
      if (isAllShown) return null;
      throw new ScimFault('NOT_WHOLE', `The list of ${this.listing.endpoint} ends early.`, {
        cause: error,
      });
    }
  }

  /** Yields the resource if no reading has shown it before. */
  private *fresh(resource: Json, own: Set<string>): Generator<Json> {
    const { limits } = this.exchange;
    const id = usableId(resource);
    if (id !== null) {
      own.add(id);
      if (this.seen.has(id)) return;
      if (this.seen.size >= limits.resources) {
        throw new ScimFault(
          'TOO_LARGE',
          `The list of ${this.listing.endpoint} has more than ${limits.resources} resources.`,
        );
      }
      this.exchange.hold(1, id.length);
      this.seen.add(id);
    }
    yield resource;
  }

  /** Reports a list that counts more than it shows: nobody knows what the others are. */
  tellIfShort(): void {
    const shown = Math.max(this.seen.size, this.shown);
    if (this.counted > shown) this.listing.onShort?.(this.counted, shown);
  }

  /**
   * Reads all pages once, until one is empty. Returns whether the pages fit together: no resource
   * came twice, and the application counted as many as it showed each time.
   */
  async *read(): AsyncGenerator<Json, boolean> {
    const { fits } = this.listing;
    const { pageSize, usesCursor } = this.can;
    const own = new Set<string>();
    const cursors = new Set<string>();
    const totals = new Set<number>();
    let countsPages = true;
    let shown = 0;
    [this.counted, this.shown] = [0, 0];
    let cursor: string | null = usesCursor ? '' : null;
    for (;;) {
      const isAllShown = totals.size > 0 && own.size >= Math.max(...totals);
      const page: Page | null =
        cursor === null ? await this.pageAt(shown + 1, isAllShown) : await this.page({ cursor });
      if (page === null) break;
      const { resources, total, cursor: next } = page;
      if (total !== null && (resources.length > 0 || shown === 0)) {
        totals.add(total);
        countsPages &&= total === resources.length;
        this.counted = Math.max(this.counted, total);
      }
      const before = own.size;
      for (const resource of resources) yield* this.fresh(resource, own);
      const isFirst = shown === 0;
      shown += resources.length;
      this.shown = shown;
      if (next !== null) {
        if (cursors.has(next)) throw this.endless('repeat');
        this.exchange.hold(1, next.length);
        cursors.add(next);
        cursor = next;
        continue;
      }
      // After a cursor, the page without another one is the last.
      if (cursor !== null || resources.length === 0) break;
      const isFew = isFirst && resources.length < pageSize && total === resources.length;
      if (isFew && fits !== undefined && resources.every(fits)) break;
      if (own.size === before && !isFirst) {
        // The application does not continue as requested, but shows everything at once.
        const isAtOnce = total !== null && own.size >= total && resources.length !== pageSize;
        if (!isAtOnce) throw this.endless('repeat');
        return true;
      }
    }
    if (own.size < shown) return false;
    return totals.size === 0 || countsPages || (totals.size === 1 && totals.has(own.size));
  }
}

/**
 * Lists resources page by page, by index or by cursor (RFC 7644, 3.4.2.4; RFC 9865). Pages may be
 * smaller than requested, and `totalResults` may be missing or wrong, so a reading ends with an
 * empty page. If resources repeat or counts differ, somebody has changed the list in between. Then
 * the list is read again, until a reading shows nothing new or fits together.
 */
export async function* listResources(
  exchange: Exchange,
  can: Pick<Capabilities, 'usesCursor' | 'pageSize'>,
  listing: Listing,
): AsyncGenerator<Json> {
  const lister = new Lister(exchange, can, listing);
  for (let reading = 1; reading <= READINGS; reading += 1) {
    const before = lister.seen.size;
    const fitTogether = yield* lister.read();
    if (!fitTogether && (reading === 1 || lister.seen.size > before)) continue;
    lister.tellIfShort();
    return;
  }
  throw lister.endless('differ each time they are read');
}
