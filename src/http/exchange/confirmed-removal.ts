import type { Request } from 'express';

/** The header with which a client confirms that much may be removed (docs/connectors.md: Removal guard). */
export const CONFIRM_REMOVAL = 'Grantgraph-Confirm-Removal';

/** What a client confirms with it. */
export const confirmedRemoval = (req: Request): string | null => req.get(CONFIRM_REMOVAL) ?? null;
