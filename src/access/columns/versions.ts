import { fold } from '../../model/fold';
import { type Instants, type Moment, NEVER } from '../instants';
import {
  at,
  type Column,
  type Columns,
  type Copying,
  Growing,
  type Memory,
  Table,
} from '../memory';
import { NO_TEXT, type Texts } from '../texts';
import { listAt } from '../../model/grouped';

/** What an access graph knows of a node, or of a version of it. */
export interface NodeFacts {
  readonly name?: string | null;
  readonly path?: string | null;
  readonly resource_type?: string | null;
  readonly application?: string | null;
  readonly domain?: string | null;
  readonly provider?: string | null;
  readonly application_type?: string | null;
  /** Of a permission: the types of applications in which it holds; `null` means all. */
  readonly application_types?: readonly string[] | null;
  readonly permission_type?: readonly string[] | null;
  readonly apply_to_sub_resources?: boolean | null;
  readonly is_active?: boolean | null;
  /** Of a user of an identity provider, and of a local user: whether it is a human's. */
  readonly identity_type?: string | null;
  readonly user_type?: string | null;
  readonly is_guest?: boolean | null;
  /** In nanoseconds. */
  readonly deactivated_at?: bigint | null;
}

/** When a fact holds, in nanoseconds; `null` means always before, or that it has not ended. */
export interface Lasting {
  readonly since: bigint | null;
  readonly until: bigint | null;
}

/** A version of a node. */
export interface VersionRow extends Lasting {
  readonly facts: NodeFacts;
}

/** No version of a node, or no node. */
export const NONE = -1;

/** The texts of a version that answers show. */
export type ShownText = 'name' | 'path' | 'resource_type' | 'application' | 'domain' | 'provider';

/** All columns with numbers of texts. */
const TEXT_COLUMNS = [
  'name',
  'path',
  'resource_type',
  'application',
  'domain',
  'provider',
  'fold_resource_type',
  'fold_application_type',
  'application_types',
  'permission_type',
] as const;

type TextColumn = (typeof TEXT_COLUMNS)[number];

const VERSION = ['before', 'since', 'until', 'flags', 'deactivated_at', ...TEXT_COLUMNS] as const;

/** What decides what a permission is, and on what it holds. */
const DECIDING = [
  'name',
  'permission_type',
  'application_types',
  'fold_resource_type',
  'fold_application_type',
] as const;

const SPREADS = 1;
const INACTIVE = 2;
const NOT_HUMAN = 4;
const GUEST = 8;

/** What a version says, as its columns have it. */
export interface VersionValues {
  readonly flags: number;
  readonly deactivated_at: bigint | null;
  readonly texts: Readonly<Record<TextColumn, string | null>>;
}

/** What a version with some facts says. */
export const valuesOfVersion = (facts: NodeFacts): VersionValues => {
  const { resource_type, application_type, application_types, permission_type } = facts;
  const folded = (value: string | null | undefined): string | null =>
    value === null || value === undefined ? null : fold(value);
  const list = (values: readonly string[] | null | undefined): string | null =>
    values === null || values === undefined ? null : JSON.stringify(values);
  const isNotHuman = facts.identity_type === 'NONHUMAN' || facts.user_type === 'service_account';
  return {
    flags:
      (facts.apply_to_sub_resources === true ? SPREADS : 0) |
      (facts.is_active === false ? INACTIVE : 0) |
      (isNotHuman ? NOT_HUMAN : 0) |
      (facts.is_guest === true ? GUEST : 0),
    deactivated_at: facts.deactivated_at ?? null,
    texts: {
      name: facts.name ?? null,
      path: facts.path ?? null,
      resource_type: resource_type ?? null,
      application: facts.application ?? null,
      domain: facts.domain ?? null,
      provider: facts.provider ?? null,
      fold_resource_type: folded(resource_type),
      fold_application_type: folded(application_type),
      application_types: list(application_types),
      permission_type: list(permission_type),
    },
  };
};

/** Versions as plain data. */
export interface OpenedVersions {
  readonly rows: Columns<(typeof VERSION)[number]>;
  readonly deactivations: Column<BigInt64Array>;
  readonly left: number;
}

/** A version whose texts and instants have numbers. */
type Numbered = Readonly<Record<'since' | 'until' | 'flags' | TextColumn, number>> & {
  readonly deactivated: bigint | null;
};

