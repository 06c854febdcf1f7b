import { resolve } from 'node:path';

const PRELOADED = resolve('scripts/other-constants.cjs');

/**
 * The environment of a service whose constants have other values (docs/operating.md: Constants).
 * Operators cannot do this.
 */
export const otherConstants = (
  values: Readonly<Record<string, number | undefined>>,
): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--require "${PRELOADED}"`,
  OTHER_CONSTANTS: JSON.stringify(values),
});
