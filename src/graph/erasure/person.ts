import { fold } from '../../model/fold';
import { keyOf } from '../../model/key';
import { PastNode } from '../../model/past-facts';
import { PersonNames } from '../../model/person-names';
import { Identity } from '../../model/shared-nodes';
import { Employee } from '../../templates/hris/employees';
import { LocalUser } from '../../templates/application/local-users';
import { IdpGroup } from '../../templates/identity-provider/groups';
import { IdpUser } from '../../templates/identity-provider/users';
import {
  nodesHolding,
  PAST_NODES_OF,
  PAST_RELATIONSHIPS_AT,
  pastHolding,
  PEOPLE_BESIDE,
  PEOPLE_OF,
} from '../../translate/push/erasure-statements';
import { Pipeline } from '../connection/pipeline';
import type { Runner } from '../connection/transaction';

/** Several people have the name. Each is one candidate, by its key. */
export class SeveralPeople extends Error {
  constructor(readonly candidates: readonly string[]) {
    super('several people have this name');
  }
}

/** Nobody has the name. */
export class NobodyFound extends Error {}

/** A person: whoever the nodes of these keys are. */
export interface Person {
  /** Keys of the nodes that are the person, whether they stand or not. */
  readonly keys: ReadonlySet<string>;
  /** Keys of those that stand. */
  readonly standing: ReadonlySet<string>;
  /** By what other entities and records name the person. */
  readonly names: PersonNames;
  /** Names that somebody else has too. They stay. */
  readonly sharedNames: readonly string[];
}

/** The properties by which a person is known, by label. */
const NAMING: Readonly<Record<string, readonly string[]>> = {
  [IdpUser.label]: ['name', 'email', 'identity', 'full_name'],
  [Employee.label]: [
    ...['id', 'name', 'employee_number', 'preferred_name', 'display_full_name'],
    ...['canonical_name', 'username', 'email', 'idp_id', 'personal_email'],
  ],
  [LocalUser.label]: ['name', 'id', 'unique_id', 'email'],
  [IdpGroup.label]: ['name', 'identity', 'full_name'],
  [Identity.label]: ['name'],
};

/** What a client may name a person by. */
const ASKED_BY = ['name', 'id', 'email', 'identity', 'unique_id', 'username', 'full_name'];

type Properties = Readonly<Record<string, unknown>>;

interface Someone {
  readonly key: string;
  readonly label: string;
  readonly properties: Properties;
}

interface PastFact {
  readonly id: string;
  readonly properties: Properties;
  [column: string]: unknown;
}

const texts = (properties: Properties, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const value = properties[name];
    return typeof value === 'string' && value !== '' ? [fold(value)] : [];
  });

const namesOf = ({ label, properties }: Someone): readonly string[] =>
  texts(properties, NAMING[label] ?? []);

/** An address belongs to one person alone. */
const isAddress = (name: string): boolean => name.includes('@');

const isDirectory = (label: string): boolean => label === IdpUser.label || label === Employee.label;

/** Finds out which nodes are one person (docs/rules.md: Erasing a person). */
class People {
  private readonly pipeline: Pipeline;
  private readonly known = new Map<string, Someone | null>();
  private readonly beside = new Map<string, readonly (readonly [type: string, other: string])[]>();

  constructor(tx: Runner) {
    this.pipeline = new Pipeline(tx);
  }

  /** The nodes of these keys that stand. */
  async load(keys: Iterable<string>): Promise<readonly Someone[]> {
    const all = [...keys];
    const unread = all.filter((key) => !this.known.has(key));
    for (const key of unread) this.known.set(key, null);
    const records = await this.pipeline.ask<Someone & { [column: string]: unknown }>(
      PEOPLE_OF,
      'keys',
      unread,
    );
    for (const record of records) this.note(record.toObject());
    return all.flatMap((key) => this.known.get(key) ?? []);
  }

