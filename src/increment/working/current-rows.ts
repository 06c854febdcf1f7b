import type { RelationshipKind } from '../../model/table';
import { type Row, type Stated, stated } from '../../rows/row/row';

/**
 * A current row, with its hash in the graph. The row leaves out its long lists of relationships
 * (docs/increments.md: What an increment reads).
 */
export interface CurrentRow {
  readonly row: Row;
  readonly hash: string;
}

/**
 * Something that an increment needs to know of the current rows. Indexes find all of it
 * (docs/rules.md: Promises).
 */
export type Need =
  /** The row with this key. */
  | { readonly _tag: 'row'; readonly key: string }
  /**
   * Rows of a label that have the folded text as an id, name or path. If `application` is not
   * `null`, only those of that application.
   */
  | {
      readonly _tag: 'named';
      readonly label: string;
      readonly folded: string;
      readonly application: string | null;
    }
  /**
   * Rows that state a relationship to this node. The key is the local key of a row or the key of a
   * shared node.
   */
  | { readonly _tag: 'referring'; readonly label: string; readonly key: string }
  /** Whether a row states a relationship of a long list. `relationship` is the code of its kind. */
  | {
      readonly _tag: 'states';
      readonly row: string;
      readonly relationship: string;
      readonly other: string;
    }
  /** The complete long list of a row. */
  | { readonly _tag: 'list'; readonly row: string; readonly relationship: string }
  /** All rows of an application, except its own. */
  | { readonly _tag: 'within'; readonly application: string }
  /** All resources below a resource. */
  | { readonly _tag: 'below'; readonly key: string }
  /** Some rows of a label, at most `most`. */
  | { readonly _tag: 'some'; readonly label: string; readonly most: number }
  /**
   * Some resources of an application that have this folded type, and an id or none. At most `most`.
   */
  | {
      readonly _tag: 'typed';
      readonly application: string;
      readonly type: string;
      readonly hasId: boolean;
      readonly most: number;
    }
  /**
   * The texts by which references find rows of a label, in one application unless that is `null`.
   * At most `most` rows are read.
   */
  | {
      readonly _tag: 'spellings';
      readonly label: string;
      readonly application: string | null;
      readonly most: number;
    }
  /** All rows. */
  | { readonly _tag: 'all' };

/** The most rows of one label and application that the service reads for guesses. */
const MOST_SPELT_ROWS = 2_000;
/**
 * The most pairs of label and application that it reads for guesses, however many problems there
 * are.
 */
const MOST_SPELLINGS = 20;

/** What the service has read so far. */
export interface KnownRows {
  /** Rows by local key. `null` means that there is no such row. */
  readonly rows: ReadonlyMap<string, CurrentRow | null>;
  /** Local keys, or spellings, by `needId`. For `states` and `list` these are the other ends. */
  readonly found: ReadonlyMap<string, readonly string[]>;
}

/** The state before anything is read. */
export const NOTHING_KNOWN: KnownRows = { rows: new Map(), found: new Map() };

/** A text that identifies a need. */
export const needId = (need: Need): string => JSON.stringify(Object.values(need));

/**
 * The current rows as far as they are known. If a caller needs something unknown, this notes the
 * need and answers as if nothing existed.
 */
export class CurrentRows {
  private readonly noted = new Map<string, Need>();
  private readonly hints = new Map<string, Need>();

  constructor(private readonly known: KnownRows) {}

  /** What callers needed and is not known. */
  get needs(): readonly Need[] {
    return [...this.noted.values()];
  }

  /**
   * What would improve the guesses in problems. The service reads it last, and only if there are
   * problems.
   */
  get hintNeeds(): readonly Need[] {
    return [...this.hints.values()];
  }

  /**
   * Whether everything that callers needed is known. Until then, something that seems missing may
   * exist.
   */
  get knowsAll(): boolean {
    return this.noted.size === 0;
  }

  row(key: string): CurrentRow | null {
    const row = this.known.rows.get(key);
    if (row === undefined) this.note({ _tag: 'row', key });
    return row ?? null;
  }

  /** Whether it is known if a row with this key exists. Until then the row counts as missing. */
  isKnown(key: string): boolean {
    return this.known.rows.has(key);
  }

  named(label: string, folded: string, application: string | null = null): readonly CurrentRow[] {
    return this.all({ _tag: 'named', label, folded, application });
  }

  referring(label: string, key: string): readonly CurrentRow[] {
    return this.all({ _tag: 'referring', label, key });
  }

  /** Whether a row states a relationship of a long list. */
  states(row: string, { kind, other }: Stated): boolean {
    return this.keys({ _tag: 'states', row, relationship: kind.code, other }).length > 0;
  }

  /** The complete long list of a row. */
  list(row: string, kind: RelationshipKind): readonly Stated[] {
    return this.keys({ _tag: 'list', row, relationship: kind.code }).map((other) =>
      stated(kind, other),
    );
  }

  within(application: string): readonly CurrentRow[] {
    return this.all({ _tag: 'within', application });
  }

  below(key: string): readonly CurrentRow[] {
    return this.all({ _tag: 'below', key });
  }

  /** Only the keys of some rows. */
  some(label: string, most: number): readonly string[] {
    return this.keys({ _tag: 'some', label, most });
  }

  typed(application: string, type: string, hasId: boolean, most: number): readonly string[] {
    return this.keys({ _tag: 'typed', application, type, hasId, most });
  }

  everything(): readonly CurrentRow[] {
    return this.all({ _tag: 'all' });
  }

  /** Names, ids and paths of some rows. They are used for guesses only and change no result. */
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

  private all(need: Need): readonly CurrentRow[] {
    return this.keys(need).flatMap((key) => this.row(key) ?? []);
  }

  private note(need: Need): void {
    this.noted.set(needId(need), need);
  }
}
