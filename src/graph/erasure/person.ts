import type { Doubt } from '../../contract/answers/erasure';
import { fold } from '../../model/fold';
import { keyOf, unescapePart } from '../../model/key';
import { spelled } from '../../model/person-names';
import { Identity } from '../../model/shared-nodes';
import { LocalUser } from '../../templates/application/local-users';
import { Employee } from '../../templates/hris/employees';
import { IdpGroup } from '../../templates/identity-provider/groups';
import { IdpUser } from '../../templates/identity-provider/users';
import type { Runner } from '../connection/transaction';
import type { Decisions, Doubtful } from './doubt';
import { NamesByPlace, type Place, type ScopedName } from './names';
import {
  addressesOf,
  dataSourceOf,
  isDirectory,
  isPersonLabel,
  namespaceOf,
  ownNames,
  People,
  type Someone,
} from './people';
import { overlap, overlapsAny, type Span } from './span';

/** Several people have the name. Each is one candidate, by its key. */
export class SeveralPeople extends Error {
  constructor(readonly candidates: readonly string[]) {
    super('several people have this name');
  }
}

/** Nobody has the name. */
export class NobodyFound extends Error {}

/** A person: whoever the nodes of these keys certainly are. */
export interface Person {
  /** Keys of the nodes that are the person, whether they exist or not. */
  readonly keys: ReadonlySet<string>;
  /** Keys of those that exist. */
  readonly standing: ReadonlySet<string>;
  /** By what other entities and records name the person. */
  readonly names: NamesByPlace;
  /** Those that the service looks for, spelled. */
  readonly nameList: readonly string[];
  /** Names that somebody else has too. They stay. */
  readonly sharedNames: readonly string[];
  /** When others had accounts and identities of the person, by key. */
  readonly taken: ReadonlyMap<string, readonly Span[]>;
  readonly doubtful: readonly Doubtful[];
}

const ALWAYS: Span = { from: 0n, until: null };

/** Those by whose names an erasure finds people. */
const NAMESAKES: readonly string[] = [IdpUser, IdpGroup, Employee, LocalUser, Identity].map(
  ({ label }) => label,
);
/** Those who may have an address. */
const ADDRESSED: readonly string[] = [IdpUser, IdpGroup, Employee, LocalUser].map(
  ({ label }) => label,
);

const isAddress = (name: string): boolean => name.includes('@');

const placeOf = ({ key, properties }: Someone): Place => ({
  dataSource: dataSourceOf(key),
  application: typeof properties.application === 'string' ? properties.application : null,
});

const nameOfIdentity = (key: string): string => unescapePart(key.slice(Identity.label.length + 1));

const titleOf = ({ properties: { name } }: Pick<Someone, 'properties'>): string | null =>
  typeof name === 'string' ? name : null;

/** Finds out which nodes are one person (docs/rules.md: Erasing a person). */
class PersonSearch {
  /** Users of identity providers, and employees. */
  private readonly core = new Set<string>();
  private readonly accounts = new Set<string>();
  /** With the times when others were known by them. */
  private readonly identities = new Map<string, readonly Span[]>();
  private doubts = new Map<string, Doubtful>();
  /** Who has each address that was looked for. */
  private readonly holders = new Map<string, Someone[]>();
  /** When somebody else had an address of the person. */
  private readonly taken = new Map<string, Span[]>();

  constructor(
    private readonly people: People,
    private readonly decisions: Decisions,
  ) {}

  private get size(): number {
    return this.core.size + this.accounts.size + this.identities.size;
  }

  private get keys(): ReadonlySet<string> {
    return new Set([...this.core, ...this.accounts, ...this.identities.keys()]);
  }

  private has(key: string): boolean {
    return this.core.has(key) || this.accounts.has(key) || this.identities.has(key);
  }

  async from(head: Someone): Promise<Person> {
    this.take(head.key, head.label);
    let names: readonly ScopedName[] = [];
    for (let before = -1; before !== this.size;) {
      before = this.size;
      await this.settle();
      // It takes namesakes that the operator names.
      names = await this.nameAll();
    }
    const keys = this.keys;
    const standing = new Set((await this.people.load(keys)).map(({ key }) => key));
    const sought = new Set(
      names.filter(({ taken }) => !taken.includes(ALWAYS)).map(({ name }) => name),
    );
    return {
      keys,
      standing,
      names: new NamesByPlace(names),
      nameList: [...sought].sort(),
      sharedNames: [
        ...new Set(names.flatMap(({ name, taken }) => (taken.includes(ALWAYS) ? [name] : []))),
      ].sort(),
      taken: this.timesOfOthers(),
      doubtful: [...this.doubts.values()].filter(({ key }) => !this.has(key)),
    };
  }

