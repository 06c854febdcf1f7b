import { Above } from '../above';
import { NONE } from '../access-graph';
import type { EffectiveAccess, Permissions } from '../effective-access';
import { Marks, type Pieces, STEPS } from '../pieces';
import type { Moment } from '../instants';
import { GAINED, JOINS } from '../relationship-types';
import { typesOf } from '../walk';

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

/** By whom an identity is known: by no user, by users, or by a human's user. */
const [NOBODY, USER, HUMAN] = [0, 1, 2];

/** The holders of a list by what they are. */
interface Classes {
  readonly humans: number[];
  /** Identities that have more than the accounts that they name. */
  readonly identities: number[];
  /** Others of which it is not certain whether a human gains them. */
  readonly doubtful: number[];
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
  private readonly known = new Map<number, number>();
  private found: Pick<Classes, 'humans'> & { readonly others: readonly number[] } = {
    humans: [],
    others: [],
  };

  private constructor(
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

  /** Looks at each holder once, in pieces. */
  static *of(access: EffectiveAccess, holders: Holders, moment: Moment): Pieces<PeopleOfList> {
    const people = new PeopleOfList(access, holders, moment);
    const classes: Classes = { humans: [], identities: [], doubtful: [] };
    let looked = 0;
    for (const [node, permissions] of holders) {
      looked += 1;
      if (looked % STEPS === 0) yield;
      people.classify(node, permissions, classes);
    }
    const others = yield* people.othersOf(classes);
    people.found = { humans: classes.humans, others };
    return people;
  }

  /** The humans among the holders. */
  get humans(): readonly number[] {
    return this.found.humans;
  }

  /** The holders that belong to no human, and that the rows of others do not show. */
  get others(): readonly number[] {
    return this.found.others;
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

  private *othersOf({ identities, doubtful }: Classes): Pieces<readonly number[]> {
    const { access, moment } = this;
    const { graph, walk } = access;
    // Most groups have a human or their account as a member, which needs no further walk.
    const isHumans = (node: number): boolean => this.isOfHuman(node);
    const left: number[] = [];
    for (const [place, node] of doubtful.entries()) {
      if (place % STEPS === STEPS - 1) yield;
      if (!walk.isLedTo(node, GAIN, moment, isHumans)) left.push(node);
    }
    if (left.length === 0) return identities;
    const marks = new Marks(graph);
    const leading = yield* marks.spread(left, (node, visit) =>
      walk.eachPrevious(node, GAIN, moment, visit),
    );
    const within = new Set(leading);
    const somebodies: number[] = [];
    for (const [place, node] of leading.entries()) {
      if (place % STEPS === STEPS - 1) yield;
      if (this.isSomebody(node)) somebodies.push(node);
    }
    const theirs = yield* marks.spread(somebodies, (node, visit) =>
      walk.eachNext(node, GAIN, moment, (far) => {
        if (within.has(far)) visit(far);
      }),
    );
    const isTheirs = new Set(theirs);
    return [...identities, ...left.filter((node) => !isTheirs.has(node))];
  }

  private classify(node: number, permissions: Permissions, classes: Classes): void {
    const { humans, identities, doubtful } = classes;
    const label = this.labelOf(node);
    if (label === 'Identity') {
      if (this.access.walk.isLedTo(node, KNOWN_AS, this.moment)) return;
      const accounts = this.accountsHaving(node);
      if (accounts.length === 0) humans.push(node);
      // It has all that its accounts have, so the numbers suffice.
      else if (permissions.length > this.distinctOf(accounts)) identities.push(node);
    } else if (this.isSomebody(node)) {
      if (label !== 'IdpUser' || this.isFirst(node)) humans.push(node);
    } else if (label !== 'LocalUser' || this.userOf(node) !== HUMAN) doubtful.push(node);
  }

  /** How many permissions some holders have together. */
  private distinctOf(nodes: readonly number[]): number {
    return new Set(nodes.flatMap((node) => this.holders.get(node) ?? [])).size;
  }

  /** Whether a user represents all who are the same human. */
  private isFirst(user: number): boolean {
    if (!this.access.walk.isLedTo(user, SAME_USER, this.moment)) return true;
    const { isLed, first } = this.users.of(user);
    return !isLed && first === user;
  }

  /** Whether a node is a human, or belongs to the human before it. */
  private isSomebody(node: number): boolean {
    const label = this.labelOf(node);
    if (label === 'Employee' || label === 'IdpUser') return this.isHumanUser(node);
    if (label === 'LocalUser') return !this.isMarked(node) && this.userOf(node) === NOBODY;
    return (
      label === 'Identity' &&
      !this.access.walk.isLedTo(node, KNOWN_AS, this.moment) &&
      this.accountsHaving(node).length === 0
    );
  }

  /** Whether a node is a human, or an account or identity of a human's user. */
  private isOfHuman(node: number): boolean {
    const label = this.labelOf(node);
    if (label === 'LocalUser' && this.userOf(node) === HUMAN) return true;
    return (label === 'Identity' && this.knownBy(node) === HUMAN) || this.isSomebody(node);
  }

  private isHumanUser(node: number): boolean {
    const label = this.labelOf(node);
    return label === 'Employee' || (label === 'IdpUser' && !this.isMarked(node));
  }

  /** Whether a user, or a human's user, is known by an identity that names an account. */
  private userOf(account: number): number {
    return this.access.walk
      .previous(account, IDENTITY_OF, this.moment)
      .reduce((most, identity) => Math.max(most, this.knownBy(identity)), NOBODY);
  }

  /** Whether a user, or a human's user, is known by an identity. It may name many accounts. */
  private knownBy(identity: number): number {
    if (this.labelOf(identity) !== 'Identity') return NOBODY;
    const known = this.known.get(identity);
    if (known !== undefined) return known;
    const most = this.access.walk
      .previous(identity, KNOWN_AS, this.moment)
      .filter((user) => this.labelOf(user) === 'IdpUser')
      .reduce((max, user) => Math.max(max, this.isHumanUser(user) ? HUMAN : USER), NOBODY);
    this.known.set(identity, most);
    return most;
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
