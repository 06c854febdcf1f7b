import type { Doubt } from '../endpoints';
import { fold } from '../../../model/fold';
import { keyOf } from '../../../model/key';
import { Identity } from '../../../model/shared-nodes';
import { LocalUser } from '../../../templates/application/local-users';
import { IdpGroup } from '../../../templates/identity-provider/groups';
import { type Claims, JoiningTies } from './claims';
import type { Decisions, Doubtful } from './doubt';
import { NamesByPlace, type ScopedName } from './names';
import { Addresses, isAddress, Namesakes } from './namesakes';
import {
  addressesOf,
  dataSourceOf,
  isAtOnce,
  isDirectory,
  isPersonLabel,
  keysBySpace,
  nameOfIdentity,
  namespaceOf,
  type People,
  type Someone,
} from './people';
import { ALWAYS, outside, overlap, overlapsAny, type Span } from './span';

/** A person: everybody whom the nodes of these keys certainly are. */
export interface Person {
  /** Keys of the nodes that are the person, whether they exist or not. */
  readonly keys: ReadonlySet<string>;
  /** Keys of those that exist. */
  readonly existing: ReadonlySet<string>;
  /** By what other entities and records name the person. */
  readonly names: NamesByPlace;
  /** Those that the service looks for, spelled. */
  readonly nameList: readonly string[];
  /** Names that somebody else has too. They stay. */
  readonly sharedNames: readonly string[];
  /** When others had accounts and identities of the person, by key. */
  readonly taken: ReadonlyMap<string, readonly Span[]>;
  readonly doubtful: readonly Doubtful[];
  /** Whether something shared is the person's at all providers that state it, if it leads to these nodes. */
  isLedTo(shared: string, ends: readonly string[]): Promise<boolean>;
}

const titleOf = ({ properties: { name } }: Pick<Someone, 'properties'>): string | null =>
  typeof name === 'string' ? name : null;

/** Finds out which nodes are one person (docs/rules.md: Erasing a person). */
export class PersonSearch {
  /** Users of identity providers, and employees. */
  private readonly core = new Set<string>();
  private readonly accounts = new Set<string>();
  /** Identities, with the times at which others were known by them. */
  private readonly identities = new Map<string, readonly Span[]>();
  /** Those of them that the service took by itself, and not because the operator said so. */
  private readonly judged = new Set<string>();
  private doubts = new Map<string, Doubtful>();
  private readonly addresses: Addresses;
  private readonly ties: JoiningTies;
  /** Addresses of the person that only providers claim who may not. */
  private readonly vain = new Set<string>();
  /** When somebody else had an address of the person. */
  private readonly taken = new Map<string, Span[]>();
  private readonly namesakes: Namesakes;
  /** Whom the operator named. */
  private head: Someone | null = null;

  constructor(
    private readonly people: People,
    private readonly decisions: Decisions,
    private readonly claims: Claims,
  ) {
    this.addresses = new Addresses(people, claims, (key) => this.isOther(key));
    this.ties = new JoiningTies(people, claims);
    this.namesakes = new Namesakes(people, decisions, claims, {
      identities: this.identities,
      has: (key) => this.has(key),
      takenAt: (name) => this.taken.get(name) ?? [],
      placesOf: (identity) => this.placesOf(identity),
      doubt: (key, label) => this.doubt(key, label, 'SAME_NAME'),
    });
  }

  private get size(): number {
    return this.core.size + this.accounts.size + this.identities.size;
  }

  private get keys(): ReadonlySet<string> {
    return new Set([...this.core, ...this.accounts, ...this.identities.keys()]);
  }

  private has(key: string): boolean {
    return this.core.has(key) || this.accounts.has(key) || this.identities.has(key);
  }

  /** Whether somebody is not the person, and the operator has not said so. */
  private isOther(key: string): boolean {
    return !this.has(key) && !this.decisions.isLeft(key);
  }