  /** When somebody else had what leads to accounts and identities of the person. */
  private timesOfOthers(): ReadonlyMap<string, readonly Span[]> {
    const all = [...this.taken.values(), ...this.identities.values()].flat();
    const ended = all.filter(({ until }) => until !== null);
    return new Map([
      ...[...this.accounts].map((key) => [key, ended] as const),
      ...[...this.identities].map(([key, taken]) => [key, [...taken]] as const),
    ]);
  }

  /** Takes whoever certainly is the person, until nobody is left to take. */
  private async settle(): Promise<void> {
    for (let before = -1; before !== this.size;) {
      before = this.size;
      this.doubts = new Map();
      await this.expand();
      await this.takeAddressed();
      await this.takeIdentities();
      await this.takeAccounts();
    }
  }

  private take(key: string, label: string, taken: readonly Span[] = []): void {
    if (this.has(key) || this.decisions.stays(key)) return;
    if (isDirectory(label)) this.core.add(key);
    else if (label === LocalUser.label) this.accounts.add(key);
    else if (label === Identity.label) this.identities.set(key, taken);
  }

  /** Notes that something is perhaps the person's, or takes it if the operator says so. */
  private async doubt(key: string, label: string, reason: Doubt): Promise<void> {
    if (this.has(key) || this.decisions.isLeft(key) || this.doubts.has(key)) return;
    const [one] = await this.people.allOf([key]);
    if (one === undefined && label !== Identity.label) return;
    if (this.decisions.goes(key)) this.take(key, label);
    else
      this.doubts.set(key, { key, label, name: one === undefined ? null : titleOf(one), reason });
  }

  /** Follows from employees to their users, and between users of several identity providers. */
  private async expand(): Promise<void> {
    for (const key of this.core) {
      for (const { type, other, otherLabel } of await this.people.ties(key)) {
        if (type === 'HAS_ACCOUNT' || type === 'SOURCE_IDENTITY_OF') this.take(other, otherLabel);
      }
    }
  }