  async neighbours(
    keys: Iterable<string>,
  ): Promise<readonly (readonly [key: string, type: string, other: string])[]> {
    const all = [...keys];
    const unread = all.filter((key) => !this.beside.has(key));
    const found = new Map<string, (readonly [string, string])[]>(unread.map((key) => [key, []]));
    const records = await this.pipeline.ask<{ key: string; type: string; other: string }>(
      PEOPLE_BESIDE,
      'keys',
      unread,
    );
    for (const record of records) {
      found.get(record.get('key'))?.push([record.get('type'), record.get('other')]);
    }
    for (const [key, list] of found) this.beside.set(key, list);
    return all.flatMap((key) =>
      (this.beside.get(key) ?? []).map(([type, other]) => [key, type, other] as const),
    );
  }

  /** The other ends of relationships of a type at some nodes. */
  async at(keys: Iterable<string>, type: string): Promise<readonly string[]> {
    const all = await this.neighbours(keys);
    return all.filter(([, each]) => each === type).map(([, , other]) => other);
  }

  /** Who stands and has one of the names. */
  async named(names: readonly string[], labels: readonly string[]): Promise<readonly Someone[]> {
    const sought = new PersonNames(names);
    const found: Someone[] = [];
    for (const label of labels) {
      const records = await this.pipeline.one<{ key: string; properties: Properties }>(
        nodesHolding({ label }),
        { names: sought.spellings },
      );
      for (const record of records) {
        const someone = { key: record.get('key'), label, properties: record.get('properties') };
        if (namesOf(someone).some((name) => sought.isOne(name))) {
          found.push(someone);
          this.note(someone);
        }
      }
    }
    return found;
  }

  /** Versions of people that ended and had one of the names. */
  async namedBefore(names: readonly string[]): Promise<readonly Someone[]> {
    const sought = new PersonNames(names);
    const records = await this.pipeline.one<PastFact>(pastHolding(PastNode.label), {
      names: sought.spellings,
    });
    return records
      .map((record) => asSomeone(record.get('properties')))
      .filter((one) => namesOf(one).some((name) => sought.isOne(name)));
  }

  async versionsOf(keys: Iterable<string>): Promise<readonly Someone[]> {
    const records = await this.pipeline.ask<PastFact>(PAST_NODES_OF, 'keys', [...keys]);
    return records.map((record) => asSomeone(record.get('properties')));
  }

  /** The relationships at nodes that ended. */
  async before(keys: Iterable<string>): Promise<readonly Properties[]> {
    const list = [...keys];
    const all = await Promise.all(
      PAST_RELATIONSHIPS_AT.map((statement) =>
        this.pipeline.ask<PastFact>(statement, 'keys', list),
      ),
    );
    return all.flat().map((record) => record.get('properties'));
  }

  private note(someone: Someone): void {
    this.known.set(someone.key, someone);
  }
}

const asSomeone = (properties: Properties): Someone => ({
  key: String(properties.key),
  label: String(properties.label),
  properties,
});

/** The nodes that are the person, as far as they are found. */
class Members {
  /** Users of identity providers, and employees. */
  readonly core = new Set<string>();
  readonly accounts = new Set<string>();
  readonly identities = new Set<string>();

  get size(): number {
    return this.core.size + this.accounts.size + this.identities.size;
  }

  get all(): ReadonlySet<string> {
    return new Set([...this.core, ...this.accounts, ...this.identities]);
  }
}

/** Adds until nothing is left to add. */
const untilSettled = async (sizeOf: () => number, step: () => Promise<void>): Promise<void> => {
  for (let before = -1; before !== sizeOf();) {
    before = sizeOf();
    await step();
  }
};

class PersonSearch {
  private readonly members = new Members();
  private readonly names = new Set<string>();
  private sharedNames: readonly string[] = [];

  constructor(private readonly people: People) {}

