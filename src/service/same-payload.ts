import { hash } from 'node:crypto';

import { Definitions } from '../check/definitions';
import { NO_DIFFERENCE } from '../difference/difference';
import { unpackWarnings } from '../graph/known-payload';
import type { HeldDataSource } from '../graph/store';
import { RULES_VERSION } from '../rows/row-hash';
import { type AppliedPush, countsOf } from './apply-push';
import { pushInstant } from './push-instant';

/** What tells a payload's text from any other, in hexadecimal. */
export const sha256Of = (json: string): string => hash('sha256', json, 'hex');

/**
 * What a payload comes to whose very text was the newest whole push of its data source, without reading it: its rows stand still
 * (the digest tells), and nothing in the graph was changed since, on which its warnings may depend. `null` where that is not so.
 */
export const sameAgain = async (
  held: HeldDataSource,
  sha256: string,
): Promise<AppliedPush | null> => {
  const { digest, rows, rulesVersion, lastPushAt, pending } = held.state;
  if (pending !== null) return null;
  const known = await held.knownPayload();
  if (known === null || digest === null || known.sha256 !== sha256) return null;
  if (known.digest !== digest || rulesVersion !== RULES_VERSION) return null;
  if (known.rulesVersion !== RULES_VERSION) return null;
  if (known.turns !== (await held.turns())) return null;
  return {
    change: {
      at: pushInstant(lastPushAt),
      difference: NO_DIFFERENCE,
      shared: new Map(),
      said: SAYS_NOTHING_NEW,
      after: { digest, rows, rulesVersion },
      standing: rows,
    },
    effect: {
      outcome: 'unchanged',
      ...countsOf(NO_DIFFERENCE),
      digest,
      warnings: await unpackWarnings(known.warnings),
    },
    turns: null,
  };
};

// What it declares and which types it brings, the data source remembers since.
const SAYS_NOTHING_NEW: AppliedPush['change']['said'] = {
  mentions: [],
  remarks: [],
  types: { application_types: [], resource_types: [], idp_types: [] },
  definitions: Definitions.none,
};