  /** The identities that may be the person's. */
  private async candidates(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const key of this.core) {
      for (const { other } of await this.people.tiesOf(key, 'KNOWN_AS')) found.add(other);
    }
    for (const key of this.accounts) {
      for (const { other } of await this.people.tiesOf(key, 'IDENTITY_OF')) found.add(other);
    }
    for (const one of await this.people.allOf([...this.core, ...this.accounts])) {
      for (const address of addressesOf(one)) found.add(keyOf(Identity.label, fold(address)));
    }
    return found;
  }

  private async accountsAt(identities: Iterable<string>): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const identity of identities) {
      for (const { other, otherLabel } of await this.people.tiesOf(identity, 'IDENTITY_OF')) {
        if (otherLabel === LocalUser.label) found.add(other);
      }
    }
    return found;
  }

  /** Finds out who has or had addresses. */
  private async learn(addresses: ReadonlySet<string>): Promise<void> {
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
      for (const address of addressesOf(one)) {
        if (unknown.has(address)) this.holders.get(address)?.push(one);
      }
    }
  }

  /** Whether somebody else in a directory had an address of this account while it had it. */
  private hasAddressOfOther(account: readonly Someone[]): boolean {
    return account.some((version) =>
      addressesOf(version).some((address) =>
        (this.holders.get(address) ?? []).some(
          ({ key, label, span }) =>
            label !== LocalUser.label && !this.has(key) && overlap(span, version.span),
        ),
      ),
    );
  }

  /** Takes whoever had an address of the person at the same time, if nobody else had it. */
  private async takeAddressed(): Promise<void> {
    const own = await this.people.allOf([...this.core, ...this.accounts]);
    const addresses = new Set(own.flatMap(addressesOf));
    const used = await this.people.allOf(await this.accountsAt(await this.candidates()));
    await this.learn(new Set([...addresses, ...used.flatMap(addressesOf)]));
    for (const address of addresses) await this.judgeAddress(address, own);
  }

  private async judgeAddress(address: string, own: readonly Someone[]): Promise<void> {
    const ours = own.filter((one) => addressesOf(one).includes(address));
    const all = this.holders.get(address) ?? [];
    const others = all.filter(({ key }) => !this.has(key) && !this.decisions.isLeft(key));
    const isAtOnce = (one: Someone): boolean => ours.some(({ span }) => overlap(span, one.span));
    const taken: Span[] = [];
    const spaces = new Map<string, Set<string>>();
    for (const one of [...ours, ...others.filter(isAtOnce)]) {
      const space = namespaceOf(one);
      spaces.set(space, (spaces.get(space) ?? new Set()).add(one.key));
    }
    const isAmbiguous = (one: Someone): boolean => {
      const alike = spaces.get(namespaceOf(one)) ?? new Set();
      return [...alike].some((key) => !this.has(key)) && alike.size > 1;
    };
    const atOnce = others.filter(isAtOnce);
    const isShared = atOnce.some(
      (one) => one.label === IdpGroup.label || (isDirectory(one.label) && isAmbiguous(one)),
    );
    for (const one of others) {
      if (!isAtOnce(one)) {
        if (one.label !== LocalUser.label) taken.push(one.span);
        if (isPersonLabel(one.label) && !atOnce.some(({ key }) => key === one.key)) {
          await this.doubt(one.key, one.label, 'OTHER_TIME');
        }
      } else if (isShared || isAmbiguous(one)) {
        if (isShared) taken.push(ALWAYS);
        if (isPersonLabel(one.label)) await this.doubt(one.key, one.label, 'SHARED');
      } else if (isDirectory(one.label)) this.take(one.key, one.label);
      else await this.judgeAccount(one.key);
    }
    this.taken.set(address, taken);
  }

  private async takeIdentities(): Promise<void> {
    for (const key of await this.candidates()) await this.judgeIdentity(key);
  }

  private async judgeIdentity(key: string): Promise<void> {
    if (this.identities.has(key)) return;
    const ties = await this.people.tiesOf(key, 'KNOWN_AS');
    const others = ties.filter(({ other }) => !this.core.has(other));
    const name = nameOfIdentity(key);
    const accounts = await this.accountsAt([key]);
    const address = [...this.taken.keys()].find(
      (each) => keyOf(Identity.label, fold(each)) === key,
    );
    if ((await this.people.ties(key)).length === 0 && !(await this.people.exists(key))) return;
    if (others.some(({ span }) => span.until === null)) {
      await this.doubt(key, Identity.label, 'SHARED');
      return;
    }
    if (address !== undefined) {
      const taken = this.taken.get(address) ?? [];
      if (taken.includes(ALWAYS)) await this.doubt(key, Identity.label, 'SHARED');
      else this.take(key, Identity.label, [...taken, ...others.map(({ span }) => span)]);
      return;
    }
    if (ties.length === 0) {
      // Nobody is known by it: it may be somebody in a directory that is not connected yet.
      const isOnlyOurs = [...accounts].every((account) => this.accounts.has(account));
      if (isAddress(name) && isOnlyOurs) this.take(key, Identity.label);
      else await this.doubt(key, Identity.label, 'MAY_BE_SHARED');
      return;
    }
    for (const account of accounts) {
      if (this.hasAddressOfOther(await this.people.allOf([account]))) {
        await this.doubt(key, Identity.label, 'SHARED');
        return;
      }
    }
    this.take(
      key,
      Identity.label,
      others.map(({ span }) => span),
    );
  }

  private async takeAccounts(): Promise<void> {
    for (const key of await this.accountsAt([...this.identities.keys()])) {
      await this.judgeAccount(key);
    }
  }

  private async judgeAccount(key: string): Promise<void> {
    if (this.accounts.has(key)) return;
    const versions = await this.people.allOf([key]);
    if (versions.length === 0) return;
    const exists = await this.people.exists(key);
    const all = await this.people.tiesOf(key, 'IDENTITY_OF');
    const ties = exists ? all.filter(({ span }) => span.until === null) : all;
    const foreign = ties.filter(({ other, span }) => {
      const taken = this.identities.get(other);
      return taken === undefined || overlapsAny(span, taken);
    });
    for (const { other } of foreign) {
      const known = await this.people.tiesOf(other, 'KNOWN_AS');
      if (known.some((tie) => !this.core.has(tie.other))) {
        await this.doubt(key, LocalUser.label, 'SHARED');
        return;
      }
    }
    if (foreign.length > 0) await this.doubt(key, LocalUser.label, 'MAY_BE_SHARED');
    else if (this.hasAddressOfOther(versions)) await this.doubt(key, LocalUser.label, 'SHARED');
    else this.take(key, LocalUser.label);
  }

  /** The names of the person, each with where and when it means nobody else; and their namesakes. */
  private async nameAll(): Promise<readonly ScopedName[]> {
    const names = new Map<string, ScopedName>();
    const add = (name: string, isDisplay: boolean, within: Place | null): void => {
      const key = JSON.stringify([name, isDisplay, within]);
      const taken = this.taken.get(name) ?? [];
      names.set(key, { name, isDisplay, within, outside: [], taken });
    };
    for (const one of await this.people.allOf(this.keys)) {
      for (const { name, naming } of ownNames(one)) {
        const isEverywhere = isAddress(name) ? naming !== 'display' : naming === 'login';
        if (isEverywhere) add(name, false, null);
        if (one.label !== Identity.label && !isAddress(name)) {
          add(name, naming === 'display', placeOf(one));
        }
      }
    }
    // An identity that is gone has no node.
    for (const [key, taken] of this.identities) {
      const name = spelled(nameOfIdentity(key));
      const known = JSON.stringify([name, false, null]);
      if (!names.has(known))
        names.set(known, { name, isDisplay: false, within: null, outside: [], taken });
    }
    await this.findNamesakes(names);
    return [...names.values()];
  }

  private async findNamesakes(names: Map<string, ScopedName>): Promise<void> {
    const byName = new Map<string, string[]>();
    for (const [key, { name }] of names) byName.set(name, [...(byName.get(name) ?? []), key]);
    const namesakes = await this.people.all(
      NAMESAKES,
      (one) => !this.has(one.key) && ownNames(one).some(({ name }) => byName.has(name)),
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
          // A number is an id somewhere, and says nothing about anybody elsewhere.
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
    await this.doubt(key, label, 'SAME_NAME');
  }
}

