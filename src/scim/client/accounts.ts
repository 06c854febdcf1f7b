import { changeOf, replacementOf } from './account-body';
import type { Application } from './application';
import { type Attributes, type AttributeValue, differing, isSame, valueAt } from './attribute';
import { isMissing, isNotOffered, refusesFilter } from './requests/exchange';
import { type Json, textOf } from './json';
import { listResources, quoted } from './paging';
import { readResource } from './read-resource';
import { idOf, resourcePath } from './resource-path';
import { ScimFault } from './scim-fault';

/** What an application knows a person by. */
export interface Who {
  readonly externalId: string | null;
  readonly userName: string | null;
}

/** An account in its present state. */
export interface Account {
  readonly id: string;
  readonly resource: Json;
  readonly etag: string | null;
}

/** What happened to an account. */
export interface AccountResult {
  readonly outcome:
    'created' | 'adopted' | 'updated' | 'unchanged' | 'disabled' | 'deleted' | 'absent';
  /** Null if there is no account, or if a dry run would create it. */
  readonly account: string | null;
  /** Whether the service saw the change afterwards; false in a dry run. */
  readonly confirmed: boolean;
  /** Attributes that the application did not store as they were sent. */
  readonly ignored: readonly string[];
}

/** How often the service looks for a change, because some applications show it late. */
const LOOKS = 4;

const pathOf = (id: string): string => resourcePath('/Users', id);

/**
 * Reads an account; null if there is none. Only the application itself can say that there is none.
 */
export const readAccount = async (
  application: Pick<Application, 'exchange' | 'can'>,
  id: string,
): Promise<Account | null> => {
  const found = await readResource(application, '/Users', id);
  if (found === null) return null;
  return { id, ...found };
};

const external = (resource: Json): string | null => textOf(resource, 'externalId');

const hasName = (resource: Json, name: string | null): boolean =>
  name !== null && isSame('userName', textOf(resource, 'userName') ?? '', name);

/** Ids of the users in a list that fit. */
const fitting = async (
  { exchange, can }: Application,
  filter: string | undefined,
  fits: (resource: Json) => boolean,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  const listing = { endpoint: '/Users', ...(filter === undefined ? {} : { filter, fits }) };
  for await (const resource of listResources(exchange, can, listing)) {
    if (fits(resource)) ids.push(idOf(resource));
  }
  return ids;
};

/** Like `fitting`, but by filter. If the application refuses the filter, all users are read. */
const filtered = async (
  application: Application,
  attribute: string,
  value: string,
  fits: (resource: Json) => boolean,
): Promise<readonly string[]> => {
  try {
    return await fitting(application, `${attribute} eq ${quoted(value)}`, fits);
  } catch (error) {
    // Some servers answer 404 if nothing fits.
    if (isMissing(error)) return [];
    if (!refusesFilter(error)) throw error;
    return fitting(application, undefined, fits);
  }
};

const single = async (
  application: Application,
  ids: readonly string[],
  by: string,
): Promise<Account | null> => {
  const [id, other] = ids;
  if (id === undefined) return null;
  if (other !== undefined) {
    throw new ScimFault('AMBIGUOUS', `Accounts ${id} and ${other} have the same ${by}.`);
  }
  // Lists may leave attributes out, so the account itself is read.
  return readAccount(application, id);
};

/**
 * Reads all accounts once, to find the one that has the `externalId`, or else the one with the
 * name.
 */
const findByReading = async (
  application: Application,
  { externalId, userName }: Who,
): Promise<Account | null> => {
  const { exchange, can } = application;
  const known: string[] = [];
  const named: string[] = [];
  for await (const resource of listResources(exchange, can, { endpoint: '/Users' })) {
    const isKnown = externalId !== null && external(resource) === externalId;
    if (isKnown) known.push(idOf(resource));
    else if (hasName(resource, userName)) named.push(idOf(resource));
  }
  return (await single(application, known, 'externalId')) ?? single(application, named, 'userName');
};