  async from(head: Someone): Promise<Person> {
    this.head = head;
    this.take(head.key, head.label);
    let names: readonly ScopedName[] = [];
    for (let before = -1; before !== this.size;) {
      before = this.size;
      await this.settle();
      // It includes namesakes that the operator names.
      names = await this.namesakes.nameAll(this.keys);
    }
    const keys = this.keys;
    const existing = new Set((await this.people.load(keys)).map(({ key }) => key));
    const sought = new Set(
      names.filter(({ taken }) => !taken.includes(ALWAYS)).map(({ name }) => name),
    );
    return {
      keys,
      existing,
      names: new NamesByPlace(names),
      nameList: [...sought].sort(),
      sharedNames: [
        ...new Set(names.flatMap(({ name, taken }) => (taken.includes(ALWAYS) ? [name] : []))),
      ].sort(),
      taken: await this.timesOfOthers(),
      isLedTo: async (shared, ends) => {
        if (ends.some((end) => this.claims.isTrusted(dataSourceOf(end)))) return true;
        const sources = [...(await this.people.sourcesAt(shared))].filter(
          (source) => !this.claims.isTrusted(source),
        );
        return sources.every((source) =>
          ends.some((end) => this.claims.areOfOneProvider(end, `${source}|`)),
        );
      },
      doubtful: [...this.doubts.values()].filter(({ key }) => !this.has(key)),
    };
  }

  /**
   * When the nodes that lead to accounts and identities of the person belonged to somebody else.
   */
  private async timesOfOthers(): Promise<ReadonlyMap<string, readonly Span[]>> {
    const times = new Map(this.identities);
    for (const key of this.accounts) {
      const addresses = (await this.people.allOf([key])).flatMap(addressesOf);
      const identities = await this.people.tiesOf(key, 'IDENTITY_OF');
      const all = [
        ...addresses.flatMap((address) => this.taken.get(address) ?? []),
        ...identities.flatMap(({ other }) => this.identities.get(other) ?? []),
      ];
      times.set(
        key,
        all.filter(({ until }) => until !== null),
      );
    }
    return times;
  }

  /** Adds everything that certainly is the person, until there is nothing to add. */
  private async settle(): Promise<void> {
    for (let before = -1; before !== this.size;) {
      before = this.size;
      this.doubts = new Map();
      const people = this.core.size;
      await this.expand();
      const accounts = await this.takeAddressed();
      // Only when all people have joined is it known who had an address. So they join before accounts.
      if (this.core.size > people) continue;
      for (const key of accounts) await this.judgeAccount(key);
      await this.takeIdentities();
      await this.takeAccounts();
      await this.doubtUsersBehind();
    }
  }

  /** An account that the operator named does not prove who its users are. */
  private async doubtUsersBehind(): Promise<void> {
    if (this.head?.label !== LocalUser.label) return;
    for (const { other, span } of await this.people.tiesOf(this.head.key, 'IDENTITY_OF')) {
      if (span.until !== null) continue;
      for (const known of await this.ties.knownAs(other)) {
        if (known.span.until !== null || !isDirectory(known.otherLabel)) continue;
        await this.doubt(known.other, known.otherLabel, 'OTHER_PROVIDER');
      }
    }
  }

  /** Whom of the person an identity leads to, and who of them has its name as an address. */
  private async ofIdentity(identity: string): Promise<readonly Pick<Someone, 'key' | 'label'>[]> {
    const known = (await this.ties.knownAs(identity)).map(({ other, otherLabel }) => ({
      key: other,
      label: otherLabel,
    }));
    const accounts = (await this.people.tiesOf(identity, 'IDENTITY_OF')).map(
      ({ other, otherLabel }) => ({ key: other, label: otherLabel }),
    );
    const address = this.addressOf(identity);
    const having =
      address === undefined
        ? []
        : this.addresses.having(address, await this.people.allOf([...this.core, ...this.accounts]))
            .ours;
    return [...known, ...accounts, ...having].filter(({ key }) => this.has(key));
  }

  /** The data sources in which the name of an identity counts; `null`: all. */
  private async placesOf(identity: string): Promise<readonly string[] | null> {
    const name = nameOfIdentity(identity);
    const ours = await this.ofIdentity(identity);
    if (ours.some((one) => this.claims.isEntrusted(one, name))) return null;
    const sources = [...(await this.people.sourcesAt(identity))];
    if (sources.some((source) => this.claims.isTrusted(source))) return null;
    return [...new Set(sources.flatMap((source) => this.claims.besides(source)))];
  }

  /** Whether an identity is the person's at all providers that state it. */
  private async isLedTo(identity: string): Promise<boolean> {
    const name = nameOfIdentity(identity);
    const ours = await this.ofIdentity(identity);
    if (ours.some((one) => this.claims.isEntrusted(one, name))) return true;
    const sources = await this.people.sourcesAt(identity);
    return [...sources].every((source) =>
      ours.some(({ key }) => this.claims.areOfOneProvider(key, `${source}|`)),
    );
  }