  async from(head: Someone): Promise<Person> {
    const { members, people } = this;
    if (isDirectory(head.label)) members.core.add(head.key);
    else if (head.label === Identity.label) members.identities.add(head.key);
    else members.accounts.add(head.key);
    for (const name of namesOf(head)) this.names.add(name);
    await untilSettled(
      () => members.size + this.names.size,
      async () => {
        await this.expand();
        await this.takeNames();
        await this.takeNamed();
        await this.takeFormer();
      },
    );
    const shared = new Set(this.sharedNames);
    const standing = new Set((await people.load(members.all)).map(({ key }) => key));
    return {
      keys: members.all,
      standing,
      names: new PersonNames([...this.names].filter((name) => !shared.has(name))),
      sharedNames: [...this.sharedNames].sort(),
    };
  }

  /** Follows what the service derived and what applications state. */
  private async expand(): Promise<void> {
    const { people, members } = this;
    const { core, accounts, identities } = members;
    await untilSettled(
      () => members.size,
      async () => {
        for (const type of ['HAS_ACCOUNT', 'SOURCE_IDENTITY_OF']) {
          for (const other of await people.at(core, type)) core.add(other);
        }
        for (const identity of await people.at(core, 'KNOWN_AS')) {
          if (await this.isOurs(identity)) identities.add(identity);
        }
        for (const account of await people.at(identities, 'IDENTITY_OF')) {
          if ((await people.load([account])).length === 0) continue;
          if (await this.isOnlyOurs(account)) accounts.add(account);
        }
        for (const identity of await people.at(accounts, 'IDENTITY_OF')) {
          if ((await people.at([identity], 'KNOWN_AS')).length > 0) continue;
          const users = await people.at([identity], 'IDENTITY_OF');
          if (users.every((user) => accounts.has(user))) identities.add(identity);
        }
      },
    );
  }

  /** Whether nobody but the person is known by an identity. */
  private async isOurs(identity: string): Promise<boolean> {
    const known = await this.people.at([identity], 'KNOWN_AS');
    return known.every((other) => this.members.core.has(other));
  }

  /** Whether all whom an account's identities mean are the person. */
  private async isOnlyOurs(account: string): Promise<boolean> {
    for (const identity of await this.people.at([account], 'IDENTITY_OF')) {
      if (!(await this.isOurs(identity))) return false;
    }
    return true;
  }

  private async takeNames(): Promise<void> {
    const keys = this.members.all;
    const standing = await this.people.load(keys);
    const former = await this.people.versionsOf(keys);
    for (const name of [...standing, ...former].flatMap(namesOf)) this.names.add(name);
  }

  /** Finds who else has the names: the same person, or somebody else. */
  private async takeNamed(): Promise<void> {
    const { members, people, names } = this;
    const labels = [IdpUser, IdpGroup, Employee, LocalUser].map(({ label }) => label);
    const others = (await people.named([...names], labels)).filter(
      ({ key }) => !members.all.has(key),
    );
    const shared = new Set<string>();
    const accounts: Someone[] = [];
    for (const other of others) {
      const same = namesOf(other).filter((name) => names.has(name));
      if (other.label === LocalUser.label && (await this.isOnlyOurs(other.key))) {
        accounts.push(other);
      } else if (isDirectory(other.label) && same.some(isAddress)) {
        members.core.add(other.key);
      } else for (const name of same) if (!isAddress(name)) shared.add(name);
    }
    for (const account of accounts) {
      const same = namesOf(account).filter((name) => names.has(name));
      if (same.some((name) => !shared.has(name))) members.accounts.add(account.key);
    }
    this.sharedNames = [...shared];
    // Nobody is known by an identity that only a display name or an employee's name explains.
    for (const identity of await people.named([...names], [Identity.label])) {
      const isFree = (await people.at([identity.key], 'KNOWN_AS')).length === 0;
      const isOurName = namesOf(identity).some((name) => names.has(name) && !shared.has(name));
      if (isFree && isOurName) members.identities.add(identity.key);
    }
  }

