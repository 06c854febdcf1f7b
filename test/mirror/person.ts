import type { Node } from './graph';
import { sharedKey } from './key';
import { fold } from './text';
import {
  addressesOf,
  meet,
  type Being,
  type Moments,
  type ThroughTime,
  type Tie,
} from './through-time';
import { isEntrustedBy, mayClaim, type Trusts } from './trusts';

/** Why something is perhaps the person's (docs/rules.md: Erasing a person). */
export type Reason =
  | 'SAME_NAME'
  | 'SHARED'
  | 'MAY_BE_SHARED'
  | 'OTHER_TIME'
  | 'MENTIONS'
  | 'UNTRUSTED'
  | 'OTHER_PROVIDER';

/** When somebody else had something; null: always, or at the same time as the person. */
export type Taken = Moments | null;

const ADDRESSED = new Set(['IdpUser', 'IdpGroup', 'Employee', 'LocalUser']);
const PEOPLE = new Set(['IdpUser', 'Employee', 'LocalUser', 'Identity']);

/** Whether somebody is in a directory or an HR system. */
export function isInDirectory({ label }: Pick<Being, 'label'>): boolean {
  return label === 'IdpUser' || label === 'Employee';
}

/**
 * Who one person is, and what may be (docs/rules.md: Erasing a person, Who the person is). It goes round by round, since
 * whoever joins may lead to others.
 */
export class PersonThroughTime {
  /** Everybody and everything that is the person for certain. */
  readonly mine = new Set<string>();
  /** Identities of the person, with the moments when they were somebody else's. */
  readonly identities = new Map<string, Moments>();
  /** When somebody else had an address of the person. */
  readonly addresses = new Map<string, Taken>();
  /** All reasons to doubt something. */
  reasons = new Map<string, Set<Reason>>();
  /** The provider of each data source. */
  private readonly providers = new Map<string, string>();

  constructor(
    private readonly all: ThroughTime,
    private readonly trusts: Trusts,
    first: string,
    /** The providers that the operator believes. */
    private readonly trusted: ReadonlySet<string>,
  ) {
    for (const { key, at } of all.beings.values()) {
      for (const { properties } of at.values()) {
        if (typeof properties.provider === 'string') {
          this.providers.set(spaceOf(key), properties.provider);
        }
      }
    }
    this.mine.add(first);
    for (let before = 0; before < this.mine.size;) {
      before = this.mine.size;
      const people = this.people().length;
      this.reasons = new Map();
      this.byRelationships();
      const accounts = this.byAddresses();
      if (this.people().length > people) continue;
      for (const account of accounts) this.judgeAccount(account);
      this.byIdentities();
      this.byAccounts();
    }
  }

  /** Whether people of whoever says so may be known by a name. */
  mayBeKnownBy({ label, properties: { provider } }: Node, name: string): boolean {
    const isJudged = label === 'IdpUser' || label === 'IdpGroup' || label === 'Employee';
    return !isJudged || mayClaim(this.trusts, typeof provider === 'string' ? provider : '', name);
  }

  /** Whether the operator believes the provider of a data source. */
  isTrusted(space: string): boolean {
    return this.trusted.has(this.providers.get(space) ?? '');
  }

  /** Whether what somebody is called means them at other providers too. */
  isEntrusted({ key, label }: Pick<Being, 'key' | 'label'>, name: string): boolean {
    if (this.isTrusted(spaceOf(key))) return true;
    const isClaiming = label === 'IdpUser' || label === 'IdpGroup' || label === 'Employee';
    const provider = this.providers.get(spaceOf(key)) ?? '';
    return isClaiming && isEntrustedBy(this.trusts, provider, name);
  }

  /** All data sources of the provider of one of them. */
  besides(space: string): readonly string[] {
    const provider = this.providers.get(space);
    const all = [...this.providers].filter(([, one]) => one === provider).map(([one]) => one);
    return provider === undefined ? [space] : all;
  }

