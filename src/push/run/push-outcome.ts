import { packWarnings } from '../../graph/records/push-warnings';
import type { HeldDataSource } from '../graph/held-data-source';
import type { AppliedPush } from './apply-push';
import { pushInstant } from '../../graph/records/push-instant';
import { acceptedReport, type PushIdentity } from './push-report';

/** Records an accepted push, the state after it, and what the service remembers of its payload. */
export const recordAccepted = async (
  held: HeldDataSource,
  push: PushIdentity,
  sha256: string,
  { change, effect, turns, lasting = effect.warnings }: AppliedPush,
  seconds: Readonly<Record<string, number>>,
): Promise<void> => {
  const { at, remembered, rulesVersion } = change;
  const { digest, rows } = change.after;
  const pending = held.state.pending?.push ?? null;
  const report = acceptedReport(
    push,
    at,
    effect,
    seconds,
    pending === push.id ? { reportedAt: pushInstant(at) } : { replaced: pending },
  );
  const outcome = {
    digest,
    rows,
    rulesVersion,
    remembered:
      remembered === null
        ? null
        : { ...remembered, definitions: JSON.stringify(remembered.definitions) },
    payload:
      turns === null
        ? null
        : {
            sha256,
            turns,
            digest,
            rulesVersion,
            warnings: await packWarnings(lasting),
          },
  };
  await held.record(report.record, outcome, report.events);
};