/** The versions of nodes, as columns. Those of one node are a chain: each leads to the one before. */
export class Versions {
  private readonly rows: Table<(typeof VERSION)[number]>;
  /** When accounts are deactivated. Each pusher chooses these times, so they are no instants. */
  private readonly deactivations: Growing<BigInt64Array>;
  private left: number;

  constructor(
    memory: Memory,
    private readonly texts: Texts,
    private readonly instants: Instants,
    opened?: OpenedVersions,
  ) {
    this.rows = new Table(memory, VERSION, opened?.rows);
    this.deactivations = new Growing(memory, BigInt64Array, opened?.deactivations);
    this.left = opened?.left ?? 0;
  }

  /** A copy in other memory. */
  *copy(memory: Memory): Copying<OpenedVersions> {
    const rows = yield* this.rows.copy(memory);
    const deactivations = yield* this.deactivations.copy(memory);
    return { rows, deactivations, left: this.left };
  }

  /** How many versions nodes have. */
  get count(): number {
    return this.rows.length - this.left;
  }

  /** How many rows no node has any more. */
  get leftCount(): number {
    return this.left;
  }

  /** Adds a version before those of a chain, and gives its place. */
  add(newest: number, row: VersionRow): number {
    return this.append(newest, this.numbered(row));
  }

  /**
   * Makes the versions of a chain those that are wanted, and gives its new start. What is the same
   * stays where it is, and a version that has ended only gets its end. Those that ended before `from`
   * stay too, whatever is wanted.
   */
  set(newest: number, wanted: readonly VersionRow[], from: bigint): number {
    const missing = wanted.map((row) => this.numbered(row));
    const staying: number[] = [];
    const later: number[] = [];
    for (const place of this.chain(newest)) {
      const until = this.instants.nanosOf(this.number(place, 'until'));
      const isBefore = until !== null && until < from;
      (isBefore ? staying : later).push(place);
    }
    const rest = this.match(later, missing, staying, true);
    const left = this.match(rest.places, rest.missing, staying, false);
    this.left += left.places.length;
    const before = this.rows.column('before');
    let start = NONE;
    for (const place of staying) {
      before[place] = start;
      start = place;
    }
    for (const row of left.missing) start = this.append(start, row);
    return start;
  }

  /** The version of a chain that holds at a moment; `NONE` if none does. */
  at(newest: number, moment: Moment): number {
    const [before, since, until] = [
      this.rows.column('before'),
      this.rows.column('since'),
      this.rows.column('until'),
    ];
    let present = NONE;
    for (let each = newest; each !== NONE; each = at(before, each)) {
      const end = at(until, each);
      if (!this.instants.isWithin(at(since, each), end, moment)) continue;
      // A version that ended counts before the present one, which does not know when it began.
      if (end !== NEVER) return each;
      present = each;
    }
    return present;
  }

  /** Whether a version of a chain began or ended at a marked instant (`Instants.between`). */
  isTouched(newest: number, marks: Uint8Array): boolean {
    const [before, since, until] = [
      this.rows.column('before'),
      this.rows.column('since'),
      this.rows.column('until'),
    ];
    for (let each = newest; each !== NONE; each = at(before, each)) {
      if (marks[at(since, each) + 1] === 1 || marks[at(until, each) + 1] === 1) return true;
    }
    return false;
  }

  /** All versions of a chain. */
  *of(newest: number): Generator<VersionValues & Lasting, void> {
    for (const place of this.chain(newest)) {
      yield {
        flags: this.number(place, 'flags'),
        since: this.since(place),
        until: this.instants.nanosOf(this.number(place, 'until')),
        deactivated_at: this.deactivation(place),
        texts: Object.fromEntries(
          TEXT_COLUMNS.map((name) => [name, this.text(place, name)]),
        ) as VersionValues['texts'],
      };
    }
  }

  /** When a version began, in nanoseconds. */
  since(version: number): bigint | null {
    return this.instants.nanosOf(at(this.rows.column('since'), version));
  }

  /** The number of a text of a version. */
  textNumber(version: number, name: TextColumn): number {
    return version === NONE ? NO_TEXT : at(this.rows.column(name), version);
  }

  /** A text of a version. */
  text(version: number, name: TextColumn): string | null {
    const number = this.textNumber(version, name);
    return number === NO_TEXT ? null : this.texts.text(number);
  }