  /** The data sources in which the name of an identity counts; null: all. */
  placesOf(identity: string): readonly string[] | null {
    if (this.oursAt(identity).some((one) => this.isEntrusted(one, nameOf(identity)))) return null;
    const sources = this.all.sourcesAt(identity);
    if (sources.some((space) => this.isTrusted(space))) return null;
    return [...new Set(sources.flatMap((space) => this.besides(space)))];
  }

  private areOfOneProvider(one: string, other: string): boolean {
    return this.besides(spaceOf(one)).includes(spaceOf(other));
  }

  /** Whoever of the person is or was known by an identity, or has its name as an address. */
  private oursAt(identity: string): readonly Being[] {
    const known = this.tiesAt(identity, 'KNOWN_AS').filter(({ isBelieved }) => isBelieved);
    const used = this.tiesAt(identity, 'IDENTITY_OF');
    const tied = [...known.map(({ from }) => from), ...used.map(({ to }) => to)];
    const having = [...this.mine].filter(
      (key) => this.moments(this.all.being(key), nameOf(identity)).size > 0,
    );
    return [...tied, ...having]
      .filter((key) => this.mine.has(key))
      .map((key) => this.all.being(key));
  }

  private isLedTo(identity: string): boolean {
    const ours = this.oursAt(identity);
    if (ours.some((one) => this.isEntrusted(one, nameOf(identity)))) return true;
    return this.all
      .sourcesAt(identity)
      .every((space) => ours.some(({ key }) => this.areOfOneProvider(key, space)));
  }

  /** Whether somebody of the person leads to another one by a relationship. */
  private leadsBy({ type, from, to, moments }: Tie, own: string): boolean {
    if (this.areOfOneProvider(from, to) || this.isTrusted(spaceOf(own))) return true;
    const text = (key: string, moment: number, ...names: readonly string[]): string => {
      const properties = this.all.being(key).at.get(moment)?.properties ?? {};
      const found = names.map((name) => properties[name]).find((one) => typeof one === 'string');
      return typeof found === 'string' ? found : '';
    };
    return [...moments].some((moment) => {
      const named =
        type === 'HAS_ACCOUNT'
          ? text(from, moment, 'idp_id', 'email', 'id')
          : text(to, moment, 'source_identity');
      const node = this.all.being(own).at.get(moment);
      return (
        node !== undefined &&
        this.isEntrusted(this.all.being(own), named) &&
        this.mayBeKnownBy(node, named)
      );
    });
  }

  /** Notes a reason, if there ever was such a thing. */
  doubt(key: string, reason: Reason): void {
    const { label, at } = this.all.being(key);
    if (!PEOPLE.has(label) || (at.size === 0 && label !== 'Identity')) return;
    this.reasons.set(key, (this.reasons.get(key) ?? new Set()).add(reason));
  }

  private people(): readonly Being[] {
    return [...this.mine].map((key) => this.all.being(key)).filter(isInDirectory);
  }

  private accounts(): readonly Being[] {
    return [...this.mine].map((key) => this.all.being(key)).filter(isAccount);
  }

  private tiesAt(key: string, ...types: readonly string[]): readonly Tie[] {
    return this.all.ties.filter(
      ({ type, from, to }) => types.includes(type) && (from === key || to === key),
    );
  }

  private byRelationships(): void {
    // Those who join are followed in the same round.
    for (const key of this.mine) {
      if (!isInDirectory(this.all.being(key))) continue;
      for (const tie of this.tiesAt(key, 'HAS_ACCOUNT', 'SOURCE_IDENTITY_OF')) {
        const other = tie.from === key ? tie.to : tie.from;
        if (this.mine.has(other) || !isInDirectory(this.all.being(other))) continue;
        const isLed = this.leadsBy(tie, key);
        const why = this.reasonAgainst(tie, other) ?? (isLed ? null : 'OTHER_PROVIDER');
        if (why === null) this.mine.add(other);
        else this.doubt(other, why);
      }
    }
  }

