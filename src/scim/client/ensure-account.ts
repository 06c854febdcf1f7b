import { creationOf } from './account-body';
import {
  type Account,
  type AccountResult,
  change,
  checkOwner,
  confirm,
  DECISIVE,
  findAccount,
  type IsIgnored,
  isKnown,
  noAccount,
  notShown,
  readAccount,
  result,
  type Who,
} from './accounts';
import type { Application } from './application';
import { type Attributes, differing } from './attribute';
import { type Answered, isNotOffered } from './requests/exchange';
import { usableId } from './resource-path';
import { ScimFault } from './scim-fault';

/** The id of what was made: from the body, or else from the header `location`. */
const idOfMade = ({ body, location }: Answered): string | null => {
  const id = body === null ? null : usableId(body);
  if (id !== null || location === null) return id;
  const [, segment] = /\/Users\/([^/?#]+)\/?$/.exec(location) ?? [];
  try {
    return segment === undefined ? null : usableId({ id: decodeURIComponent(segment) });
  } catch {
    return null;
  }
};

const isUniqueness = (error: unknown): boolean =>
  error instanceof ScimFault && error.code === 'REFUSED' && error.details.status === 409;

/** Whether a request certainly had no effect. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ScimFault && (error.code === 'REFUSED' || isNotOffered(error));

/** The state that an account must reach. */
export interface WantedAccount {
  readonly who: Who;
  readonly attributes: Attributes;
  /** Whether the account is created if there is none. */
  readonly mayCreate: boolean;
  /** Whether the account belongs to the person even if it names somebody else. */
  readonly adopt: boolean;
  /** Ids that the application gave the account of the person, the newest first. */
  readonly known?: readonly string[];
  /** Whether the application said that it made the account, and nobody has seen it since. */
  readonly isUnseen?: boolean;
  /**
   * Whether earlier attempts did not finish. Then the service treats attributes that do not show
   * after a change as ones that the application does not store, as after a creation.
   */
  readonly isUnfinished?: boolean;
  /**
   * False: the service does not adopt an account that exists already, unless it is the known one.
   */
  readonly mayTake?: boolean;
  /**
   * Whether an account is known to belong to somebody else. The service does not adopt such an
   * account, whatever its name.
   */
  readonly isOthers?: (account: string) => boolean;
  /**
   * What the application did not store before. The service does not send a request only to set it
   * again.
   */
  readonly isIgnored?: IsIgnored;
  /** Called before a request that creates an account; it stops that if it throws. */
  readonly beforeCreation?: () => Promise<void>;
  /** Called with the id of a created account before it is looked for; null: none was created. */
  readonly afterCreation?: (id: string | null) => Promise<void>;
}

/** The work on one account, from the first look to the last. */
class Ensuring {
  /** Ids of the person's account, the newest first. */
  private mine: readonly string[];
  private isUnseen: boolean;
  private hasPosted = false;
  private readonly isIgnored: IsIgnored;

  constructor(
    private readonly application: Application,
    private readonly wanted: WantedAccount,
  ) {
    this.mine = wanted.known ?? [];
    this.isUnseen = wanted.isUnseen === true;
    this.isIgnored = (path, value) =>
      !DECISIVE.has(path.toLowerCase()) &&
      (wanted.isIgnored?.(path, value) === true ||
        (value === null && wanted.isUnfinished === true));
  }

  private async find(): Promise<Account | null> {
    for (const id of this.mine) {
      const account = await readAccount(this.application, id);
      if (account !== null) return account;
    }
    const found = await findAccount(this.application, this.wanted.who);
    const [newest] = this.mine;
    if (found === null && this.isUnseen && newest !== undefined) throw notShown(newest);
    return found;
  }

  private async settle(account: Account): Promise<AccountResult> {
    const { who, attributes, adopt, mayTake = true } = this.wanted;
    const isOurs = this.mine.includes(account.id);
    if (!isOurs && this.wanted.isOthers?.(account.id) === true) {
      throw new ScimFault('TAKEN', `Account ${account.id} is managed for somebody else.`);
    }
    if (!isOurs && !mayTake && !this.hasPosted) {
      const message = `Account ${account.id} exists already, and the policy adopts none.`;
      throw new ScimFault('TAKEN', message);
    }
    checkOwner(account, who, adopt || isOurs);
    const outcome = this.hasPosted ? 'created' : isOurs || isKnown(account, who) ? null : 'adopted';
    const due = differing(attributes, account.resource);
    if ([...due].every(([path, value]) => this.isIgnored(path, value))) {
      const { isDryRun } = this.application.exchange;
      return result(outcome ?? 'unchanged', account.id, !isDryRun, [...due.keys()]);
    }
    const changed = await change(this.application, account, due, this.isIgnored);
    return outcome === null ? changed : { ...changed, outcome };
  }

  private async create(): Promise<AccountResult> {
    const { who, attributes, beforeCreation, afterCreation } = this.wanted;
    await beforeCreation?.();
    let written: Answered | null;
    try {
      written = await this.application.exchange.write('POST', '/Users', creationOf(attributes));
    } catch (error) {
      if (!isRefusal(error)) this.hasPosted = true;
      // A refusal says nothing about an earlier request whose answer was lost.
      else if (!this.hasPosted) await afterCreation?.(null);
      throw error;
    }
    if (written === null) return result('created', null, false);
    this.hasPosted = true;
    const given = idOfMade(written);
    if (given !== null) await this.remember(given);
    const made = given ?? (await findAccount(this.application, who))?.id;
    if (made === undefined) throw notShown(null);
    if (given === null) await this.remember(made);
    const ignored = await confirm(
      this.application,
      made,
      attributes,
      'The creation',
      this.isIgnored,
    );
    return result('created', made, true, ignored);
  }

  private async remember(id: string): Promise<void> {
    this.mine = [id, ...this.mine.filter((each) => each !== id)];
    this.isUnseen = true;
    await this.wanted.afterCreation?.(id);
  }

  async work(): Promise<AccountResult> {
    const { who, mayCreate } = this.wanted;
    const account = await this.find();
    if (account !== null) return this.settle(account);
    if (!mayCreate) throw noAccount(who);
    try {
      return await this.create();
    } catch (error) {
      if (!isUniqueness(error)) throw error;
      // Somebody made it in the meantime, or the application finds it by another attribute.
      const taken = await findAccount(this.application, who);
      if (taken !== null) return this.settle(taken);
      const message = `${error instanceof Error ? error.message : ''}. `;
      const [newest = null] = this.mine;
      if (newest !== null || this.isUnseen || this.hasPosted) throw notShown(newest, message);
      const why = "No account that the service finds is the person's.";
      throw new ScimFault('TAKEN', `${message}${why}`);
    }
  }
}

/**
 * Brings an account to the wanted state. Each attempt first looks at the present state, so a
 * request whose answer was lost is not sent twice.
 */
export const ensureAccount = (
  application: Application,
  wanted: WantedAccount,
): Promise<AccountResult> => {
  const ensuring = new Ensuring(application, wanted);
  return application.exchange.persist(() => ensuring.work());
};
