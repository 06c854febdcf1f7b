import { keyShare, Turns } from '../../web/admission/turns';

/** How many readings of applications by request run at once. */
const AT_ONCE = 4;
const WAIT_SECONDS = 60;

/**
 * The turns of requests that read a complete application: imports, and plans of policies. Each
 * holds memory for a while (docs/security.md: One caller does not starve the others).
 */
export const readingTurns = (): Turns =>
  new Turns({
    ...{ atOnce: AT_ONCE, ofKey: keyShare(AT_ONCE) },
    patience: {
      seconds: WAIT_SECONDS,
      keyBusy: {
        _tag: 'Exhausted',
        message: `The key has ${keyShare(AT_ONCE)} applications being read; try again when one is done.`,
      },
      allBusy: {
        _tag: 'Exhausted',
        message: 'Too many applications are being read; try again later.',
      },
    },
  });