  /** An HR system lists each human once: of two of its employees with one user, it is nobody's for certain. */
  private reasonAgainst(tie: Tie, other: string): Reason | null {
    if (!tie.isBelieved) return 'UNTRUSTED';
    if (tie.type !== 'HAS_ACCOUNT') return null;
    const all = this.tiesAt(tie.to, 'HAS_ACCOUNT').filter(
      ({ from, isBelieved }) =>
        isBelieved && from !== tie.from && spaceOf(from) === spaceOf(tie.from),
    );
    // A second employee of the person is none; the user of both employees of the person is the person's.
    const isEmployee = other === tie.from;
    const rivals = isEmployee ? all : all.filter(({ from }) => !this.mine.has(from));
    if (rivals.some(({ moments }) => meet(moments, tie.moments))) return 'SHARED';
    const twins = this.tiesAt(tie.from, 'HAS_ACCOUNT').filter(
      ({ to, isBelieved, moments }) =>
        isBelieved &&
        to !== tie.to &&
        spaceOf(to) === spaceOf(tie.to) &&
        meet(moments, tie.moments) &&
        !(isEmployee && this.mine.has(to)),
    );
    if (twins.length > 0) return 'SHARED';
    const last = Math.max(...tie.moments);
    const isLater = rivals.some(({ moments }) => Math.min(...moments) > last);
    const isSecond = isEmployee && all.some(({ from }) => this.mine.has(from));
    return isLater || isSecond ? 'OTHER_TIME' : null;
  }

  /** When somebody has an address, and may have it. */
  private moments({ at }: Being, address: string): Moments {
    return new Set(
      [...at].flatMap(([moment, node]) =>
        addressesOf(node).includes(address) && this.mayBeKnownBy(node, address) ? [moment] : [],
      ),
    );
  }

  /** People join by addresses first; the accounts that may do so are returned. */
  private byAddresses(): ReadonlySet<string> {
    const own = [...this.people(), ...this.accounts()];
    const addresses = new Set(own.flatMap(({ at }) => [...at.values()].flatMap(addressesOf)));
    const joining = [...addresses].flatMap((address) => {
      const ours = this.oursOf(address, own);
      return this.othersWith(address).filter(
        (one) => isInDirectory(one) && meet(this.moments(one, address), ours),
      );
    });
    return new Set([...addresses].flatMap((address) => this.byAddress(address, own, joining)));
  }

  private oursOf(address: string, own: readonly Being[]): Moments {
    return new Set(own.flatMap((one) => [...this.moments(one, address)]));
  }

  private othersWith(address: string): readonly Being[] {
    return [...this.all.beings.values()].filter(
      ({ key, label, at }) =>
        ADDRESSED.has(label) &&
        !this.mine.has(key) &&
        [...at.values()].some((node) => addressesOf(node).includes(address)),
    );
  }

  /** Whether somebody has, at the same time, an address of somebody else who is in a directory of the person. */
  private isLikeOthers(one: Being, own: readonly Being[]): boolean {
    const places = new Set(own.filter(isInDirectory).map(placeOf));
    const addresses = new Set([...one.at.values()].flatMap(addressesOf));
    return [...addresses].some((address) =>
      this.othersWith(address).some(
        (other) =>
          other.key !== one.key &&
          isInDirectory(other) &&
          places.has(placeOf(other)) &&
          meet(this.moments(other, address), this.moments(one, address)),
      ),
    );
  }

