const DIGEST = /^[0-9a-f]{64}$/;

/**
 * The confirmation of a large removal by the header of a push or deletion, as events report it
 * (docs/rules.md: Events).
 */
export const confirmationOf = (
  digest: string | null | undefined,
): { readonly confirmed_removal?: string } =>
  typeof digest === 'string' && DIGEST.test(digest) ? { confirmed_removal: digest } : {};