/** Finds the account of a person: by `externalId`, or else by `userName`. */
export const findAccount = async (application: Application, who: Who): Promise<Account | null> => {
  if (!application.can.filter) return findByReading(application, who);
  const { externalId, userName } = who;
  if (externalId !== null) {
    const ids = await filtered(
      application,
      'externalId',
      externalId,
      (resource) => external(resource) === externalId,
    );
    const found = await single(application, ids, 'externalId');
    if (found !== null) return found;
  }
  if (userName === null) return null;
  const ids = await filtered(application, 'userName', userName, (resource) =>
    hasName(resource, userName),
  );
  return single(application, ids, 'userName');
};

/**
 * Checks that an account belongs to the person: it has their `externalId`, or none and their
 * `userName`. With `adopt`, somebody says that it belongs to the person anyway.
 */
export const checkOwner = (
  { resource, id }: Account,
  { externalId, userName }: Who,
  adopt: boolean,
): void => {
  const other = external(resource);
  if (adopt || other === null || externalId === null || other === externalId) return;
  throw new ScimFault(
    'TAKEN',
    `Account ${id} has the userName ${JSON.stringify(userName)}, but belongs to ` +
      `${JSON.stringify(other)} (externalId). Adopt it if it is the person's.`,
  );
};

/** Whether earlier runs have found that the account belongs to the person. */
export const isKnown = ({ resource }: Account, { externalId }: Who): boolean =>
  externalId === null || external(resource) === externalId;

/** Makes the result of an action on an account. */
export const result = (
  outcome: AccountResult['outcome'],
  account: string | null,
  confirmed: boolean,
  ignored: readonly string[] = [],
): AccountResult => ({ outcome, account, confirmed, ignored });

const noEffect = (what: string, attributes: readonly string[] = []): ScimFault =>
  new ScimFault(
    'NO_EFFECT',
    attributes.length === 0
      ? `${what} was answered with success, but nothing changed.`
      : `${what} was answered with success, but did not change ${attributes.join(', ')}. ` +
          'If the application never stores that, leave it out of the attributes of the connection.',
  );

/**
 * Attributes that decide: if the application does not store one of these, the change has failed.
 */
export const DECISIVE: ReadonlySet<string> = new Set(['active', 'username']);

/** The application has made an account that it does not show yet. */
export const notShown = (id: string | null, why = ''): ScimFault =>
  new ScimFault(
    'NOT_SHOWN',
    id === null
      ? `${why}The application may have made the account, and does not show it yet.`
      : `${why}The application gave the account the id ${JSON.stringify(id)}, and does not show it yet.`,
  );

/**
 * Whether an attribute with this value is one that the application did not store before; null: with
 * any value.
 */
export type IsIgnored = (path: string, value: AttributeValue | null) => boolean;

/**
 * Reads an account until it shows the changes. Fails if it shows none of them, or not all decisive
 * ones. Returns those that it does not show.
 */
export const confirm = async (
  application: Application,
  id: string,
  changes: Attributes,
  what: string,
  isIgnored: IsIgnored = () => false,
): Promise<readonly string[]> => {
  let missing: readonly string[] = [...changes.keys()];
  let isShown = false;
  for (let look = 1; look <= LOOKS; look += 1) {
    if (look > 1) await application.exchange.wait(look - 1);
    const account = await readAccount(application, id);
    if (account === null) continue;
    isShown = true;
    missing = [...differing(changes, account.resource).keys()];
    if (missing.length === 0) return [];
  }
  if (!isShown) throw notShown(id);
  const isDecisive = missing.some((path) => DECISIVE.has(path.toLowerCase()));
  const isExpected = missing.every((path) => isIgnored(path, null));
  if (isDecisive || (missing.length === changes.size && !isExpected)) throw noEffect(what, missing);
  return missing;
};

