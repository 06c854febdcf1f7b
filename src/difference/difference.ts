import { type PropertyValues, type Row, type Stated, statedBy, type Value } from '../rows/row/row';
import { hashAfter, rowHash, RULES_VERSION, UNKNOWN_HASH } from '../rows/row/row-hash';

/** A row with its hash. */
export interface HashedRow {
  readonly row: Row;
  readonly hash: string;
}

/**
 * A desired row. Its hash is computed when it is first needed, which may be while Neo4j writes
 * other rows.
 */
export class DesiredRow implements HashedRow {
  private made: string | undefined;

  constructor(readonly row: Row) {}

  get hash(): string {
    return (this.made ??= rowHash(this.row));
  }
}

/** The hashes of the rows that a data source holds, by local key. */
export type CurrentHashes = ReadonlyMap<string, string>;

/**
 * The result of a comparison of hashes. Most rows need not be read from the graph (docs/rules.md:
 * Full pushes).
 */
export interface Comparison {
  /** Desired rows that do not exist yet. */
  readonly created: readonly HashedRow[];
  /** Desired rows that exist with another hash. The service must read them. */
  readonly suspects: readonly Row[];
  /** Local keys of current rows that are no longer desired. The service must read these rows. */
  readonly gone: readonly string[];
  /** How many rows already are as desired. */
  readonly unchanged: number;
}

/**
 * Compares the desired rows of a full push with the current rows by their hashes. If the current
 * hashes were made by other rules, no row counts as unchanged (docs/rules.md: Full pushes).
 */
export const compareHashes = (
  wanted: readonly HashedRow[],
  current: CurrentHashes,
  rulesVersion: number | null,
): Comparison => {
  const created: HashedRow[] = [];
  const suspects: Row[] = [];
  const found = new Set<string>();
  let unchanged = 0;
  for (const hashed of wanted) {
    const hash = current.get(hashed.row.key);
    if (hash === undefined) {
      created.push(hashed);
      continue;
    }
    found.add(hashed.row.key);
    if (hash === hashed.hash && rulesVersion === RULES_VERSION) unchanged += 1;
    else suspects.push(hashed.row);
  }
  const gone =
    found.size === current.size ? [] : [...current.keys()].filter((key) => !found.has(key));
  return { created, suspects, gone, unchanged };
};

/** The new values of properties. `null` unsets a property. */
export type PropertyChanges = Readonly<Record<string, Value | null>>;

/** A relationship that a row states, with the row's local key. */
export interface Link {
  readonly row: string;
  readonly stated: Stated;
}

/** The many rows without links share this list, because a list for each row would take memory. */
export const NO_LINKS: Link[] = [];

/** Adds a link to a list and returns the list. It never changes `NO_LINKS`. */
export const withLink = (links: Link[], link: Link): Link[] => {
  if (links === NO_LINKS) return [link];
  links.push(link);
  return links;
};

/**
 * Whether both ends of a relationship belong to the data source. Then no push to another data
 * source touches them.
 */
export const isOwn = ({ stated: { kind } }: Pick<Link, 'stated'>): boolean =>
  kind.from.keeper !== 'shared' && kind.to.keeper !== 'shared';

/** A relationship that remains, with other properties. */
export interface LinkChange extends Link {
  readonly before: PropertyValues;
  readonly changes: PropertyChanges;
}

/** A row that exists and will have other content. */
export interface ChangedRow {
  readonly before: HashedRow;
  readonly after: HashedRow;
  readonly changes: PropertyChanges;
}

/**
 * Whether a current row may be incomplete: an interrupted chunked push has created its node, but
 * perhaps not all that the row states (docs/rules.md: Chunked pushes).
 */
export const isUnproven = ({ before }: ChangedRow): boolean => before.hash === UNKNOWN_HASH;

/**
 * A row with unchanged content, whose look-ups follow from another row that changes (docs/rules.md:
 * References).
 */
export interface FollowingRow {
  readonly row: Row;
  readonly changes: PropertyChanges;
}