  private take(key: string, label: string, taken: readonly Span[] = []): void {
    if (this.has(key) || this.decisions.stays(key)) return;
    if (isDirectory(label)) this.core.add(key);
    else if (label === LocalUser.label) this.accounts.add(key);
    else if (label === Identity.label) this.identities.set(key, taken);
  }

  /** Notes that something perhaps belongs to the person, or adds it if the operator says so. */
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
      for (const tie of await this.people.ties(key)) {
        if (tie.type !== 'HAS_ACCOUNT' && tie.type !== 'SOURCE_IDENTITY_OF') continue;
        if (!isDirectory(tie.otherLabel) || this.has(tie.other)) continue;
        const reason = await this.ties.doubtOf(key, tie, (one) =>
          this.decisions.isLeft(one) ? null : this.has(one),
        );
        if (reason === null) this.take(tie.other, tie.otherLabel);
        else await this.doubt(tie.other, tie.otherLabel, reason);
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

  /** Whether somebody else had an address of an account while the account had it. */
  private async isOthers(account: string): Promise<boolean> {
    const versions = await this.people.allOf([account]);
    return this.addresses.areOfOthers(versions, ({ key }) => !this.has(key));
  }

  /**
   * Adds all people who had an address of the person at the same time, if nobody else had it. Returns
   * the accounts that did.
   */
  private async takeAddressed(): Promise<ReadonlySet<string>> {
    const own = await this.people.allOf([...this.core, ...this.accounts]);
    const addresses = new Set(own.flatMap(addressesOf));
    await this.addresses.learn(addresses);
    const having = [...addresses].flatMap((address) => this.addresses.holdersOf(address));
    await this.addresses.learnOf(having.map(({ key }) => key));
    const joining = own.filter(({ label }) => isDirectory(label));
    for (const address of addresses) {
      const { ours, others } = this.addresses.having(address, own);
      joining.push(...others.filter((one) => isDirectory(one.label) && isAtOnce(one, ours)));
    }
    const keysOf = keysBySpace(joining);
    const accounts = new Set<string>();
    for (const address of addresses) {
      for (const key of await this.judgeAddress(address, own, keysOf)) accounts.add(key);
    }
    return accounts;
  }

  /** `joining`: who in directories joins by any address, by namespace. Two of one directory join by none. */
  private async judgeAddress(
    address: string,
    own: readonly Someone[],
    joining: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<readonly string[]> {
    const { ours, others, vain } = this.addresses.having(address, own);
    const untrusted = ours.length === 0 ? [...others, ...vain] : vain;
    for (const { key, label } of untrusted) {
      if (isPersonLabel(label)) await this.doubt(key, label, 'UNTRUSTED');
    }
    if (ours.length === 0) {
      this.vain.add(address);
      this.taken.set(address, untrusted.length > 0 ? [ALWAYS] : []);
      return [];
    }
    this.vain.delete(address);
    const taken: Span[] = [];
    const accounts: string[] = [];
    const atOnce = others.filter((one) => isAtOnce(one, ours));
    const having = keysBySpace([...ours, ...atOnce]);
    const ambiguous = new Set<string>();
    for (const one of atOnce) {
      const [space, isPerson] = [namespaceOf(one), isDirectory(one.label)];
      const alike = isPerson ? joining.get(space) : having.get(space);
      if (
        (alike?.size ?? 0) > 1 ||
        (isPerson && (await this.addresses.isLikeOthers(one.key, own)))
      ) {
        ambiguous.add(one.key);
      }
    }
    const isAmbiguous = ({ key }: Someone): boolean => ambiguous.has(key);
    const isShared = atOnce.some(
      (one) => one.label === IdpGroup.label || (isDirectory(one.label) && isAmbiguous(one)),
    );
    for (const one of others) {
      if (!atOnce.includes(one)) {
        if (one.label !== LocalUser.label) taken.push(one.span);
        if (isPersonLabel(one.label) && !atOnce.some(({ key }) => key === one.key)) {
          await this.doubt(one.key, one.label, 'OTHER_TIME');
        }
      } else if (isShared || isAmbiguous(one)) {
        if (isShared) taken.push(ALWAYS);
        if (isPersonLabel(one.label)) await this.doubt(one.key, one.label, 'SHARED');
      } else if (!ours.some((own) => this.isLedBy(own, address, one))) {
        // While nobody of the person had the address, it was theirs.
        const times = ours.map(({ span }) => span);
        if (one.label !== LocalUser.label) taken.push(...outside(one.span, times));
        if (isPersonLabel(one.label)) await this.doubt(one.key, one.label, 'OTHER_PROVIDER');
      } else if (isDirectory(one.label)) this.take(one.key, one.label);
      else accounts.push(one.key);
    }
    this.taken.set(address, taken);
    return accounts;
  }

  /** Whether one of the person leads to somebody who has the same address at the same time. */
  private isLedBy(own: Someone, address: string, one: Someone): boolean {
    return overlap(own.span, one.span) && this.claims.leads(own, address, one.key);
  }

  private async takeIdentities(): Promise<void> {
    const candidates = await this.candidates();
    await this.addresses.learnOf(await this.ties.accountsAt(candidates));
    for (const key of candidates) await this.judgeIdentity(key);
  }

  private async judgeIdentity(key: string): Promise<void> {
    if (this.identities.has(key)) {
      if (this.judged.has(key)) await this.judgeTimes(key);
      return;
    }
    if ((await this.people.ties(key)).length === 0 && !(await this.people.exists(key))) return;
    const isLed = await this.isLedTo(key);
    const reason = (await this.reasonAgainst(key)) ?? (isLed ? null : 'OTHER_PROVIDER');
    if (reason !== null) {
      await this.doubt(key, Identity.label, reason);
      return;
    }
    this.take(key, Identity.label, await this.timesOfOthersAt(key));
    this.judged.add(key);
  }

  /** A person who seemed to be somebody else may have joined since: then their time is the person's. */
  private async judgeTimes(key: string): Promise<void> {
    const taken = await this.timesOfOthersAt(key);
    if (!taken.includes(ALWAYS)) this.identities.set(key, taken);
  }

  /** The address of the person that an identity has as its name. */
  private addressOf(identity: string): string | undefined {
    return [...this.taken.keys()].find((each) => keyOf(Identity.label, fold(each)) === identity);
  }

  /** When somebody else was known by an identity, or had it as an address. */
  private async timesOfOthersAt(key: string): Promise<readonly Span[]> {
    const address = this.addressOf(key);
    const others = (await this.ties.knownAs(key)).filter(({ other }) => !this.core.has(other));
    const taken = address === undefined ? [] : (this.taken.get(address) ?? []);
    return [...taken, ...others.map(({ span }) => span)];
  }

  private async reasonAgainst(key: string): Promise<Doubt | null> {
    const ties = await this.ties.knownAs(key);
    const others = ties.filter(({ other }) => !this.core.has(other));
    const ours = ties.filter(({ other }) => this.core.has(other));
    const isAtOnce = others.some((one) => ours.some(({ span }) => overlap(span, one.span)));
    if (isAtOnce || others.some(({ span }) => span.until === null)) return 'SHARED';
    const address = this.addressOf(key);
    if (address !== undefined) {
      if (this.vain.has(address)) return 'UNTRUSTED';
      return this.taken.get(address)?.includes(ALWAYS) === true ? 'SHARED' : null;
    }
    if (ties.length === 0) {
      // Nobody is known by it: it may be somebody in a directory that is not connected yet.
      const isOnlyTheirs =
        isAddress(nameOfIdentity(key)) && (await this.ties.isOnlyOf(this.accounts, key));
      return isOnlyTheirs ? null : 'MAY_BE_SHARED';
    }
    // It belonged to somebody else, and the person was never known by it.
    if (ours.length === 0) return 'SHARED';
    for (const account of await this.ties.accountsAt([key])) {
      if (await this.isOthers(account)) return 'SHARED';
    }
    return null;
  }

  private async takeAccounts(): Promise<void> {
    const accounts = await this.ties.accountsAt([...this.identities.keys()]);
    await this.addresses.learnOf(accounts);
    for (const key of accounts) await this.judgeAccount(key);
    // What is known by an identity that is perhaps the person's is perhaps the person's too.
    for (const identity of await this.candidates()) {
      const reason = this.doubts.get(identity)?.reason;
      if (reason === undefined || this.has(identity)) continue;
      for (const key of await this.ties.accountsAt([identity])) {
        await this.doubt(key, LocalUser.label, reason);
      }
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
      const known = await this.ties.knownAs(other);
      if (known.some((tie) => !this.core.has(tie.other))) {
        await this.doubt(key, LocalUser.label, 'SHARED');
        return;
      }
    }
    if (foreign.length > 0) await this.doubt(key, LocalUser.label, 'MAY_BE_SHARED');
    else if (await this.isOthers(key)) await this.doubt(key, LocalUser.label, 'SHARED');
    else this.take(key, LocalUser.label);
  }
}