/** A name after somebody else was found to have it: where it means them, it stays. */
const withNamesake = (name: ScopedName, { label, span }: Someone, place: Place): ScopedName => {
  const { within } = name;
  if (label === Identity.label) return name;
  if (within === null) {
    if (label === LocalUser.label) return { ...name, outside: [...name.outside, place] };
    return { ...name, taken: [...name.taken, span.until === null ? ALWAYS : span] };
  }
  const isSamePlace =
    within.dataSource === place.dataSource &&
    (within.application === null || within.application === place.application);
  return isSamePlace ? { ...name, taken: [...name.taken, ALWAYS] } : name;
};

/** What a client may name a person by. */
const ASKED_BY = ['name', 'id', 'email', 'identity', 'unique_id', 'username', 'full_name'];

/** Whom a node leads to: an account of an application and an identity lead to their users. */
const headsOf = async (people: People, seed: Someone): Promise<readonly Someone[]> => {
  if (isDirectory(seed.label)) return [seed];
  const live = async (key: string, type: string): Promise<readonly string[]> =>
    (await people.tiesOf(key, type))
      .filter(({ span }) => span.until === null)
      .map(({ other }) => other);
  const identities =
    seed.label === Identity.label ? [seed.key] : await live(seed.key, 'IDENTITY_OF');
  const known = (await Promise.all(identities.map((key) => live(key, 'KNOWN_AS')))).flat();
  const users = (await people.load(new Set(known))).filter(({ label }) => label === IdpUser.label);
  if (users.length > 0) return users;
  return seed.label === Identity.label && known.length > 0 ? [] : [seed];
};

const identityOfKey = (key: string): Someone => ({
  ...{ key, label: Identity.label, span: ALWAYS },
  properties: { name: nameOfIdentity(key) },
});

/** Nodes that exist or existed by this key. */
const ofKey = async (people: People, key: string): Promise<readonly Someone[]> => {
  const standing = await people.load([key]);
  if (standing.length > 0) return standing;
  const [former] = await people.past([key]);
  if (former !== undefined) return isPersonLabel(former.label) ? [former] : [];
  const isIdentity = key.startsWith(`${Identity.label}|`);
  return isIdentity && (await people.ties(key)).length > 0 ? [identityOfKey(key)] : [];
};

/** Nodes that exist or existed by this name, email or id. */
const ofName = async (people: People, asked: string): Promise<readonly Someone[]> => {
  const name = spelled(asked);
  const labels = [IdpUser, Employee, LocalUser, Identity].map(({ label }) => label);
  const found = await people.all(labels, ({ properties }) =>
    ASKED_BY.some((property) => {
      const value = properties[property];
      return typeof value === 'string' && spelled(value) === name;
    }),
  );
  const standing = found.filter(({ span }) => span.until === null);
  if (standing.length > 0) return standing;
  if (found.length > 0) return found;
  return ofKey(people, keyOf(Identity.label, fold(asked)));
};

/** Finds the person whom a client names by a key, an id, an email or a name. */
export const findPerson = async (
  tx: Runner,
  asked: string,
  decisions: Decisions,
): Promise<Person> => {
  const people = new People(tx);
  const byKey = await ofKey(people, asked);
  const named = byKey.length > 0 ? byKey : await ofName(people, asked);
  // Whoever is in a directory is meant before an account of the same name.
  const inDirectory = named.filter(({ label }) => isDirectory(label));
  const seeds = inDirectory.length > 0 ? inDirectory : named;
  const heads: Someone[] = [];
  for (const seed of seeds) heads.push(...(await headsOf(people, seed)));
  const led = heads.filter(({ label }) => isDirectory(label));
  const meant = led.length > 0 ? led : heads;
  const [head] = meant;
  if (head === undefined) throw new NobodyFound();
  const person = await new PersonSearch(people, decisions).from(head);
  const others = meant.filter(({ key }) => !person.keys.has(key));
  if (others.length === 0) return person;
  throw new SeveralPeople([...new Set([head, ...others].map(({ key }) => key))].sort());
};
