import type { Row } from '../../rows/row/row';

/** A row as it stands, with the hash that it was written with. */
export interface StandingRow {
  readonly row: Row;
  readonly hash: string;
}

/** Something that an increment has to know of what its data source holds; all of it is found through indexes (docs/rules.md: Promises, promise 7). */
export type Need =
  /** The row of a key. */
  | { readonly _tag: 'row'; readonly key: string }
  /** Rows of a label, of one application unless that is `null`, that have the text among their ids, names and paths, folded. */
  | {
      readonly _tag: 'named';
      readonly label: string;
      readonly folded: string;
      readonly application: string | null;
    }
  /** Rows that state a relationship to a node: a row's local key, or a shared node's key. */
  | { readonly _tag: 'referring'; readonly label: string; readonly key: string }
  /** All rows within an application, but its own. */
  | { readonly _tag: 'within'; readonly application: string }
  /** All resources below a resource. */
  | { readonly _tag: 'below'; readonly key: string }
  /** Rows of a label, at most so many. */
  | { readonly _tag: 'some'; readonly label: string; readonly most: number }
  /** Resources of a folded type within an application that have an id, or have none; at most so many. */
  | {
      readonly _tag: 'typed';
      readonly application: string;
      readonly type: string;
      readonly hasId: boolean;
      readonly most: number;
    }
  /** What references to rows of a label may say, in one application unless that is `null`; of at most so many rows. */
  | {
      readonly _tag: 'spellings';
      readonly label: string;
      readonly application: string | null;
      readonly most: number;
    }
  /** All rows. */
  | { readonly _tag: 'all' };

/** Rows of one label and application whose spellings are compared with what nothing is named. */
const MOST_SPELT_ROWS = 2_000;
/** Labels and applications of which spellings are asked for, so that many problems cost no more than some. */
const MOST_SPELLINGS = 20;

/** What has been found so far. */
export interface Known {
  /** By local key; `null` where none stands. */
  readonly rows: ReadonlyMap<string, StandingRow | null>;
  /** Local keys, or spellings, by `needId`. */
  readonly found: ReadonlyMap<string, readonly string[]>;
}

/** Before anything is asked. */
export const NOTHING_KNOWN: Known = { rows: new Map(), found: new Map() };

/** One text for each need. */
export const needId = (need: Need): string => JSON.stringify(Object.values(need));

/** What the data source holds, as far as it is known; whatever else is asked for is noted, and answered as if there were none. */
export class Standing {
  private readonly noted = new Map<string, Need>();
  private readonly hints = new Map<string, Need>();

  constructor(private readonly known: Known) {}

  /** What was asked for and is not known. */
  get needs(): readonly Need[] {
    return [...this.noted.values()];
  }

  /** What would tell what was meant by names that nothing has: to be asked for once nothing else is, and only where there are problems. */
  get hintNeeds(): readonly Need[] {
    return [...this.hints.values()];
  }

  /** Whether all that was asked for is known: until then what seems not to stand may stand. */
  get knowsAll(): boolean {
    return this.noted.size === 0;
  }

  row(key: string): StandingRow | null {
    const row = this.known.rows.get(key);
    if (row === undefined) this.note({ _tag: 'row', key });
    return row ?? null;
  }

  /** Whether it is known what stands under a key; until then it is taken for nothing. */
  isKnown(key: string): boolean {
    return this.known.rows.has(key);
  }

  named(label: string, folded: string, application: string | null = null): readonly StandingRow[] {
    return this.all({ _tag: 'named', label, folded, application });
  }

  referring(label: string, key: string): readonly StandingRow[] {
    return this.all({ _tag: 'referring', label, key });
  }

  within(application: string): readonly StandingRow[] {
    return this.all({ _tag: 'within', application });
  }

  below(key: string): readonly StandingRow[] {
    return this.all({ _tag: 'below', key });
  }

  /** Keys alone. */
  some(label: string, most: number): readonly string[] {
    return this.keys({ _tag: 'some', label, most });
  }

  typed(application: string, type: string, hasId: boolean, most: number): readonly string[] {
    return this.keys({ _tag: 'typed', application, type, hasId, most });
  }

  everything(): readonly StandingRow[] {
    return this.all({ _tag: 'all' });
  }

  /** Names, ids and paths of some rows, for guesses alone: nothing that an increment leads to follows from them. */
  spellings(label: string, application: string | null): readonly string[] {
    const need: Need = { _tag: 'spellings', label, application, most: MOST_SPELT_ROWS };
    const id = needId(need);
    const known = this.known.found.get(id);
    if (known === undefined && this.hints.size < MOST_SPELLINGS) this.hints.set(id, need);
    return known ?? [];
  }

  private keys(need: Need): readonly string[] {
    const keys = this.known.found.get(needId(need));
    if (keys === undefined) this.note(need);
    return keys ?? [];
  }

  private all(need: Need): readonly StandingRow[] {
    return this.keys(need).flatMap((key) => this.row(key) ?? []);
  }

  private note(need: Need): void {
    this.noted.set(needId(need), need);
  }
}
