import type { DataSource } from './rows';
import { inDocumentOrder } from './pointer';
import { distinct, fold } from './text';
import type { ToldWarning } from './warnings';

/** What an administrator says that a provider may say about others (docs/rules.md: Trusts). */
export interface Trust {
  readonly emailDomains: readonly string[];
  readonly onlyThese: boolean;
  /** Names of providers; null: all. */
  readonly identityProviders: readonly string[] | null;
}

/** The trusts of all providers that have some, by name. */
export type Trusts = ReadonlyMap<string, Trust>;

/** Whether people of a provider may be known by a text (docs/rules.md: Trusts). */
export function mayClaim(trusts: Trusts, provider: string, text: string): boolean {
  const all = [...trusts];
  // The longest listed domain that the address is in.
  const [domain] = all
    .flatMap(([, { emailDomains }]) => emailDomains)
    .filter((one) => isIn(fold(text), one))
    .toSorted((a, b) => b.length - a.length);
  if (domain === undefined) return trusts.get(provider)?.onlyThese !== true;
  return trusts.get(provider)?.emailDomains.includes(domain) === true;
}

/** Whether an administrator has entrusted a provider with the domain of an address (docs/rules.md: Trusts). */
export function isEntrustedBy(trusts: Trusts, provider: string, text: string): boolean {
  const isListed = [...trusts.values()].some(({ emailDomains }) =>
    emailDomains.some((domain) => isIn(fold(text), domain)),
  );
  return isListed && mayClaim(trusts, provider, text);
}

function isIn(address: string, domain: string): boolean {
  const [, ...rest] = address.split('@');
  const last = rest.at(-1);
  return last !== undefined && (last === domain || last.endsWith(`.${domain}`));
}

/** Whether a provider means users and groups of another one (docs/rules.md: Trusts). */
export function means(trusts: Trusts, provider: string, other: string): boolean {
  const meant = trusts.get(provider)?.identityProviders ?? null;
  return meant === null || provider === other || meant.includes(other);
}

interface Entry {
  readonly operation?: string | null;
  readonly name?: string | null;
  readonly id?: string | null;
  readonly identity?: string | null;
  readonly email?: string | null;
  readonly idp_id?: string | null;
  readonly source_identity?: { readonly identity?: string } | null;
}

/** What entries of a payload in its known spelling claim in vain (docs/rules.md: Warnings). */
export function untrustedIn(
  trusts: Trusts,
  { template, provider }: DataSource,
  payload: unknown,
  asSent: (pointer: string) => string,
): readonly ToldWarning[] {
  const whole = payload as Readonly<Record<string, unknown>>;
  const isIncrement = whole.incremental_change === true;
  const lists =
    template === 'hris' ? ['employees'] : template === 'application' ? [] : ['users', 'groups'];
  return lists
    .flatMap((list) =>
      ((whole[list] ?? []) as readonly Entry[]).map((entry, index) => ({
        entry,
        list,
        pointer: `/${list}/${index}`,
      })),
    )
    .sort((a, b) => inDocumentOrder(payload, a.pointer, b.pointer))
    .filter(({ entry }) => !isIncrement || ['add', 'modify'].includes(entry.operation ?? ''))
    .flatMap(({ entry, list, pointer }) => {
      const untrusted = distinct(
        claimedBy(entry, list).filter((text) => !mayClaim(trusts, provider, text)),
        fold,
      );
      const word = { users: 'user', groups: 'group', employees: 'employee' }[list] ?? '';
      const name = [entry.name, entry.identity, entry.id].find((one) => one) ?? '';
      const message = `This provider may not claim ${JSON.stringify(untrusted)}, so they join nobody: an administrator decides who may (${word} ${JSON.stringify(name)})`;
      return untrusted.length === 0
        ? []
        : [{ message, code: 'UNTRUSTED_CLAIM', pointer: asSent(pointer) }];
    });
}

function claimedBy(entry: Entry, list: string): readonly string[] {
  const set = (...texts: readonly (string | null | undefined)[]): readonly string[] =>
    texts.filter((one) => typeof one === 'string' && one !== '') as readonly string[];
  const { name, identity, email, source_identity, idp_id, id, operation } = entry;
  if (list === 'employees') {
    return set(idp_id, email, operation === 'modify' ? null : id).slice(0, 1);
  }
  const mail = list === 'users' ? email : null;
  return set(name, mail, identity, source_identity?.identity);
}
