import type { Doubt } from '../../contract/answers/erasure';
import { fold } from '../../model/fold';
import { keyOf } from '../../model/key';
import { Identity } from '../../model/shared-nodes';
import { LocalUser } from '../../templates/application/local-users';
import { IdpGroup } from '../../templates/identity-provider/groups';
import type { Decisions, Doubtful } from './doubt';
import { NamesByPlace, type ScopedName } from './names';
import { ADDRESSED, isAddress, nameOfIdentity, Namesakes } from './namesakes';
import {
  addressesOf,
  isDirectory,
  isPersonLabel,
  namespaceOf,
  type People,
  type Someone,
} from './people';
import { ALWAYS, overlap, overlapsAny, type Span } from './span';

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

const titleOf = ({ properties: { name } }: Pick<Someone, 'properties'>): string | null =>
  typeof name === 'string' ? name : null;

/** Finds out which nodes are one person (docs/rules.md: Erasing a person). */
export class PersonSearch {
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
  private readonly namesakes: Namesakes;

  constructor(
    private readonly people: People,
    private readonly decisions: Decisions,
  ) {
    this.namesakes = new Namesakes(people, decisions, {
      identities: this.identities,
      has: (key) => this.has(key),
      takenAt: (name) => this.taken.get(name) ?? [],
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

  async from(head: Someone): Promise<Person> {
    this.take(head.key, head.label);
    let names: readonly ScopedName[] = [];
    for (let before = -1; before !== this.size;) {
      before = this.size;
      await this.settle();
      // It takes namesakes that the operator names.
      names = await this.namesakes.nameAll(this.keys);
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
      taken: await this.timesOfOthers(),
      doubtful: [...this.doubts.values()].filter(({ key }) => !this.has(key)),
    };
  }

  /** When somebody else had what leads to accounts and identities of the person. */
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
    const ours = ties.filter(({ other }) => this.core.has(other));
    const isAtOnce = others.some((one) => ours.some(({ span }) => overlap(span, one.span)));
    if (isAtOnce || others.some(({ span }) => span.until === null)) {
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
    // What is known by an identity that is perhaps the person's is perhaps the person's too.
    for (const identity of await this.candidates()) {
      const reason = this.doubts.get(identity)?.reason;
      if (reason === undefined || this.has(identity)) continue;
      for (const key of await this.accountsAt([identity])) {
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
}
