/** What a reader wrote in a field, without the spaces around it; empty if nothing. */
export const trimmed = (text: string | null | undefined): string => (text ?? '').trim();
