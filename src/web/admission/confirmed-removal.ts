import type { Request } from 'express';

import { CONFIRM_REMOVAL } from '../../contract/parameters/confirm-removal';

/** The value of that header: what the client confirms. */
export const confirmedRemoval = (req: Request): string | null => req.get(CONFIRM_REMOVAL) ?? null;
