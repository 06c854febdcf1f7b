import { NO_DIFFERENCE } from '../../difference/difference';
import { isSettled } from '../../graph/push/data-source-state';
import type { HeldDataSource } from '../../graph/push/held-data-source';
import { unpackWarnings } from '../../graph/records/push-warnings';
import { RULES_VERSION } from '../../rows/row/row-hash';
import { pushInstant } from '../change/push-instant';
import { type AppliedPush, countsOf } from './apply-push';

/**
 * What a payload comes to whose text is that of the data source's newest full payload, without reading it. Its rows
 * still stand (the digest tells), and no push has changed the graph since, on which its warnings may depend. `null`
 * where that is not so.
 */
export const sameAgain = async (
  held: HeldDataSource,
  sha256: string,
): Promise<AppliedPush | null> => {
  const { state } = held;
  const known = await held.knownPayload();
  const stands =
    known?.sha256 === sha256 &&
    isSettled(state) &&
    !state.remembersMore &&
    known.digest === state.digest &&
    known.rulesVersion === RULES_VERSION &&
    state.rulesVersion === RULES_VERSION;
  if (!stands || known.turns !== (await held.turns())) return null;
  const { digest, rulesVersion } = known;
  return {
    change: {
      at: pushInstant(state.lastPushAt),
      difference: NO_DIFFERENCE,
      shared: new Map(),
      said: { mentions: [], remarks: [] },
      // The data source remembers what the payload declares, and which types it brings.
      remembered: null,
      after: { digest, rows: state.rows },
      rulesVersion,
      standing: state.rows,
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
