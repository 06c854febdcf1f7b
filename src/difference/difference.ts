import { type PropertyValues, type Row, type Stated, statedBy, type Value } from '../rows/row/row';
import { rowHash, RULES_VERSION, UNKNOWN_HASH } from '../rows/row/row-hash';

/** A row with its hash. */
export interface HashedRow {
  readonly row: Row;
  readonly hash: string;
}

/** A row that is wanted; its hash is made once somebody asks for it, which may be while others are written. */
export class WantedRow implements HashedRow {
  private made: string | undefined;

  constructor(readonly row: Row) {}

  get hash(): string {
    return (this.made ??= rowHash(this.row));
  }
}

/** Hashes of the rows that a data source holds, by local key. */
export type StandingHashes = ReadonlyMap<string, string>;

/** What hashes alone can tell: most rows need no reading (docs/rules.md: Full pushes). */
export interface Comparison {
  /** Not there yet. */
  readonly created: readonly HashedRow[];
  /** There with another hash: to be read. */
  readonly suspects: readonly Row[];
  /** There and wanted no more: to be read. */
  readonly gone: readonly string[];
  /** Rows that stand already. */
  readonly unchanged: number;
}

/** Compares the rows of a full push with what the data source holds, by hash; hashes made by other rules prove nothing (docs/rules.md: Full pushes). */
export const compareHashes = (
  wanted: readonly HashedRow[],
  standing: StandingHashes,
  rulesVersion: number | null,
): Comparison => {
  const created: HashedRow[] = [];
  const suspects: Row[] = [];
  const kept = new Set<string>();
  let unchanged = 0;
  for (const hashed of wanted) {
    const hash = standing.get(hashed.row.key);
    if (hash === undefined) {
      created.push(hashed);
      continue;
    }
    kept.add(hashed.row.key);
    if (hash === hashed.hash && rulesVersion === RULES_VERSION) unchanged += 1;
    else suspects.push(hashed.row);
  }
  const gone =
    kept.size === standing.size ? [] : [...standing.keys()].filter((key) => !kept.has(key));
  return { created, suspects, gone, unchanged };
};

/** A property set to another value, or with `null` unset. */
export type PropertyChanges = Readonly<Record<string, Value | null>>;

/** A stated relationship of a row. */
export interface Link {
  readonly row: string;
  readonly stated: Stated;
}

/** Shared by the many rows that have none: a list of its own for each takes memory. */
export const NO_LINKS: Link[] = [];

/** The links with one more; `NO_LINKS` stays empty. */
export const withLink = (links: Link[], link: Link): Link[] => {
  if (links === NO_LINKS) return [link];
  links.push(link);
  return links;
};

/** Whether both ends of a stated relationship belong to the data source, so that nobody else's push touches them. */
export const isOwn = ({ stated: { kind } }: Pick<Link, 'stated'>): boolean =>
  kind.from.keeper !== 'shared' && kind.to.keeper !== 'shared';

/** A relationship that stays but says something else. */
export interface LinkChange extends Link {
  readonly before: PropertyValues;
  readonly changes: PropertyChanges;
}

/** A row that stands and is to say something else. */
export interface ChangedRow {
  readonly before: HashedRow;
  readonly after: HashedRow;
  readonly changes: PropertyChanges;
}

/** Whether a row that stands may not be all there yet: a push in stages has put its node, and was stopped before it had put the rest (docs/rules.md: Full pushes). */
export const isUnproven = ({ before }: ChangedRow): boolean => before.hash === UNKNOWN_HASH;

/** A row that says the same, but whose look-ups follow from another one that changed (docs/rules.md: References). */
export interface FollowingRow {
  readonly row: Row;
  readonly changes: PropertyChanges;
}

/** What a push changes: the least that leads from the rows that stand to the rows wanted. */
export interface Difference {
  readonly created: readonly HashedRow[];
  readonly changed: readonly ChangedRow[];
  readonly followed: readonly FollowingRow[];
  /** Rows that stand but for the hash that proves it (docs/rules.md: Full pushes). */
  readonly proven: readonly HashedRow[];
  readonly removed: readonly HashedRow[];
  readonly linked: readonly Link[];
  readonly relabelled: readonly LinkChange[];
  readonly unlinked: readonly Link[];
}

/** What changes nothing. */
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

/** What leads from some properties to others. */
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

/** Gathers the difference row by row. */
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

  /** A row that ends as it stood is no change. */
  change(before: HashedRow, row: Row): void {
    const after = { row, hash: rowHash(row) };
    const changes = changesBetween(
      { ...before.row.properties, ...before.row.lookups },
      { ...row.properties, ...row.lookups },
    );
    if (after.hash === before.hash) {
      if (Object.keys(changes).length > 0) this.followed.push({ row, changes });
      return;
    }
    this.changed.push({ before, after, changes });
    const standing = new Map(statedBy(before.row).map((stated) => [stated.identity, stated]));
    for (const stated of statedBy(row)) {
      const { identity } = stated;
      const old = standing.get(identity);
      standing.delete(identity);
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
    for (const stated of standing.values()) this.unlinked.push({ row: row.key, stated });
  }

  get difference(): Difference {
    const { created, changed, followed, removed, linked, relabelled, unlinked } = this;
    return { created, changed, followed, proven: [], removed, linked, relabelled, unlinked };
  }
}

/** The row with the tags that it had before too: tags accumulate (docs/rules.md: Tags). */
export const withTagsOf = (before: Row, row: Row): Row => {
  if (before.tags.length === 0) return row;
  const tags = new Set([...row.tags, ...before.tags]);
  return tags.size === row.tags.length ? row : { ...row, tags: [...tags] };
};

/** Whether nothing is to be written. */
export const isEmpty = ({ created, changed, followed, removed }: Difference): boolean =>
  created.length + changed.length + followed.length + removed.length === 0;

/** How many nodes and relationships are to be written. */
export const sizeOf = (difference: Partial<Difference>): number =>
  Object.values(difference).reduce((sum, { length }) => sum + length, 0);
