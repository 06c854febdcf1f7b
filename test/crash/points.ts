import { LocalUser } from '../../src/templates/application/local-users';
import { LOCK_DATA_SOURCE } from '../../src/graph/statements/data-source-statements';
import { CREATE_MISSING, createRowNodes } from '../../src/graph/rows/node-statements';
import type { Call, Moment } from './bolt-connection';

const DERIVED = /MERGE \((asker|answerer)\)-\[r:/;

/** The steps of a push at which it is struck in every run of the tests, each by a call that it makes there. */
export const STEPS: Readonly<Record<string, (call: Call) => boolean>> = {
  lock: ({ what }) => what === LOCK_DATA_SOURCE,
  rows: ({ what }) => what === createRowNodes(LocalUser),
  'shared nodes': ({ what }) => what === CREATE_MISSING,
  derivation: ({ what }) => DERIVED.test(what),
  // A request looks up its data source in a transaction before.
  commit: ({ what, transaction }) => what === 'COMMIT' && transaction.includes(LOCK_DATA_SOURCE),
  'end of a look-up': ({ what, transaction }) =>
    what === 'COMMIT' && !transaction.includes(LOCK_DATA_SOURCE),
};

/** The first moment before or after a call of a step. */
export const momentOf =
  (step: string, side: Moment['side']) =>
  (moment: Moment): boolean =>
    moment.side === side && (STEPS[step]?.(moment.call) ?? false);
