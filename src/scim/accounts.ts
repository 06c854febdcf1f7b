import { changeOf, creationOf, replacementOf } from './account-body';
import type { Application } from './application';
import { type Attributes, differing, isSame, valueAt } from './attribute';
import { isMissing } from './exchange';
import { fieldOf, idIn, isJsonObject, type Json, textOf } from './json';
import { idOf, listResources, quoted } from './paging';
import { ScimFault } from './scim-fault';

/** By what an application knows a person. */
export interface Who {
  readonly externalId: string | null;
  readonly userName: string | null;
}

/** An account as it stands. */
export interface Account {
  readonly id: string;
  readonly resource: Json;
  readonly etag: string | null;
}

/** What became of an account. */
export interface AccountResult {
  readonly outcome:
    'created' | 'adopted' | 'updated' | 'unchanged' | 'disabled' | 'deleted' | 'absent';
  /** Null if there is no account, or if a dry run would create it. */
  readonly account: string | null;
  /** Whether the service saw the change afterwards; false in a dry run. */
  readonly confirmed: boolean;
  /** Attributes that the application did not keep as they were sent. */
  readonly ignored: readonly string[];
}

/** How often a change is looked for: some applications show it late. */
const LOOKS = 4;

const pathOf = (id: string): string => `/Users/${encodeURIComponent(id)}`;

