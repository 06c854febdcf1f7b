import type { Request } from 'express';

/** The header with which a client confirms a large removal (docs/connectors.md: Removal guard). */
export const CONFIRM_REMOVAL = 'Grantgraph-Confirm-Removal';

/** The value of that header: what the client confirms. */
export const confirmedRemoval = (req: Request): string | null => req.get(CONFIRM_REMOVAL) ?? null;