  /** Finds nodes of the person that are gone, in the history. */
  private async takeFormer(): Promise<void> {
    const { members, people, names } = this;
    const take = async (key: string, label: string): Promise<void> => {
      if (members.all.has(key) || (await people.load([key])).length > 0) return;
      if (isDirectory(label)) members.core.add(key);
      else if (label === LocalUser.label) members.accounts.add(key);
      else if (label === Identity.label) members.identities.add(key);
    };
    const shared = new Set(this.sharedNames);
    for (const former of await people.namedBefore([...names])) {
      const same = namesOf(former).filter((name) => names.has(name));
      const isAccount = former.label === LocalUser.label;
      if (same.some((name) => isAddress(name) || (isAccount && !shared.has(name)))) {
        await take(former.key, former.label);
      }
    }
    for (const { type, start, end, start_label, end_label } of await people.before(members.all)) {
      const isKnown = type === 'KNOWN_AS' && members.identities.has(String(end));
      if (type === 'HAS_ACCOUNT' || type === 'SOURCE_IDENTITY_OF') {
        await take(String(start), String(start_label));
        await take(String(end), String(end_label));
      } else if (type === 'IDENTITY_OF') {
        await take(String(end), String(end_label));
      } else if (isKnown && isAddress(String(end))) await take(String(start), String(start_label));
    }
  }
}

/** Whom a node leads to: an account of an application and an identity lead to their users. */
const headsOf = async (people: People, seed: Someone): Promise<readonly Someone[]> => {
  if (isDirectory(seed.label)) return [seed];
  const identities =
    seed.label === Identity.label ? [seed.key] : await people.at([seed.key], 'IDENTITY_OF');
  const known = await people.at(identities, 'KNOWN_AS');
  const users = (await people.load(known)).filter(({ label }) => label === IdpUser.label);
  if (users.length > 0) return users;
  return seed.label === Identity.label && known.length > 0 ? [] : [seed];
};

/** Nodes that stand or stood by this key. */
const ofKey = async (people: People, key: string): Promise<readonly Someone[]> => {
  const standing = await people.load([key]);
  if (standing.length > 0) return standing;
  const [former] = await people.versionsOf([key]);
  if (former !== undefined)
    return former.label in NAMING && former.label !== 'IdpGroup' ? [former] : [];
  const start = `${Identity.label}|`;
  if (!key.startsWith(start) || (await people.before([key])).length === 0) return [];
  return [{ key, label: Identity.label, properties: { name: key.slice(start.length) } }];
};

/** Nodes that stand or stood by this name, email or id. */
const ofName = async (people: People, asked: string): Promise<readonly Someone[]> => {
  const name = fold(asked);
  const isMeant = ({ properties }: Someone): boolean => texts(properties, ASKED_BY).includes(name);
  const labels = [IdpUser, Employee, LocalUser, Identity].map(({ label }) => label);
  const standing = (await people.named([name], labels)).filter(isMeant);
  if (standing.length > 0) return standing;
  const former = (await people.namedBefore([name])).filter(
    (one) => one.label !== IdpGroup.label && isMeant(one),
  );
  if (former.length > 0) return former;
  return ofKey(people, keyOf(Identity.label, name));
};

/** Finds the person whom a client names by a key, an id, an email or a name. */
export const findPerson = async (tx: Runner, asked: string): Promise<Person> => {
  const people = new People(tx);
  const byKey = await ofKey(people, asked);
  const seeds = byKey.length > 0 ? byKey : await ofName(people, asked);
  const heads: Someone[] = [];
  for (const seed of seeds) heads.push(...(await headsOf(people, seed)));
  const [head] = heads;
  if (head === undefined) throw new NobodyFound();
  const person = await new PersonSearch(people).from(head);
  const others = heads.filter(({ key }) => !person.keys.has(key));
  if (others.length === 0) return person;
  throw new SeveralPeople([...new Set([head, ...others].map(({ key }) => key))].sort());
};