/** Changes an account by PATCH if the application accepts it, or else by PUT. */
export const change = async (
  application: Application,
  { id, resource, etag }: Account,
  changes: Attributes,
  isIgnored?: IsIgnored,
): Promise<AccountResult> => {
  const { exchange, can } = application;
  const path = pathOf(id);
  const tag = can.etag ? etag : null;
  const replace = () => exchange.write('PUT', path, replacementOf(resource, changes), tag);
  const patch = async () => {
    try {
      return await exchange.write(
        'PATCH',
        path,
        changeOf(resource, changes, exchange.profile),
        tag,
      );
    } catch (error) {
      if (!isNotOffered(error)) throw error;
      return replace();
    }
  };
  const written = await (can.patch ? patch() : replace());
  if (written === null) return result('updated', id, false);
  const what = `The change of account ${id}`;
  const ignored = await confirm(application, id, changes, what, isIgnored);
  return result('updated', id, true, ignored);
};

/** There is no account of the person. */
export const noAccount = ({ userName, externalId }: Who): ScimFault =>
  new ScimFault(
    'NO_ACCOUNT',
    `There is no account with the externalId ${JSON.stringify(externalId)} or the userName ` +
      `${JSON.stringify(userName)}.`,
  );

/**
 * The account of a person, or the account that somebody names by its id. `known` are ids that the
 * application gave the person's account, the newest first.
 */
export type Which =
  | {
      readonly who: Who;
      readonly adopt: boolean;
      readonly known?: readonly string[];
      /**
       * Whether an account is known to belong to somebody else. Such an account does not count as
       * found.
       */
      readonly isOthers?: (account: string) => boolean;
    }
  | { readonly account: string };

const locate = async (application: Application, which: Which): Promise<Account | null> => {
  if ('account' in which) return readAccount(application, which.account);
  for (const id of which.known ?? []) {
    const account = await readAccount(application, id);
    if (account !== null) return account;
  }
  const found = await findAccount(application, which.who);
  if (found === null || which.isOthers?.(found.id) === true) return null;
  checkOwner(found, which.who, which.adopt);
  return found;
};

/** Finds an account for a membership. Fails if there is none. */
export const needAccount = async (application: Application, which: Which): Promise<Account> => {
  const found = await locate(application, which);
  if (found !== null) return found;
  if ('who' in which) throw noAccount(which.who);
  throw new ScimFault('NO_ACCOUNT', `There is no account with the id ${which.account}.`);
};

const isActive = ({ resource }: Account): boolean =>
  !isSame('active', valueAt(resource, 'active'), false);

const INACTIVE: Attributes = new Map([['active', false]]);

/** Disables an account. */
export const disableAccount = (application: Application, which: Which): Promise<AccountResult> =>
  application.exchange.persist(async () => {
    const account = await locate(application, which);
    if (account === null) return result('absent', null, !application.exchange.isDryRun);
    if (!isActive(account)) {
      return result('unchanged', account.id, !application.exchange.isDryRun);
    }
    return { ...(await change(application, account, INACTIVE)), outcome: 'disabled' };
  });

/** Deletes an account. If the application only disables it, the service has done what it can. */
export const deleteAccount = (application: Application, which: Which): Promise<AccountResult> => {
  let deleted: string | null = null;
  return application.exchange.persist(async () => {
    const { exchange } = application;
    const account = await locate(application, which);
    if (account === null) {
      return result(deleted === null ? 'absent' : 'deleted', deleted, !exchange.isDryRun);
    }
    deleted = account.id;
    const wasActive = isActive(account);
    let written;
    try {
      written = await exchange.write('DELETE', pathOf(account.id));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    if (written === null) return result('deleted', account.id, false);
    for (let look = 1; look <= LOOKS; look += 1) {
      if (look > 1) await exchange.wait(look - 1);
      const left = await readAccount(application, account.id);
      if (left === null) return result('deleted', account.id, true);
      if (wasActive && !isActive(left) && look === LOOKS) {
        return result('disabled', account.id, true);
      }
    }
    throw noEffect(`The deletion of account ${account.id}`);
  });
};
