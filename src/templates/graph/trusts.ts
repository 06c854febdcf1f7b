import { fold } from '../../model/fold';

/** What an administrator says that a provider may say about others (docs/rules.md: Trusts). */
export interface Trust {
  /** The provider's name. */
  readonly provider: string;
  /**
   * Domains of email addresses that it may claim. Other providers may claim them only if they list
   * them too.
   */
  readonly emailDomains: readonly string[];
  /** Whether it may claim addresses of these domains only. */
  readonly isOnlyThese: boolean;
  /** Names of the providers that it means when it names users and groups; `null`: all. */
  readonly identityProviders: readonly string[] | null;
}

/** The providers at the other end of a relationship that may be bound. */
export interface Bindable {
  /** Only these providers; `null`: all. */
  readonly allowed: readonly string[] | null;
  /** All but these providers. */
  readonly denied: readonly string[];
}

/**
 * Characters that no domain contains. The domain ends before the first one, because mail systems
 * write more after it.
 */
const NO_DOMAIN = /[\s/>;,:?#)"']/u;

/** A domain in the spelling of the domain name system; empty if the text cannot be a domain. */
const asciiDomain = (text: string): string =>
  URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : '';

/**
 * A domain in one spelling: without differences of case and Unicode form, and without a dot at its
 * end.
 */
export const plainDomain = (domain: string): string => {
  const trimmed = domain.trim();
  const end = trimmed.search(NO_DOMAIN);
  const bare = end < 0 ? trimmed : trimmed.slice(0, end);
  return (asciiDomain(bare) || fold(bare)).replace(/\.$/, '');
};

/** Whether a text is a domain as an administrator writes it. */
export const isDomain = (text: string): boolean =>
  text.length <= 253 &&
  !/[\s/@\\%]/u.test(text) &&
  !NO_DOMAIN.test(text) &&
  asciiDomain(text) !== '';

/** The domain of an email address; `null` if the text is no email address. */
const domainOf = (text: string): string | null => {
  const at = text.lastIndexOf('@');
  return at < 0 ? null : plainDomain(text.slice(at + 1));
};

/** What all providers may claim, and whom they may mean (docs/rules.md: Trusts). */
export class Trusts {
  /** The providers that may claim addresses of each domain. */
  private readonly claimants: ReadonlyMap<string, readonly string[]>;
  /** The providers that may claim addresses of their own domains only. */
  private readonly narrow: readonly string[];
  private readonly meant: ReadonlyMap<string, readonly string[]>;

  constructor(trusts: readonly Trust[]) {
    const claimants = new Map<string, string[]>();
    for (const { provider, emailDomains } of trusts) {
      for (const domain of emailDomains) {
        claimants.set(domain, [...(claimants.get(domain) ?? []), provider]);
      }
    }
    this.claimants = claimants;
    this.narrow = trusts.filter(({ isOnlyThese }) => isOnlyThese).map(({ provider }) => provider);
    this.meant = new Map(
      trusts.flatMap(({ provider, identityProviders }) =>
        identityProviders === null ? [] : [[provider, [...identityProviders, provider]]],
      ),
    );
  }

  /** Whether nobody has set a trust. */
  get areNone(): boolean {
    return this.claimants.size === 0 && this.narrow.length === 0 && this.meant.size === 0;
  }

  /**
   * For each provider that an administrator has narrowed, by its name: the identity providers that
   * it may mean.
   */
  get identityProviders(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.meant);
  }

  /** Whether users, groups or employees of a provider may be known by a text. */
  mayClaim(provider: string, text: string): boolean {
    const { allowed, denied } = this.claimantsOf(text);
    return (allowed === null || allowed.includes(provider)) && !denied.includes(provider);
  }

  /** Whose users and groups a provider may mean by a text. */
  answerersOf(provider: string, text: string): Bindable {
    if (!this.mayClaim(provider, text)) return { allowed: [], denied: [] };
    const { allowed, denied } = this.claimantsOf(text);
    const meant = this.meant.get(provider);
    if (meant === undefined) return { allowed, denied };
    return {
      allowed: meant.filter((one) => allowed === null || allowed.includes(one)),
      denied,
    };
  }

  /** The providers that may mean a user or group of this provider by a text. */
  askersOf(provider: string, text: string): Bindable {
    const { allowed, denied } = this.claimantsOf(text);
    return { allowed, denied: [...denied, ...this.notMeaning(provider)] };
  }

  private notMeaning(provider: string): readonly string[] {
    return [...this.meant].filter(([, meant]) => !meant.includes(provider)).map(([one]) => one);
  }

  /**
   * The providers whose entities may be known by a text. A domain includes its subdomains that
   * nobody lists.
   */
  claimantsOf(text: string): Bindable {
    const domain = domainOf(text);
    for (let of = domain; of !== null; of = parentOf(of)) {
      const allowed = this.claimants.get(of);
      if (allowed !== undefined) return { allowed, denied: [] };
    }
    return { allowed: null, denied: this.narrow };
  }
}

const parentOf = (domain: string): string | null => {
  const dot = domain.indexOf('.');
  return dot < 0 ? null : domain.slice(dot + 1);
};

export const NO_TRUSTS = new Trusts([]);