  private byAddress(
    address: string,
    own: readonly Being[],
    joining: readonly Being[],
  ): readonly string[] {
    const ours = this.oursOf(address, own);
    const others = this.othersWith(address);
    const claiming = others.filter((one) => this.moments(one, address).size > 0);
    for (const one of others) {
      if (ours.size === 0 || !claiming.includes(one)) this.doubt(one.key, 'UNTRUSTED');
    }
    if (ours.size === 0) {
      this.addresses.set(address, others.length > 0 ? null : new Set());
      return [];
    }
    const atOnce = claiming.filter((one) => meet(this.moments(one, address), ours));
    const having = [...own.filter((one) => this.moments(one, address).size > 0), ...atOnce];
    const isBeside = (one: Being, among: readonly Being[]): boolean =>
      among.some((other) => other.key !== one.key && placeOf(other) === placeOf(one));
    // Two of one directory do not join by addresses, be it by two addresses.
    const many = new Set(
      atOnce.filter((one) =>
        isInDirectory(one)
          ? isBeside(one, [...own, ...joining]) || this.isLikeOthers(one, own)
          : isBeside(one, having),
      ),
    );
    const isOneOfMany = (one: Being): boolean => many.has(one);
    const isShared = atOnce.some(
      (one) => one.label === 'IdpGroup' || (isInDirectory(one) && isOneOfMany(one)),
    );
    const taken = new Set<number>();
    const accounts: string[] = [];
    for (const one of claiming) {
      if (!atOnce.includes(one)) {
        if (!isAccount(one)) for (const moment of this.moments(one, address)) taken.add(moment);
        this.doubt(one.key, 'OTHER_TIME');
      } else if (isShared || isOneOfMany(one)) this.doubt(one.key, 'SHARED');
      else if (!own.some((each) => this.isLedBy(each, address, one))) {
        const alone = [...this.moments(one, address)].filter((moment) => !ours.has(moment));
        if (!isAccount(one)) for (const moment of alone) taken.add(moment);
        this.doubt(one.key, 'OTHER_PROVIDER');
      } else if (isAccount(one)) accounts.push(one.key);
      else this.mine.add(one.key);
    }
    this.addresses.set(address, isShared ? null : taken);
    return accounts;
  }

  private isLedBy(own: Being, address: string, one: Being): boolean {
    const isAtOnce = meet(this.moments(own, address), this.moments(one, address));
    const isLed = this.areOfOneProvider(own.key, one.key) || this.isEntrusted(own, address);
    return isAtOnce && isLed;
  }

  private identitiesAround(): ReadonlySet<string> {
    const known = this.people().flatMap(({ key }) => this.tiesAt(key, 'KNOWN_AS'));
    const used = this.accounts().flatMap(({ key }) => this.tiesAt(key, 'IDENTITY_OF'));
    return new Set([
      ...known.map(({ to }) => to),
      ...used.map(({ from }) => from),
      ...[...this.addresses.keys()].map((address) => sharedKey('Identity', fold(address))),
    ]);
  }

  private byIdentities(): void {
    for (const key of this.identitiesAround()) {
      const isMine = this.mine.has(key);
      if (!isMine && !this.isKnown(key)) continue;
      const isLed = isMine || this.isLedTo(key);
      const against = isMine ? null : this.reasonAgainstIdentity(key);
      const why = against ?? (isLed ? null : 'OTHER_PROVIDER');
      if (why !== null) {
        this.doubt(key, why);
        continue;
      }
      this.mine.add(key);
      // Whoever joined since is nobody else.
      const taken = this.addresses.get(nameOf(key));
      if (taken !== null)
        this.identities.set(key, new Set([...this.othersAt(key), ...(taken ?? [])]));
    }
  }

  /** When somebody else was known by an identity. */
  private othersAt(key: string): Moments {
    const known = this.tiesAt(key, 'KNOWN_AS').filter(
      ({ from, isBelieved }) => isBelieved && !this.mine.has(from),
    );
    return new Set(known.flatMap(({ moments }) => [...moments]));
  }

  private isKnown(identity: string): boolean {
    const ties = this.tiesAt(identity, 'KNOWN_AS', 'IDENTITY_OF');
    return ties.length > 0 || this.all.isNow(identity);
  }

