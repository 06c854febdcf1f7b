import type { Trust } from '../../templates/graph/trusts';

/**
 * The properties of the node of a provider that hold its trusts. Neo4j stores no empty property.
 */
export interface StoredTrust {
  readonly name: string;
  readonly trusted_domains: readonly string[] | null;
  readonly trusted_only: boolean | null;
  readonly trusted_providers: readonly string[] | null;
}

/** Reads what the node of a provider says of its trusts. */
export const trustOf = ({
  name,
  trusted_domains,
  trusted_only,
  trusted_providers,
}: StoredTrust): Trust => ({
  provider: name,
  emailDomains: trusted_domains ?? [],
  isOnlyThese: trusted_only ?? false,
  identityProviders: trusted_providers,
});

/** The properties in which the node of a provider holds its trusts; `null` removes them. */
export const storedTrust = (trust: Trust | null): Readonly<Record<string, unknown>> => ({
  has_trusts: trust === null ? null : true,
  trusted_domains: trust?.emailDomains ?? null,
  trusted_only: trust?.isOnlyThese ?? null,
  trusted_providers: trust?.identityProviders ?? null,
});