  /** Whether a version is marked as inactive, or was deactivated by a time in nanoseconds. */
  isInactive(version: number, clock: bigint): boolean {
    if (version === NONE) return false;
    const deactivated = this.deactivation(version);
    return this.hasFlag(version, INACTIVE) || (deactivated !== null && deactivated <= clock);
  }

  /** Whether a user or account is marked as not human. */
  isNotHuman(version: number): boolean {
    return this.hasFlag(version, NOT_HUMAN);
  }

  /** Whether a user is marked as a guest. */
  isGuest(version: number): boolean {
    return this.hasFlag(version, GUEST);
  }

  /** Whether a permission holds on what its scope contains too. */
  spreads(version: number): boolean {
    return this.hasFlag(version, SPREADS);
  }

  /** Whether two versions of a node are alike in all that decides about access. */
  decideAlike(one: number, other: number): boolean {
    return (
      this.spreads(one) === this.spreads(other) &&
      DECIDING.every((name) => this.textNumber(one, name) === this.textNumber(other, name))
    );
  }

  private chain(newest: number): readonly number[] {
    const before = this.rows.column('before');
    const places: number[] = [];
    for (let each = newest; each !== NONE; each = at(before, each)) places.push(each);
    return places;
  }

  /**
   * Finds the places whose versions are among those that are missing, and gives the rest of both.
   * If the time need not be the same, a version that is found gets the time that is wanted.
   */
  private match(
    places: readonly number[],
    missing: readonly Numbered[],
    staying: number[],
    isTimeSame: boolean,
  ): { readonly places: readonly number[]; readonly missing: readonly Numbered[] } {
    const bySaying = new Map<string, Numbered[]>();
    for (const row of missing) {
      const name = nameOf(row, isTimeSame);
      listAt(bySaying, name).push(row);
    }
    const others = places.filter((place) => {
      const row = bySaying.get(nameOf(this.numbersOf(place), isTimeSame))?.pop();
      if (row === undefined) return true;
      this.rows.column('since')[place] = row.since;
      this.rows.column('until')[place] = row.until;
      staying.push(place);
      return false;
    });
    return { places: others, missing: [...bySaying.values()].flat() };
  }

  private numbered({ since, until, facts }: VersionRow): Numbered {
    const { flags, deactivated_at, texts } = valuesOfVersion(facts);
    const text = (value: string | null): number =>
      value === null ? NO_TEXT : this.texts.add(value);
    return {
      since: this.instants.add(since),
      until: this.instants.add(until),
      flags,
      deactivated: deactivated_at,
      name: text(texts.name),
      path: text(texts.path),
      resource_type: text(texts.resource_type),
      application: text(texts.application),
      domain: text(texts.domain),
      provider: text(texts.provider),
      fold_resource_type: text(texts.fold_resource_type),
      fold_application_type: text(texts.fold_application_type),
      application_types: text(texts.application_types),
      permission_type: text(texts.permission_type),
    };
  }

  private numbersOf(place: number): Numbered {
    const columns = ['since', 'until', 'flags', ...TEXT_COLUMNS] as const;
    return {
      ...(Object.fromEntries(columns.map((name) => [name, this.number(place, name)])) as Record<
        (typeof columns)[number],
        number
      >),
      deactivated: this.deactivation(place),
    };
  }

  private append(before: number, { deactivated, ...numbers }: Numbered): number {
    return this.rows.add({ before, deactivated_at: this.addDeactivation(deactivated), ...numbers });
  }

  private number(version: number, name: (typeof VERSION)[number]): number {
    return at(this.rows.column(name), version);
  }

  private addDeactivation(time: bigint | null): number {
    if (time === null) return NEVER;
    this.deactivations.push(time);
    return this.deactivations.length - 1;
  }

  private deactivation(version: number): bigint | null {
    const number = this.number(version, 'deactivated_at');
    return number === NEVER ? null : (this.deactivations.values[number] as bigint);
  }

  private hasFlag(version: number, flag: number): boolean {
    return version !== NONE && (this.number(version, 'flags') & flag) !== 0;
  }
}

const nameOf = (row: Numbered, isTimeSame: boolean): string =>
  [
    ...(isTimeSame ? [row.since, row.until] : []),
    row.flags,
    row.deactivated,
    ...TEXT_COLUMNS.map((name) => row[name]),
  ].join(' ');
