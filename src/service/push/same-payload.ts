import { hash } from 'node:crypto';

import { contentDigest } from '../../contract/content';
import type { DecodedPush } from '../../contract/decode';
import { NO_DIFFERENCE } from '../../difference/difference';
import type { KnownContent } from '../../graph/records/known-payload';
import type { KnownText } from '../../graph/records/provider-record';
import { type PushWarnings, unpackWarnings } from '../../graph/records/push-warnings';
import { type DataSourceState, isSettled } from '../../graph/push/data-source-state';
import type { HeldDataSource } from '../../graph/push/held-data-source';
import type { Template } from '../../templates/templates';
import { payloadWords } from '../../rows/payload-rows';
import type { Words } from '../../rows/row/rows';
import { RULES_VERSION } from '../../rows/row/row-hash';
import { concernsOf } from '../../rows/warnings';
import { type AppliedPush, countsOf, warningsAfter } from './apply-push';
import { pushInstant } from '../change/push-instant';
import type { Stopwatch } from '../change/stopwatch';

type Whole = Extract<DecodedPush<Template>, { _tag: 'Whole' }>;

/** What tells a payload's text from any other. */
export const knownText = (json: string, request: string): KnownText => ({
  request,
  sha256: hash('sha256', json, 'hex'),
  characters: json.length,
});

/** Whether the data source's rows, definitions and types still are those of the remembered payload, and would be made of it again. */
const standsStill = (state: DataSourceState, known: KnownContent): boolean =>
  isSettled(state) &&
  !state.remembersMore &&
  known.digest === state.digest &&
  known.rulesVersion === RULES_VERSION &&
  state.rulesVersion === RULES_VERSION;

/**
 * What a payload comes to that is the newest whole one of its data source, by its very text or the very request that brought it, without
 * reading it: its rows stand still (the digest tells), and nothing in the graph was changed since, on which its warnings may depend. `null` where
 * that is not so.
 */
export const sameAgain = async (
  held: HeldDataSource,
  isSame: (known: KnownText) => boolean,
): Promise<AppliedPush | null> => {
  const known = await held.knownPayload();
  if (known === null || !isSame(known) || !standsStill(held.state, known)) return null;
  if (known.turns !== (await held.turns())) return null;
  return unchanged(held.state, known, await unpackWarnings(known.warnings));
};

/**
 * What a good payload comes to that says in another order what the newest whole push of its data source said, without checking it and making its
 * rows again: they stand still. Its warnings are found anew. `null` where that is not so.
 */
export const sameContent = async (
  held: HeldDataSource,
  text: KnownText,
  decoded: Whole,
  watch: Stopwatch,
): Promise<AppliedPush | null> => {
  const { template } = held.state.provider;
  const known = await held.knownContent();
  if (known === null || !standsStill(held.state, known)) return null;
  const content = watch.time('recognise', () => contentDigest(template, decoded.payload));
  if (content !== known.content) return null;
  const turns = await held.turns();
  const warnings = await watch.timeAsync('warn', () => {
    const words = payloadWords(template, decoded.payload);
    return warningsAfter(held, concernsOf(decoded, words));
  });
  const again = unchanged(held.state, known, warnings);
  // The very text: others changed the graph since, and from now on its warnings are known again.
  return text.sha256 === known.sha256 ? { ...again, known: { turns, content } } : again;
};

const unchanged = (
  { rows, lastPushAt }: DataSourceState,
  { digest, rulesVersion }: KnownContent,
  warnings: PushWarnings,
): AppliedPush => ({
  change: {
    at: pushInstant(lastPushAt),
    difference: NO_DIFFERENCE,
    shared: new Map(),
    said: NO_WORDS,
    // What it declares and which types it brings, the data source remembers since.
    remembered: null,
    after: { digest, rows },
    rulesVersion,
    standing: rows,
  },
  effect: { outcome: 'unchanged', ...countsOf(NO_DIFFERENCE), digest, warnings },
  known: null,
});

const NO_WORDS: Words = { mentions: [], remarks: [] };
