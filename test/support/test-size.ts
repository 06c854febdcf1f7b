/** Whether this is the full run (`npm run test:full`); `npm test` is the short one. */
const IS_FULL = process.env.TEST_SIZE === 'full';

/** How much a test repeats. The short run makes less of the same: fewer repetitions, never fewer rules. */
export const sized = <A>(short: A, full: A): A => (IS_FULL ? full : short);
