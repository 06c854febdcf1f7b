import { spelled } from '../../../model/person-names';
import { Identity } from '../../../model/shared-nodes';
import { LocalUser } from '../../../templates/application/local-users';
import { Employee } from '../../../templates/hris/employees';
import { IdpGroup } from '../../../templates/identity-provider/groups';
import { IdpUser } from '../../../templates/identity-provider/users';
import type { Claims } from './claims';
import type { Decisions } from './doubt';
import { type Place, reaches, type ScopedName } from './names';
import {
  addressesOf,
  dataSourceOf,
  isDirectory,
  isPersonLabel,
  nameOfIdentity,
  namespaceOf,
  ownNames,
  type People,
  placeOf,
  type Someone,
} from './people';
import { ALWAYS, overlap, type Span } from './span';

/** Those who may have an address. */
const ADDRESSED: readonly string[] = [IdpUser, IdpGroup, Employee, LocalUser].map(
  ({ label }) => label,
);
/** Those by whose names an erasure finds people. */
const NAMESAKES: readonly string[] = [...ADDRESSED, Identity.label];
/** Whether a name is an address. */
export const isAddress = (name: string): boolean => name.includes('@');

/** Who has, or had, the addresses that were looked for. */
export class Addresses {
  private readonly holders = new Map<string, Someone[]>();
  private readonly claimants = new Map<string, Someone[]>();

  constructor(
    private readonly people: People,
    private readonly claims: Claims,
    private readonly isOther: (key: string) => boolean,
  ) {}

  /** Those who may be known by it. */
  holdersOf(address: string): readonly Someone[] {
    return this.holders.get(address) ?? [];
  }

  /**
   * Which of some people, and who else, may be known by an address; and those whose claim trusts
   * forbid.
   */
  having(address: string, own: readonly Someone[]) {
    const isOther = ({ key }: Someone): boolean => this.isOther(key);
    return {
      ours: own.filter(
        (one) => addressesOf(one).includes(address) && this.claims.mayBeKnownBy(one, address),
      ),
      others: this.holdersOf(address).filter(isOther),
      vain: (this.claimants.get(address) ?? []).filter(isOther),
    };
  }

  /** Finds out who has or had addresses. */
  async learn(addresses: Iterable<string>): Promise<void> {
    const unknown = new Set([...addresses].filter((address) => !this.holders.has(address)));
    if (unknown.size === 0) return;
    for (const address of unknown) this.holders.set(address, []);
    const found = await this.people.all(ADDRESSED, (one) =>
      addressesOf(one).some((address) => unknown.has(address)),
    );
    const versions = await this.people.allOf(
      new Set(found.filter(({ label }) => isPersonLabel(label)).map(({ key }) => key)),
    );
    for (const one of [...versions, ...found.filter(({ label }) => !isPersonLabel(label))]) {
      for (const address of addressesOf(one).filter((each) => unknown.has(each))) {
        const list = this.claims.mayBeKnownBy(one, address) ? this.holders : this.claimants;
        list.set(address, [...(list.get(address) ?? []), one]);
      }
    }
  }

  /** Finds out who has or had the addresses of these nodes. */
  async learnOf(keys: Iterable<string>): Promise<void> {
    await this.learn((await this.people.allOf(keys)).flatMap(addressesOf));
  }

  /** Whether one of some others in directories had an address of these versions while they had it. */
  areOfOthers(versions: readonly Someone[], isMeant: (one: Someone) => boolean): boolean {
    return versions.some((version) =>
      addressesOf(version).some((address) =>
        this.holdersOf(address).some(
          (one) => one.label !== LocalUser.label && isMeant(one) && overlap(one.span, version.span),
        ),
      ),
    );
  }

  /** Whether somebody has an address of somebody else who is in a directory of the person. */
  async isLikeOthers(key: string, own: readonly Someone[]): Promise<boolean> {
    const spaces = new Set(own.filter(({ label }) => isDirectory(label)).map(namespaceOf));
    return this.areOfOthers(
      await this.people.allOf([key]),
      (one) => one.key !== key && this.isOther(one.key) && spaces.has(namespaceOf(one)),
    );
  }
}

/** Who is known to be the person, and what to do about others who have a name of the person. */
export interface Named {
  has(key: string): boolean;
  /** Who is known to be the person, and what to do about others with a name of the person. */
  takenAt(name: string): readonly Span[];
  /** Identities of the person, with the times when they belonged to somebody else. */
  readonly identities: ReadonlyMap<string, readonly Span[]>;
  /** The data sources in which the name of an identity counts; `null`: all. */
  placesOf(identity: string): Promise<readonly string[] | null>;
  /** Notes that somebody has a name of the person. */
  doubt(key: string, label: string): Promise<void>;
}