  private reasonAgainstIdentity(key: string): Reason | null {
    const known = this.tiesAt(key, 'KNOWN_AS').filter(({ isBelieved }) => isBelieved);
    const ours = known.filter(({ from }) => this.mine.has(from));
    const others = known.filter(({ from }) => !this.mine.has(from));
    const isAtOnce = others.some((one) => ours.some(({ moments }) => meet(moments, one.moments)));
    if (isAtOnce || others.some(({ moments }) => moments.has(this.all.now))) return 'SHARED';
    const taken = this.addresses.get(nameOf(key));
    const isClaimed = [...this.people(), ...this.accounts()].some(
      (one) => this.moments(one, nameOf(key)).size > 0,
    );
    if (taken !== undefined && !isClaimed) return 'UNTRUSTED';
    if (taken !== undefined) return taken === null ? 'SHARED' : null;
    if (known.length === 0) return this.isOnlyMine(key) ? null : 'MAY_BE_SHARED';
    if (ours.length === 0) return 'SHARED';
    const used = this.accountsWith(key).map((account) => this.all.being(account));
    return used.some((account) => this.hasAddressOfOther(account)) ? 'SHARED' : null;
  }

  /** An address by which only accounts of the person were known, and each of them for as long as it is or was there. */
  private isOnlyMine(key: string): boolean {
    const uses = this.tiesAt(key, 'IDENTITY_OF').filter(({ to }) => isAccount(this.all.being(to)));
    return (
      nameOf(key).includes('@') &&
      uses.every(({ to, moments }) => {
        const isDropped = this.all.being(to).at.has(Math.max(...moments) + 1);
        return this.mine.has(to) && !isDropped;
      })
    );
  }

  private accountsWith(identity: string): readonly string[] {
    return [...new Set(this.tiesAt(identity, 'IDENTITY_OF').map(({ to }) => to))].filter((key) =>
      isAccount(this.all.being(key)),
    );
  }

  private byAccounts(): void {
    for (const identity of [...this.identities.keys()]) {
      for (const key of this.accountsWith(identity)) this.judgeAccount(key);
    }
    for (const identity of this.identitiesAround()) {
      if (this.mine.has(identity)) continue;
      for (const reason of this.reasons.get(identity) ?? []) {
        for (const key of this.accountsWith(identity)) this.doubt(key, reason);
      }
    }
  }

  private judgeAccount(key: string): void {
    if (this.mine.has(key)) return;
    const why = this.reasonAgainstAccount(key);
    if (why === null) this.mine.add(key);
    else this.doubt(key, why);
  }

  private reasonAgainstAccount(key: string): Reason | null {
    const ties = this.tiesAt(key, 'IDENTITY_OF').filter(
      ({ moments }) => !this.all.isNow(key) || moments.has(this.all.now),
    );
    const foreign = ties.filter(({ from, moments }) => {
      const taken = this.identities.get(from);
      return taken === undefined || meet(taken, moments);
    });
    const isOfOther = foreign.some(({ from }) =>
      this.tiesAt(from, 'KNOWN_AS').some((tie) => tie.isBelieved && !this.mine.has(tie.from)),
    );
    if (isOfOther) return 'SHARED';
    if (foreign.length > 0) return 'MAY_BE_SHARED';
    return this.hasAddressOfOther(this.all.being(key)) ? 'SHARED' : null;
  }

  /** Whether somebody else in a directory had an address of an account while it had it. */
  private hasAddressOfOther(account: Being): boolean {
    const addresses = new Set([...account.at.values()].flatMap(addressesOf));
    return [...addresses].some((address) =>
      [...this.all.beings.values()].some(
        (one) =>
          (isInDirectory(one) || one.label === 'IdpGroup') &&
          !this.mine.has(one.key) &&
          meet(this.moments(one, address), this.moments(account, address)),
      ),
    );
  }
}

/** The name of an identity, as its key tells it. */
export function nameOf(identity: string): string {
  const name = identity.slice('Identity|'.length);
  return name.replaceAll('%23', '#').replaceAll('%7C', '|').replaceAll('%25', '%');
}

function isAccount({ label }: Pick<Being, 'label'>): boolean {
  return label === 'LocalUser';
}

function spaceOf(key: string): string {
  return key.split('|')[0] ?? '';
}

/** Where ids of somebody are compared: the data source, the kind and the application. */
function placeOf({ key, label, at }: Being): string {
  const [node] = at.values();
  return JSON.stringify([spaceOf(key), label, node?.properties.application ?? '']);
}
