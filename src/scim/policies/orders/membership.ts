import { fold } from '../../../model/fold';
import { type Account, findAccount, needAccount, readAccount } from '../../client/accounts';
import type { Application } from '../../client/application';
import { mainEmail } from '../../client/attribute';
import { findGroup, type Group, readGroup } from '../../client/groups';
import { fieldOf, isJsonObject, objectsOf, textOf } from '../../client/json';
import { ScimFault } from '../../client/scim-fault';
import type { ManagedAccount } from '../graph/records';
import { digestOf } from '../planning/digest';
import { mayExist, exists } from '../planning/plan';

/** What the graph says of the membership of an account in a group of an application. */
export interface Membership {
  /** The ids and the name of the account, the most certain one first. */
  readonly account: readonly string[];
  /** What reviewers see as its name. */
  readonly accountName: string;
  readonly email: string | null;
  /** What its application says of the person who has the account. */
  readonly identities: readonly string[];
  /**
   * The keys by which identity providers know the person who has the account, and nobody else; null if
   * nobody has it.
   */
  readonly known: readonly string[] | null;
  /** The id of the group, if it has one, and its name. */
  readonly group: string | null;
  readonly groupName: string;
}

/** An account and a group of an application. */
interface Found {
  readonly account: Account;
  readonly group: Group;
}

/** A text of a resource; empty if it has none. */
const textOrEmpty = (resource: Account['resource'], name: string): string =>
  textOf(resource, name) ?? '';

/** What the application says of an account and a group, so that nobody confuses them with others. */
const shownOf = ({ account: { id, resource }, group }: Found) => {
  const emails = objectsOf(resource, 'emails') ?? [];
  const email = mainEmail(
    emails.filter((each) => textOf(each, 'value') !== null),
    (each) => fieldOf(each, 'primary') === true,
    (each) => textOf(each, 'type'),
  );
  return {
    id,
    userName: textOrEmpty(resource, 'userName'),
    externalId: textOrEmpty(resource, 'externalId'),
    email: email === undefined ? '' : textOrEmpty(email, 'value'),
    displayName: textOrEmpty(resource, 'displayName'),
    group: group.id,
    groupName: group.name,
  };
};

/**
 * A digest of an application, and of all by what somebody was shown an account and a group there. An
 * action is carried out only if the application still gives the same one.
 */
export const shownDigest = (base: string, found: Found): string =>
  digestOf([base, ...Object.values(shownOf(found)).map(fold)]);

/** An account and a group in words, as the application itself calls them. */
export const inWords = (found: Found): string => {
  const { id, userName, displayName, groupName } = shownOf(found);
  const names = [displayName, id].filter((each) => each !== '' && each !== userName);
  const more = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return `account ${JSON.stringify(userName)}${more} out of group ${JSON.stringify(groupName)}`;
};

const otherwise = (what: string): ScimFault =>
  new ScimFault('NOT_AS_SHOWN', `The application describes the ${what} otherwise than the graph.`);

/** What an application calls an account: its names, as an import would make them too. */
const namesOf = ({ resource }: Account): readonly string[] => {
  const name = fieldOf(resource, 'name');
  const json = isJsonObject(name) ? name : {};
  const parts = ['givenName', 'familyName'].flatMap((part) => textOf(json, part) ?? []);
  return [textOrEmpty(resource, 'displayName'), textOrEmpty(json, 'formatted'), parts.join(' ')];
};

/**
 * Refuses an account of which graph and application say different things. If directories know who has
 * it, the application must say so too: what else the graph says of them, who pushes the account chose.
 * If they do not, reviewers saw its name, so that must be its name there.
 */
const checkAgreement = (found: Account, membership: Membership): void => {
  const { account, accountName, email, identities, known } = membership;
  const shown = shownOf({ account: found, group: { id: '', name: '' } as Group });
  const ids = [shown.userName, shown.email, shown.externalId].filter((each) => each !== '');
  const isOneOf = (all: readonly string[], some: readonly string[]): boolean => {
    const folded = new Set(all.map(fold));
    return some.some((each) => folded.has(fold(each)));
  };
  const texts = [...identities, ...(email === null ? [] : [email])];
  const isWho =
    known !== null
      ? isOneOf(known, ids)
      : isOneOf([...ids, ...namesOf(found), found.id], [accountName]) &&
        (texts.length > 0 ? isOneOf(texts, ids) : isOneOf(account, [shown.userName]));
  const isOtherEmail = email !== null && shown.email !== '' && fold(email) !== fold(shown.email);
  if (!isWho || isOtherEmail) throw otherwise('account');
};

/** Reads what has an id; null if there is nothing, or the application takes the text for no id. */
const byId = async <A>(read: () => Promise<A | null>): Promise<A | null> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ScimFault && (error.code === 'REFUSED' || error.code === 'BAD_ID')) {
      return null;
    }
    throw error;
  }
};

const accountOf = async (application: Application, membership: Membership): Promise<Account> => {
  for (const name of membership.account) {
    const found =
      (await byId(() => readAccount(application, name))) ??
      (await findAccount(application, { externalId: null, userName: name }));
    if (found === null) continue;
    checkAgreement(found, membership);
    return found;
  }
  const named = membership.account.map((name) => JSON.stringify(name)).join(', ');
  throw new ScimFault('NO_ACCOUNT', `There is no account with one of the ids or names ${named}.`);
};

const groupOf = async (
  application: Application,
  { group, groupName }: Membership,
): Promise<Group> => {
  const isNamed = ({ name }: Group): boolean => fold(name) === fold(groupName);
  const known = group === null ? null : await byId(() => readGroup(application, group));
  if (known !== null) {
    // Another group may have the name of the one that somebody reviewed.
    if (!isNamed(known)) throw otherwise('group');
    return known;
  }
  const found = await findGroup(application, groupName);
  if (!isNamed(found)) throw otherwise('group');
  return found;
};

/**
 * Finds the account and the group of the graph in the application. What the application says of the
 * account must agree with what the graph says. Rejects with `ScimFault`.
 */
export const findIn = async (application: Application, membership: Membership): Promise<Found> => ({
  account: await accountOf(application, membership),
  group: await groupOf(application, membership),
});

/** Reads the account and the group with these ids. Rejects with `ScimFault`. */
export const readIn = async (
  application: Application,
  { account, group }: { readonly account: string; readonly group: string },
): Promise<Found> => {
  const found = await readGroup(application, group);
  if (found === null) {
    throw new ScimFault('NO_GROUP', `There is no group with the id ${JSON.stringify(group)}.`);
  }
  return { account: await needAccount(application, { account }), group: found };
};

/** The id of the policy that has put an account into a group, and would do so again; null: none. */
export const keeperOf = (
  managed: Iterable<ManagedAccount>,
  { account: { id }, group }: Found,
): string | null => {
  const names = [fold(group.id), fold(group.name)];
  for (const each of managed) {
    if (each.policy === '' || ![each.account, ...each.former].includes(id)) continue;
    if (!exists(each) && !mayExist(each)) continue;
    if ([...each.groups, ...each.unsureGroups].some((name) => names.includes(fold(name)))) {
      return each.policy;
    }
  }
  return null;
};
