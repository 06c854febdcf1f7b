import { fold } from '../../../model/fold';
import { LocalUser } from '../../../templates/application/local-users';
import { Employee } from '../../../templates/hris/employees';
import type { Trusts } from '../../../templates/graph/trusts';
import { PROVIDERS_OF_DATA_SOURCES, PROVIDERS_OF_THE_PAST } from '../statements';
import { Pipeline } from '../../../neo4j/pipeline';
import type { Runner } from '../../../neo4j/transaction';
import { DerivationKinds } from '../../../graph/write/derivation-kinds';
import {
  dataSourceOf,
  isClaimingLabel,
  nameOfIdentity,
  type People,
  type Properties,
  type Someone,
  type Tie,
} from './people';
import { overlap } from './span';

const textOf = (properties: Properties, ...names: readonly string[]): string | null => {
  const found = names.map((name) => properties[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? fold(found) : null;
};

/** The text by which the asker of a relationship names the answerer; `null` if it names somebody else. */
const textBetween = (type: string, asker: Someone, answerer: Someone): string | null => {
  if ((type === 'HAS_ACCOUNT') !== (asker.label === Employee.label)) return null;
  const ask =
    type === 'HAS_ACCOUNT'
      ? textOf(asker.properties, 'idp_id', 'email', 'id')
      : textOf(asker.properties, 'source_identity');
  const answers = [textOf(answerer.properties, 'identity', 'name')];
  if (type === 'HAS_ACCOUNT') answers.push(textOf(answerer.properties, 'email'));
  return ask !== null && answers.includes(ask) ? ask : null;
};

/** The operator believes a provider that does not exist. */
export class UnknownProvider extends Error {
  constructor(readonly provider: string) {
    super('no provider of this name');
  }
}

/** What trusts of today say of names and relationships, those that ended too (docs/rules.md: Trusts). */
export class Claims {
  private constructor(
    private readonly trusts: Trusts,
    /** The providers of data sources. */
    private readonly providers: ReadonlyMap<string, string>,
    /** The data sources, present and former ones, of providers that the operator believes in this erasure. */
    private readonly trusted: ReadonlySet<string>,
  ) {}

  /** Rejects with `UnknownProvider`. */
  static async read(tx: Runner, trusted: readonly string[]): Promise<Claims> {
    const { trusts } = await DerivationKinds.read(new Pipeline(tx));
    const { records } = await tx.run<{ id: string; name: string }>(PROVIDERS_OF_DATA_SOURCES);
    const providers = new Map(records.map((record) => [record.get('id'), record.get('name')]));
    if (trusted.length === 0) return new Claims(trusts, providers, new Set());
    const former = await tx.run<{ id: string; name: string }>(PROVIDERS_OF_THE_PAST);
    const all = [...records, ...former.records];
    const known = new Set(all.map((record) => record.get('name')));
    const unknown = trusted.find((provider) => !known.has(provider));
    if (unknown !== undefined) throw new UnknownProvider(unknown);
    const isTrusted = (record: (typeof all)[number]): boolean =>
      trusted.includes(record.get('name'));
    const sources = all.filter(isTrusted).map((record) => record.get('id'));
    return new Claims(trusts, providers, new Set(sources));
  }

  /** Whether two rows are of one provider. One whose data source is gone has the provider of no other one. */
  areOfOneProvider(one: string, other: string): boolean {
    if (dataSourceOf(one) === dataSourceOf(other)) return true;
    const provider = this.providerOf(one);
    return provider !== '' && provider === this.providerOf(other);
  }

  /** All data sources of the provider of a data source. */
  besides(dataSource: string): readonly string[] {
    const provider = this.providers.get(dataSource);
    if (provider === undefined) return [dataSource];
    return [...this.providers].flatMap(([id, name]) => (name === provider ? [id] : []));
  }

  /** Whether the operator believes the provider of a data source. */
  isTrusted(dataSource: string): boolean {
    return this.trusted.has(dataSource);
  }

  /**
   * Whether what somebody is called means them at other providers too: an administrator or the
   * operator has entrusted their provider with it.
   */
  isEntrusted({ key, label }: Pick<Someone, 'key' | 'label'>, name: string): boolean {
    if (this.isTrusted(dataSourceOf(key))) return true;
    if (!isClaimingLabel(label)) return false;
    const { allowed } = this.trusts.claimantsOf(fold(name));
    return allowed !== null && allowed.includes(this.providerOf(key));
  }

  /** Whether somebody of the person leads to another row by a name. */
  leads(one: Pick<Someone, 'key' | 'label'>, name: string, other: string): boolean {
    return this.areOfOneProvider(one.key, other) || this.isEntrusted(one, name);
  }

  /** Whether somebody of the person leads to another one by their relationship. */
  async leadsBy(people: People, key: string, tie: Tie): Promise<boolean> {
    if (this.areOfOneProvider(key, tie.other) || this.isTrusted(dataSourceOf(key))) return true;
    if (this.trusts.areNone) return false;
    return this.isSomePair(people, key, tie, (own, other) => {
      const leads = (asker: Someone, answerer: Someone): boolean => {
        const text = textBetween(tie.type, asker, answerer);
        if (text === null) return false;
        const meant = this.trusts.identityProviders[this.providerOf(asker.key)] ?? [];
        return (
          meant.includes(this.providerOf(answerer.key)) ||
          (this.isEntrusted(own, text) && this.mayBeKnownBy(own, text))
        );
      };
      return leads(own, other) || leads(other, own);
    });
  }

  /** Whether somebody in a directory may be known by a name. Accounts and identities claim nothing. */
  mayBeKnownBy({ key, label }: Pick<Someone, 'key' | 'label'>, name: string): boolean {
    if (this.trusts.areNone || !isClaimingLabel(label)) return true;
    return this.trusts.mayClaim(this.providerOf(key), fold(name));
  }

  /** Whether a relationship, which may have ended, is one that trusts let be. */
  async allow(people: People, key: string, tie: Tie): Promise<boolean> {
    // Those that have not ended follow trusts already.
    if (this.trusts.areNone || tie.span.until === null) return true;
    return this.isSomePair(
      people,
      key,
      tie,
      (one, other) => this.means(tie.type, one, other) || this.means(tie.type, other, one),
    );
  }

  /** Whether a condition fits the versions of both ends at one time of their relationship. */
  private async isSomePair(
    people: People,
    key: string,
    tie: Tie,
    fits: (own: Someone, other: Someone) => boolean,
  ): Promise<boolean> {
    const during = async (of: string): Promise<readonly Someone[]> =>
      (await people.allOf([of])).filter(({ span }) => overlap(span, tie.span));
    const [own, others] = [await during(key), await during(tie.other)];
    return own.some((one) =>
      others.some((other) => overlap(one.span, other.span) && fits(one, other)),
    );
  }

  private means(type: string, asker: Someone, answerer: Someone): boolean {
    const ask = textBetween(type, asker, answerer);
    if (ask === null) return false;
    const { allowed, denied } = this.trusts.answerersOf(this.providerOf(asker.key), ask);
    const provider = this.providerOf(answerer.key);
    return (allowed === null || allowed.includes(provider)) && !denied.includes(provider);
  }

  private providerOf(key: string): string {
    return this.providers.get(dataSourceOf(key)) ?? '';
  }
}

/** The relationships by which people, accounts and identities are one person. */
export class JoiningTies {
  constructor(
    private readonly people: People,
    private readonly claims: Claims,
  ) {}

  /**
   * Why a relationship between a user and an employee, or between users, joins nobody; it may have
   * ended. An HR system lists each human once: where two of its employees have one user, it may be
   * either's. So may an employee who has two users of one directory at once. What one provider says
   * leads to no row of another one, unless it is entrusted with that. `isOurs`: who is the person;
   * `null` says that the operator leaves them out.
   */
  async doubtOf(
    key: string,
    tie: Tie,
    isOurs: (key: string) => boolean | null,
  ): Promise<'UNTRUSTED' | 'SHARED' | 'OTHER_TIME' | 'OTHER_PROVIDER' | null> {
    const reason = await this.reasonAgainst(key, tie, isOurs);
    if (reason !== null) return reason;
    return (await this.claims.leadsBy(this.people, key, tie)) ? null : 'OTHER_PROVIDER';
  }

  private async reasonAgainst(
    key: string,
    tie: Tie,
    isOurs: (key: string) => boolean | null,
  ): Promise<'UNTRUSTED' | 'SHARED' | 'OTHER_TIME' | null> {
    if (!(await this.claims.allow(this.people, key, tie))) return 'UNTRUSTED';
    if (tie.type !== 'HAS_ACCOUNT') return null;
    const isEmployeeNew = tie.otherLabel === Employee.label;
    const [employee, user] = isEmployeeNew ? [tie.other, key] : [key, tie.other];
    const rivals: Tie[] = [];
    let isSecond = false;
    for (const rival of await this.people.tiesOf(user, 'HAS_ACCOUNT')) {
      const { other } = rival;
      const isRival = other !== employee && dataSourceOf(other) === dataSourceOf(employee);
      const isOur = isOurs(other);
      if (!isRival || isOur === null || (isOur && !isEmployeeNew)) continue;
      if (!(await this.claims.allow(this.people, user, rival))) continue;
      rivals.push(rival);
      isSecond ||= isOur;
    }
    if (rivals.some(({ span }) => overlap(span, tie.span))) return 'SHARED';
    for (const rival of await this.people.tiesOf(employee, 'HAS_ACCOUNT')) {
      const { other } = rival;
      const isRival = other !== user && dataSourceOf(other) === dataSourceOf(user);
      const isOur = isOurs(other);
      if (!isRival || isOur === null || (isOur && isEmployeeNew)) continue;
      if (!overlap(rival.span, tie.span)) continue;
      if (await this.claims.allow(this.people, employee, rival)) return 'SHARED';
    }
    const { until } = tie.span;
    const isHandedOver = until !== null && rivals.some(({ span }) => span.from >= until);
    return isHandedOver || isSecond ? 'OTHER_TIME' : null;
  }

  /** The people who are or were known by an identity, if trusts allow it. */
  async knownAs(identity: string): Promise<readonly Tie[]> {
    const name = nameOfIdentity(identity);
    return (await this.people.tiesOf(identity, 'KNOWN_AS')).filter(({ other, otherLabel }) =>
      this.claims.mayBeKnownBy({ key: other, label: otherLabel }, name),
    );
  }

  /** The accounts of applications that have or had some identities. */
  async accountsAt(identities: Iterable<string>): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const identity of identities) {
      for (const { other, otherLabel } of await this.people.tiesOf(identity, 'IDENTITY_OF')) {
        if (otherLabel === LocalUser.label) found.add(other);
      }
    }
    return found;
  }

  /** Whether only these accounts have or had an identity, and none of them has given it up. */
  async isOnlyOf(accounts: ReadonlySet<string>, identity: string): Promise<boolean> {
    for (const { other, otherLabel, span } of await this.people.tiesOf(identity, 'IDENTITY_OF')) {
      if (otherLabel !== LocalUser.label) continue;
      if (!accounts.has(other)) return false;
      const end = span.until;
      if (end === null) continue;
      const versions = await this.people.allOf([other]);
      if (versions.some((one) => overlap(one.span, { from: end, until: end + 1n }))) return false;
    }
    return true;
  }
}
