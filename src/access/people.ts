import { Above } from './above';
import { NONE } from './access-graph';
import type { EffectiveAccess, Permissions } from './effective-access';
import type { Moment } from './instants';
import { GAINED, JOINS } from './relationship-types';
import { typesOf } from './walk';

const GAIN = typesOf(GAINED);
const JOIN = typesOf(JOINS);
const KNOWN_AS = typesOf(['KNOWN_AS']);
const IDENTITY_OF = typesOf(['IDENTITY_OF']);
const SAME_USER = typesOf(['SOURCE_IDENTITY_OF', 'HAS_ACCOUNT']);

/** Who leads to users, and to users that lead to each other. */
interface Before {
  /** Whether an employee, or a user that is a human's, leads to them. */
  readonly isLed: boolean;
  /** The one of them who represents all; `NONE` if none is a human's. */
  readonly first: number;
}

/** The holders of a list, each with its permissions. */
export type Holders = ReadonlyMap<number, Permissions>;

/**
 * Who are the humans of a list, and what is listed with them (docs/rules.md: Rows of a list). The
 * same rules are written in Cypher for saved queries (`src/graph/statements/access-rules.ts`), and in
 * the mirror of the tests.
 */
export class PeopleOfList {
  private readonly users: Above<Before>;
  private readonly known = new Map<number, boolean>();

  constructor(
    private readonly access: EffectiveAccess,
    private readonly holders: Holders,
    private readonly moment: Moment,
  ) {
    const { walk } = access;
    this.users = new Above<Before>(
      (user) => walk.previous(user, SAME_USER, moment),
      (users, above) => {
        const humans = users.filter((user) => this.isHumanUser(user));
        const employees = humans.filter((user) => this.labelOf(user) === 'Employee');
        return {
          isLed: [...above].some(({ isLed, first }) => isLed || first !== NONE),
          first: access.graph.least(employees.length > 0 ? employees : humans),
        };
      },
    );
  }

  /** Whether a holder is a human of the list. */
  isHuman(node: number): boolean {
    if (this.labelOf(node) !== 'IdpUser') return this.isSomebody(node);
    if (!this.isSomebody(node)) return false;
    const { isLed, first } = this.users.of(node);
    return !isLed && first === node;
  }

  /** Whether a human is only an account or an identity: no employee and no user leads to it. */
  isWithoutUser(human: number): boolean {
    return ['LocalUser', 'Identity'].includes(this.labelOf(human));
  }

  /** The holders that are listed with a human of the list: users, identities, then accounts. */
  accountsOf(human: number): readonly number[] {
    const { access, holders, moment } = this;
    const { graph, walk } = access;
    const label = this.labelOf(human);
    const theirs = (): readonly number[] => {
      if (label === 'LocalUser') return walk.previous(human, IDENTITY_OF, moment);
      return ['Employee', 'IdpUser'].includes(label) ? walk.from([human], JOIN, moment) : [];
    };
    const rankOf = (node: number): number => RANKS.indexOf(this.labelOf(node));
    return [...new Set(theirs())]
      .filter((node) => node !== human && holders.has(node) && rankOf(node) >= 0)
      .filter((node) => label !== 'LocalUser' || this.labelOf(node) === 'Identity')
      .sort((a, b) => rankOf(a) - rankOf(b) || graph.byKey(a, b));
  }

  /** The holders that belong to no human, and that the rows of others do not show. */
  others(): readonly number[] {
    const { access, moment } = this;
    const doubtful: number[] = [];
    const others: number[] = [];
    for (const node of this.holders.keys()) {
      if (this.isSomebody(node)) continue;
      if (this.labelOf(node) !== 'Identity') doubtful.push(node);
      else if (this.hasMoreThanAccounts(node)) others.push(node);
    }
    if (doubtful.length === 0) return others;
    const { walk } = access;
    const leading = walk.to(doubtful, GAIN, moment);
    const somebodies = leading.filter((node) => this.isSomebody(node));
    const theirs = new Set(walk.from(somebodies, GAIN, moment, new Set(leading)));
    return [...others, ...doubtful.filter((node) => !theirs.has(node))];
  }

  /**
   * Whether an identity that nobody is known by has more permissions than the accounts that it
   * names. It has all that they have, so the numbers suffice.
   */
  private hasMoreThanAccounts(identity: number): boolean {
    const { access, holders, moment } = this;
    if (access.walk.previous(identity, KNOWN_AS, moment).length > 0) return false;
    const accounts = this.accountsHaving(identity);
    const given = new Set(accounts.flatMap((account) => holders.get(account) ?? []));
    return (holders.get(identity) ?? []).length > given.size;
  }

  /** Whether a node is a human, or belongs to the human before it. */
  private isSomebody(node: number): boolean {
    const label = this.labelOf(node);
    if (label === 'Employee' || label === 'IdpUser') return this.isHumanUser(node);
    if (label === 'LocalUser') return !this.isMarked(node) && !this.isOfUser(node);
    return (
      label === 'Identity' &&
      this.access.walk.previous(node, KNOWN_AS, this.moment).length === 0 &&
      this.accountsHaving(node).length === 0
    );
  }

  private isHumanUser(node: number): boolean {
    const label = this.labelOf(node);
    return label === 'Employee' || (label === 'IdpUser' && !this.isMarked(node));
  }

  /** Whether a user is known by an identity that names an account. */
  private isOfUser(account: number): boolean {
    const identities = this.access.walk.previous(account, IDENTITY_OF, this.moment);
    return identities.some((identity) => this.isOfKnownUser(identity));
  }

  /** Whether a user is known by an identity. It may name many accounts. */
  private isOfKnownUser(identity: number): boolean {
    const known = this.known.get(identity);
    if (known !== undefined) return known;
    const isKnown =
      this.labelOf(identity) === 'Identity' &&
      this.access.walk
        .previous(identity, KNOWN_AS, this.moment)
        .some((user) => this.labelOf(user) === 'IdpUser');
    this.known.set(identity, isKnown);
    return isKnown;
  }

  /** The accounts among the holders that an identity names. */
  private accountsHaving(identity: number): readonly number[] {
    const { access, holders, moment } = this;
    return access.walk
      .next(identity, IDENTITY_OF, moment)
      .filter((account) => holders.has(account) && this.labelOf(account) === 'LocalUser');
  }

  private isMarked(node: number): boolean {
    const { graph } = this.access;
    return graph.isNotHuman(graph.version(node, this.moment));
  }

  private labelOf(node: number): string {
    return this.access.graph.kind(node)?.label ?? '';
  }
}

/** The order of what is listed with a human. */
const RANKS: readonly string[] = ['IdpUser', 'Identity', 'LocalUser'];
