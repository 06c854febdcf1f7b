import { fold } from '../../../model/fold';
import { LocalUser } from '../../../templates/application/local-users';
import { Employee } from '../../../templates/hris/employees';
import type { Trusts } from '../../../templates/graph/trusts';
import { PROVIDERS_OF_DATA_SOURCES } from '../statements';
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

/** What trusts of today say of names and relationships, those that ended too (docs/rules.md: Trusts). */
export class Claims {
  private constructor(
    private readonly trusts: Trusts,
    /** The providers of data sources. */
    private readonly providers: ReadonlyMap<string, string>,
  ) {}

  static async read(tx: Runner): Promise<Claims> {
    const { trusts } = await DerivationKinds.read(new Pipeline(tx));
    if (trusts.areNone) return new Claims(trusts, new Map());
    const { records } = await tx.run<{ id: string; name: string }>(PROVIDERS_OF_DATA_SOURCES);
    return new Claims(
      trusts,
      new Map(records.map((record) => [record.get('id'), record.get('name')])),
    );
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
    const during = async (of: string): Promise<readonly Someone[]> =>
      (await people.allOf([of])).filter(({ span }) => overlap(span, tie.span));
    const [own, others] = [await during(key), await during(tie.other)];
    return own.some((one) =>
      others.some(
        (other) =>
          overlap(one.span, other.span) &&
          (this.means(tie.type, one, other) || this.means(tie.type, other, one)),
      ),
    );
  }

  private means(type: string, asker: Someone, answerer: Someone): boolean {
    if ((type === 'HAS_ACCOUNT') !== (asker.label === Employee.label)) return false;
    const ask =
      type === 'HAS_ACCOUNT'
        ? textOf(asker.properties, 'idp_id', 'email', 'id')
        : textOf(asker.properties, 'source_identity');
    const answers = [textOf(answerer.properties, 'identity', 'name')];
    if (type === 'HAS_ACCOUNT') answers.push(textOf(answerer.properties, 'email'));
    if (ask === null || !answers.includes(ask)) return false;
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
   * either's. So may an employee who has two users of one directory at once. `isOurs`: who is the
   * person; `null` says that the operator leaves them out.
   */
  async doubtOf(
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
