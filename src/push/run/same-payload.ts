import { NO_DIFFERENCE } from '../../difference/difference';
import { isSettled } from '../graph/data-source-state';
import type { HeldDataSource } from '../graph/held-data-source';
import { unpackWarnings } from '../../graph/records/push-warnings';
import { RULES_VERSION } from '../../rows/row/row-hash';
import { pushInstant } from '../../graph/records/push-instant';
import { type AppliedPush, countsOf } from './apply-push';

/**
 * Gives the result of a payload with the same text as the newest full payload of the data source,
 * without reading it. The digest shows that the current rows are still those of the payload. The
 * commit sequence number shows that no push has changed the graph since, so the warnings still
 * hold. Gives `null` if either has changed.
 */
export const sameAgain = async (
  held: HeldDataSource,
  sha256: string,
): Promise<AppliedPush | null> => {
  const { state } = held;
  const known = await held.knownPayload();
  const isSame =
    known?.sha256 === sha256 &&
    isSettled(state) &&
    !state.remembersMore &&
    known.digest === state.digest &&
    known.rulesVersion === RULES_VERSION &&
    state.rulesVersion === RULES_VERSION;
  if (!isSame || known.turns !== (await held.turns())) return null;
  const { digest, rulesVersion } = known;
  return {
    change: {
      at: pushInstant(state.lastPushAt),
      difference: NO_DIFFERENCE,
      shared: new Map(),
      warningSources: { mentions: [], remarks: [] },
      // The definitions and types that the service remembers do not change, because they are those
      // of the payload.
      remembered: null,
      after: { digest, rows: state.rows },
      rulesVersion,
      rowsBefore: state.rows,
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