/** Finds the names of a person, and those who have the same. */
export class Namesakes {
  constructor(
    private readonly people: People,
    private readonly decisions: Decisions,
    private readonly claims: Claims,
    private readonly person: Named,
  ) {}

  /**
   * The names of the person, each with the places and times at which it means nobody else; and
   * their namesakes.
   */
  async nameAll(keys: ReadonlySet<string>): Promise<readonly ScopedName[]> {
    const names = new Map<string, ScopedName>();
    const add = (
      name: string,
      within: Place | null,
      { isDisplay = false, isClaim = false, taken = this.person.takenAt(name) } = {},
    ): void => {
      const key = JSON.stringify([name, isDisplay, within]);
      if (!isClaim && names.get(key)?.isClaim === true) return;
      names.set(key, { name, isDisplay, isClaim, within, outside: [], taken });
    };
    /** A name that would mean the person everywhere: nobody has entrusted a provider with it. */
    const addClaim = (name: string, sources: readonly string[], taken?: readonly Span[]): void => {
      for (const dataSource of sources) {
        const within = { dataSource, application: null };
        add(name, within, { isClaim: true, ...(taken !== undefined && { taken }) });
      }
    };
    for (const one of await this.people.allOf(keys)) {
      for (const { name, naming } of ownNames(one)) {
        const isOwn = !isAddress(name) || naming !== 'display';
        const isGlobal = isAddress(name) ? isOwn : naming === 'login';
        if (one.label === Identity.label) {
          const places = isGlobal ? await this.person.placesOf(one.key) : [];
          if (places === null) add(name, null);
          else addClaim(name, places);
          continue;
        }
        const mayBeKnown = isGlobal && this.claims.mayBeKnownBy(one, name);
        const isEverywhere = mayBeKnown && this.claims.isEntrusted(one, name);
        if (isEverywhere) add(name, null);
        else if (mayBeKnown) addClaim(name, this.claims.besides(dataSourceOf(one.key)));
        // A claim that trusts forbid counts only in the provider's own data source, as its ids do.
        if (isOwn && !(isEverywhere && isAddress(name))) {
          const isDisplay = naming === 'display';
          const isClaim = isDisplay && !this.claims.isTrusted(dataSourceOf(one.key));
          add(name, placeOf(one), { isDisplay, isClaim });
        }
      }
    }
    // An identity that is gone has no node.
    for (const [key, taken] of this.person.identities) {
      const name = spelled(nameOfIdentity(key));
      const places = await this.person.placesOf(key);
      if (places !== null) addClaim(name, places, taken);
      else if (!names.has(JSON.stringify([name, false, null]))) add(name, null, { taken });
    }
    await this.findNamesakes(names);
    return [...names.values()];
  }

  private async findNamesakes(names: Map<string, ScopedName>): Promise<void> {
    const byName = new Map<string, string[]>();
    for (const [key, { name }] of names) byName.set(name, [...(byName.get(name) ?? []), key]);
    const namesakes = await this.people.all(
      NAMESAKES,
      (one) => !this.person.has(one.key) && ownNames(one).some(({ name }) => byName.has(name)),
    );
    for (const one of namesakes) {
      if (this.decisions.isLeft(one.key)) continue;
      const place = placeOf(one);
      let isAlike = false;
      for (const { name } of ownNames(one)) {
        if (isAddress(name)) continue;
        for (const key of byName.get(name) ?? []) {
          const sought = names.get(key);
          if (sought === undefined) continue;
          // A number is an id in one system, and says nothing about anybody in another one.
          if (/\p{L}/u.test(name)) isAlike = true;
          names.set(key, withNamesake(sought, one, place));
        }
      }
      if (isAlike && isPersonLabel(one.label)) await this.doubtNamesake(one);
    }
  }

  private async doubtNamesake({ key, label }: Someone): Promise<void> {
    if (label === Identity.label) {
      const known = await this.people.tiesOf(key, 'KNOWN_AS');
      if (known.some(({ span }) => span.until === null)) return;
    }
    await this.person.doubt(key, label);
  }
}

/** A name after somebody else was found to have it. If it means them, it stays. */
const withNamesake = (name: ScopedName, { label, span }: Someone, place: Place): ScopedName => {
  const { within } = name;
  if (label === Identity.label) return name;
  if (within === null) {
    if (label === LocalUser.label) return { ...name, outside: [...name.outside, place] };
    return { ...name, taken: [...name.taken, span.until === null ? ALWAYS : span] };
  }
  return reaches(within, place) ? { ...name, taken: [...name.taken, ALWAYS] } : name;
};
