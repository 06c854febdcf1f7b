import type { DecodedPush } from '../../contract/decode';
import { mergeProblems } from '../../codec/payload-order';
import { Afterwards, holdingOf } from '../../difference/afterwards';
import { compareHashes, NO_DIFFERENCE } from '../../difference/difference';
import {
  followersOf,
  fullDifference,
  desiredRows,
  keysToRead,
  isCurrentAlready,
  withFollowers,
} from '../../difference/full-push';
import { isSettled } from '../graph/data-source-state';
import type { Template } from '../../templates/templates';
import { payloadRows } from '../../rows/payload-rows';
import { RULES_VERSION } from '../../rows/row/row-hash';
import { meanwhile } from './until-sent';
import { namesAfter } from './names-after';
import type { ChangeContext, PushChange } from './push-change';
import { pushInstant } from '../../graph/records/push-instant';
import { ruleBroken } from './push-refusal';
import { hashesFit, readingFits } from '../receive/needed-heap';
import { rememberedBy } from './remembered';

type Whole = Extract<DecodedPush<Template>, { _tag: 'Full' }>;

/**
 * Finds what a full push changes: its desired rows replace the current rows of the data source
 * (docs/rules.md: Full pushes).
 */
export const changeByFullPush = async (
  decoded: Whole,
  context: Pick<ChangeContext, 'held' | 'watch' | 'names' | 'heap'>,
): Promise<PushChange> => {
  const { held, watch, heap } = context;
  const { digest, rulesVersion, rows: rowsBefore, lastPushAt, provider } = held.state;
  hashesFit(heap, rowsBefore);
  // The payload differs from the newest one, so the push needs the hashes of the current rows.
  // Neo4j reads them while the service checks the payload.
  const reading = held.hashes();
  reading.catch(() => undefined);
  await meanwhile();
  const earlier = rememberedBy(held);
  const { rows, problems, definitions } = watch.time('check', () =>
    payloadRows(provider.template, decoded.payload, earlier),
  );
  const named = await watch.timeAsync('check', () => namesAfter(decoded, context));
  const broken = mergeProblems(decoded.payload, [problems, named.problems]);
  if (broken.total > 0) throw ruleBroken(decoded, broken);
  const change = {
    at: pushInstant(lastPushAt),
    shared: rows.shared,
    warningSources: rows,
    remembered: {
      definitions,
      types: rows.types,
      isMore: false,
      propertyNames: named.propertyNames,
    },
    rulesVersion: RULES_VERSION,
  };
  const wanted = desiredRows(rows.rows);
  const isCurrent = (): boolean => isCurrentAlready(wanted, digest, rulesVersion);
  if (isSettled(held.state) && digest !== null && watch.time('rows', isCurrent)) {
    return {
      ...change,
      difference: NO_DIFFERENCE,
      after: { digest, rows: wanted.length },
      rowsBefore,
    };
  }
  return watch.timeAsync('difference', async () => {
    const hashes = await reading;
    const comparison = compareHashes(wanted, hashes, rulesVersion);
    const keys = keysToRead(comparison);
    const settled = fullDifference(
      comparison,
      await held.rows(keys, readingFits(heap, keys.length, comparison.created.length)),
    );
    const followers = followersOf(wanted, comparison, settled);
    const read = await held.rows(followers.map(({ key }) => key));
    const difference = withFollowers(settled, followers, read);
    const after = new Afterwards(holdingOf(hashes), difference);
    return { ...change, difference, after, rowsBefore: hashes.size };
  });
};