/** A diff: the fewest changes that lead from the current rows to the desired rows. */
export interface Difference {
  readonly created: readonly HashedRow[];
  readonly changed: readonly ChangedRow[];
  readonly followed: readonly FollowingRow[];
  /**
   * Rows that are complete except for their hash, which the service now writes (docs/rules.md:
   * Chunked pushes).
   */
  readonly proven: readonly HashedRow[];
  readonly removed: readonly HashedRow[];
  readonly linked: readonly Link[];
  readonly relabelled: readonly LinkChange[];
  readonly unlinked: readonly Link[];
}

/** The diff that changes nothing. */
export const NO_DIFFERENCE: Difference = {
  created: [],
  changed: [],
  followed: [],
  proven: [],
  removed: [],
  linked: [],
  relabelled: [],
  unlinked: [],
};

const sameValue = (a: Value | undefined, b: Value | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/** The changes that lead from some properties to others. */
const changesBetween = (before: PropertyValues, after: PropertyValues): PropertyChanges => {
  const changes: Record<string, Value | null> = {};
  for (const [name, value] of Object.entries(after)) {
    if (!sameValue(before[name], value)) changes[name] = value;
  }
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) changes[name] = null;
  }
  return changes;
};

/** Collects a diff row by row. */
export class DifferenceBuilder {
  private readonly created: HashedRow[] = [];
  private readonly changed: ChangedRow[] = [];
  private readonly followed: FollowingRow[] = [];
  private readonly removed: HashedRow[] = [];
  private readonly linked: Link[] = [];
  private readonly relabelled: LinkChange[] = [];
  private readonly unlinked: Link[] = [];

  create(hashed: HashedRow): void {
    this.created.push(hashed);
    for (const stated of statedBy(hashed.row)) this.linked.push({ row: hashed.row.key, stated });
  }

  remove(hashed: HashedRow): void {
    this.removed.push(hashed);
    for (const stated of statedBy(hashed.row)) this.unlinked.push({ row: hashed.row.key, stated });
  }

  /**
   * Adds what changes in a row. A row whose content does not change in the end adds nothing. If
   * `isPart`, both rows leave out the same relationships of long lists.
   */
  change(before: HashedRow, row: Row, isPart = false): void {
    const hash = isPart ? hashAfter(before.hash, before.row, row) : rowHash(row);
    const after = { row, hash };
    const changes = changesBetween(
      { ...before.row.properties, ...before.row.lookups },
      { ...row.properties, ...row.lookups },
    );
    if (after.hash === before.hash) {
      if (Object.keys(changes).length > 0) this.followed.push({ row, changes });
      return;
    }
    this.changed.push({ before, after, changes });
    const current = new Map(statedBy(before.row).map((stated) => [stated.identity, stated]));
    for (const stated of statedBy(row)) {
      const { identity } = stated;
      const old = current.get(identity);
      current.delete(identity);
      if (old === undefined) {
        this.linked.push({ row: row.key, stated });
        continue;
      }
      const differing = changesBetween(old.properties, stated.properties);
      if (Object.keys(differing).length > 0) {
        this.relabelled.push({
          row: row.key,
          stated,
          before: old.properties,
          changes: differing,
        });
      }
    }
    for (const stated of current.values()) this.unlinked.push({ row: row.key, stated });
  }

  get difference(): Difference {
    const { created, changed, followed, removed, linked, relabelled, unlinked } = this;
    return { created, changed, followed, proven: [], removed, linked, relabelled, unlinked };
  }
}

/**
 * The desired row with the tags of the current row added, because tags accumulate (docs/rules.md:
 * Tags).
 */
export const withTagsOf = (before: Row, row: Row): Row => {
  if (before.tags.length === 0) return row;
  const tags = new Set([...row.tags, ...before.tags]);
  return tags.size === row.tags.length ? row : { ...row, tags: [...tags] };
};

/** Whether the diff writes nothing. */
export const isEmpty = ({ created, changed, followed, removed }: Difference): boolean =>
  created.length + changed.length + followed.length + removed.length === 0;

/** How many nodes and relationships the diff writes. */
export const sizeOf = (difference: Partial<Difference>): number =>
  Object.values(difference).reduce((sum, { length }) => sum + length, 0);