/** Reads an account; null if there is none. */
export const readAccount = async (
  { exchange }: Pick<Application, 'exchange'>,
  id: string,
): Promise<Account | null> => {
  try {
    const { body, etag } = await exchange.read(pathOf(id));
    const meta = fieldOf(body, 'meta');
    const version = isJsonObject(meta) ? textOf(meta, 'version') : null;
    return { id: idOf(body), resource: body, etag: etag ?? version };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const external = (resource: Json): string | null => textOf(resource, 'externalId');

const hasName = (resource: Json, name: string | null): boolean =>
  name !== null && isSame('userName', textOf(resource, 'userName') ?? '', name);

/** Ids of the users of a list that fit. */
const fitting = async (
  { exchange, can }: Application,
  filter: string | undefined,
  fits: (resource: Json) => boolean,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  const listing = { endpoint: '/Users', ...(filter === undefined ? {} : { filter }) };
  for await (const resource of listResources(exchange, can, listing)) {
    if (fits(resource)) ids.push(idOf(resource));
  }
  return ids;
};

const refusesFilter = (error: unknown): boolean =>
  error instanceof ScimFault &&
  (error.code === 'NOT_OFFERED' || (error.code === 'REFUSED' && error.details.status === 400));

/** As `fitting`, by filter. An application that refuses the filter is read whole. */
const filtered = async (
  application: Application,
  attribute: string,
  value: string,
  fits: (resource: Json) => boolean,
): Promise<readonly string[]> => {
  try {
    return await fitting(application, `${attribute} eq ${quoted(value)}`, fits);
  } catch (error) {
    // Servers exist that answer 404 where nothing fits.
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
  // Lists may leave attributes out, so the account is read whole.
  return readAccount(application, id);
};

/** Reads all accounts once, for the one that has the `externalId`, else the one with the name. */
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

/** Finds the account of a person: by `externalId`, else by `userName`. */
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
 * Whether an account is that of the person: it has their `externalId`, or none and their `userName`.
 * Somebody may say that it is theirs all the same (`adopt`).
 */
const checkOwner = (
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

/** Whether the account has shown itself as the person's before. */
const isKnown = ({ resource }: Account, { externalId }: Who): boolean =>
  externalId === null || external(resource) === externalId;

const result = (
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
          'If the application never keeps that, leave it out of the attributes of the connection.',
  );

/** Attributes without which a change would be another one. */
const DECISIVE: ReadonlySet<string> = new Set(['active', 'username']);

/**
 * Reads an account until it shows the changes. Fails if none of them shows, or if a decisive one
 * does not.
 */
const confirm = async (
  application: Application,
  id: string,
  changes: Attributes,
  what: string,
): Promise<readonly string[]> => {
  let missing: readonly string[] = [...changes.keys()];
  for (let look = 1; look <= LOOKS; look += 1) {
    if (look > 1) await application.exchange.wait(look - 1);
    const account = await readAccount(application, id);
    if (account === null) continue;
    missing = [...differing(changes, account.resource).keys()];
    if (missing.length === 0) return [];
  }
  if (missing.length === changes.size || missing.some((path) => DECISIVE.has(path.toLowerCase()))) {
    throw noEffect(what, missing);
  }
  return missing;
};

/** Changes an account by PATCH where the application takes it, else by PUT. */
const change = async (
  application: Application,
  { id, resource, etag }: Account,
  changes: Attributes,
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
      if (!(error instanceof ScimFault) || error.code !== 'NOT_OFFERED') throw error;
      return replace();
    }
  };
  const written = await (can.patch ? patch() : replace());
  if (written === null) return result('updated', id, false);
  const ignored = await confirm(application, id, changes, `The change of account ${id}`);
  return result('updated', id, true, ignored);
};

const create = async (
  application: Application,
  who: Who,
  attributes: Attributes,
): Promise<AccountResult> => {
  const written = await application.exchange.write('POST', '/Users', creationOf(attributes));
  if (written === null) return result('created', null, false);
  const id = written.body === null ? null : idIn(written.body, 'id');
  const made = id ?? (await findAccount(application, who))?.id;
  if (made === undefined) throw noEffect('The creation');
  const ignored = await confirm(application, made, attributes, 'The creation');
  return result('created', made, true, ignored);
};

const isUniqueness = (error: unknown): boolean =>
  error instanceof ScimFault && error.code === 'REFUSED' && error.details.status === 409;

/** What an account shall be. */
export interface WantedAccount {
  readonly who: Who;
  readonly attributes: Attributes;
  /** Whether the account is created if there is none. */
  readonly mayCreate: boolean;
  /** Whether an account that names somebody else is the person's all the same. */
  readonly adopt: boolean;
  /** The id of the account that is known to be the person's. */
  readonly known?: string | null;
  /** False: an account that stands already is not taken, unless it is the known one. */
  readonly mayTake?: boolean;
  /** Whether an account is known to be somebody else's. It is not taken, whatever it is called. */
  readonly isOthers?: (account: string) => boolean;
  /** Called before a request that creates an account; it stops that if it throws. */
  readonly beforeCreation?: () => Promise<void>;
}

const noAccount = ({ userName, externalId }: Who): ScimFault =>
  new ScimFault(
    'NO_ACCOUNT',
    `There is no account with the externalId ${JSON.stringify(externalId)} or the userName ` +
      `${JSON.stringify(userName)}.`,
  );

/**
 * Brings an account to what it shall be. Each attempt first looks at what stands, so a request whose
 * answer was lost is not made twice.
 */
export const ensureAccount = async (
  application: Application,
  wantedAccount: WantedAccount,
): Promise<AccountResult> => {
  const { who, attributes, mayCreate, adopt, known = null, mayTake = true } = wantedAccount;
  let hasPosted = false;
  const settle = async (account: Account): Promise<AccountResult> => {
    const isOurs = account.id === known;
    if (!isOurs && wantedAccount.isOthers?.(account.id) === true) {
      throw new ScimFault('TAKEN', `Account ${account.id} is kept for somebody else.`);
    }
    if (!isOurs && !mayTake && !hasPosted) {
      const message = `Account ${account.id} stands already, and the policy adopts none.`;
      throw new ScimFault('TAKEN', message);
    }
    checkOwner(account, who, adopt || isOurs);
    const wanted = differing(attributes, account.resource);
    const outcome = hasPosted ? 'created' : isOurs || isKnown(account, who) ? null : 'adopted';
    if (wanted.size === 0) {
      return result(outcome ?? 'unchanged', account.id, !application.exchange.isDryRun);
    }
    const changed = await change(application, account, wanted);
    return outcome === null ? changed : { ...changed, outcome };
  };
  const find = async (): Promise<Account | null> =>
    (known === null ? null : await readAccount(application, known)) ??
    findAccount(application, who);
  return application.exchange.persist(async () => {
    const account = await find();
    if (account !== null) return settle(account);
    if (!mayCreate) throw noAccount(who);
    await wantedAccount.beforeCreation?.();
    try {
      return await create(application, who, attributes);
    } catch (error) {
      if (isUniqueness(error)) {
        // Somebody made it meanwhile, or the application finds it by something else.
        const taken = await findAccount(application, who);
        if (taken !== null) return settle(taken);
        const message = error instanceof Error ? error.message : '';
        throw new ScimFault(
          'TAKEN',
          `${message}. No account that the service finds is the person's.`,
        );
      }
      hasPosted = true;
      throw error;
    }
  });
};

/** The account of a person, or the account that somebody names by its id. */
export type Which =
  | {
      readonly who: Who;
      readonly adopt: boolean;
      /** Whether an account is known to be somebody else's. It does not count as found. */
      readonly isOthers?: (account: string) => boolean;
    }
  | { readonly account: string };

const locate = async (application: Application, which: Which): Promise<Account | null> => {
  if ('account' in which) return readAccount(application, which.account);
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

/** Deletes an account. An application that keeps it, disabled, has done what it can. */
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
